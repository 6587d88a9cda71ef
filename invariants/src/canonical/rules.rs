//! The rules: identities, which hold whatever is assumed, and inferences, which draw conclusions from what is true.
//!
//! An inference never makes a formula of its own unless its terms are there: it decides formulas that the graph already
//! has, so saturation stays small. Each rule is sound for finite sets, total orders and numbers; the property test
//! `folding_is_sound` holds all of them to that on small random structures.

use egg::{Rewrite, multi_rewrite, rewrite};

use super::language::{Constants, Logic};

type Rule = Rewrite<Logic, Constants>;

/// Identities of logic, sets, order and arithmetic.
pub(crate) fn identities() -> Vec<Rule> {
    let mut rules = identities_of_logic();
    rules.extend(identities_of_sets());
    rules.extend(identities_of_values());
    rules
}

fn identities_of_logic() -> Vec<Rule> {
    vec![
        rewrite!("or-commutes"; "(or ?a ?b)" => "(or ?b ?a)"),
        rewrite!("or-false"; "(or false ?a)" => "?a"),
        rewrite!("or-true"; "(or true ?a)" => "true"),
        rewrite!("or-same"; "(or ?a ?a)" => "?a"),
        rewrite!("or-excluded-middle"; "(or ?a (not ?a))" => "true"),
        rewrite!("not-not"; "(not (not ?a))" => "?a"),
        rewrite!("eq-commutes"; "(eq ?a ?b)" => "(eq ?b ?a)"),
        rewrite!("eq-same"; "(eq ?a ?a)" => "true"),
        rewrite!("lt-same"; "(lt ?a ?a)" => "false"),
    ]
}

fn identities_of_sets() -> Vec<Rule> {
    vec![
        rewrite!("union-commutes"; "(uni ?a ?b)" => "(uni ?b ?a)"),
        rewrite!("union-empty"; "(uni ?a emp)" => "?a"),
        rewrite!("union-same"; "(uni ?a ?a)" => "?a"),
        rewrite!("union-absorbs"; "(uni ?a (int ?a ?b))" => "?a"),
        rewrite!("intersection-commutes"; "(int ?a ?b)" => "(int ?b ?a)"),
        rewrite!("intersection-empty"; "(int ?a emp)" => "emp"),
        rewrite!("intersection-same"; "(int ?a ?a)" => "?a"),
        rewrite!("intersection-absorbs"; "(int ?a (uni ?a ?b))" => "?a"),
        rewrite!("subset-same"; "(sub ?a ?a)" => "true"),
        rewrite!("empty-subset"; "(sub emp ?a)" => "true"),
        rewrite!("subset-empty"; "(sub ?a emp)" => "(eq ?a emp)"),
        rewrite!("subset-union"; "(sub ?a (uni ?a ?b))" => "true"),
        rewrite!("intersection-subset"; "(sub (int ?a ?b) ?a)" => "true"),
        rewrite!("in-empty"; "(in ?x emp)" => "false"),
        rewrite!("in-union"; "(in ?x (uni ?a ?b))" => "(or (in ?x ?a) (in ?x ?b))"),
        rewrite!("size-empty"; "(siz emp)" => "0"),
        rewrite!("size-zero"; "(eq (siz ?a) 0)" => "(eq ?a emp)"),
    ]
}

fn identities_of_values() -> Vec<Rule> {
    vec![
        rewrite!("val-embed"; "(val (emb ?a))" => "?a"),
        rewrite!("embed-nil"; "(eq (emb ?a) nil)" => "false"),
        rewrite!("embed-embed"; "(eq (emb ?a) (emb ?b))" => "(eq ?a ?b)"),
        rewrite!("add-commutes"; "(add ?a ?b)" => "(add ?b ?a)"),
        rewrite!("add-associates"; "(add (add ?a ?b) ?c)" => "(add ?a (add ?b ?c))"),
        rewrite!("add-zero"; "(add ?a 0)" => "?a"),
        rewrite!("multiply-one"; "(mul 1 ?a)" => "?a"),
        rewrite!("multiply-associates"; "(mul ?a (mul ?b ?c))" => "(mul (mul ?a ?b) ?c)"),
        rewrite!("multiply-distributes"; "(mul ?a (add ?b ?c))" => "(add (mul ?a ?b) (mul ?a ?c))"),
    ]
}

/// What follows from formulas that are true or false in the graph.
pub(crate) fn inferences() -> Vec<Rule> {
    let mut rules = inferences_of_membership();
    rules.extend(inferences_of_sets());
    rules.extend(inferences_of_order());
    rules
}

fn inferences_of_membership() -> Vec<Rule> {
    vec![
        multi_rewrite!("equal-is-same"; "?t = (eq ?a ?b), ?t = true" => "?a = ?b"),
        multi_rewrite!("in-subset"; "?t = (in ?x ?a), ?t = true, ?s = (sub ?a ?b), ?s = true"
            => "?m = (in ?x ?b), ?m = true"),
        multi_rewrite!("in-both"; "?t = (in ?x ?a), ?t = true, ?u = (in ?x ?b), ?u = true, ?i = (int ?a ?b)"
            => "?m = (in ?x ?i), ?m = true"),
        multi_rewrite!("in-intersection"; "?t = (in ?x (int ?a ?b)), ?t = true"
            => "?m = (in ?x ?a), ?m = true"),
        multi_rewrite!("in-part-of-union"; "?t = (in ?x ?a), ?t = true, ?i = (uni ?a ?b)"
            => "?m = (in ?x ?i), ?m = true"),
        multi_rewrite!("in-so-not-empty"; "?t = (in ?x ?a), ?t = true, ?e = (eq ?a emp)"
            => "?e = false"),
        multi_rewrite!("in-one-alone"; "?t = (in ?x ?a), ?t = true, ?u = (in ?x ?b), ?u = false, ?s = (sub ?a ?b)"
            => "?s = false"),
        multi_rewrite!("in-one-so-different"; "?t = (in ?x ?a), ?t = true, ?u = (in ?x ?b), ?u = false, ?e = (eq ?a ?b)"
            => "?e = false"),
        multi_rewrite!("different-elements"; "?t = (in ?x ?a), ?t = true, ?u = (in ?y ?a), ?u = false, ?e = (eq ?x ?y)"
            => "?e = false"),
        multi_rewrite!("not-nil"; "?e = (eq ?t nil), ?e = false, ?v = (val ?t)"
            => "?t = (emb ?v)"),
    ]
}

fn inferences_of_sets() -> Vec<Rule> {
    vec![
        multi_rewrite!("subset-transitive"; "?s = (sub ?a ?b), ?s = true, ?t = (sub ?b ?c), ?t = true, ?u = (sub ?a ?c)"
            => "?u = true"),
        multi_rewrite!("subset-both-ways"; "?s = (sub ?a ?b), ?s = true, ?t = (sub ?b ?a), ?t = true"
            => "?a = ?b"),
        multi_rewrite!("subset-of-empty"; "?s = (sub ?a ?b), ?s = true, ?e = (eq ?b emp), ?e = true"
            => "?a = emp"),
        multi_rewrite!("subset-not-empty"; "?s = (sub ?a ?b), ?s = true, ?e = (eq ?a emp), ?e = false, ?f = (eq ?b emp)"
            => "?f = false"),
        multi_rewrite!("subset-intersection"; "?s = (sub ?a ?b), ?s = true, ?i = (int ?a ?b)"
            => "?i = ?a"),
        multi_rewrite!("subset-union"; "?s = (sub ?a ?b), ?s = true, ?i = (uni ?a ?b)"
            => "?i = ?b"),
        multi_rewrite!("subset-of-part"; "?s = (sub ?a ?b), ?s = true, ?u = (sub ?a (uni ?b ?c))"
            => "?u = true"),
        multi_rewrite!("meet-in-part"; "?s = (sub ?a ?c), ?s = true, ?u = (sub (int ?a ?b) ?c)"
            => "?u = true"),
        multi_rewrite!("disjoint-part"; "?s = (sub ?a ?b), ?s = true, ?i = (int ?b ?c), ?i = emp, ?j = (int ?a ?c)"
            => "?j = emp"),
        multi_rewrite!("subset-size"; "?s = (sub ?a ?b), ?s = true, ?u = (lt (siz ?b) (siz ?a))"
            => "?u = false"),
    ]
}

fn inferences_of_order() -> Vec<Rule> {
    vec![
        multi_rewrite!("less-transitive"; "?s = (lt ?a ?b), ?s = true, ?t = (lt ?b ?c), ?t = true, ?u = (lt ?a ?c)"
            => "?u = true"),
        multi_rewrite!("at-most-transitive"; "?s = (lt ?b ?a), ?s = false, ?t = (lt ?c ?b), ?t = false, ?u = (lt ?c ?a)"
            => "?u = false"),
        multi_rewrite!("less-then-at-most"; "?s = (lt ?a ?b), ?s = true, ?t = (lt ?c ?b), ?t = false, ?u = (lt ?a ?c)"
            => "?u = true"),
        multi_rewrite!("at-most-then-less"; "?s = (lt ?b ?a), ?s = false, ?t = (lt ?b ?c), ?t = true, ?u = (lt ?a ?c)"
            => "?u = true"),
        multi_rewrite!("less-not-greater"; "?s = (lt ?a ?b), ?s = true, ?u = (lt ?b ?a)"
            => "?u = false"),
        multi_rewrite!("less-not-equal"; "?s = (lt ?a ?b), ?s = true, ?u = (eq ?a ?b)"
            => "?u = false"),
        multi_rewrite!("order-total"; "?s = (lt ?a ?b), ?s = false, ?t = (lt ?b ?a), ?t = false"
            => "?a = ?b"),
        multi_rewrite!("at-most-and-different"; "?s = (lt ?b ?a), ?s = false, ?e = (eq ?a ?b), ?e = false, ?u = (lt ?a ?b)"
            => "?u = true"),
        multi_rewrite!("at-most-sum"; "?s = (lt ?b ?a), ?s = false, ?z = (lt ?c 0), ?z = false, ?u = (lt (add ?b ?c) ?a)"
            => "?u = false"),
    ]
}
