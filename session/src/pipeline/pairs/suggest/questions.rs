//! The low steps that have to be answered, and terms for the parameters of their answers.

use std::collections::BTreeMap;

use ioa_lang::core::{ActionId, Expr, ExprKind, Local, LocalId, Store, Type};
use ioa_lang::{Span, Value};
use paired_exec::{Answer, HighStepTaken, LowMove};

use super::basis::Suggesting;
use super::language::atoms::{Truth, literals, reads};
use super::language::points::{Leaf, Points, in_simulation};
use super::language::terms::Pool;
use super::relation::Relation;

/// A low step with the fragments that answer it.
pub(super) struct Question<'q> {
    pub(super) sample: usize,
    pub(super) low: usize,
    high: usize,
    step: &'q LowMove,
    pub(super) answers: Vec<&'q Answer>,
}

/// What the questions about one action have in common.
pub(super) struct Asked<'q> {
    pub(super) questions: Vec<Question<'q>>,
    pub(super) leaves: Vec<Leaf>,
    pub(super) locals: Vec<Local>,
    pool: Pool,
    conditions: Vec<(Expr, Truth)>,
    /// The position of the first leaf that is a high variable.
    first_high: usize,
}

/// The actions of a fragment, with how many values each step's choices take.
pub(super) type Form = Vec<(ActionId, usize)>;

/// At most so many questions about one action are looked at.
pub(super) const QUESTIONS: usize = 100;

impl Suggesting<'_> {
    /// The steps by an action from related states, spread over the samples.
    pub(super) fn questions(
        &self,
        relation: &Relation,
        action: ActionId,
        most: usize,
    ) -> Vec<Question<'_>> {
        let mut all = Vec::new();
        for (sample, kept) in relation.kept.iter().enumerate() {
            let joint = &self.samples[sample].joint;
            for (at, (low, high)) in joint.pairs().iter().enumerate() {
                if !kept[at] || !joint.is_expanded(at) {
                    continue;
                }
                let steps = joint.moves(*low).iter();
                for step in steps.filter(|step| step.action == action) {
                    let leads =
                        |a: &&Answer| joint.pair_at(step.to, a.to).is_some_and(|at| kept[at]);
                    all.push(Question {
                        sample,
                        low: *low,
                        high: *high,
                        step,
                        answers: joint.answers(*high, step).iter().filter(leads).collect(),
                    });
                }
            }
        }
        spread(all, most)
    }

    /// What terms and conditions there are at the questions.
    pub(super) fn asked<'q>(
        &self,
        questions: Vec<Question<'q>>,
        locals: Vec<Local>,
    ) -> Option<Asked<'q>> {
        let ids = (0..locals.len()).map(LocalId::at);
        let mut leaves: Vec<Leaf> = ids
            .zip(&locals)
            .map(|(id, local)| Leaf::bound(id, local.ty.clone()))
            .collect();
        leaves.extend(Leaf::variables(self.low(), Store::Low));
        let first_high = leaves.len();
        leaves.extend(Leaf::variables(self.high(), Store::High));
        let mut points = Points::new(&self.study.model, &leaves, self.universes.iter());
        for question in &questions {
            if !points.add(question.sample, &self.values_at(question)) {
                return None;
            }
        }
        let mut evaluator = points.evaluator()?;
        let grammar = self.grammar(3);
        let pool = grammar.pool(&leaves, &mut evaluator);
        let conditions = literals(&grammar, &pool, &mut evaluator, 80);
        let conditions = conditions.into_iter().map(|l| (l.expr, l.truth));
        Some(Asked {
            questions,
            conditions: conditions.collect(),
            leaves,
            locals,
            pool,
            first_high,
        })
    }

    pub(super) fn values_at(&self, question: &Question<'_>) -> Vec<Value> {
        let sample = &self.samples[question.sample];
        let high = sample.instance.layout(self.simulation.high);
        let state = &sample.joint.high_states()[question.high];
        let high = high.values(state).map(|(_, value)| value);
        let low = self.low_values((question.sample, question.low));
        let params = question.step.params.iter().cloned();
        params.chain(low).chain(high).collect()
    }
}

impl Asked<'_> {
    /// A term whose values answer at these questions; `left` keeps the fragments in which it has them.
    pub(super) fn term(
        &self,
        ty: &Type,
        among: &[usize],
        number: usize,
        value: &dyn Fn(&[HighStepTaken]) -> Value,
        left: &mut [Vec<&[HighStepTaken]>],
    ) -> Option<Expr> {
        let allowed: Vec<Vec<Value>> = left
            .iter()
            .map(|fragments| fragments.iter().map(|steps| value(steps)).collect())
            .collect();
        let fits = |values: &[Option<Value>], of: &dyn Fn(usize) -> bool| {
            let mut each = among.iter().zip(&allowed);
            each.all(|(at, allowed)| {
                !of(*at) || values[*at].as_ref().is_some_and(|v| allowed.contains(v))
            })
        };
        // After the first step the high state is another one.
        let may_read =
            |expr: &Expr| number == 0 || reads(expr).into_iter().all(|leaf| leaf < self.first_high);
        let terms = || self.pool.of(ty).filter(|term| may_read(&term.expr));
        let mut chosen = None;
        if let Some(term) = terms().find(|term| fits(&term.values, &|_| true)) {
            chosen = Some((term.expr.clone(), term.values.clone()));
        }
        let cases = self
            .conditions
            .iter()
            .filter(|(expr, truth)| may_read(expr) && among.iter().all(|at| truth[*at].is_some()));
        for (condition, truth) in cases {
            if chosen.is_some() {
                break;
            }
            let case = |holds| terms().find(|t| fits(&t.values, &|at| truth[at] == Some(holds)));
            if let (Some(then), Some(otherwise)) = (case(true), case(false)) {
                let values = (0..truth.len()).map(|at| match truth[at] {
                    Some(true) => then.values[at].clone(),
                    _ => otherwise.values[at].clone(),
                });
                let values = values.collect();
                let parts = [condition, &then.expr, &otherwise.expr].map(|e| Box::new(e.clone()));
                let [condition, then, otherwise] = parts;
                let kind = ExprKind::If(condition, then, otherwise);
                chosen = Some((Expr::new(kind, ty.clone(), Span::default()), values));
            }
        }
        let (expr, values) = chosen?;
        for (at, fragments) in among.iter().zip(left) {
            fragments.retain(|steps| values[*at].as_ref() == Some(&value(steps)));
        }
        Some(in_simulation(&expr, &self.leaves))
    }
}

pub(super) fn form_of(answer: &Answer) -> Form {
    let steps = answer.steps.iter();
    steps.map(|step| (step.action, step.using.len())).collect()
}

/// The forms of the fragments that answer, each with the questions that it answers; those that answer most first.
pub(super) fn forms(asked: &Asked<'_>, among: &[usize]) -> Vec<(Form, Vec<usize>)> {
    let mut all: BTreeMap<Form, Vec<usize>> = BTreeMap::new();
    for at in among {
        for answer in &asked.questions[*at].answers {
            let there = all.entry(form_of(answer)).or_default();
            if there.last() != Some(at) {
                there.push(*at);
            }
        }
    }
    let mut all: Vec<(Form, Vec<usize>)> = all.into_iter().collect();
    all.sort_by_key(|(form, there)| (std::cmp::Reverse(there.len()), form.len()));
    all
}

/// At most so many questions: those that are answered in some way are spread evenly over all that are.
fn spread(all: Vec<Question<'_>>, most: usize) -> Vec<Question<'_>> {
    if all.len() <= most {
        return all;
    }
    let mut by_forms: BTreeMap<Vec<Form>, Vec<Question<'_>>> = BTreeMap::new();
    for question in all {
        let mut forms: Vec<Form> = question.answers.iter().map(|a| form_of(a)).collect();
        forms.sort();
        forms.dedup();
        by_forms.entry(forms).or_default().push(question);
    }
    let each = most.div_ceil(by_forms.len());
    let mut chosen = Vec::new();
    for (_, questions) in by_forms {
        let stride = questions.len().div_ceil(each).max(1);
        chosen.extend(questions.into_iter().step_by(stride));
    }
    chosen
}
