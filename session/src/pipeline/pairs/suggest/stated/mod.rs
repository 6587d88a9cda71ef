//! A proposal as a simulation of the core, which is followed and judged, and as the text that people get.

mod draft;
mod simulation;
mod start;
mod text;

use ioa_lang::core::VarId;

use super::basis::Suggesting;
use super::block::Entry;
use super::language::formulas::Formula;
use super::relation::Relation;
use crate::study::{BadInput, Study};

/// What messages call the text that is proposed.
const PLACE: &str = "the suggestion";

/// What makes up a simulation.
struct Parts<'p> {
    relation: &'p Relation,
    /// The high variables that are given a value at the start.
    initially: Vec<(VarId, Formula)>,
    entries: &'p [Entry],
}

impl Suggesting<'_> {
    /// The study with a proposal in place of any other simulation of these automata, and the text of the proposal.
    pub(super) fn stated(
        &self,
        relation: &Relation,
        entries: &[Entry],
    ) -> Result<(Study, String), BadInput> {
        let parts = Parts {
            relation,
            initially: self.initially(relation),
            entries,
        };
        let draft = self.draft(&parts);
        let mut sources = self.study.sources.clone();
        let file = sources.add(PLACE, draft.text.clone());
        let simulation = self.built(&parts, &draft, file);
        let study = self.study.relating(sources, simulation)?;
        Ok((study, draft.text))
    }
}
