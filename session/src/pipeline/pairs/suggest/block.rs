//! What the high automaton does for each low step: sequences of actions with terms as parameters, under conditions.

use ioa_lang::core::{ActionId, ClauseChoice, Expr, Local, Type, VarId};
use ioa_lang::{Name, Span};
use paired_exec::HighStepTaken;

use super::basis::Suggesting;
use super::language::atoms::Truth;
use super::language::formulas::{Formula, Outer, Search};
use super::questions::{Asked, Form, QUESTIONS, Question, form_of, forms};
use super::relation::Relation;

/// What is done for the steps of an action: in the first case whose condition holds, or the last one.
pub(super) struct Entry {
    pub(super) action: ActionId,
    pub(super) locals: Vec<Local>,
    pub(super) cases: Vec<Case>,
}

/// Steps of the high automaton, under a condition.
pub(super) struct Case {
    pub(super) condition: Option<Formula>,
    pub(super) steps: Vec<Fired>,
}

/// A step that is fired.
#[derive(Clone)]
pub(super) struct Fired {
    pub(super) action: ActionId,
    pub(super) args: Vec<Expr>,
    pub(super) using: Vec<(Name, Expr)>,
}

/// A low step from a pair of related states, for which no answer can be said.
pub(super) struct Open {
    pub(super) action: ActionId,
    pub(super) sample: usize,
    pub(super) low: usize,
}

/// Nested cases.
const CASES: usize = 3;

impl Suggesting<'_> {
    /// The entries of a proof block for a relation.
    ///
    /// # Errors
    /// The first action for which there is none.
    pub(super) fn entries(&self, relation: &Relation, thorough: usize) -> Result<Vec<Entry>, Open> {
        let actions = (0..self.low().actions.len()).map(ActionId::at);
        actions
            .map(|action| self.entry(relation, action, QUESTIONS * thorough))
            .collect()
    }

    fn entry(&self, relation: &Relation, action: ActionId, most: usize) -> Result<Entry, Open> {
        let questions = self.questions(relation, action, most);
        let declared = &self.low().actions[action.index()];
        let params = declared.params.iter();
        let locals: Vec<Local> = params
            .map(|(name, ty)| Local {
                name: name.clone(),
                ty: ty.clone(),
                span: Span::default(),
            })
            .collect();
        if questions.is_empty() {
            let cases = vec![Case {
                condition: None,
                steps: Vec::new(),
            }];
            return Ok(Entry {
                action,
                locals,
                cases,
            });
        }
        let open = |question: &Question<'_>| Open {
            action,
            sample: question.sample,
            low: question.low,
        };
        let why = open(&questions[0]);
        let Some(mut asked) = self.asked(questions, locals) else {
            return Err(why);
        };
        let all: Vec<usize> = (0..asked.questions.len()).collect();
        match self.decide(&mut asked, &all, CASES) {
            Some(cases) => Ok(Entry {
                action,
                locals: asked.locals,
                cases,
            }),
            None => Err(why),
        }
    }

    /// What to do in these cases.
    fn decide(&self, asked: &mut Asked<'_>, among: &[usize], depth: usize) -> Option<Vec<Case>> {
        let forms = forms(asked, among);
        for (form, there) in &forms {
            if there.len() == among.len()
                && let Some(steps) = self.fragment(asked, form, among)
            {
                return Some(vec![Case {
                    condition: None,
                    steps,
                }]);
            }
        }
        if depth == 0 || !self.goes_on() {
            return None;
        }
        // It reads better to do something under a condition than to do nothing under one.
        let (doing, idle): (Vec<_>, Vec<_>) = forms.iter().partition(|(form, _)| !form.is_empty());
        for (form, there) in doing.into_iter().chain(idle).take(4) {
            let conditions = self.conditions(asked, among, (form, there));
            for condition in conditions {
                let Some((holds, fails)) = self.split(asked, &condition, among) else {
                    continue;
                };
                let Some(steps) = self.fragment(asked, form, &holds) else {
                    continue;
                };
                if let Some(mut cases) = self.decide(asked, &fails, depth - 1) {
                    let first = Case {
                        condition: Some(condition.0),
                        steps,
                    };
                    cases.insert(0, first);
                    return Some(cases);
                }
            }
        }
        None
    }

    /// Conditions that are true where only fragments of this form answer, and false where none of them does.
    fn conditions(
        &self,
        asked: &Asked<'_>,
        among: &[usize],
        (form, there): (&Form, &[usize]),
    ) -> Vec<(Formula, Truth)> {
        let is_there = |at: usize| there.contains(&at);
        let is_only = |at: usize| {
            let mut answers = asked.questions[at].answers.iter();
            answers.all(|answer| form_of(answer) == *form)
        };
        let wanted: Vec<Option<bool>> = among
            .iter()
            .map(|at| match (is_there(*at), is_only(*at)) {
                (false, _) => Some(false),
                (true, true) => Some(true),
                (true, false) => None,
            })
            .collect();
        let fits = |truth: &Truth| {
            let mut both = truth.iter().zip(&wanted);
            let fits = both.all(|(t, wanted)| t.is_some() && (wanted.is_none() || t == wanted));
            let splits = truth.contains(&Some(true)) && truth.contains(&Some(false));
            fits && splits
        };
        let outer = Outer {
            leaves: asked.leaves.clone(),
            points: among
                .iter()
                .map(|at| {
                    let question = &asked.questions[*at];
                    (question.sample, self.values_at(question))
                })
                .collect(),
            locals: asked.locals.clone(),
        };
        let goes_on = || self.goes_on();
        let search = Search {
            grammar: self.grammar(3),
            universes: &self.universes,
            fits: &fits,
            most: 4,
            goes_on: &goes_on,
        };
        search.formulas(&outer)
    }

    /// The questions at which a condition holds, and the others.
    fn split(
        &self,
        asked: &Asked<'_>,
        (_, truth): &(Formula, Truth),
        among: &[usize],
    ) -> Option<(Vec<usize>, Vec<usize>)> {
        debug_assert!(among.iter().all(|at| *at < asked.questions.len()));
        let both = among.iter().copied().zip(truth);
        let (holds, fails): (Vec<_>, Vec<_>) = both.partition(|(_, t)| **t == Some(true));
        let only = |part: Vec<(usize, _)>| part.into_iter().map(|(at, _)| at).collect();
        let (holds, fails): (Vec<usize>, Vec<usize>) = (only(holds), only(fails));
        (!holds.is_empty() && !fails.is_empty()).then_some((holds, fails))
    }

    /// Terms for the parameters and choices of a fragment, such that it answers at these questions.
    fn fragment(&self, asked: &Asked<'_>, form: &Form, among: &[usize]) -> Option<Vec<Fired>> {
        let mut left: Vec<Vec<&[HighStepTaken]>> = among
            .iter()
            .map(|at| {
                let answers = asked.questions[*at].answers.iter();
                let of_form = answers.filter(|answer| form_of(answer) == *form);
                of_form.map(|answer| &answer.steps[..]).collect()
            })
            .collect();
        let mut fired = Vec::new();
        for (number, (action, choices)) in form.iter().enumerate() {
            let declared = &self.high().actions[action.index()];
            let mut step = Fired {
                action: *action,
                args: Vec::new(),
                using: Vec::new(),
            };
            for (at, (_, ty)) in declared.params.iter().enumerate() {
                let value = |steps: &[HighStepTaken]| steps[number].params[at].clone();
                let term = asked.term(ty, among, number, &value, &mut left)?;
                step.args.push(term);
            }
            let named = match choices {
                0 => Vec::new(),
                _ => self.choices(*action).filter(|c| c.len() == *choices)?,
            };
            for (at, (name, ty)) in named.into_iter().enumerate() {
                let value = |steps: &[HighStepTaken]| steps[number].using[at].1.clone();
                let term = asked.term(&ty, among, number, &value, &mut left)?;
                step.using.push((name, term));
            }
            fired.push(step);
        }
        Some(fired)
    }

    /// The choices of a high action, by name, with their types; none if a proof block cannot give values for them.
    fn choices(&self, action: ActionId) -> Option<Vec<(Name, Type)>> {
        let name_of = |var: VarId| self.high().variables[var.index()].name.clone();
        let mut agreed: Vec<ClauseChoice> = Vec::new();
        for (_, clause) in self.high().clauses(action) {
            let choices = clause.choices(&name_of).ok()?;
            let mut both = agreed.iter().zip(&choices);
            let agree = agreed.len() == choices.len() && both.all(|(a, b)| a.agrees_with(b));
            if agreed.is_empty() {
                agreed = choices;
            } else if !choices.is_empty() && !agree {
                return None;
            }
        }
        let is_only = |name: &str| agreed.iter().filter(|c| c.is_named(name)).count() == 1;
        let all_apart = agreed.iter().all(|choice| is_only(&choice.binder));
        let named = agreed.iter().map(|c| (c.binder.clone(), c.ty.clone()));
        all_apart.then(|| named.collect())
    }
}
