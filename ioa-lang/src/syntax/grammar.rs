//! The grammar as pest reads it, and the signs of its operators.

#![allow(
    missing_docs,
    reason = "the kinds of a tree are the rules of the grammar, and are explained there"
)]

use super::tree::{Kind, Node};
use crate::notation::{Infix, Level, Prefix, Side};

/// The parser that pest derives from `ioa.pest`.
#[derive(pest_derive::Parser)]
#[grammar = "syntax/ioa.pest"]
pub(crate) struct Grammar;

/// The sign between two terms that a rule is of, if it is of one.
pub(crate) fn infix(rule: Rule) -> Option<Infix> {
    Some(match rule {
        Rule::iff => Infix::Iff,
        Rule::implies => Infix::Implies,
        Rule::or => Infix::Or,
        Rule::and => Infix::And,
        Rule::eq => Infix::Eq,
        Rule::ne => Infix::Ne,
        Rule::lt => Infix::Lt,
        Rule::le => Infix::Le,
        Rule::gt => Infix::Gt,
        Rule::ge => Infix::Ge,
        Rule::member => Infix::In,
        Rule::notin => Infix::NotIn,
        Rule::subseteq => Infix::SubsetEq,
        Rule::subset => Infix::Subset,
        Rule::append => Infix::Append,
        Rule::prepend => Infix::Prepend,
        Rule::concat => Infix::Concat,
        Rule::add => Infix::Add,
        Rule::sub => Infix::Sub,
        Rule::union => Infix::Union,
        Rule::inter => Infix::Intersection,
        Rule::mul => Infix::Mul,
        Rule::divide => Infix::Divide,
        Rule::pow => Infix::Pow,
        _ => return None,
    })
}

/// The sign before a term that a rule is of, if it is of one.
pub(crate) fn prefix(rule: Rule) -> Option<Prefix> {
    match rule {
        Rule::not => Some(Prefix::Not),
        Rule::neg => Some(Prefix::Neg),
        _ => None,
    }
}

/// Whether a rule is used only in the second reading of a piece, for text that stands in place of something else.
pub(super) fn is_of_second_reading(rule: Rule) -> bool {
    use Rule::{
        begin, error, error_decl, error_head, extra, extra_decl, extra_word, lost, lost_decl,
        missing, missing_token, rest, unfit,
    };
    matches!(
        rule,
        begin
            | error
            | error_decl
            | error_head
            | extra
            | extra_decl
            | extra_word
            | lost
            | lost_decl
            | missing
            | missing_token
            | rest
            | unfit
    )
}

/// What a flat sequence of operands and operators is turned into once precedence is applied.
pub(crate) trait Binding<'t> {
    /// What a term becomes.
    type Term;
    /// What stands between operators.
    fn operand(&self, node: Node<'t>) -> Self::Term;
    /// A sign, or `if c then a else`, before a term.
    fn prefix(&self, sign: Node<'t>, operand: Self::Term) -> Self::Term;
    /// An index, a field or a type after a term.
    fn postfix(&self, operand: Self::Term, sign: Node<'t>) -> Self::Term;
    /// A sign between two terms.
    fn infix(&self, left: Self::Term, sign: Node<'t>, right: Self::Term) -> Self::Term;

    /// Binds a sequence by the levels of the table of signs, by precedence climbing.
    ///
    /// That `/\` and `\/` share a level, and that comparisons chain, is only to find out who does it: both are errors.
    fn bind(&self, sequence: Node<'t>) -> Self::Term {
        climb(self, &mut sequence.inner().peekable(), None)
    }
}

/// Reads a term whose operators bind tighter than a level, and on the right of an operator that groups to the right, as
/// tightly.
fn climb<'t, B: Binding<'t> + ?Sized>(
    build: &B,
    rest: &mut std::iter::Peekable<impl Iterator<Item = Node<'t>>>,
    outer: Option<(Level, Side)>,
) -> B::Term {
    let first = rest.next().expect("the grammar requires an operand");
    let mut left = match prefix_level(first.kind()) {
        Some(level) => build.prefix(first, climb(build, rest, Some((level, Side::Right)))),
        None => build.operand(first),
    };
    while let Some(sign) = rest.peek() {
        let (level, side) = match infix(sign.kind()) {
            Some(sign) => (sign.row().level, Some(sign.row().side)),
            None => (Level::Postfix, None),
        };
        let ends = outer.is_some_and(|(outer, of_outer)| match of_outer {
            Side::Right => level < outer,
            Side::Left | Side::Neither => level <= outer,
        });
        if ends {
            break;
        }
        let sign = rest.next().expect("it was seen");
        left = match side {
            Some(side) => {
                let right = climb(build, rest, Some((level, side)));
                build.infix(left, sign, right)
            }
            None => build.postfix(left, sign),
        };
    }
    left
}

/// How tightly a sign before a term binds; nothing for what is none.
fn prefix_level(kind: Kind) -> Option<Level> {
    match kind {
        Rule::choice => Some(Level::Choice),
        _ => prefix(kind).map(Prefix::level),
    }
}

#[cfg(test)]
mod tests {
    use pest::Parser;

    use super::{Grammar, Infix, Rule, infix};

    #[test]
    fn the_grammar_has_the_signs_of_the_table() {
        for sign in Infix::ALL {
            let character = sign.row().character.map(String::from);
            let spellings = [Some(sign.row().text.to_owned()), character];
            for spelling in spellings.into_iter().flatten() {
                let between = format!("a {spelling} b");
                let read = Grammar::parse(Rule::expr, &between).expect("it is a term");
                let parts: Vec<Rule> = read
                    .flat_map(|e| e.into_inner())
                    .map(|p| p.as_rule())
                    .collect();
                let [Rule::named, found, Rule::named] = parts[..] else {
                    panic!("{between}: {parts:?}");
                };
                assert_eq!(infix(found), Some(*sign), "{between}");
            }
        }
    }
}
