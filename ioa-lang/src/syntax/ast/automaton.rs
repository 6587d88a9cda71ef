//! Automata and monitors.

use super::declaration::{LetItem, TheoryItem};
use super::name::Ident;
use super::schedule::ScheduleBody;
use super::statement::{StateDecl, Stmt, YieldRow};
use super::term::{Binder, Expr, TypeExpr};
use crate::notation::{ActionKind, Fairness};
use crate::source::Span;

/// A parameter of an automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: Ident,
    /// The type of a value; nothing for a parameter that is a type itself.
    pub ty: Option<TypeExpr>,
}

/// `C[i: I]: Channel(String, I, i) where P`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComponentItem {
    /// Its name.
    pub name: Ident,
    /// Its indices.
    pub indices: Vec<Binder>,
    /// The automaton it is an instance of.
    pub automaton: Ident,
    /// The actual parameters.
    pub actuals: Vec<Actual>,
    /// `where P`: for which indices there is such a component.
    pub predicate: Option<Expr>,
    /// The whole declaration.
    pub span: Span,
}

/// An actual parameter of an automaton. What could be either is a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actual {
    /// `right(i)`; also a type such as `String` or `Set[Node]`, where a type is wanted.
    Term(Expr),
    /// `Array[I, Int]`
    Type(TypeExpr),
}

/// `send(m, i, j) where P`, in `hidden ..`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HiddenAction {
    /// The action.
    pub name: Ident,
    /// Its formals.
    pub formals: Vec<Formal>,
    /// `where P`
    pub predicate: Option<Expr>,
    /// The whole entry.
    pub span: Span,
}

/// An automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AutomatonItem {
    /// Its name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Parameter>,
    /// `where P` after the parameters.
    pub predicate: Option<Expr>,
    /// The theories that it assumes.
    pub theories: Vec<TheoryItem>,
    /// What it observes, if it is a monitor.
    pub monitor: Option<MonitorItem>,
    /// Its components, if it is a composition.
    pub components: Option<Vec<ComponentItem>>,
    /// What a composition hides.
    pub hidden: Vec<HiddenAction>,
    /// Its signature.
    pub signature: Vec<SignatureEntry>,
    /// Its state variables.
    pub states: Vec<StateDecl>,
    /// The expressions that it names.
    pub lets: Vec<LetItem>,
    /// `so that P` (or `initially P`) after the states.
    pub so_that: Option<Expr>,
    /// Its transition clauses.
    pub transitions: Vec<TransitionItem>,
    /// Its fairness classes.
    pub tasks: Vec<TaskItem>,
    /// `schedule ..` inside the automaton.
    pub schedule: Option<ScheduleBody>,
    /// The heading.
    pub span: Span,
}

/// `of Sys`, and the `hot P` and `cold P` of a monitor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonitorItem {
    /// The automaton that is observed, with its actual parameters.
    pub system: ComponentItem,
    /// The states that are hot: those that satisfy one of these.
    pub hot: Vec<Expr>,
    /// The states that are cold.
    pub cold: Vec<Expr>,
    /// The text that says so, from the first of these sections to the last.
    pub heat: Option<Span>,
}

/// One action of a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureEntry {
    /// The section it stands in.
    pub kind: ActionKind,
    /// The action's name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<SignatureParam>,
    /// `where P`
    pub predicate: Option<Expr>,
    /// The whole entry.
    pub span: Span,
}

/// A parameter in a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignatureParam {
    /// `m: M`
    Varying(Binder),
    /// `const t`
    Const(Expr),
}

/// `choose z: T where P det do yield t od` before `pre`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choosing {
    /// The hidden parameters.
    pub binders: Vec<Binder>,
    /// `where P`
    pub predicate: Option<Expr>,
    /// The determinator's rows.
    pub det: Vec<YieldRow>,
}

/// A transition clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransitionItem {
    /// Its kind as written.
    pub kind: ActionKind,
    /// Its action.
    pub name: Ident,
    /// Its formals.
    pub formals: Vec<Formal>,
    /// `; local z: T` in the formals.
    pub locals: Vec<Binder>,
    /// `where P` after the formals.
    pub predicate: Option<Expr>,
    /// `choose z: T where P det ..` before `pre`.
    pub choose: Option<Choosing>,
    /// `pre P`
    pub pre: Option<Expr>,
    /// `eff ..`
    pub effect: Vec<Stmt>,
    /// `ensuring P` (or `so that P`) after the effect.
    pub ensuring: Option<Expr>,
    /// `provided P` after the effect.
    pub provided: Option<Expr>,
    /// The heading.
    pub span: Span,
}

/// A formal parameter of a transition or a proof entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formal {
    /// A bare name, a term (to be matched), or, with a type, a binder.
    Term(Expr),
    /// `const t`
    Const(Expr),
    /// `n: Int`, allowed in proof entries.
    Typed(Binder),
}

/// One task: `{get(m, i)} for m: M`, or `strong {get(m, i)} for m: M`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskItem {
    /// Its fairness.
    pub fairness: Fairness,
    /// The actions with their parameters.
    pub actions: Vec<(Ident, Vec<Expr>)>,
    /// The binders after `for`.
    pub binders: Vec<Binder>,
    /// The whole task.
    pub span: Span,
}
