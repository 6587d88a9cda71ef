//! Clauses as nodes of an e-graph.

use egg::Id;
use ioa_lang::core::Type;

use super::language::{Graph, Logic};
use crate::atom::{Atom, Relation};
use crate::clause::{Clause, Literal, Space};
use crate::frame::Shape;
use crate::samples::Schema;
use crate::term::{Kind, TermId};

/// A clause with the space that its literals refer to.
#[derive(Clone, Copy)]
pub(crate) struct Statement<'a> {
    pub(crate) space: &'a Space,
    pub(crate) clause: &'a Clause,
}

/// Writes a statement's terms into a graph, its quantified variables standing for given classes.
pub(crate) struct Encoder<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) space: &'a Space,
    /// A class for each quantified variable of the space.
    pub(crate) binders: &'a [Id],
}

impl Encoder<'_> {
    /// The whole clause: guards and shape are disjuncts like any other.
    pub(crate) fn clause(&self, graph: &mut Graph, clause: &Clause) -> Id {
        let mut parts: Vec<Id> = self
            .shape(graph)
            .into_iter()
            .map(|(id, holds)| self.sign(graph, id, !holds))
            .collect();
        parts.extend(self.guards(graph, clause));
        for literal in &clause.literals {
            parts.push(self.literal(graph, *literal));
        }
        let last = parts.pop().unwrap_or_else(|| graph.add(Logic::False));
        parts
            .into_iter()
            .rev()
            .fold(last, |rest, part| graph.add(Logic::Or([part, rest])))
    }

    /// `x = nil`, or that a formula is false, for each guard of the clause.
    pub(crate) fn guards(&self, graph: &mut Graph, clause: &Clause) -> Vec<Id> {
        let guards = clause.guards(self.space);
        let guards = guards.into_iter().map(|guard| {
            if self.space.terms.get(guard).ty == Type::Bool {
                let formula = self.term(graph, guard);
                return self.sign(graph, formula, false);
            }
            let (guard, nil) = (self.term(graph, guard), graph.add(Logic::Nil));
            graph.add(Logic::Equal([guard, nil]))
        });
        guards.collect()
    }

    /// What the frame says of its two variables, if anything: a formula, and whether it is true.
    pub(crate) fn shape(&self, graph: &mut Graph) -> Option<(Id, bool)> {
        let pair = || [self.binders[0], self.binders[1]];
        match self.space.frame.shape {
            Shape::Free => None,
            Shape::Distinct => Some((graph.add(Logic::Equal(pair())), false)),
            Shape::Ordered => Some((graph.add(Logic::Less(pair())), true)),
        }
    }

    /// A literal.
    pub(crate) fn literal(&self, graph: &mut Graph, literal: Literal) -> Id {
        let (id, positive) = self.atom(graph, &self.space.atoms[literal.atom]);
        self.sign(graph, id, positive == literal.positive)
    }

    fn sign(&self, graph: &mut Graph, id: Id, positive: bool) -> Id {
        if positive {
            id
        } else {
            graph.add(Logic::Not(id))
        }
    }

    /// A formula for an atom, and whether the atom says that it is true.
    pub(crate) fn atom(&self, graph: &mut Graph, atom: &Atom) -> (Id, bool) {
        let args: Vec<Id> = atom.args.iter().map(|a| self.term(graph, *a)).collect();
        if let Some(id) = self.equation(graph, &atom.relation, &args) {
            return (id, true);
        }
        let less = |graph: &mut Graph, a, b| graph.add(Logic::Less([a, b]));
        match &atom.relation {
            Relation::Truth => (args[0], true),
            Relation::Less => (less(graph, args[0], args[1]), true),
            Relation::AtMost => (less(graph, args[1], args[0]), false),
            Relation::Member => (graph.add(Logic::Member([args[0], args[1]])), true),
            Relation::Subset => (graph.add(Logic::Subset([args[0], args[1]])), true),
            Relation::WithinUnion => {
                let union = graph.add(Logic::Union([args[1], args[2]]));
                (graph.add(Logic::Subset([args[0], union])), true)
            }
            Relation::MeetWithin => {
                let meet = graph.add(Logic::Intersection([args[0], args[1]]));
                (graph.add(Logic::Subset([meet, args[2]])), true)
            }
            Relation::AtMostNumber(n) => {
                let n = graph.add(Logic::Number(*n));
                (less(graph, n, args[0]), false)
            }
            Relation::AtLeastNumber(n) => {
                let n = graph.add(Logic::Number(*n));
                (less(graph, args[0], n), false)
            }
            Relation::AtMostSum => {
                let sum = graph.add(Logic::Add([args[1], args[2]]));
                (less(graph, sum, args[0]), false)
            }
            relation => (self.opaque(graph, relation, &args), true),
        }
    }

    /// The relations that are equations.
    fn equation(&self, graph: &mut Graph, relation: &Relation, args: &[Id]) -> Option<Id> {
        let right = match relation {
            Relation::Equal => args[1],
            Relation::IsNil => graph.add(Logic::Nil),
            Relation::IsEmpty | Relation::Disjoint => graph.add(Logic::Empty),
            Relation::Is(n) => graph.add(Logic::Number(*n)),
            Relation::Embeds => graph.add(Logic::Embed(args[1])),
            Relation::IsUnion => graph.add(Logic::Union([args[1], args[2]])),
            Relation::IsSum => graph.add(Logic::Add([args[1], args[2]])),
            Relation::Linear { factor, offset } => {
                let (factor, offset) = (Logic::Number(*factor), Logic::Number(*offset));
                let factor = graph.add(factor);
                let scaled = graph.add(Logic::Multiply([factor, args[1]]));
                let offset = graph.add(offset);
                graph.add(Logic::Add([scaled, offset]))
            }
            _ => return None,
        };
        let left = match relation {
            Relation::Disjoint => graph.add(Logic::Intersection([args[0], args[1]])),
            _ => args[0],
        };
        Some(graph.add(Logic::Equal([left, right])))
    }

    /// A relation about which the rules know nothing: equal arguments make equal formulas, no more.
    fn opaque(&self, graph: &mut Graph, relation: &Relation, args: &[Id]) -> Id {
        let name = graph.add(Logic::Name(format!("{relation:?}").into()));
        args.iter()
            .fold(name, |head, arg| graph.add(Logic::Select([head, *arg])))
    }

    /// A term of parts about which the rules know nothing.
    fn opaque_term<const N: usize>(&self, graph: &mut Graph, name: &str, parts: [TermId; N]) -> Id {
        let head = graph.add(Logic::Name(name.into()));
        parts.into_iter().fold(head, |head, part| {
            let part = self.term(graph, part);
            graph.add(Logic::Select([head, part]))
        })
    }

    /// A term; of a natural number it is also said that it is not negative.
    pub(crate) fn term(&self, graph: &mut Graph, id: TermId) -> Id {
        let node = self.node(graph, id);
        if self.space.terms.get(id).ty == Type::Nat {
            let zero = graph.add(Logic::Number(0));
            let negative = graph.add(Logic::Less([node, zero]));
            let falsehood = graph.add(Logic::False);
            graph.union(negative, falsehood);
        }
        node
    }

    fn node(&self, graph: &mut Graph, id: TermId) -> Id {
        match self.space.terms.get(id).kind {
            Kind::Column(at) => {
                let name = &self.schema.variables()[at].name;
                graph.add(Logic::Name(format!("${name}").into()))
            }
            Kind::Bound(at) => self.binders[at],
            Kind::Select(whole, index) => {
                let (whole, index) = (self.term(graph, whole), self.term(graph, index));
                graph.add(Logic::Select([whole, index]))
            }
            Kind::Val(whole) => {
                let whole = self.term(graph, whole);
                graph.add(Logic::Val(whole))
            }
            Kind::Field(whole, at) => {
                let whole = self.term(graph, whole);
                let at = graph.add(Logic::Number(i64::from(at)));
                graph.add(Logic::Field([whole, at]))
            }
            Kind::Size(whole) | Kind::Len(whole) => {
                let whole = self.term(graph, whole);
                graph.add(Logic::Size(whole))
            }
            Kind::Defined(whole, index) => self.opaque_term(graph, "defined", [whole, index]),
            Kind::Entry(whole, index) => self.opaque_term(graph, "entry", [whole, index]),
            Kind::Tag(whole) => self.opaque_term(graph, "tag", [whole]),
            Kind::IsVariant(whole, at) => {
                let tag = self.opaque_term(graph, "tag", [whole]);
                let at = graph.add(Logic::Number(i64::from(at)));
                graph.add(Logic::Equal([tag, at]))
            }
            Kind::Payload(whole, at) => self.opaque_term(graph, &format!("payload {at}"), [whole]),
        }
    }
}
