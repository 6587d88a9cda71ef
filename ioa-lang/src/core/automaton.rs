//! Automata and what is stated of them: the flat form that everything below the front end works on.

use super::expr::{Expr, ExprKind, FunctionId, LocalId};
use super::operator::Op;
use super::setting::Assumed;
use super::stmt::{Local, Program, Stmt};
use super::substitute::Substitution;
use super::types::{SortId, Type, index};
use crate::notation::{ActionKind, Direction, Fairness, Quantifier, Temporal};
use crate::source::{Name, Span};

index!(
    /// An automaton: a position in [`Model::automata`](crate::core::Model::automata).
    AutomatonId
);
index!(
    /// An action: a position in [`Automaton::actions`].
    ActionId
);
index!(
    /// A transition clause: a position in [`Automaton::transitions`].
    TransitionId
);
index!(
    /// A component of a composition: a position in [`Automaton::components`].
    ComponentId
);

/// A state variable of an automaton, a schedule or a proof block.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variable {
    /// Its name.
    pub name: Name,
    /// Its type; with an index the type of the array over all of the component's indices.
    pub ty: Type,
    /// The component it belongs to; `None` in an automaton that is not a composition.
    pub component: Option<ComponentId>,
    /// Its declaration.
    pub span: Span,
}

/// An action of a signature.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Action {
    /// Its name; unique in the automaton.
    pub name: Name,
    /// Its kind.
    pub kind: ActionKind,
    /// The types of its parameters, with the names the signature gives them.
    pub params: Vec<(Name, Type)>,
    /// One local for each parameter, then the bound variables of `predicate` and of `participants`.
    pub locals: Vec<Local>,
    /// The signature's `where` and `const`s: for which values of the parameters there is such an action. It is a part
    /// of what each clause's `applies` says. An input is always enabled: for these values some clause has to apply.
    pub predicate: Expr,
    /// Which components take part, the one that controls the action first; empty in an automaton that is not a
    /// composition.
    pub participants: Vec<Participant>,
    /// Its entry in the signature.
    pub span: Span,
}

/// A component's part in an action of a composition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Participant {
    /// The component.
    pub component: ComponentId,
    /// Whether the component controls the action or receives it.
    pub kind: ActionKind,
    /// Locals of the action: one for each index that the parameters do not determine, and that may have any value.
    pub open: Vec<LocalId>,
    /// Which of the indexed components it is, as terms over the action's first locals and `open`, one for each index.
    pub index: Vec<Expr>,
    /// The condition on the parameters, and on the values of `open`, under which there is such a component with the action
    /// in its signature; otherwise it takes no part.
    pub condition: Expr,
}

/// A component of a composition: `P[i: I]: Process(I, i)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Component {
    /// Its name, with the names of the components it stands in before it: `P`, `Left.P`. The core's names of its
    /// variables and private actions begin with it: `P.status`.
    pub path: Name,
    /// The names and types of its indices, those of the components it stands in first.
    pub indices: Vec<(Name, Type)>,
    /// The name of the automaton it is an instance of.
    pub automaton: Name,
    /// Where it is declared.
    pub span: Span,
}

/// A requirement of a composition or an instance on the interpretation of its theories: that no two components control one
/// action, or that actual parameters satisfy the `where` of their automaton.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Requirement {
    /// What would be wrong, as the headline of a message: "`send` is an output of both `P` and `C`".
    pub otherwise: String,
    /// Bound variables.
    pub locals: Vec<Local>,
    /// The formula that must hold; it reads no state. It has the form `\A x, y (P)` if there is something to show as a
    /// counterexample.
    pub formula: Expr,
    /// What the requirement comes from.
    pub span: Span,
}

/// A transition clause: `input put(m, i) where .. pre .. eff .. ensuring ..`.
///
/// A step by it: take values for all parameters, `params` and `hidden`, for which `applies` and then `pre` hold; run
/// `effect`; give each variable of `unconstrained` any value; the result is a step if `ensuring` holds of it. Where the
/// parameters enable the clause but no choice and no value leads to such a result, the model is at fault: `ensuring`
/// selects among outcomes, it is not a precondition.
/// That `ensuring` is undefined for some such value is a run-time error, even where others satisfy it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Transition {
    /// The action it is a clause of.
    pub action: ActionId,
    /// All bound variables of the clause.
    pub locals: Vec<Local>,
    /// One local for each parameter of the action. A formal that is a term is a local of its own that `applies`
    /// sets equal to the term.
    pub params: Vec<LocalId>,
    /// Hidden parameters (`choose z: T where P` before `pre`): existentially quantified over the whole clause.
    pub hidden: Vec<LocalId>,
    /// The determinator of the hidden parameters: rows with a term for each of them, which a run uses in turn, beginning
    /// again after the last (`choose z: T where P det do yield t od`). It is empty if the source has no determinator.
    pub det: Vec<Vec<Expr>>,
    /// Which parameters the clause is for: the signature's `where`, formals that must match a term, the clause's
    /// `where`. It reads no state.
    pub applies: Expr,
    /// The precondition, with the `where` of the hidden parameters first; `true` for an input.
    pub pre: Expr,
    /// The effect, run as one atomic step.
    pub effect: Vec<Stmt>,
    /// Variables that occur primed in `ensuring` and are not assigned by the effect: their new value is free.
    pub unconstrained: Vec<super::expr::VarId>,
    /// A relation over the state before (`Store::Pre`) and after (`Store::Post`); `true` where none is given.
    pub ensuring: Expr,
    /// The component, if any, that has the action as an input but no clause for these parameters. An input is never refused,
    /// so a state in which this clause is enabled is an error of the model; its `ensuring` is `false`.
    pub refused: Option<Name>,
    /// The clause's heading.
    pub span: Span,
}

/// The start states: run `program` from anything, keep the results that satisfy `so_that`.
///
/// The program assigns every variable, but for the parts of a composition's variables that belong to components that do
/// not exist and are of sorts: these have one value, which may be any.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Start {
    /// Assignments and choices, variable by variable in declaration order.
    pub program: Program,
    /// Bound variables of `so_that`.
    pub locals: Vec<Local>,
    /// The condition on start states; `true` if there is none.
    pub so_that: Expr,
}

/// A fairness class: `{get(m, i)} for m: M`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Task {
    /// Its fairness.
    pub fairness: Fairness,
    /// Bound variables of the task; one class for each valuation of them.
    pub locals: Vec<Local>,
    /// The actions of the class, with their parameters as terms over `locals`.
    pub actions: Vec<(ActionId, Vec<Expr>)>,
    /// Its place in the source.
    pub span: Span,
}

/// One flat automaton.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Automaton {
    /// Its name.
    pub name: Name,
    /// Its signature.
    pub actions: Vec<Action>,
    /// Its state.
    pub variables: Vec<Variable>,
    /// Its start states.
    pub start: Start,
    /// Its transition clauses, in source order.
    pub transitions: Vec<Transition>,
    /// Its fairness classes.
    pub tasks: Vec<Task>,
    /// The parameters that are left open: `automaton Cell(M: type, i: Int)` is read for every type `M`, a sort of its
    /// own, and every value `i`, a theory's operator without arguments, that satisfy the automaton's `where`, an axiom.
    pub parameters: Parameters,
    /// The components it is composed of; empty where it is none.
    pub components: Vec<Component>,
    /// What the interpretation must satisfy for the automaton to be meaningful.
    pub requirements: Vec<Requirement>,
    /// Its heading.
    pub span: Span,
}

/// The open parameters of an automaton.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Parameters {
    /// The sorts that stand for its type parameters.
    pub sorts: Vec<SortId>,
    /// The operators that stand for its value parameters.
    pub values: Vec<FunctionId>,
}

impl Automaton {
    /// The clauses of an action, in source order.
    pub fn clauses(&self, action: ActionId) -> impl Iterator<Item = (TransitionId, &Transition)> {
        (0..)
            .map(TransitionId)
            .zip(&self.transitions)
            .filter(move |(_, t)| t.action == action)
    }

    /// The condition that no input is refused: for all parameters in the signature, some clause applies. `None` if that is
    /// evident, or the action is not an input.
    #[must_use]
    pub fn input_enabled(&self, id: ActionId) -> Option<Requirement> {
        let action = &self.actions[id.index()];
        if action.kind != ActionKind::Input || self.clauses(id).any(|(_, c)| c.applies.is_true()) {
            return None;
        }
        let mut locals = action.locals.clone();
        let params = (0..action.params.len()).map(LocalId::at);
        let mut cases = Vec::new();
        for (_, clause) in self.clauses(id) {
            let values = params
                .clone()
                .map(|param| local_term(param, &action.locals));
            let values = clause.params.iter().copied().zip(values);
            let mut copy = Substitution::new(&clause.locals, &mut locals, values);
            cases.push(copy.copy(&clause.applies));
        }
        let covered = Expr::disjunction(cases, action.span);
        let body = [action.predicate.clone(), covered];
        let body = Expr::apply(Op::Implies, body.into(), Type::Bool, action.span);
        let formula = match params.len() {
            0 => body,
            _ => Expr::new(
                ExprKind::Quantified(Quantifier::ForAll, params.collect(), Box::new(body)),
                Type::Bool,
                action.span,
            ),
        };
        Some(Requirement {
            otherwise: format!("no clause takes the input `{}`", action.name),
            locals,
            formula,
            span: action.span,
        })
    }

    /// The action a clause belongs to.
    #[must_use]
    pub fn action_of(&self, transition: TransitionId) -> &Action {
        &self.actions[self.transitions[transition.index()].action.index()]
    }
}

/// A condition on the state before an action: steps by the action are taken only where it holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Guard {
    /// The action.
    pub action: ActionId,
    /// One local for each parameter of the action; none if the condition mentions none of them.
    pub params: Vec<LocalId>,
    /// The parameters and bound variables of the condition.
    pub locals: Vec<Local>,
    /// The condition, over `Store::Pre`.
    pub condition: Expr,
}

impl Automaton {
    /// Restricts the steps of an action to those from states in which a condition holds.
    pub fn restrict(&mut self, guard: &Guard) {
        let clauses = self.transitions.iter_mut();
        for clause in clauses.filter(|clause| clause.action == guard.action) {
            let actuals = clause.params.iter();
            let actuals = actuals.map(|param| local_term(*param, &clause.locals));
            let values: Vec<(LocalId, Expr)> = guard.params.iter().copied().zip(actuals).collect();
            let mut copy = Substitution::new(&guard.locals, &mut clause.locals, values);
            let condition = copy.copy(&guard.condition);
            // The condition comes last: it may be undefined where the precondition is false.
            clause.pre = Expr::conjunction([clause.pre.clone(), condition], clause.pre.span);
        }
    }
}

/// A bound variable as a term.
fn local_term(id: LocalId, locals: &[Local]) -> Expr {
    let local = &locals[id.index()];
    Expr::new(ExprKind::Local(id), local.ty.clone(), local.span)
}

/// `invariant Name of A: P`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Invariant {
    /// Its name; unique among the invariants of the model.
    pub name: Name,
    /// The automaton that it is about.
    pub automaton: AutomatonId,
    /// Bound variables.
    pub locals: Vec<Local>,
    /// The predicate, over `Store::Pre`.
    pub formula: Expr,
    /// The names of the invariants that its proof may assume in addition to itself, if they are restricted.
    pub uses: Option<Vec<Name>>,
    /// Its heading.
    pub span: Span,
}

/// A term over the state of an automaton that somebody asks about.
#[derive(Clone, Debug, PartialEq)]
pub struct StateTerm {
    /// Bound variables.
    pub locals: Vec<Local>,
    /// The term, over `Store::Pre`.
    pub term: Expr,
}

/// `liveness Name of A: P leads to Q for x: T`.
///
/// It must hold for every fair execution, that is, every execution in which each of the automaton's tasks is treated as its
/// [`Fairness`] requires.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Liveness {
    /// Its name; unique among the liveness properties and invariants of the model.
    pub name: Name,
    /// The automaton that it is about.
    pub automaton: AutomatonId,
    /// Bound variables.
    pub locals: Vec<Local>,
    /// It is one property for each valuation of these.
    pub params: Vec<LocalId>,
    /// The temporal formula that executions must satisfy, with state formulas over `Store::Pre`.
    pub formula: Temporal<Expr>,
    /// The whole item.
    pub span: Span,
}

/// `forward simulation from Low to High: P`, or `backward simulation ..`.
///
/// *Forward*: each start state of the low automaton is related to one of the high automaton; for each low step from `s`
/// to `t` and each `u` related to `s` there is a high fragment with the same trace from `u` to some state related to `t`.
///
/// *Backward*, after Lynch and Vaandrager, "Forward and Backward Simulations, Part I": every state related to a low
/// start state is a high start state; for each low step from `s` to `t` and each `w` related to `t` there is a high
/// fragment with the same trace from some state related to `s` to `w`; each reachable low state is related to some
/// state. It shows that the low automaton's finite traces are the high one's; for infinite traces no low state may be
/// related to infinitely many states. The high states `u` and `w` are those in which the high invariants hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Simulation {
    /// Which way it goes.
    pub direction: Direction,
    /// The implementation.
    pub low: AutomatonId,
    /// The specification.
    pub high: AutomatonId,
    /// Bound variables of the relation.
    pub locals: Vec<Local>,
    /// The relation, over `Store::Low`, `Store::High` and, where there is a proof block that goes forward,
    /// `Store::Block`.
    pub relation: Expr,
    /// The witness for the existentials of the definition.
    pub proof: Option<ProofBlock>,
    /// Its heading.
    pub span: Span,
}

/// The step correspondence of a simulation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProofBlock {
    /// The block's own variables (`Store::Block`). Backward, they last no longer than the program that uses them.
    pub variables: Vec<Variable>,
    /// Initialises the block's own variables, then makes a high state: it assigns `Store::Block` and `Store::High`, and
    /// reads the low state (`Store::Low`). A high variable that it does not assign has the value that the high
    /// automaton's own start program gives it. Forward, it is for the low start states and makes high start states;
    /// backward, for each reachable low state it makes a state that is related to it.
    pub initially: Program,
    /// Exactly one entry for each action of the low automaton, in the order of its signature.
    pub entries: Vec<ProofEntry>,
    /// Its place in the source.
    pub span: Span,
}

/// What the high automaton does when the low one takes a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProofEntry {
    /// The low action.
    pub action: ActionId,
    /// One local for each parameter of the action.
    pub params: Vec<LocalId>,
    /// The fragment; empty for `ignore`. It reads the low state before the step and the high state.
    ///
    /// In a backward simulation, it begins in the high state after the fragment. The assignments to `Store::High` before its
    /// first `fire` turn this into the state before the fragment; the `fire`s must then lead back to the state where it
    /// began.
    pub program: Program,
    /// The names of the invariants that its proof may assume, if that is restricted.
    pub uses: Option<Vec<Name>>,
    /// Its place in the source.
    pub span: Span,
}

/// `schedule Name of Automaton ..`: a program that resolves the nondeterminism of a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Schedule {
    /// Its name; one written inside an automaton bears the automaton's name.
    pub name: Name,
    /// The automaton it drives (`Store::Pre` in its terms).
    pub automaton: AutomatonId,
    /// Its own variables (`Store::Block`).
    pub variables: Vec<Variable>,
    /// Initialises the own variables, then drives the automaton.
    pub program: Program,
    /// Its heading.
    pub span: Span,
}

/// An operator that a theory declares.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Function {
    /// Its name for people and for solvers, such as `<` or `member`.
    pub name: Name,
    /// The types of its parameters.
    pub params: Vec<Type>,
    /// The type of its result.
    pub result: Type,
    /// What determines its meaning in a finite instance.
    pub meaning: Meaning,
    /// Where its theory is assumed, or whose parameter it stands for.
    pub assumed: Assumed,
    /// Where the theory was asked for.
    pub span: Span,
}

/// The finite interpretation of a theory's operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// Only the axioms: a finite instance needs a table of its values that satisfies them.
    Axioms,
    /// The strict total order of the elements of a sort by their index.
    Less(SortId),
    /// Membership in a group, the groups being a [`Family`](super::types::Family) of sets of the members' sort.
    InGroup {
        /// The sort of the members.
        member: SortId,
        /// The sort that stands for the sets.
        group: SortId,
    },
}

/// A sort whose elements lie in one circle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ring {
    /// The sort.
    pub sort: SortId,
    /// The neighbour on one side.
    pub next: FunctionId,
    /// The neighbour on the other side.
    pub previous: FunctionId,
    /// Whether, going on from the first argument, one comes past the second before one comes to the third.
    pub between: FunctionId,
}

impl Ring {
    /// Its operators.
    #[must_use]
    pub fn operators(&self) -> [FunctionId; 3] {
        [self.next, self.previous, self.between]
    }
}

/// A fact that every interpretation of a theory satisfies, or the parameters of an automaton by its `where`.
///
/// It may be supposed in the [settings](super::Setting) of those who assume it, and in no other:
/// [`Model::axioms_in`](super::Model::axioms_in) is the only way to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Axiom {
    /// Its name, such as `TotalOrder(Ballot).transitive`.
    pub name: Name,
    /// Where it is assumed.
    pub assumed: Assumed,
    /// Bound variables.
    pub locals: Vec<Local>,
    /// The fact; it reads no state.
    pub formula: Expr,
    /// Where the theory was asked for.
    pub span: Span,
}
