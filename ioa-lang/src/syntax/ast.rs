//! The abstract syntax tree: what was written, with a span on every node, but without any interpretation.

use num_bigint::BigInt;

use crate::notation::{
    ActionKind, Direction, Fairness, Infix, Prefix, Quantifier, Rational, Temporal,
};
use crate::source::{Name, Span};

/// A name at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The name, primes included.
    pub name: Name,
    /// Its place in the source.
    pub span: Span,
}

/// A top-level item of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// `type T`, `type T = ..`
    Type(TypeItem),
    /// `let f(a, b: Nat) = e`
    Let(LetItem),
    /// `assumes TotalOrder(Ballot)`; `uses` and `imports` are read alike.
    Theory(TheoryItem),
    /// `vocabulary V ..` or `Name(I, J): trait ..`
    Vocabulary(VocabularyItem),
    /// `automaton A ..`
    Automaton(Box<AutomatonItem>),
    /// `invariant I of A: P`
    Invariant(InvariantItem),
    /// `liveness L of A: always eventually P` or `liveness L of A: P leads to Q`
    Liveness(LivenessItem),
    /// `forward simulation from Low to High: P` or `backward simulation ..`
    Simulation(SimulationItem),
    /// `schedule S of A ..`
    Schedule(ScheduleItem),
}

/// A type declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeItem {
    /// The declared name.
    pub name: Ident,
    /// What it is.
    pub definition: TypeDefinition,
    /// The whole item.
    pub span: Span,
}

/// The right-hand side of a type declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeDefinition {
    /// `type Node`: an uninterpreted sort.
    Sort,
    /// `enumeration of a, b`
    Enumeration(Vec<Ident>),
    /// `tuple of a, b: T, c: U`
    Tuple(Vec<Binder>),
    /// `union of a, b: T, c: U`
    Union(Vec<Binder>),
    /// `type Votes = Set[Node]`: another name for a type.
    Alias(TypeExpr),
}

/// `x: T`. A group `x, y: T` is written as one binder each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binder {
    /// The name; that of a loop is empty where a mistake was reported already.
    pub name: Ident,
    /// The type.
    pub ty: TypeExpr,
}

/// A type as written: `Array[Node, Set[Ballot]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeExpr {
    /// The constructor or the declared name; empty where a mistake was reported already.
    pub name: Ident,
    /// What stands in the brackets.
    pub args: Vec<TypeExpr>,
    /// The whole type.
    pub span: Span,
}

/// `let f(a, b: Nat) = e`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LetItem {
    /// The name of the expression.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Binder>,
    /// What it stands for.
    pub body: Expr,
    /// The whole item.
    pub span: Span,
}

/// `assumes Quorums(Quorum, Node)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TheoryItem {
    /// The theory.
    pub name: Ident,
    /// Its actual types.
    pub args: Vec<TypeExpr>,
    /// The whole item.
    pub span: Span,
}

/// A theory that the user declares, as a vocabulary or as a trait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VocabularyItem {
    /// Its name.
    pub name: Ident,
    /// Its parameters, which stand for types.
    pub params: Vec<Ident>,
    /// The types that it declares.
    pub types: Vec<TypeItem>,
    /// The theories that it builds on.
    pub includes: Vec<TheoryItem>,
    /// Its operators; a group `f, g: T -> U` is written as one each.
    pub operators: Vec<OperatorDecl>,
    /// The axioms about them.
    pub axioms: Vec<Expr>,
    /// The heading.
    pub span: Span,
}

/// `right: I -> I`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorDecl {
    /// The operator.
    pub name: Ident,
    /// The types of its arguments.
    pub params: Vec<TypeExpr>,
    /// The type of its result.
    pub result: TypeExpr,
    /// The whole declaration.
    pub span: Span,
}

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

/// `box: Seq[M] := {}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateDecl {
    /// The variable.
    pub name: Ident,
    /// Its type.
    pub ty: TypeExpr,
    /// Its initial value.
    pub init: Option<Rhs>,
    /// The whole declaration.
    pub span: Span,
}

/// The right-hand side of an assignment or initialisation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rhs {
    /// A term.
    Expr(Expr),
    /// `choose x where P`, or a bare `choose`.
    Choose(Choose),
}

/// `choose x where P det do yield t1; yield t2 od`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choose {
    /// The name of the chosen value in the predicate.
    pub binder: Option<Ident>,
    /// The predicate.
    pub predicate: Option<Expr>,
    /// The determinator's rows.
    pub det: Vec<YieldRow>,
    /// The whole right-hand side.
    pub span: Span,
}

/// `yield t` of a determinator; `yield t, u` where several parameters are chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YieldRow {
    /// A term for each of what is chosen.
    pub terms: Vec<Expr>,
    /// The whole.
    pub span: Span,
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

/// An invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvariantItem {
    /// Its name.
    pub name: Ident,
    /// The automaton.
    pub automaton: Ident,
    /// The invariants that its proof may assume, if that is restricted.
    pub uses: Option<Vec<Ident>>,
    /// The predicate.
    pub formula: Expr,
    /// The whole item.
    pub span: Span,
}

/// A liveness property: `liveness L of A: P leads to Q for m: Msg`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LivenessItem {
    /// Its name.
    pub name: Ident,
    /// The automaton that it is about.
    pub automaton: Ident,
    /// What is to happen; nothing where a mistake was reported already.
    pub progress: Option<Temporal<Expr>>,
    /// The values that it is to happen for.
    pub binders: Vec<Binder>,
    /// The whole item.
    pub span: Span,
}

/// A simulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimulationItem {
    /// Which way it goes.
    pub direction: Direction,
    /// The implementation.
    pub low: Ident,
    /// The specification.
    pub high: Ident,
    /// The relation.
    pub relation: Expr,
    /// `proof ..`
    pub proof: Option<ProofItem>,
    /// The heading.
    pub span: Span,
}

/// A proof block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofItem {
    /// Its own variables.
    pub states: Vec<StateDecl>,
    /// `initially s; t`
    pub initially: Vec<Stmt>,
    /// Its entries.
    pub entries: Vec<ProofEntryItem>,
    /// The keyword `proof`.
    pub span: Span,
}

/// `for internal step(k: Int) do .. od` or `for internal tidy ignore`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofEntryItem {
    /// The kind as written.
    pub kind: ActionKind,
    /// The low action.
    pub name: Ident,
    /// Its formals.
    pub formals: Vec<Formal>,
    /// The invariants that its proof may assume, if that is restricted.
    pub uses: Option<Vec<Ident>>,
    /// What is done; nothing for `ignore`.
    pub body: Vec<Stmt>,
    /// The heading.
    pub span: Span,
}

/// `schedule Name of Automaton ..`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleItem {
    /// Its name.
    pub name: Ident,
    /// The automaton it drives.
    pub automaton: Ident,
    /// What it does.
    pub body: ScheduleBody,
    /// The heading.
    pub span: Span,
}

/// `states .. do .. od`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleBody {
    /// Its own variables.
    pub states: Vec<StateDecl>,
    /// What it does.
    pub body: Vec<Stmt>,
    /// The keyword `schedule`.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// The whole statement.
    pub span: Span,
}

/// The forms of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StmtKind {
    /// `place := ..`; the place is parsed as a term.
    Assign(Expr, Rhs),
    /// `if .. then .. elseif .. else .. fi`
    If(Vec<(Expr, Vec<Stmt>)>, Vec<Stmt>),
    /// `for x: T in s do .. od`, `for x: T where P do .. od`
    For(Binder, ForRange, Vec<Stmt>),
    /// `while c do .. od`
    While(Expr, Vec<Stmt>),
    /// `fire output decide(n, v) using t for x`
    Fire {
        /// The kind as written; may be left out.
        kind: Option<ActionKind>,
        /// The action.
        action: Ident,
        /// The actuals.
        args: Vec<Expr>,
        /// Terms for the action's `choose`s, with the names they are for.
        using: Vec<(Expr, Ident)>,
    },
    /// `fire any weight a = 0.05, b = 3`: the actions and their weights, as written
    FireAny(Vec<(Ident, Ident)>),
    /// `ignore`: nothing is done
    Ignore,
}

/// What a `for` ranges over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ForRange {
    /// `in s`
    In(Expr),
    /// `where P`
    Where(Expr),
}

/// A term or formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The whole term, parentheses included.
    pub span: Span,
}

/// The forms of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// `true`, `false`
    Bool(bool),
    /// A number.
    Number(BigInt),
    /// A number with a decimal point.
    Decimal(Rational),
    /// `'a'`
    Char(char),
    /// `"abc"`
    Text(Name),
    /// `Node#2`
    Element(Ident, u32),
    /// A name: a variable, a value of an enumeration, or `nil`.
    Name(Ident),
    /// `f(a, b)`, built-in or not, `enabled(act(x))` included. An action `P[i].act(x)` of a component is `P.act` of `i`
    /// and `x`.
    Call(Ident, Vec<Expr>),
    /// `a[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `t.f`
    Field(Box<Expr>, Ident),
    /// `t:T`
    Qualified(Box<Expr>, TypeExpr),
    /// A prefix operator.
    Unary(Prefix, Box<Expr>),
    /// An infix operator other than `/\` and `\/`, with the operator's own span.
    Binary(Infix, Span, Box<Expr>, Box<Expr>),
    /// `a /\ b /\ c` or `a \/ b \/ c`: two or more operands side by side, however many, on one level.
    Chain(Infix, Vec<Expr>),
    /// `if c then a else b`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `\A x: T (P)`
    Quantified(Quantifier, Vec<Binder>, Box<Expr>),
    /// `{a, b}`, `{}`
    Braces(Vec<Expr>),
    /// `{x: T where P}`
    Comprehension(Box<Binder>, Box<Expr>),
    /// `[a, b]`
    Brackets(Vec<Expr>),
    /// Where a mistake was reported already; it has any type.
    Error,
}
