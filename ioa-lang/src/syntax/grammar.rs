//! The grammar as pest reads it, and the binding of its operators.

use std::sync::LazyLock;

use pest::pratt_parser::{Assoc, Op, PrattParser};

use crate::core::{Infix, Level, Side};

/// The parser that pest derives from `ioa.pest`.
#[derive(pest_derive::Parser)]
#[grammar = "syntax/ioa.pest"]
pub(crate) struct Grammar;

/// The rule of a sign between two terms.
fn rule_of(sign: Infix) -> Rule {
    match sign {
        Infix::Iff => Rule::iff,
        Infix::Implies => Rule::implies,
        Infix::Or => Rule::or,
        Infix::And => Rule::and,
        Infix::Eq => Rule::eq,
        Infix::Ne => Rule::ne,
        Infix::Lt => Rule::lt,
        Infix::Le => Rule::le,
        Infix::Gt => Rule::gt,
        Infix::Ge => Rule::ge,
        Infix::In => Rule::member,
        Infix::NotIn => Rule::notin,
        Infix::SubsetEq => Rule::subseteq,
        Infix::Subset => Rule::subset,
        Infix::Append => Rule::append,
        Infix::Prepend => Rule::prepend,
        Infix::Concat => Rule::concat,
        Infix::Add => Rule::add,
        Infix::Sub => Rule::sub,
        Infix::Union => Rule::union,
        Infix::Intersection => Rule::inter,
        Infix::Mul => Rule::mul,
        Infix::Divide => Rule::divide,
        Infix::Pow => Rule::pow,
    }
}

/// The sign between two terms that a rule is of, if it is of one.
pub(crate) fn infix(rule: Rule) -> Option<Infix> {
    let mut signs = Infix::ALL.iter().copied();
    signs.find(|sign| rule_of(*sign) == rule)
}

/// Binding of the operators, loosest first.
///
/// That `/\` and `\/` share a level, and that comparisons chain, is only to find out who does it: both are errors.
pub(crate) static BINDING: LazyLock<PrattParser<Rule>> = LazyLock::new(|| {
    let levels = Level::ALL.into_iter().filter_map(operators_at);
    levels.fold(PrattParser::new(), PrattParser::op)
});

/// All operators that bind as tightly.
fn operators_at(level: Level) -> Option<Op<Rule>> {
    let others = match level {
        Level::Choice => vec![Op::prefix(Rule::choice)],
        Level::Not => vec![Op::prefix(Rule::not)],
        Level::Negative => vec![Op::prefix(Rule::neg)],
        Level::Postfix => [Rule::index, Rule::field, Rule::qualification]
            .map(Op::postfix)
            .into(),
        _ => Vec::new(),
    };
    let signs = Infix::ALL.iter().filter(|sign| sign.row().level == level);
    let signs = signs.map(|sign| match sign.row().side {
        Side::Right => Op::infix(rule_of(*sign), Assoc::Right),
        Side::Left | Side::Neither => Op::infix(rule_of(*sign), Assoc::Left),
    });
    others
        .into_iter()
        .chain(signs)
        .reduce(|one, other| one | other)
}

#[cfg(test)]
mod tests {
    use pest::Parser;

    use super::{Grammar, Infix, Rule, rule_of};

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
                assert_eq!(
                    parts,
                    [Rule::named, rule_of(*sign), Rule::named],
                    "{between}"
                );
            }
        }
    }
}
