//! Statements.

use super::define::{Parts, View};
use super::term::{Arguments, Name, Postfix, Term};
use crate::syntax::tree::{Kind, Node};

views! {
    /// Statements one after the other.
    Block = stmts { statements: each Statement }

    /// `x[i].f := e`
    Assignment = assignment { place: first Place, value: first Rhs }
    /// `x[i].f`
    Place = place { name: first Name, postfixes: each Postfix }
    /// `e` or `choose x where P`, or what stands in its place.
    Rhs = rhs | error | missing { choose: optional Choose, term: optional Term }
    /// `choose x where P det do .. od`
    Choose = choose { name: optional Name, predicate: optional Term, det: optional Det }
    /// `det do yield t1; yield t2 od`
    Det = det { rows: each YieldRow in yields }
    /// `yield t1, t2`
    YieldRow = yield_row { terms: each Term }

    /// `if P then .. elseif Q then .. else .. fi`
    If = if_stmt { branches: each Branch, otherwise: optional Block }
    /// `if P then ..` or `elseif P then ..`
    Branch = branch | elseif { condition: first Term, body: first Block }
    /// `while P do .. od`
    While = while_stmt { condition: first Term, body: first Block }
    /// `for x: T in s do .. od` or `for x: T where P do .. od`
    For = for_stmt {
        binder: first LoopBinder,
        range: first LoopRange behind loop_binder | error | missing,
        body: first Block,
    }
    /// `x: T`, or what stands in its place.
    LoopBinder = loop_binder | error | missing {}
    /// `in s` or `where P`, or what stands in its place.
    LoopRange = range_in | range_where | missing { term: optional Term }

    /// `ignore`
    Ignore = ignore_stmt {}
    /// `fire internal P[i].act(x) using e for y` or `fire any weight a = 2`
    Fire = fire {
        any: optional FireAny, kind: optional ActionKind, steps: each PathStep, name: optional Name,
        arguments: optional Arguments, using: each Using,
    }
    /// `any weight a = 2`
    FireAny = fire_any { weights: each Weight }
    /// `a = 2`
    Weight = weight { action: first Name, number: first Decimal }
    /// `2`
    Decimal = decimal {}
    /// `e for x`
    Using = using_term { term: first Term, name: first Name }
    /// `input`, `output` or `internal`
    ActionKind = action_kind { keyword: first Node }
    /// `P[i].` before the name of a component's own action.
    PathStep = path_step { name: first Name, indices: each Term in path_index }
}

choices! {
    /// A statement that was understood.
    Statement = Assignment | If | While | For | Fire | Ignore;
}
