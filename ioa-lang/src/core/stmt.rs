//! The statements of the core: one small language for start states, effects, schedules and proof blocks.

use std::convert::Infallible;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use super::Model;
use super::expr::{Expr, Local, LocalId, StateRef};
use super::operator::Op;
use super::types::{ActionId, Type};
use crate::notation::ActionKind;
use crate::source::Span;

/// Where an assignment writes: a state variable, or a part of one (`a[i]`, `t.f`, or a nesting of them).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The variable.
    pub root: StateRef,
    /// The way from the variable to the part that is written, outermost first.
    pub path: Vec<Projection>,
    /// The type of the part that is written.
    pub ty: Type,
    /// The place as written.
    pub span: Span,
}

/// One step from a value to a part of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Projection {
    /// `[i]` of an array.
    Index(Expr),
    /// `[d]` of a map. If it is the last step, the entry need not exist; on the way to a part of an entry, it must exist.
    Entry(Expr),
    /// `.f` of a tuple, by position.
    Field(u32),
}

impl Projection {
    /// The part of a value to which this leads.
    ///
    /// # Panics
    /// If values of this type have no such part.
    #[must_use]
    pub fn part(&self, model: &Model, whole: &Expr) -> Expr {
        let (op, index, ty) = match (self, &whole.ty) {
            (Self::Index(index), Type::Array(_, element)) => (Op::Select, Some(index), &**element),
            (Self::Entry(key), Type::Map(_, range)) => (Op::Lookup, Some(key), &**range),
            (Self::Field(field), Type::Tuple(tuple)) => {
                let ty = &model.tuples[tuple.index()].fields[*field as usize].1;
                (Op::Field(*field), None, ty)
            }
            _ => unreachable!("the front end checks the path of a place"),
        };
        let args = [Some(whole), index].into_iter().flatten().cloned();
        Expr::apply(op, args.collect(), ty.clone(), whole.span)
    }

    /// A value with another part where this leads.
    #[must_use]
    pub fn replaced(&self, whole: Expr, part: Expr) -> Expr {
        let (ty, span) = (whole.ty.clone(), whole.span);
        match self {
            Self::Index(index) => {
                Expr::apply(Op::Assign, vec![whole, index.clone(), part], ty, span)
            }
            Self::Field(field) => Expr::apply(Op::SetField(*field), vec![whole, part], ty, span),
            Self::Entry(key) => Expr::apply(Op::Update, vec![whole, key.clone(), part], ty, span),
        }
    }
}

impl Place {
    /// What a variable becomes when another value is written at this place.
    #[must_use]
    pub fn updated(&self, model: &Model, variable: Expr, value: Expr) -> Expr {
        let mut parts = self.parts(model, variable);
        parts.pop();
        let wholes = parts.into_iter().zip(&self.path).rev();
        wholes.fold(value, |part, (whole, projection)| {
            projection.replaced(whole, part)
        })
    }

    /// From the outside in: the variable and each part on the way to the place, the place's own value the last.
    #[must_use]
    pub fn parts(&self, model: &Model, variable: Expr) -> Vec<Expr> {
        let mut parts = vec![variable];
        for projection in &self.path {
            let part = projection.part(model, &parts[parts.len() - 1]);
            parts.push(part);
        }
        parts
    }
}

/// A statement with its place in the source.
///
/// Statements are equal if they do the same, whichever of the text they are.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Its place in the source.
    pub span: Span,
    written: Option<StmtId>,
}

/// Which statement of the text something is, or is a copy of: what composition makes of a statement for several components is
/// still that one statement to those who wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StmtId(u64);

impl PartialEq for Stmt {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Stmt {}

impl Hash for Stmt {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind.hash(state);
    }
}

impl Stmt {
    /// A statement of the text.
    #[must_use]
    pub fn written(kind: StmtKind, span: Span) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let id = StmtId(NEXT.fetch_add(1, Ordering::Relaxed));
        Self {
            kind,
            span,
            written: Some(id),
        }
    }

    /// A statement that nobody wrote, such as the one that sorts out which components take part in a step.
    #[must_use]
    pub fn made(kind: StmtKind, span: Span) -> Self {
        Self {
            kind,
            span,
            written: None,
        }
    }

    /// A copy that does what `kind` says, for another item than this one.
    #[must_use]
    pub fn copy(&self, kind: StmtKind) -> Self {
        Self {
            kind,
            span: self.span,
            written: self.written,
        }
    }

    /// Which statement of the text it is; none if nobody wrote it.
    #[must_use]
    pub fn id(&self) -> Option<StmtId> {
        self.written
    }
}

/// The forms of a statement. `While` and `Fire` occur in schedules and proof blocks only, `Choose` in start states
/// and effects only.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StmtKind {
    /// `place := value`
    Assign(Place, Expr),
    /// `place := choose binder where predicate`: any value that satisfies the predicate. That there is none is a
    /// run-time error, and an obligation in the prover. So is a value, chosen or not, for which the predicate is
    /// undefined.
    Choose {
        /// What is written.
        place: Place,
        /// The chosen value, as the predicate names it.
        binder: LocalId,
        /// The condition on it; the literal `true` if there is none.
        predicate: Expr,
        /// `det do yield t1; yield t2 od`: the values that a run uses in turn, beginning again after the last. It is empty
        /// if the source has no determinator. It influences only how a run chooses, never what may be chosen.
        det: Vec<Expr>,
    },
    /// `if .. then .. elseif .. else .. fi`: the first branch whose condition holds.
    If {
        /// Conditions with their statements, in order.
        branches: Vec<(Expr, Vec<Stmt>)>,
        /// What is done if none holds.
        otherwise: Vec<Stmt>,
    },
    /// `for x: T in s do .. od`. In an effect the order of the elements cannot matter (this is checked).
    For {
        /// The loop variable.
        binder: LocalId,
        /// What it ranges over.
        range: Range,
        /// What is done for each.
        body: Vec<Stmt>,
    },
    /// `while c do .. od`
    While(Expr, Vec<Stmt>),
    /// `fire kind action(args)`
    Fire(Fire),
    /// `fire any weight action = number`
    FireAny(FireAny),
}

/// What a `for` loop ranges over.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Range {
    /// The elements of a set.
    In(Expr),
    /// The values of the binder's type that satisfy a predicate, which must be defined for every value.
    Where(Expr),
}

/// `fire output decide(n, v) using term for var`: a step of the automaton that a schedule drives, or of the high
/// automaton in a proof block.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fire {
    /// The kind as written; it agrees with the action's.
    pub kind: ActionKind,
    /// The action.
    pub action: ActionId,
    /// The actual parameters.
    pub args: Vec<Expr>,
    /// Values for all choices of the transition, or none at all: first for its hidden parameters, then for the `choose`s of
    /// its effect in order of evaluation. If the action has several clauses, all clauses with choices make the same choices;
    /// a clause without choices ignores the values.
    pub using: Vec<Expr>,
}

/// `fire any weight fail = 0.05`: a step that the random scheduler draws, in a schedule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FireAny {
    /// How readily some actions are drawn, where others have weight 1.
    pub weights: Vec<(ActionId, Weight)>,
}

/// A weight of an action: a decimal number, in millionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Weight(u64);

impl Weight {
    /// The greatest weight.
    pub const MAX: u64 = 1_000_000;

    /// Reads a decimal number; none if it is greater than [`Self::MAX`] or has more than six digits after the point.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let whole: u64 = whole.parse().ok().filter(|whole| *whole <= Self::MAX)?;
        let digits = part.trim_end_matches('0');
        let millionths: u64 = match digits.len() {
            0 => 0,
            1..=6 => format!("{digits:0<6}").parse().ok()?,
            _ => return None,
        };
        Some(Self(whole * 1_000_000 + millionths))
    }

    /// The number.
    #[must_use]
    pub fn value(self) -> f64 {
        self.0 as f64 / 1e6
    }
}

/// Statements with the bound variables that occur in them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Program {
    /// The bound variables.
    pub locals: Vec<Local>,
    /// The statements, run in order.
    pub body: Vec<Stmt>,
}

impl Program {
    /// Whether some statement leaves it to the random scheduler what is fired.
    #[must_use]
    pub fn draws(&self) -> bool {
        any_stmt(&self.body, |kind| matches!(kind, StmtKind::FireAny(_)))
    }
}

/// Calls `visit` on every statement of `body` and on those inside it, in the order of the text, until it fails.
///
/// # Errors
/// The first failure of `visit`.
pub fn each_stmt<'a, E>(
    body: &'a [Stmt],
    visit: &mut impl FnMut(&'a Stmt) -> Result<(), E>,
) -> Result<(), E> {
    for stmt in body {
        visit(stmt)?;
        match &stmt.kind {
            StmtKind::If {
                branches,
                otherwise,
            } => {
                for (_, body) in branches {
                    each_stmt(body, visit)?;
                }
                each_stmt(otherwise, visit)?;
            }
            StmtKind::For { body, .. } | StmtKind::While(_, body) => each_stmt(body, visit)?,
            StmtKind::Assign(..)
            | StmtKind::Choose { .. }
            | StmtKind::Fire(_)
            | StmtKind::FireAny(_) => {}
        }
    }
    Ok(())
}

/// Calls `visit` on every statement of `body` and on those inside it, in the order of the text.
pub fn visit_stmts<'a>(body: &'a [Stmt], mut visit: impl FnMut(&'a Stmt)) {
    let all = each_stmt(body, &mut |stmt| {
        visit(stmt);
        Ok::<(), Infallible>(())
    });
    all.unwrap_or_else(|never| match never {});
}

/// Whether some statement of `body`, or one inside it, is of a kind.
pub fn any_stmt(body: &[Stmt], is_one: impl Fn(&StmtKind) -> bool) -> bool {
    let none = each_stmt(body, &mut |stmt| match is_one(&stmt.kind) {
        true => Err(()),
        false => Ok(()),
    });
    none.is_err()
}
