//! Clauses: disjunctions of atoms and negated atoms over a frame, the one form that all candidates have.

use std::collections::BTreeSet;

use crate::atom::{self, Atom, Relation, text};
use crate::frame::{Frame, Shape};
use crate::samples::Schema;
use crate::term::{Kind, TermId, Terms};

/// No frame has more atoms than this: each takes a few kilobytes while a block of rows is looked at.
const MAX_ATOMS: usize = 20_000;

/// A frame with its terms and atoms.
#[derive(Debug)]
pub(crate) struct Space {
    pub(crate) frame: Frame,
    pub(crate) terms: Terms,
    pub(crate) atoms: Vec<Atom>,
    /// Whether there are terms or atoms that were left out because there are too many.
    pub(crate) is_truncated: bool,
    /// Which templates were not tried, because there are too many terms for them.
    pub(crate) limits: BTreeSet<String>,
}

/// An atom, by position in its space, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Literal {
    pub(crate) atom: usize,
    pub(crate) positive: bool,
}

/// For all values of the frame's variables for which everything is defined, one of the literals holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Clause {
    pub(crate) literals: Vec<Literal>,
}

impl Clause {
    /// One literal.
    pub(crate) fn unit(literal: Literal) -> Self {
        Self {
            literals: vec![literal],
        }
    }

    /// What must not be nil, or must be true, for all literals to be defined.
    pub(crate) fn guards(&self, space: &Space) -> Vec<TermId> {
        let mut out = Vec::new();
        for literal in &self.literals {
            for guard in space.atoms[literal.atom].guards(&space.terms) {
                if !out.contains(&guard) {
                    out.push(guard);
                }
            }
        }
        out
    }

    /// The columns it speaks of.
    pub(crate) fn columns(&self, space: &Space) -> BTreeSet<usize> {
        let of = |l: &Literal| space.atoms[l.atom].columns(&space.terms);
        self.literals.iter().flat_map(of).collect()
    }
}

impl Space {
    pub(crate) fn new(schema: &Schema, frame: Frame, terms: Terms, fit: &crate::atom::Fit) -> Self {
        let mut atoms = atom::all(schema, &terms, fit);
        atoms.retain(|a| a.guards(&terms).iter().all(|g| is_plain_guard(&terms, *g)));
        let is_truncated = terms.is_truncated() || atoms.len() > MAX_ATOMS;
        atoms.truncate(MAX_ATOMS);
        Self {
            frame,
            terms,
            atoms,
            is_truncated,
            limits: fit.limits().clone(),
        }
    }

    /// The clause as IOA text: quantifiers, premises with guards before what they guard, conclusion.
    pub(crate) fn formula(&self, schema: &Schema, clause: &Clause) -> String {
        let quantifiers = self.frame.quantifiers(schema);
        let body = self
            .uniqueness(schema, clause)
            .unwrap_or_else(|| self.implication(schema, clause));
        if quantifiers.is_empty() {
            body
        } else {
            format!("{quantifiers}({body})")
        }
    }

    fn literal(&self, schema: &Schema, literal: Literal) -> String {
        let atom = &self.atoms[literal.atom];
        text::literal(schema, &self.terms, atom, literal.positive)
    }

    fn implication(&self, schema: &Schema, clause: &Clause) -> String {
        let (premise, conclusions) = self.split(clause);
        let mut premises: Vec<String> = Vec::new();
        premises.extend(self.shape());
        for guard in clause.guards(self) {
            premises.push(self.terms.get(guard).as_guard());
        }
        if let Some(premise) = premise {
            let text = self.literal(schema, premise);
            if !premises.contains(&text) {
                premises.push(text);
            }
        }
        let conclusion: Vec<String> = conclusions
            .iter()
            .map(|l| self.literal(schema, *l))
            .collect();
        let conclusion = conclusion.join(" \\/ ");
        if premises.is_empty() {
            conclusion
        } else {
            format!("{} => {conclusion}", premises.join(" /\\ "))
        }
    }

    fn shape(&self) -> Option<String> {
        let names = || (&self.frame.binders[0].name, &self.frame.binders[1].name);
        match self.frame.shape {
            Shape::Free => None,
            Shape::Distinct => Some(format!("{} ~= {}", names().0, names().1)),
            Shape::Ordered => Some(format!("{} < {}", names().0, names().1)),
        }
    }

    /// The premise (already negated) that makes the clause read best, and what is left as the conclusion.
    fn split(&self, clause: &Clause) -> (Option<Literal>, Vec<Literal>) {
        if clause.literals.len() < 2 {
            return (None, clause.literals.clone());
        }
        let negated = |l: &Literal| Literal {
            atom: l.atom,
            positive: !l.positive,
        };
        let awkward = |l: &&Literal| {
            let as_premise = self.awkwardness(negated(l));
            let others = clause.literals.iter().filter(|o| *o != *l);
            let as_conclusion = others.map(|o| self.awkwardness(*o)).max().unwrap_or(0);
            let guards = self.atoms[l.atom].guards(&self.terms).len();
            3 * as_premise + as_conclusion + guards
        };
        let Some(chosen) = clause.literals.iter().min_by_key(awkward).copied() else {
            return (None, Vec::new());
        };
        let rest = clause.literals.iter().filter(|l| **l != chosen);
        (Some(negated(&chosen)), rest.copied().collect())
    }

    /// How unnatural a literal is to state: people ask whether something is there, not whether it is missing.
    fn awkwardness(&self, literal: Literal) -> usize {
        match (&self.atoms[literal.atom].relation, literal.positive) {
            (Relation::IsNil | Relation::IsEmpty, false)
            | (Relation::Member | Relation::Truth | Relation::Is(_), true) => 0,
            (Relation::Embeds | Relation::Equal | Relation::Less, true)
            | (Relation::Member, false) => 1,
            (Relation::IsNil | Relation::IsEmpty, true) => 2,
            (_, true) => 3,
            (_, false) => 4,
        }
    }

    /// `\A v, w: T (v \in s /\ w \in s => v = w)` reads better than its contrapositive.
    fn uniqueness(&self, schema: &Schema, clause: &Clause) -> Option<String> {
        let [a, b] = clause.literals[..] else {
            return None;
        };
        let of_one_variable = |l: Literal| {
            let atom = &self.atoms[l.atom];
            let natural = matches!(
                atom.relation,
                Relation::Member | Relation::Truth | Relation::Is(_) | Relation::Embeds
            );
            (natural && !l.positive && atom.guards(&self.terms).is_empty())
                .then(|| atom.binders(&self.terms))
        };
        let covered = [of_one_variable(a)?, of_one_variable(b)?];
        let negated = |l: Literal| {
            let renamed = self.literal(
                schema,
                Literal {
                    atom: l.atom,
                    positive: true,
                },
            );
            let own = self.without_binders(&self.atoms[l.atom]);
            (renamed, own)
        };
        let ((p, p_form), (q, q_form)) = (negated(a), negated(b));
        let alike = covered == [1, 2] || covered == [2, 1];
        if self.frame.shape == Shape::Free || !alike || p_form != q_form {
            return None;
        }
        let [v, w] = &self.frame.binders[..] else {
            return None;
        };
        Some(format!("{p} /\\ {q} => {} = {}", v.name, w.name))
    }

    /// An atom's shape with its one quantified variable left blank.
    fn without_binders(&self, atom: &Atom) -> String {
        let blank = |id: &TermId| {
            let term = self.terms.get(*id);
            match term.kind {
                Kind::Bound(_) => "_".to_owned(),
                Kind::Select(whole, index)
                    if matches!(self.terms.get(index).kind, Kind::Bound(_)) =>
                {
                    format!("{}[_]", self.terms.get(whole).text)
                }
                _ => term.text.clone(),
            }
        };
        let args: Vec<String> = atom.args.iter().map(blank).collect();
        format!("{:?}{args:?}", atom.relation)
    }
}

/// A guard that itself needs none is enough for now: `x.val.val` is left out.
fn is_plain_guard(terms: &Terms, guard: TermId) -> bool {
    terms.get(guard).guards.is_empty()
}
