//! Inputs are always enabled: whatever the parameters, some clause is for them.

use ioa_lang::core::{ActionId, AutomatonId};

use super::{Case, Fired, Goal, Group, Kind, Part, Piece, Target, View};
use crate::logic::{Definedness, Encoded, Env, Logic, Sym, UndefinedCause, or};

impl<'a> Logic<'a> {
    /// For all parameters that the signature allows, a clause of the input applies.
    pub(crate) fn input_group(
        &'a self,
        target: &Target<'a>,
        id: AutomatonId,
        action: ActionId,
    ) -> Encoded<Group<'a>> {
        let automaton = target.model.automaton(id);
        let input = &automaton.actions[action.index()];
        let declared = input.locals.iter().zip(&input.params);
        let params: Encoded<Vec<Sym<'a>>> = declared
            .map(|(local, (name, _))| {
                self.unknown(
                    &format!("{}.{}.{name}", automaton.name, input.name),
                    &local.ty,
                )
            })
            .collect();
        let params = params?;
        let mut env = Env::default().item(&input.locals);
        for (local, value) in (0..).map(ioa_lang::core::LocalId).zip(&params) {
            env.set_local(local, value.clone());
        }
        let allowed = self.holds(&input.predicate, &env)?;
        let mut applies = Vec::new();
        for (_, clause) in automaton.clauses(action) {
            let mut env = Env::default().item(&clause.locals);
            for (local, value) in clause.params.iter().zip(&params) {
                env.set_local(*local, value.clone());
            }
            applies.push(self.holds(&clause.applies, &env)?);
        }
        let goal = Goal::defined(Definedness {
            span: input.span,
            cause: UndefinedCause::NoClause,
            condition: or(&applies),
        });
        let first = automaton.clauses(action).next();
        let view = View {
            low: id,
            high: None,
            before: None,
            step: first.map(|(transition, _)| Fired {
                automaton: id,
                transition,
                params,
            }),
            fired: Vec::new(),
            after: None,
        };
        let mut assume = self.facts();
        assume.push(Piece::new("signature", allowed));
        let case: Case<'a> = self.case(vec![goal], view);
        let kind = Kind::Definedness(Part::Input(id, action));
        Ok(Group {
            assume,
            members: vec![(kind, Ok(vec![case]))],
        })
    }
}
