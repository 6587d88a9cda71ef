//! Proof by contradiction in an e-graph.

use std::collections::BTreeMap;

use egg::{Id, Rewrite};
use ioa_lang::core::Type;

use super::encode::{Encoder, Statement};
use super::language::{Constants, Graph, Logic};
use super::rules;
use crate::atom::Relation;
use crate::frame::Binder;
use crate::samples::Schema;

/// Rounds of rule application in a proof.
const ROUNDS: usize = 6;
/// A graph with more nodes than this is given up: what it was to prove counts as not proved.
const MAX_NODES: usize = 6000;

/// Decides which statements are equal and which follow from others.
pub(crate) struct Prover<'a> {
    schema: &'a Schema,
    identities: Vec<Rewrite<Logic, Constants>>,
    all: Vec<Rewrite<Logic, Constants>>,
}

/// What a statement is by the identities alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// It is true of everything.
    Trivial,
    /// Statements of one space with the same class are equal.
    Class(usize),
}

/// Arbitrary elements of a type, as classes of a graph.
type Constant = BTreeMap<Type, Vec<Id>>;

impl<'a> Prover<'a> {
    pub(crate) fn new(schema: &'a Schema) -> Self {
        let identities = rules::identities();
        let mut all = rules::identities();
        all.extend(rules::inferences());
        Self {
            schema,
            identities,
            all,
        }
    }

    /// The canonical form of each statement; all of one space.
    pub(crate) fn forms(&self, statements: &[Statement]) -> Vec<Form> {
        let Some(first) = statements.first() else {
            return Vec::new();
        };
        let mut graph = logic();
        let mut constants = Constant::new();
        let binders = fresh(&mut graph, &mut constants, &first.space.frame.binders);
        let encoder = self.encoder(first, &binders);
        let bodies: Vec<Id> = statements
            .iter()
            .map(|s| encoder.clause(&mut graph, s.clause))
            .collect();
        let truth = graph.add(Logic::True);
        graph.rebuild();
        // Every statement of the space is in this one graph, so its size is bounded by rounds, not by nodes.
        saturate(&mut graph, &self.identities, 4, usize::MAX);
        let form = |id: &Id| {
            if graph.find(*id) == graph.find(truth) {
                Form::Trivial
            } else {
                Form::Class(usize::from(graph.find(*id)))
            }
        };
        bodies.iter().map(form).collect()
    }

    /// Whether the goal follows from the facts. `false` may also mean that no proof was found.
    pub(crate) fn follows(&self, facts: &[Statement], goal: Statement) -> bool {
        let mut graph = logic();
        let mut constants = Constant::new();
        self.deny(&mut graph, &mut constants, goal);
        for fact in facts {
            self.assert(&mut graph, &constants, *fact);
        }
        graph.rebuild();
        saturate(&mut graph, &self.all, ROUNDS, MAX_NODES);
        graph.analysis.is_contradiction
    }

    fn encoder<'b>(&'b self, of: &Statement<'b>, binders: &'b [Id]) -> Encoder<'b> {
        Encoder {
            schema: self.schema,
            space: of.space,
            binders,
        }
    }

    /// Assumes that the goal is false of some fresh elements.
    fn deny(&self, graph: &mut Graph, constants: &mut Constant, goal: Statement) {
        let binders = fresh(graph, constants, &goal.space.frame.binders);
        let encoder = self.encoder(&goal, &binders);
        if let Some((id, holds)) = encoder.shape(graph) {
            assume(graph, id, holds);
        }
        for guard in encoder.guards(graph, goal.clause) {
            assume(graph, guard, false);
        }
        for literal in &goal.clause.literals {
            let atom = &goal.space.atoms[literal.atom];
            let (id, positive) = encoder.atom(graph, atom);
            assume(graph, id, positive != literal.positive);
            if literal.positive {
                self.add_witness(graph, constants, &encoder, &atom.relation, &atom.args);
            }
        }
    }

    /// Where a relation between sets is false, there is an element that shows it.
    fn add_witness(
        &self,
        graph: &mut Graph,
        constants: &mut Constant,
        encoder: &Encoder,
        relation: &Relation,
        args: &[usize],
    ) {
        let inside: &[bool] = match relation {
            Relation::IsEmpty => &[true],
            Relation::Subset => &[true, false],
            Relation::Disjoint => &[true, true],
            Relation::WithinUnion => &[true, false, false],
            Relation::MeetWithin => &[true, true, false],
            _ => return,
        };
        let Type::Set(element) = &encoder.space.terms.get(args[0]).ty else {
            return;
        };
        let witness = fresh_element(graph, constants, element);
        for (arg, is_inside) in args.iter().zip(inside) {
            let set = encoder.term(graph, *arg);
            let member = graph.add(Logic::Member([witness, set]));
            assume(graph, member, *is_inside);
        }
    }

    /// Asserts a fact at all elements that there are.
    fn assert(&self, graph: &mut Graph, constants: &Constant, fact: Statement) {
        let mut instances = vec![Vec::new()];
        for binder in &fact.space.frame.binders {
            let known = constants.get(&binder.ty).map_or(&[][..], Vec::as_slice);
            instances = instances
                .iter()
                .flat_map(|head: &Vec<Id>| known.iter().map(|id| [&head[..], &[*id]].concat()))
                .collect();
        }
        for binders in instances {
            let encoder = self.encoder(&fact, &binders);
            let body = encoder.clause(graph, fact.clause);
            assume(graph, body, true);
        }
    }
}

/// A graph that knows what the negations of `true` and `false` are: if `~a` is true, `~~a` is `false`.
fn logic() -> Graph {
    let mut graph = Graph::default();
    for constant in [Logic::True, Logic::False] {
        let constant = graph.add(constant);
        graph.add(Logic::Not(constant));
    }
    graph
}

fn assume(graph: &mut Graph, formula: Id, holds: bool) {
    let constant = graph.add(if holds { Logic::True } else { Logic::False });
    graph.union(formula, constant);
}

fn fresh(graph: &mut Graph, constants: &mut Constant, binders: &[Binder]) -> Vec<Id> {
    let types = binders.iter().map(|b| &b.ty);
    types
        .map(|ty| fresh_element(graph, constants, ty))
        .collect()
}

fn fresh_element(graph: &mut Graph, constants: &mut Constant, ty: &Type) -> Id {
    let known = constants.entry(ty.clone()).or_default();
    let id = graph.add(Logic::Name(format!("#{ty:?}{}", known.len()).into()));
    known.push(id);
    id
}

/// Applies the rules until nothing changes, a contradiction shows, or a limit is reached. Unlike egg's own runner
/// this does not look at a clock.
fn saturate(
    graph: &mut Graph,
    rules: &[Rewrite<Logic, Constants>],
    rounds: usize,
    max_nodes: usize,
) {
    for _ in 0..rounds {
        if graph.analysis.is_contradiction || graph.total_size() > max_nodes {
            return;
        }
        let before = (graph.total_size(), graph.number_of_classes());
        let matches: Vec<_> = rules.iter().map(|rule| rule.search(graph)).collect();
        for (rule, matches) in rules.iter().zip(&matches) {
            rule.apply(graph, matches);
        }
        graph.rebuild();
        if before == (graph.total_size(), graph.number_of_classes()) {
            return;
        }
    }
}
