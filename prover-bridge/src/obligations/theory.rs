//! What is said about the theories in use: that their axioms are defined, and that they imply what automata require of them.

use ioa_lang::core::{AutomatonId, AxiomId};
use z3::ast::Bool;

use super::{Goal, Group, Kind, Part, Piece, Role, Target, View};
use crate::logic::{Encoded, Env, Logic};

impl<'a> Logic<'a> {
    /// The definedness of an axiom, where those before it hold that are assumed wherever it is.
    pub(crate) fn axiom_group(&'a self, target: &Target<'a>, id: AxiomId) -> Encoded<Group<'a>> {
        let axiom = target.model.axiom(id);
        let setting = target.model.setting_of_axiom(axiom);
        let ids = target.model.axioms_in(&setting).map(|(other, _)| other);
        let known = ids.zip(self.axioms(&setting)?);
        let earlier = known.take_while(|(other, _)| *other < id);
        let mut assume: Vec<Piece> = earlier
            .filter(|(_, (other, _))| axiom.assumed.implies(&other.assumed))
            .map(|(_, (other, formula))| Piece::new(&*other.name, formula))
            .collect();
        let env = Env::default().item(&axiom.locals);
        let demands = self.demands(&axiom.formula, &env, &Bool::from_bool(true))?;
        assume.extend(self.facts());
        let goals = demands.into_iter().map(Goal::defined).collect();
        let kind = Kind::Definedness(Part::Axiom(id));
        let members = vec![(kind, Ok(vec![self.case(goals, View::of_theories())]))];
        Ok(Group { assume, members })
    }

    /// A requirement of an automaton: it is defined, and it holds.
    pub(crate) fn requirement_group(
        &'a self,
        target: &Target<'a>,
        id: AutomatonId,
        position: usize,
    ) -> Encoded<Group<'a>> {
        let requirement = &target.model.automaton(id).requirements[position];
        let env = Env::default().item(&requirement.locals);
        let demands = self.demands(&requirement.formula, &env, &Bool::from_bool(true))?;
        let mut goals: Vec<Goal<'a>> = demands.into_iter().map(Goal::defined).collect();
        goals.extend(self.conjuncts(&requirement.formula, &env, Role::Requirement)?);
        let kind = Kind::Requirement {
            automaton: id,
            position,
        };
        Ok(Group {
            assume: self.facts(),
            members: vec![(kind, Ok(vec![self.case(goals, View::of_theories())]))],
        })
    }
}
