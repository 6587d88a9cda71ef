//! A simulation, compiled: the relation, and the proof block as a program that runs the high automaton.

use finite::Universe;
use ioa_lang::Diagnostic;
use ioa_lang::core::{self, Local, Model, ProofBlock};

use crate::code::{Binder, Formula, Program};
use crate::compile::{self, Scope, Stores};
use crate::interrupt::fault::Item;
use crate::state::layout::{Layout, State};

/// A simulation.
#[derive(Debug)]
pub(crate) struct SimulationCode {
    pub(crate) relation: Formula,
    /// The proof block's own variables; none if there is no block.
    pub(crate) own: Layout,
    /// Their initial values.
    pub(crate) blank: State,
    pub(crate) block: Option<BlockCode>,
}

/// A proof block.
#[derive(Debug)]
pub(crate) struct BlockCode {
    pub(crate) initially: Program,
    pub(crate) entries: Vec<EntryCode>,
}

/// The entry for one action.
#[derive(Debug)]
pub(crate) struct EntryCode {
    pub(crate) params: Vec<Binder>,
    pub(crate) program: Program,
}

impl SimulationCode {
    pub(crate) fn compile(
        model: &Model,
        universe: &Universe,
        (low, high): (&Layout, &Layout),
        simulation: &core::Simulation,
    ) -> Result<Self, Vec<Diagnostic>> {
        let variables = simulation
            .proof
            .as_ref()
            .map_or(&[][..], |proof| &proof.variables);
        let own = Layout::of(model, universe, None, variables);
        let scope = |locals| Scope {
            model,
            universe,
            stores: stores(low, high, &own),
            locals,
        };
        let mut relation = compile::formula(scope(&simulation.locals), &simulation.relation)?;
        relation.frame.item = Item::Relation;
        let proof = simulation.proof.as_ref();
        let block = proof
            .map(|proof| BlockCode::compile(scope, proof))
            .transpose()?;
        Ok(Self {
            relation,
            blank: own.blank()?,
            own,
            block,
        })
    }
}

impl BlockCode {
    fn compile<'a>(
        scope: impl Fn(&'a [Local]) -> Scope<'a>,
        proof: &'a ProofBlock,
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut initially =
            compile::program(scope(&proof.initially.locals), &proof.initially.body)?;
        initially.frame.item = Item::Initially;
        let entries = proof.entries.iter().map(|entry| {
            let scope = scope(&entry.program.locals);
            let params =
                |c: &mut compile::Compiler<'_>| entry.params.iter().map(|p| c.binder(*p)).collect();
            let (mut frame, (params, body)) =
                compile::item(scope, |c| (params(c), c.block(&entry.program.body)))?;
            frame.item = Item::Entry(entry.action);
            Ok(EntryCode {
                params,
                program: Program { frame, body },
            })
        });
        Ok(Self {
            initially,
            entries: entries.collect::<Result<_, Vec<Diagnostic>>>()?,
        })
    }
}

/// The valuations of a term that reads both automata and the block's own variables.
pub(crate) fn stores<'a>(low: &'a Layout, high: &'a Layout, own: &'a Layout) -> Stores<'a> {
    [None, None, Some(low), Some(high), Some(own)]
}
