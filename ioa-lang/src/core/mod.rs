//! The core: what a checked set of files means, with all sugar gone.
//!
//! Everything after the front end reads this and nothing else. It is kept small on purpose: an executor, a logic
//! encoding or an exporter must each be something one can read in a sitting.

mod automaton;
mod claims;
mod constructor;
mod copy;
mod expr;
mod facts;
mod fingerprint;
mod operator;
mod stmt;
mod substitute;
mod theory;
mod types;

pub use crate::notation::{
    ActionKind, Connective, Direction, Fairness, Infix, Level, Prefix, Quantifier, Rational,
    Reading, Side, Sign, Temporal,
};
pub use automaton::*;
pub use claims::*;
pub use constructor::{CONSTRUCTORS, Constructor, constructor_named};
pub use copy::{CopyPlaces, copy_of_path, copy_of_stmts};
pub use expr::*;
pub use facts::{
    Bound, ClauseChoice, Constraint, Implication, Known, Manner, Mark, Source, SourceFinder,
    Subject, exprs_of_clause, exprs_of_stmts, indices_of, path, places_of_stmts, reads_of_expr,
};
pub use fingerprint::{Fingerprint, fingerprint};
pub use operator::{
    Accumulation, Draw, Form, Interval, Op, OpFamily, Pattern, RandomDraw, Row, Typing, Undefined,
};
pub use stmt::*;
pub(crate) use substitute::copy_of_parts;
pub use substitute::{CopyParts, Substitution, fresh_copy};
pub use theory::*;
pub use types::*;

/// All that the files of a model declare.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Model {
    /// Uninterpreted sorts.
    pub sorts: Vec<Sort>,
    /// Enumerations.
    pub enumerations: Vec<Enumeration>,
    /// Tuple types.
    pub tuples: Vec<TupleType>,
    /// Union types.
    pub unions: Vec<UnionType>,
    /// Operators of the theories in use.
    pub functions: Vec<Function>,
    /// Axioms of the theories in use, and of the parameters of automata. Which of them may be supposed depends on the
    /// [setting](Setting): nobody outside of the front end reads this list.
    pub(crate) axioms: Vec<Axiom>,
    /// How the elements of sorts lie, by theories of the language.
    pub arrangements: Vec<Arrangement>,
    /// Automata.
    pub automata: Vec<Automaton>,
    /// Invariants.
    pub invariants: Vec<Invariant>,
    /// Liveness properties.
    pub liveness: Vec<Liveness>,
    /// Simulations.
    pub simulations: Vec<Simulation>,
    /// Schedules.
    pub schedules: Vec<Schedule>,
}

impl Model {
    /// The automaton with this index.
    #[must_use]
    pub fn automaton(&self, id: AutomatonId) -> &Automaton {
        &self.automata[id.index()]
    }

    /// The automaton with this name.
    #[must_use]
    pub fn automaton_named(&self, name: &str) -> Option<AutomatonId> {
        self.automata
            .iter()
            .position(|a| &*a.name == name)
            .map(AutomatonId::at)
    }

    /// The sort with this name.
    #[must_use]
    pub fn sort_named(&self, name: &str) -> Option<SortId> {
        self.sorts
            .iter()
            .position(|s| &*s.name == name)
            .map(SortId::at)
    }

    /// The invariants stated of an automaton, in source order.
    pub fn invariants_of(&self, automaton: AutomatonId) -> impl Iterator<Item = &Invariant> {
        self.invariants
            .iter()
            .filter(move |i| i.automaton == automaton)
    }

    /// The liveness properties stated of an automaton, in source order.
    pub fn liveness_of(&self, automaton: AutomatonId) -> impl Iterator<Item = &Liveness> {
        self.liveness
            .iter()
            .filter(move |property| property.automaton == automaton)
    }

    /// Whether an operator has no meaning but what axioms leave to it. (There is only one ring of each
    /// size, and only one line.)
    #[must_use]
    pub fn is_interpreted_freely(&self) -> bool {
        let mut operators = (0..).map(FunctionId).zip(&self.functions);
        operators.any(|(id, operator)| {
            operator.meaning == Meaning::Axioms && self.arrangement_of(id).is_none()
        })
    }

    /// The arrangement of which this is an operator.
    #[must_use]
    pub fn arrangement_of(&self, operator: FunctionId) -> Option<&Arrangement> {
        let mut arrangements = self.arrangements.iter();
        arrangements.find(|arrangement| arrangement.operators().contains(&operator))
    }

    /// How people name a simulation: `Low to High`.
    #[must_use]
    pub fn simulation_name(&self, simulation: &Simulation) -> String {
        let name = |id| &self.automaton(id).name;
        format!("{} to {}", name(simulation.low), name(simulation.high))
    }

    /// The types that a type is immediately made of: those of the fields of a tuple, of what a union carries, and those
    /// in the brackets of a constructor.
    #[must_use]
    pub fn parts_of<'t>(&'t self, ty: &'t Type) -> Vec<&'t Type> {
        match ty {
            Type::Tuple(id) => {
                let fields = &self.tuples[id.index()].fields;
                fields.iter().map(|(_, ty)| ty).collect()
            }
            Type::Union(id) => {
                let variants = &self.unions[id.index()].variants;
                variants.iter().map(|(_, ty)| ty).collect()
            }
            other => other.args(),
        }
    }

    /// Whether the type has infinitely many values in a finite instance too.
    #[must_use]
    pub fn is_infinite(&self, ty: &Type) -> bool {
        let mut parts = self.parts_of(ty).into_iter();
        match ty {
            Type::Nat | Type::Int | Type::Real | Type::String | Type::Seq(_) | Type::Mset(_) => {
                true
            }
            _ => parts.any(|part| self.is_infinite(part)),
        }
    }

    /// The name of a field of a tuple, of a tag of a union, or of what may be `nil`; empty where the type has no parts.
    #[must_use]
    pub(crate) fn part_name(&self, ty: &Type, position: u32) -> crate::source::Name {
        let parts = match ty {
            Type::Tuple(id) => &self.tuples[id.index()].fields,
            Type::Union(id) => &self.unions[id.index()].variants,
            Type::Null(_) => return "val".into(),
            _ => return "".into(),
        };
        parts[position as usize].0.clone()
    }

    /// A type as it is written in IOA.
    #[must_use]
    pub fn type_name(&self, ty: &Type) -> String {
        match ty {
            Type::Union(id) => self.unions[id.index()].name.to_string(),
            Type::Sort(id) => self.sorts[id.index()].name.to_string(),
            Type::Enum(id) => self.enumerations[id.index()].name.to_string(),
            Type::Tuple(id) => self.tuples[id.index()].name.to_string(),
            built_in => {
                let name = built_in.constructor().map_or("", |made| made.name);
                let args: Vec<String> = built_in
                    .args()
                    .iter()
                    .map(|ty| self.type_name(ty))
                    .collect();
                match args.is_empty() {
                    true => name.to_owned(),
                    false => format!("{name}[{}]", args.join(", ")),
                }
            }
        }
    }

    /// What people call a value of a type: the first letter of the type's name, in lower case.
    #[must_use]
    pub fn initial(&self, ty: &Type) -> char {
        let name = self.type_name(ty);
        let last = name.rsplit('.').next().unwrap_or_default();
        let first = last.chars().find(char::is_ascii_alphabetic);
        first.map_or('x', |letter| letter.to_ascii_lowercase())
    }
}
