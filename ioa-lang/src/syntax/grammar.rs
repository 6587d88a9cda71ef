//! The grammar as pest reads it, and the binding of its operators.

use std::sync::LazyLock;

use pest::pratt_parser::{Assoc, Op, PrattParser};

/// The parser that pest derives from `ioa.pest`.
#[derive(pest_derive::Parser)]
#[grammar = "syntax/ioa.pest"]
pub(crate) struct Grammar;

/// Binding of the operators, loosest first.
///
/// That `/\` and `\/` share a level, and that comparisons chain, is only to find out who does it: both are errors.
pub(crate) static BINDING: LazyLock<PrattParser<Rule>> = LazyLock::new(|| {
    let left = |rule| Op::infix(rule, Assoc::Left);
    let right = |rule| Op::infix(rule, Assoc::Right);
    let comparisons = [
        Rule::ne,
        Rule::lt,
        Rule::le,
        Rule::gt,
        Rule::ge,
        Rule::member,
        Rule::notin,
        Rule::subseteq,
        Rule::subset,
    ];
    let comparison = comparisons
        .into_iter()
        .fold(left(Rule::eq), |ops, rule| ops | left(rule));
    PrattParser::new()
        .op(Op::prefix(Rule::choice))
        .op(left(Rule::iff))
        .op(right(Rule::implies))
        .op(left(Rule::or) | left(Rule::and))
        .op(Op::prefix(Rule::not))
        .op(comparison)
        .op(left(Rule::append) | right(Rule::prepend) | left(Rule::concat))
        .op(left(Rule::add) | left(Rule::sub) | left(Rule::union) | left(Rule::inter))
        .op(left(Rule::mul) | left(Rule::divide))
        .op(right(Rule::pow))
        .op(Op::prefix(Rule::neg))
        .op(Op::postfix(Rule::index) | Op::postfix(Rule::field) | Op::postfix(Rule::qualification))
});
