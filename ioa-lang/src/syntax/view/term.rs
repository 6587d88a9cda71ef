//! Names, types, binders and terms.

use super::define::{Parts, View};
use crate::syntax::tree::{Kind, Node};

views! {
    /// A name.
    Name = name {}
    /// `Cell.M[Nat]`, or what stands in the place of a type.
    TypeRef = type_expr | error | missing {
        name: optional Name, tail: optional Tail, args: each TypeRef,
    }
    /// The `.M` of `Cell.M`.
    Tail = tail {}

    /// `x: T`
    Binder = binder | loop_binder { name: first Name, ty: first TypeRef }
    /// `x, y: T`
    BinderGroup = binder_group { names: each Name, ty: first TypeRef }
    /// `x, y: T, z: U`
    Binders = binders { groups: each BinderGroup }

    /// A sequence of operands and operators, or what stands in the place of a term.
    Term = expr | error | missing {}
    /// `f`, `f(x)`, `Node#0` or `Cell.Node#0`
    Named = named {
        name: first Name, tail: optional Tail, arguments: optional Arguments, element: optional Number in element,
    }
    /// `(x, y)`
    Arguments = arguments { terms: each Term }
    /// `(e)`
    Paren = paren { term: first Term }
    /// `12` or `1.5`
    Number = number {}
    /// `'a'` or `"abc"`
    Literal = literal {}
    /// `true`
    True = k_true {}
    /// `false`
    False = k_false {}
    /// `∅`
    Empty = empty {}
    /// `{a, b}`
    Braces = braces { terms: each Term }
    /// `[a, b]`
    Brackets = brackets { terms: each Term }
    /// `[x, y: T -> e]`
    Entries = entries { groups: each BinderGroup, value: first Term }
    /// `{x: T where P}`
    Comprehension = comprehension { name: first Name, ty: first TypeRef, predicate: first Term }
    /// `\A x: T \E y: U (P)`
    Quantified = quantified { quantifiers: each Quantifier, body: first Paren }
    /// `\A x, y: T`
    Quantifier = quantifier { sign: first Node, groups: each BinderGroup }

    /// `if c then a elseif d then b else`, in front of a term.
    Choice = choice | choice_elseif {
        condition: first Term, value: first Term behind k_then | missing_token, elseifs: each Choice,
    }
    /// `[i, j]` after a term.
    Index = index { terms: each Term }
    /// `.f` after a term, or `.act(x)` after a component.
    Field = field { name: first Name, arguments: optional Arguments }
    /// `: T` after a term.
    Qualification = qualification { ty: first TypeRef }
}

choices! {
    /// What stands between operators.
    Operand = Named | Paren | Number | Literal | True | False | Empty | Braces | Brackets | Entries | Comprehension | Quantified;
    /// What follows an operand.
    Postfix = Index | Field | Qualification;
}
