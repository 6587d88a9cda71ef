//! Automata: the flat form that everything below the front end works on.

use std::hash::{Hash, Hasher};

use super::expr::{Expr, ExprKind, FunctionId, Local, LocalId, VarId};
use super::operator::Op;
use super::stmt::{Program, Stmt};
use super::substitute::Substitution;
use super::types::{ActionId, ComponentId, SortId, TransitionId, Type};
use crate::notation::{ActionKind, Fairness, Quantifier};
use crate::source::{Name, Span};

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
    /// Which conjuncts of `applies` only tell one case of a composition from another.
    pub cases: Cases,
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
    pub unconstrained: Vec<VarId>,
    /// A relation over the state before (`Store::Pre`) and after (`Store::Post`); `true` where none is given.
    pub ensuring: Expr,
    /// The component, if any, that has the action as an input but no clause for these parameters. An input is never refused,
    /// so a state in which this clause is enabled is an error of the model; its `ensuring` is `false`.
    pub refused: Option<Name>,
    /// The clause's heading.
    pub span: Span,
}

/// Conjuncts of the `applies` of a clause of a composition that nobody wrote, by position: they say which components take part,
/// so that the clause is for one of the cases that there are.
///
/// They hash to nothing, as spans do: the conjuncts themselves are what a clause means.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cases(Vec<usize>);

impl Hash for Cases {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Cases {
    /// Adds the conjunct at a position.
    pub(crate) fn add(&mut self, position: usize) {
        self.0.push(position);
    }

    /// Keeps those before a position.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.0.retain(|position| *position < length);
    }

    /// Whether the conjunct at a position is one.
    #[must_use]
    pub fn contains(&self, position: usize) -> bool {
        self.0.contains(&position)
    }
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
