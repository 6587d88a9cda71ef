//! Clauses that say more than another one, since they suppose less.
//!
//! The variables of a diagram stand for different elements, and no more of them than the smallest instance has that shows
//! something. So a clause may suppose that two variables differ, or that the same element stands in two places, for no
//! other reason than that. And in a small state a set may be empty that need only lack some elements. What holds without such
//! conditions says more (a generalisation, as a learner from examples makes it: Plotkin, A Note on Inductive Generalization, 1970).

use std::cell::Cell;
use std::collections::BTreeMap;

use ioa_lang::Span;
use ioa_lang::core::{Expr, ExprKind, Invariant, Local, LocalId, Op, Quantifier, Type};

use crate::build::{formula, implied, member, not, rebuilt, variable};

/// A clause has no more variables than this.
const MAX_VARIABLES: usize = 9;

/// A variable in more places stays as it is: there are too many ways to divide them.
const MAX_PLACES: usize = 5;

/// A clause in parts: for all values of some variables, the premises imply the conclusion.
#[derive(Clone)]
pub(crate) struct General {
    /// What it is a generalisation of.
    whole: Invariant,
    variables: Vec<LocalId>,
    premises: Vec<Expr>,
    conclusion: Expr,
}

/// How much less is supposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Less {
    /// Variables may stand for the same element.
    Differences,
    /// Besides, different elements may stand where there was one, and a set that was empty may have elements that the clause is not about.
    Identities,
}

/// A way to suppose less.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Without a premise on the variables alone.
    Without(Expr),
    /// With a premise that a set lacks the clause's own elements, in place of this one that it is empty.
    Lacking(Expr),
    /// With a variable of its own in some of the places of another one. Places are counted among all where the premises on the state
    /// and the conclusion have a variable.
    Apart(Vec<usize>),
}

impl General {
    /// An invariant in parts; none if it has no variables.
    pub(crate) fn of(whole: &Invariant) -> Option<Self> {
        let ExprKind::Quantified(Quantifier::ForAll, variables, body) = &whole.formula.kind else {
            return None;
        };
        let (mut premises, mut conclusion) = match &body.kind {
            ExprKind::Apply(Op::Implies, sides) => {
                (sides[0].clone().into_conjuncts(), sides[1].clone())
            }
            _ => (Vec::new(), (**body).clone()),
        };
        // That a set is not empty says the same as that its being empty leads to something false.
        if let ExprKind::Apply(Op::Not, args) = &conclusion.kind
            && empty_set(&args[0]).is_some()
        {
            premises.push(args[0].clone());
            conclusion = Expr::falsehood(Span::default());
        }
        Some(Self {
            whole: whole.clone(),
            variables: variables.clone(),
            premises,
            conclusion,
        })
    }

    /// The ways to suppose less by leaving something out.
    pub(crate) fn without(&self) -> Vec<Way> {
        let premises = self.premises.iter().filter(|p| is_on_variables(p));
        premises.cloned().map(Way::Without).collect()
    }

    /// The ways to suppose less by saying that a set lacks the clause's own elements, instead of saying that it is empty.
    pub(crate) fn lacking(&self) -> Vec<Way> {
        let premises = self.premises.iter();
        let empty =
            premises.filter(|p| empty_set(p).is_some_and(|set| !self.lacked(set).is_empty()));
        empty.cloned().map(Way::Lacking).collect()
    }

    /// That a set has none of the elements for which the clause has variables.
    fn lacked(&self, set: &Expr) -> Vec<Expr> {
        let own = self.variables.iter().map(|local| {
            let ty = &self.whole.locals[local.index()].ty;
            variable(*local, ty)
        });
        let elements = own.filter(|own| matches!(&set.ty, Type::Set(ty) if **ty == own.ty));
        elements.map(|own| not(member(own, set.clone()))).collect()
    }

    /// The ways to suppose less by putting a variable of its own in some of the places where the same one is.
    pub(crate) fn apart(&self) -> Vec<Way> {
        let mut places: BTreeMap<LocalId, Vec<usize>> = BTreeMap::new();
        for (place, local) in self.places().into_iter().enumerate() {
            places.entry(local).or_default().push(place);
        }
        let own = places.into_iter().filter(|(local, places)| {
            self.is_element(*local) && (2..=MAX_PLACES).contains(&places.len())
        });
        // The first place stays with the variable: which part of the places has the new one makes no difference.
        own.flat_map(|(_, places)| {
            let others = places[1..].to_vec();
            let parts = 1..1_usize << others.len();
            parts.map(move |part| {
                let own = others.iter().enumerate();
                let own = own.filter(|(at, _)| part >> at & 1 == 1);
                Way::Apart(own.map(|(_, place)| *place).collect())
            })
        })
        .collect()
    }

    /// Whether a variable of the clause stands for an element.
    fn is_element(&self, local: LocalId) -> bool {
        let ty = &self.whole.locals[local.index()].ty;
        self.variables.contains(&local) && matches!(ty, Type::Sort(_) | Type::Enum(_))
    }

    /// Whether a way still changes the clause: once others were taken, it may not.
    pub(crate) fn is_possible(&self, way: &Way) -> bool {
        match way {
            Way::Without(premise) | Way::Lacking(premise) => self.premises.contains(premise),
            Way::Apart(own) => {
                let places = self.places();
                let local = places[own[0]];
                let all = places.iter().filter(|other| **other == local).count();
                self.variables.len() < MAX_VARIABLES
                    && own.iter().all(|place| places[*place] == local)
                    && own.len() < all
            }
        }
    }

    /// The variables in all places where the premises on the state and the conclusion have one.
    fn places(&self) -> Vec<LocalId> {
        let mut places = Vec::new();
        let premises = self.premises.iter().filter(|p| !is_on_variables(p));
        for part in premises.chain([&self.conclusion]) {
            part.walk(&mut |part| {
                if let ExprKind::Local(local) = part.kind {
                    places.push(local);
                }
            });
        }
        places
    }

    /// The clause that supposes less in one of these ways.
    pub(crate) fn in_way(&self, way: &Way) -> Self {
        let mut general = self.clone();
        match way {
            Way::Without(premise) => general.premises.retain(|p| p != premise),
            Way::Lacking(premise) => {
                general.premises.retain(|p| p != premise);
                let set = empty_set(premise).expect("it says that a set is empty");
                general.premises.extend(self.lacked(set));
            }
            Way::Apart(places) => general.set_apart(places),
        }
        general
    }

    fn set_apart(&mut self, places: &[usize]) {
        let local = self.places()[places[0]];
        let fresh = LocalId::at(self.whole.locals.len());
        let own = Local {
            name: self.free_name(&self.whole.locals[local.index()].name),
            ..self.whole.locals[local.index()].clone()
        };
        self.whole.locals.push(own);
        self.variables.push(fresh);
        let passed = Cell::new(0);
        let replaced = |part: &Expr| {
            let leaf = |kind: &ExprKind| match kind {
                ExprKind::Local(_) => {
                    let at = passed.replace(passed.get() + 1);
                    places.contains(&at).then_some(ExprKind::Local(fresh))
                }
                _ => None,
            };
            rebuilt(part, &leaf, &|bound| bound)
        };
        for premise in self.premises.iter_mut().filter(|p| !is_on_variables(p)) {
            *premise = replaced(premise);
        }
        self.conclusion = replaced(&self.conclusion);
    }

    /// A name that is like the given one, and that no variable has.
    fn free_name(&self, like: &str) -> ioa_lang::Name {
        let is_free = |name: &String| self.whole.locals.iter().all(|l| *l.name != **name);
        let mut names = (1..).map(|n| format!("{like}{n}"));
        let name = names
            .find(is_free)
            .expect("there are more names than variables");
        (*name).into()
    }

    /// The clause as an invariant. Variables that it does not mention are left out.
    pub(crate) fn invariant(&self) -> Invariant {
        let (mut premises, mut conclusion) = (self.premises.clone(), self.conclusion.clone());
        if conclusion == Expr::falsehood(Span::default())
            && let Some(last) = premises.pop()
        {
            conclusion = not(last);
        }
        let body = implied(premises, conclusion);
        let mut mentioned = Vec::new();
        body.walk(&mut |part| {
            if let ExprKind::Local(local) = part.kind {
                mentioned.push(local);
            }
        });
        let variables = self.variables.iter().copied();
        let variables: Vec<LocalId> = variables.filter(|v| mentioned.contains(v)).collect();
        let formula = match variables.is_empty() {
            true => body,
            false => {
                let kind = ExprKind::Quantified(Quantifier::ForAll, variables, Box::new(body));
                formula(kind)
            }
        };
        Invariant {
            formula,
            span: Span::default(),
            ..self.whole.clone()
        }
    }
}

/// The set that a premise says is empty.
fn empty_set(premise: &Expr) -> Option<&Expr> {
    match &premise.kind {
        ExprKind::Apply(Op::Eq, sides) => match [&sides[0].kind, &sides[1].kind] {
            [ExprKind::Apply(Op::EmptySet, _), _] => Some(&sides[1]),
            [_, ExprKind::Apply(Op::EmptySet, _)] => Some(&sides[0]),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a premise says of the variables alone that they differ, or in which order they are.
fn is_on_variables(premise: &Expr) -> bool {
    let is_plain = |args: &[Expr]| {
        let mut args = args.iter();
        args.all(|arg| matches!(arg.kind, ExprKind::Local(_)))
    };
    match &premise.kind {
        ExprKind::Apply(Op::Not, args) => {
            matches!(&args[0].kind, ExprKind::Apply(Op::Eq, sides) if is_plain(sides))
        }
        ExprKind::Apply(Op::Lt | Op::Le, sides) | ExprKind::Theory(_, sides) => is_plain(sides),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ioa_lang::Sources;
    use ioa_lang::core::Model;
    use ioa_lang::print::{self, Context};

    /// A model of which this is said.
    fn model_of(formula: &str) -> Model {
        let mut sources = Sources::default();
        let text = format!(
            "type Node
automaton A
  signature internal idle
  states s, t, u: Set[Node] := {{}}
  transitions internal idle
invariant I of A: {formula}
"
        );
        sources.add("a.ioa", text);
        ioa_lang::load(&sources).model
    }

    fn text(model: &Model, general: &General) -> String {
        let stated = general.invariant();
        let context = Context::automaton(model, stated.automaton, &stated.locals);
        print::expr(model, &context, &stated.formula)
    }

    #[test]
    fn less_is_supposed_of_variables_one_thing_at_a_time() {
        let mut sources = Sources::default();
        let model = "type Node
type Route = tuple of start, finish: Node
automaton A
  signature internal idle
  states routes: Set[Route] := {}, s: Set[Node] := {}
  transitions internal idle
invariant I of A: \\A m, n: Node (m ~= n /\\ [m, n] \\in routes => n \\in s)
invariant J of A: s = {}
";
        sources.add("a.ioa", model.to_owned());
        let model = ioa_lang::load(&sources).model;
        assert!(General::of(&model.invariants[1]).is_none());
        let general = General::of(&model.invariants[0]).expect("it has variables");
        let without = general.without();
        assert_eq!(without.len(), 1);
        let fewer = general.in_way(&without[0]);
        let stated = "\\A m, n: Node ([m, n] \\in routes => n \\in s)";
        assert_eq!(text(&model, &fewer), stated);
        // There is one place for m, and there are two for n.
        assert_eq!(fewer.apart(), [Way::Apart(vec![2])]);
        let set_apart = fewer.in_way(&fewer.apart()[0]);
        let other = "\\A m, n, n1: Node ([m, n] \\in routes => n1 \\in s)";
        assert_eq!(text(&model, &set_apart), other);
        assert!(set_apart.apart().is_empty());
        assert!(!set_apart.is_possible(&fewer.apart()[0]));
        assert!(!fewer.is_possible(&without[0]) && general.is_possible(&without[0]));
    }

    #[test]
    fn places_of_a_variable_are_divided_in_all_ways() {
        let model = model_of("\\A n: Node (n \\in s /\\ n \\in t => n \\in u)");
        let general = General::of(&model.invariants[0]).expect("it has variables");
        let ways = [vec![1], vec![2], vec![1, 2]].map(Way::Apart);
        assert_eq!(general.apart(), ways);
        let both = general.in_way(&ways[2]);
        let stated = "\\A n, n1: Node (n \\in s /\\ n1 \\in t => n1 \\in u)";
        assert_eq!(text(&model, &both), stated);
        assert!(both.is_possible(&ways[0]) && !both.is_possible(&ways[2]));
    }

    #[test]
    fn of_a_set_that_is_empty_the_own_elements_alone_are_lacking() {
        let model = model_of("\\A m, n: Node (m ~= n /\\ s = {} => m \\in t \\/ n \\in t)");
        let general = General::of(&model.invariants[0]).expect("it has variables");
        let [way] = &general.lacking()[..] else {
            unreachable!("there is one such premise")
        };
        let stated =
            "\\A m, n: Node (m ~= n /\\ m \\notin s /\\ n \\notin s => m \\in t \\/ n \\in t)";
        let lacking = general.in_way(way);
        assert_eq!(text(&model, &lacking), stated);
        assert!(!lacking.is_possible(way) && lacking.lacking().is_empty());
        let ends = model_of("\\A n: Node (n \\in t => s ~= {})");
        let general = General::of(&ends.invariants[0]).expect("it has variables");
        assert_eq!(text(&ends, &general), "\\A n: Node (n \\in t => s ~= {})");
        let lacking = general.in_way(&general.lacking()[0]);
        assert_eq!(text(&ends, &lacking), "\\A n: Node (n \\in t => n \\in s)");
    }

    #[test]
    fn variables_that_are_not_mentioned_any_more_are_not_bound() {
        let model = model_of("\\A m, n: Node (m ~= n => n \\in s)");
        let general = General::of(&model.invariants[0]).expect("it has variables");
        let without = general.without();
        let fewer = general.in_way(&without[0]);
        assert_eq!(text(&model, &fewer), "\\A n: Node (n \\in s)");
    }
}
