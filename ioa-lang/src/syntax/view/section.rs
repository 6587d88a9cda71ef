//! The sections of automata and of proof blocks.

use super::define::{Parts, View};
use super::stmt::{ActionKind, Block, Det, PathStep, Rhs};
use super::term::{Arguments, Binder, BinderGroup, Binders, Name, Term, TypeRef};
use crate::syntax::tree::{Kind, Node};

views! {
    /// One `input ..` (or `output`, `internal`) of a signature, which may list several actions.
    Signature = signature_piece { kind: first ActionKind, entries: each SignatureEntry }
    /// `P[i: I].act(x: T, const e) where P`
    SignatureEntry = sig_entry {
        steps: each SignatureStep, name: first Name, params: each SignatureParam in sig_params,
        predicate: optional Term in where_clause,
    }
    /// `P[i: I].` before the name of an action.
    SignatureStep = sig_step { name: first Name, params: each SignatureParam in sig_indices }
    /// `const e` in a signature.
    SignatureConst = sig_const { term: first Term }

    /// `states ..` and the `so that` after it.
    States = states_piece {
        block: first StatesBlock, so_that: optional Term in so_that, initially: optional Term in initially,
    }
    /// `states ..`
    StatesBlock = states_block { declarations: each StateDeclaration in decls }
    /// `x, y: T := e`
    StateDeclaration = state_decl { names: each Name, ty: first TypeRef, value: optional Rhs behind assign }

    /// A transition clause.
    Clause = clause_piece {
        kind: first ActionKind, steps: each PathStep, name: optional Name, formals: optional Formals,
        predicate: optional Term in where_clause, choosing: optional Choosing, precondition: optional Term in pre,
        effect: optional Block in eff, ensuring: optional Term in ensuring, provided: optional Term in provided, so_that: optional Term in so_that,
    }
    /// `(x: T, const e, f(y); local z: U)`
    Formals = formals { formals: each Formal, locals: optional Binders in locals }
    /// `const e` among formals.
    ConstFormal = const_formal { term: first Term }
    /// `choose z: T where P` before `pre`.
    Choosing = choosing { binders: first Binders, predicate: optional Term in where_clause, det: optional Det }

    /// `tasks ..`
    Tasks = tasks_piece { tasks: each Task }
    /// `strong {act(x), other} for x: T`
    Task = task { strong: optional Strong, actions: each TaskAction, binders: optional Binders }
    /// `strong`
    Strong = k_strong {}
    /// `P[i].act(x)`
    TaskAction = task_action { steps: each PathStep, name: first Name, arguments: optional Arguments }

    /// `schedule ..` inside an automaton.
    InnerSchedule = inner_schedule_piece { keyword: first Node, body: first ScheduleBody }
    /// `states .. do .. od`
    ScheduleBody = schedule_body { states: optional StatesBlock, body: first Block }

    /// `components ..`
    Components = components_piece { components: each Component }
    /// `P[i: I]: A(i) where Q`
    Component = component {
        name: first Name, indices: optional Binders in component_indices, instance: optional Instance,
        predicate: optional Term in where_clause,
    }
    /// `A(x, T)`: an automaton with its actual parameters.
    Instance = instance { automaton: first Name, actuals: each Actual in actuals > actual }
    /// `hot P` or `cold P` of a monitor.
    Heat = heat_piece { keyword: first Node, formula: first Term }
    /// `hidden ..`
    Hidden = hidden_piece { actions: each HiddenAction }
    /// `act(x) where P`
    HiddenAction = hidden_action { name: first Name, formals: optional Formals, predicate: optional Term in where_clause }

    /// `states ..` of a proof block.
    ProofStates = proof_states_piece { block: first StatesBlock }
    /// `initially ..` of a proof block.
    ProofStart = proof_start_piece { body: first Block }
    /// `for internal act(k: Int) uses Inv do .. od` of a proof block.
    Entry = entry_piece {
        kind: first ActionKind, steps: each PathStep, name: optional Name, formals: optional Formals,
        uses: optional Uses, body: optional Block,
    }
    /// `uses Inv1, Inv3`
    Uses = uses { names: each Name }
}

choices! {
    /// A parameter of an action in a signature.
    SignatureParam = SignatureConst | BinderGroup;
    /// An actual parameter of an automaton.
    Actual = Term | TypeRef;
    /// A formal parameter of an action.
    Formal = ConstFormal | Binder | Term;
}
