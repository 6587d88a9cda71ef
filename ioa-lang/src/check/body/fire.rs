//! `fire kind action(args) using term for name`.

use crate::check::checker::{Checker, Reason, Want};
use crate::core::{
    ActionId, ActionKind, AutomatonId, ClauseChoice, Expr, Fire, FireAny, StmtKind, Weight,
};
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::source::Span;
use crate::syntax::ast::{self, Ident};

impl Checker<'_, '_> {
    pub(in crate::check) fn fire(
        &mut self,
        kind: Option<ActionKind>,
        action: &Ident,
        args: &[ast::Expr],
        using: &[(ast::Expr, Ident)],
        span: Span,
    ) -> Option<StmtKind> {
        let found = match self.scope.program.fire {
            Ok(automaton) => {
                let header = self.world.header(automaton);
                header
                    .find_action_of_kind(action, kind, self.report)
                    .map(|id| (automaton, id))
            }
            Err(reason) => {
                self.report.add(
                    Diagnostic::error(Code::NoFire, span, "`fire` cannot stand here").label(reason),
                );
                None
            }
        };
        let Some((automaton, id)) = found else {
            for term in args.iter().chain(using.iter().map(|(term, _)| term)) {
                let _ = self.term(term, Want::Unknown);
            }
            return None;
        };
        let declared = self.world.header(automaton).action(id);
        let has_kind = kind.is_none_or(|kind| declared.has_kind(action, kind, self.report));
        let args = self.actuals(automaton, id, action, args);
        let using = self.resolutions(automaton, id, action, using);
        has_kind.then_some(())?;
        Some(StmtKind::Fire(Fire {
            kind: declared.kind,
            action: id,
            args: args?,
            using: using?,
        }))
    }

    pub(in crate::check) fn fire_any(
        &mut self,
        weights: &[(Ident, Ident)],
        span: Span,
    ) -> Option<StmtKind> {
        let program = self.scope.program;
        let automaton = match program.draw.and(program.fire) {
            Ok(automaton) => automaton,
            Err(reason) => {
                let message = "`fire any` cannot stand here";
                self.report
                    .add(Diagnostic::error(Code::NoFire, span, message).label(reason));
                return None;
            }
        };
        let header = self.world.header(automaton);
        let mut known: Vec<(ActionId, Weight, Span)> = Vec::new();
        let mut mistaken = false;
        for (action, number) in weights {
            let found = header.find_action_of_kind(action, None, self.report);
            let weight = Weight::read(&number.name);
            if weight.is_none() {
                self.report.add(bad_weight(number));
            }
            let (Some(id), Some(weight)) = (found, weight) else {
                mistaken = true;
                continue;
            };
            if let Some((.., first)) = known.iter().find(|(other, ..)| *other == id) {
                self.report_duplicate("the weight of", action, *first);
                mistaken = true;
            }
            known.push((id, weight, action.span));
        }
        let weights = known.into_iter().map(|(id, weight, _)| (id, weight));
        (!mistaken).then(|| {
            StmtKind::FireAny(FireAny {
                weights: weights.collect(),
            })
        })
    }

    /// The terms after `using`, in the order in which the action's choices are evaluated.
    fn resolutions(
        &mut self,
        automaton: AutomatonId,
        id: ActionId,
        action: &Ident,
        using: &[(ast::Expr, Ident)],
    ) -> Option<Vec<Expr>> {
        if using.is_empty() {
            return Some(Vec::new());
        }
        let Some(choices) = self.choices(automaton, id, action) else {
            for (term, _) in using {
                let _ = self.term(term, Want::Unknown);
            }
            return None;
        };
        let mut values: Vec<Option<Expr>> = vec![None; choices.len()];
        let mut given: Vec<Option<Span>> = vec![None; choices.len()];
        let mut mistaken = false;
        for (term, name) in using {
            let Some(position) = self.choice_named(&choices, name, action) else {
                let _ = self.term(term, Want::Unknown);
                mistaken = true;
                continue;
            };
            if let Some(first) = given[position].replace(name.span) {
                self.report_duplicate("the choice", name, first);
                mistaken = true;
            }
            let choice = &choices[position];
            let reason: Reason = (choice.span, "the choice".to_owned());
            values[position] = self.term(term, Want::Type(&choice.ty, Some(&reason)));
        }
        for (choice, given) in choices.iter().zip(&given) {
            if given.is_none() && !mistaken {
                self.report.add(
                    Diagnostic::error(
                        Code::ChoiceOpen,
                        action.span,
                        format!("`using` leaves the choice `{}` open", choice.name()),
                    )
                    .related(choice.span, "the choice")
                    .help("`using` gives values for all choices of an action, or for none"),
                );
            }
        }
        values.into_iter().collect()
    }

    fn choice_named(
        &mut self,
        choices: &[ClauseChoice],
        name: &Ident,
        action: &Ident,
    ) -> Option<usize> {
        let mut found = (0..choices.len()).filter(|i| choices[*i].is_named(&name.name));
        match (found.next(), found.next()) {
            (Some(position), None) => return Some(position),
            (Some(first), Some(second)) => self.report.add(
                Diagnostic::error(
                    Code::ChoiceUnknown,
                    name.span,
                    format!("`{}` could be more than one choice", name.name),
                )
                .related(choices[first].span, "this one")
                .related(choices[second].span, "or this one"),
            ),
            (None, _) => {
                let known = choices.iter().map(|choice| &**choice.name());
                let mut diagnostic = Diagnostic::error(
                    Code::ChoiceUnknown,
                    name.span,
                    format!("`{}` makes no choice named `{}`", action.name, name.name),
                );
                if let Some(near) = nearest(&name.name, known) {
                    diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
                }
                self.report.add_absence(&name.name, diagnostic);
            }
        }
        None
    }

    /// The choices of an action: those of its clauses, which must agree.
    fn choices(
        &mut self,
        automaton: AutomatonId,
        id: ActionId,
        action: &Ident,
    ) -> Option<Vec<ClauseChoice>> {
        let world = self.world;
        let clauses = world.clauses.get(automaton.index())?;
        if clauses.incomplete[id.index()] {
            return None;
        }
        let variables = &world.header(automaton).variables;
        let name_of = |var| variables.get(var).name.name.clone();
        let mut agreed: Option<Vec<ClauseChoice>> = None;
        for clause in clauses.understood.iter().filter(|t| t.action == id) {
            let choices = match clause.choices(&name_of) {
                Ok(choices) => choices,
                Err(at) => {
                    self.report.add(
                        Diagnostic::error(
                            Code::ChoicesDiffer,
                            action.span,
                            format!(
                                "the choices of `{}` cannot be given by `using`",
                                action.name
                            ),
                        )
                        .related(at, "whether this choice is made depends on the state"),
                    );
                    return None;
                }
            };
            let agrees = agreed.as_ref().is_none_or(|agreed| {
                let mut both = agreed.iter().zip(&choices);
                agreed.len() == choices.len() && both.all(|(a, b)| a.agrees_with(b))
            });
            if !agrees {
                self.report.add(
                    Diagnostic::error(
                        Code::ChoicesDiffer,
                        action.span,
                        format!("the clauses of `{}` make different choices", action.name),
                    )
                    .related(clause.span, "one of the clauses"),
                );
                return None;
            }
            if !choices.is_empty() {
                agreed = Some(choices);
            }
        }
        Some(agreed.unwrap_or_default())
    }
}

fn bad_weight(number: &Ident) -> Diagnostic {
    let greatest = Weight::MAX;
    let message =
        format!("a weight is at most {greatest}, with at most six digits behind the point");
    Diagnostic::error(Code::WeightOutOfRange, number.span, message)
        .help("weights are relative: an action without one has weight 1")
}
