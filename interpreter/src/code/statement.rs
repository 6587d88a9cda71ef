//! Compiled statements.

use ioa_lang::Span;
use ioa_lang::core::{ActionId, StmtId, Store};

use super::{Binder, Plan, Slot, Term, Word};
use crate::state::layout::Location;

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
    /// Which statement of the text it is; none if nobody wrote it.
    pub id: Option<StmtId>,
}

impl Stmt {
    /// Whether it, or a statement inside it, chooses a value.
    #[must_use]
    pub fn chooses(&self) -> bool {
        match &self.kind {
            StmtKind::Choose { .. } => true,
            StmtKind::If(branches, otherwise) => {
                let mut bodies = branches.iter().map(|(_, body)| body).chain([otherwise]);
                bodies.any(|body| body.iter().any(Self::chooses))
            }
            StmtKind::For { body, .. } | StmtKind::While(_, body) => body.iter().any(Self::chooses),
            StmtKind::Set(..) | StmtKind::Fire(_) | StmtKind::FireAny(_) => false,
        }
    }
}

/// The forms of a statement. An assignment to a part of a variable has become an update of the whole variable.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Sets a variable.
    Set(Target, Term),
    /// Sets a binder to a value that the oracle chooses, then a variable.
    Choose {
        choice: Choose,
        target: Target,
        value: Term,
    },
    If(Box<[(Word, Box<[Stmt]>)]>, Box<[Stmt]>),
    For {
        plan: Plan,
        binder: Binder,
        body: Box<[Stmt]>,
    },
    While(Word, Box<[Stmt]>),
    /// A step of another automaton, which the caller chooses.
    Fire(Box<Fire>),
    /// A step that is drawn at random, and the weights of some actions.
    FireAny(Box<[(ActionId, f64)]>),
}

/// A choice of a value.
#[derive(Clone, Debug)]
pub struct Choose {
    pub binder: Binder,
    /// The values to choose from; none if a determinator yields values of a type that cannot be enumerated.
    pub plan: Option<Plan>,
    /// The condition that a given or yielded value must satisfy.
    pub predicate: Word,
    pub det: Option<Det>,
    /// A term that reads the place which gets the value. It exists only in start programs, where a target state determines
    /// what is chosen.
    pub place: Option<Term>,
}

/// A determinator: the rows that a run yields in turn, beginning again with the first after the last. The run keeps track of
/// which row is next.
#[derive(Clone, Debug)]
pub struct Det {
    pub site: Site,
    pub rows: Box<[Row]>,
}

/// A value for each of some bound variables.
#[derive(Clone, Debug)]
pub struct Row {
    pub terms: Box<[Term]>,
    pub span: Span,
}

/// Which determinator of an automaton: the position of its clause, from 1 (0 is for the start states), and its first
/// bound variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    pub item: u32,
    pub slot: Slot,
}

/// A variable that a statement sets.
#[derive(Clone, Debug)]
pub struct Target {
    pub store: Store,
    pub location: Location,
}

/// A `fire` statement.
#[derive(Clone, Debug)]
pub struct Fire {
    pub action: ActionId,
    pub args: Box<[Term]>,
    pub using: Box<[Term]>,
}
