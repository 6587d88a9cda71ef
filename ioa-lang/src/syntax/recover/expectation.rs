//! What may stand at a place of a text, as people name it.

use crate::syntax::grammar::{Rule, infix, is_of_second_reading};

/// The alternatives for the user, in the order of the message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Expectation {
    Name,
    Type,
    Term,
    Number,
    Action,
    Statement,
    /// A keyword or a bracket.
    Token(String),
    /// `,` or `;`
    Separator(&'static str),
    Operator,
    End,
}

/// How a rule of the grammar is named to people; nothing for what they need not know.
pub(super) fn expectation(rule: Rule) -> Option<Expectation> {
    if is_untold(rule) {
        return None;
    }
    construct(rule).or_else(|| {
        let keyword = format!("{rule:?}");
        let text = first_token(rule).or_else(|| keyword.strip_prefix("k_"));
        text.map(|text| Expectation::Token(text.into()))
    })
}

/// What has a name of its own, whatever it starts with.
fn construct(rule: Rule) -> Option<Expectation> {
    Some(match rule {
        Rule::name
        | Rule::binder
        | Rule::binder_group
        | Rule::binders
        | Rule::loop_binder
        | Rule::state_decl
        | Rule::decls
        | Rule::sig_entry
        | Rule::task_action
        | Rule::theory
        | Rule::parameter
        | Rule::signature_of
        | Rule::local_type
        | Rule::component
        | Rule::instance
        | Rule::hidden_action => Expectation::Name,
        Rule::type_expr => Expectation::Type,
        Rule::action_kind => Expectation::Action,
        Rule::decimal => Expectation::Number,
        Rule::stmts
        | Rule::if_stmt
        | Rule::for_stmt
        | Rule::while_stmt
        | Rule::fire
        | Rule::ignore_stmt
        | Rule::assignment
        | Rule::place
        | Rule::branch => Expectation::Statement,
        Rule::EOI => Expectation::End,
        Rule::comma => Expectation::Separator(","),
        Rule::semicolon => Expectation::Separator(";"),
        _ if is_term(rule) => Expectation::Term,
        _ if rule == Rule::sign || infix(rule).is_some() => Expectation::Operator,
        _ => return None,
    })
}

/// The token that says best what may stand here.
fn first_token(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::colon => ":",
        Rule::assign => ":=",
        Rule::equals => "=",
        Rule::lparen
        | Rule::let_params
        | Rule::formals
        | Rule::sig_params
        | Rule::arguments
        | Rule::theory_args
        | Rule::joined
        | Rule::enclosed => "(",
        Rule::rparen => ")",
        Rule::arrow => "->",
        Rule::local_types => "types",
        Rule::operators | Rule::k_introduces => "operators",
        Rule::axioms | Rule::k_asserts => "axioms",
        Rule::inclusion => "imports",
        Rule::lbracket | Rule::index => "[",
        Rule::rbracket => "]",
        Rule::lbrace | Rule::task => "{",
        Rule::rbrace => "}",
        Rule::so_that | Rule::k_so => "so that",
        Rule::where_clause | Rule::range_where => "where",
        Rule::range_in => "in",
        Rule::always_eventually => "always",
        Rule::eventually_always => "eventually",
        Rule::elseif => "elseif",
        Rule::pre => "pre",
        Rule::eff => "eff",
        Rule::ensuring => "ensuring",
        Rule::provided => "provided",
        Rule::states_block => "states",
        Rule::schedule_body => "do",
        _ => return None,
    })
}

/// Alternatives that tell the user nothing, or nothing beyond the other alternatives.
fn is_untold(rule: Rule) -> bool {
    use Rule::{
        actuals, axiom, choosing, component_indices, det, dot, element, field, for_every, given,
        hash, initially, k_det, k_with, locals, parameters, path_index, path_step, qualification,
        qualifier, quantifier, sig_indices, sig_step, tail, theories, trait_params,
    };
    let says_nothing = matches!(
        rule,
        quantifier
            | qualification
            | qualifier
            | det
            | k_det
            | element
            | hash
            | field
            | dot
            | locals
            | parameters
            | theories
            | choosing
            | initially
            | actuals
            | axiom
            | component_indices
            | for_every
            | given
            | k_with
            | path_index
            | path_step
            | sig_indices
            | sig_step
            | tail
            | trait_params
    );
    says_nothing || is_of_second_reading(rule)
}

/// Whether a rule is a term, or what a term starts with.
fn is_term(rule: Rule) -> bool {
    use Rule::{
        braces, brackets, choice, comprehension, empty, entries, expr, k_false, k_true, leads_to,
        literal, named, neg, not, number, paren, quantified, rhs, using_term,
    };
    matches!(
        rule,
        expr | named
            | paren
            | number
            | comprehension
            | braces
            | brackets
            | entries
            | quantified
            | not
            | neg
            | choice
            | k_true
            | k_false
            | empty
            | literal
            | leads_to
            | rhs
            | using_term
    )
}
