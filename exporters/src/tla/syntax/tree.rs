//! TLA+ as trees. Everything that is exported is built as a tree, and only `layout` turns a tree into text. So code that
//! builds a term need not know its context, nor care about parentheses.

use num_bigint::{BigInt, Sign};

use super::operators::{Connective, Infix, Prefix};

/// A term or a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// The name of a variable, a constant or a definition, possibly of another module: `x`, `TRUE`, `Low!Spec`.
    Name(String),
    /// The value of a variable after a step: `x'`.
    Primed(String),
    /// A natural number.
    Number(BigInt),
    /// A string.
    Text(String),
    /// An operator before its argument: `~a`.
    Prefix(Prefix, Box<Term>),
    /// An operator between its arguments: `a + b`.
    Infix(Infix, Box<[Term; 2]>),
    /// A conjunction or a disjunction of at least two formulas. Whether it is written as `a /\ b` or as a list with a line
    /// for each is a matter of layout.
    Junction(Connective, Vec<Term>),
    /// A definition applied to arguments: `f(a, b)`.
    Call(String, Vec<Term>),
    /// A function applied to arguments: `f[a, b]`.
    At(Box<Term>, Vec<Term>),
    /// A field of a record: `r.f`.
    Field(Box<Term>, String),
    /// `<<a, b>>`
    Tuple(Vec<Term>),
    /// `{a, b}`
    Set(Vec<Term>),
    /// `{x \in S : p}`
    Filter(Box<Bound>, Box<Term>),
    /// `[x \in S |-> e]`
    Function(Box<Bound>, Box<Term>),
    /// `[S -> T]`
    Functions(Box<[Term; 2]>),
    /// `[f |-> e, g |-> e]`
    Record(Vec<(String, Term)>),
    /// `[f: S, g: T]`
    Records(Vec<(String, Term)>),
    /// `[f EXCEPT ![a].b = e]`
    Except(Box<Term>, Vec<Step>, Box<Term>),
    /// `IF a THEN b ELSE c`
    If(Box<[Term; 3]>),
    /// `CHOOSE x \in S : p`
    Choose(Box<Bound>, Box<Term>),
    /// `\A x, y \in S : p`
    Quantified(Quantifier, Vec<String>, Box<[Term; 2]>),
    /// `LET x == a IN b`
    Let(Vec<Definition>, Box<Term>),
    /// `[a]_vars`: a step by `a`, or none that changes the variables.
    Step(String, String),
}

/// The kind of a quantifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// `\A`
    ForAll,
    /// `\E`
    Exists,
}

/// A bound variable with the set that it ranges over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Its name.
    pub name: String,
    /// The set.
    pub set: Term,
}

/// A step into a value that `EXCEPT` replaces a part of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the value of a function.
    At(Term),
    /// To a field of a record.
    Field(String),
}

/// A name for a term, or for an operator that gives one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The name.
    pub name: String,
    /// The formal parameters.
    pub params: Vec<String>,
    /// Whether the body mentions the name.
    pub recursive: bool,
    /// What the name stands for.
    pub body: Term,
}

/// A part of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unit {
    /// `CONSTANTS a, b`, and other declarations of names.
    Names(&'static str, Vec<String>),
    /// A definition.
    Definition(Definition),
    /// A definition that does not depend on the model, with its formal parameters and its body as text.
    Helper {
        /// The name.
        name: String,
        /// The formal parameters, in their parentheses.
        params: &'static str,
        /// The body.
        body: &'static str,
    },
    /// `name == INSTANCE module WITH x <- a, y <- b`
    Instance {
        /// The name.
        name: String,
        /// The module.
        module: String,
        /// What stands for each of its variables.
        with: Vec<(String, Term)>,
    },
    /// An empty line.
    Gap,
    /// A line from one side to the other.
    Rule,
}

impl Definition {
    /// A name for a term.
    pub(crate) fn new(name: impl Into<String>, body: Term) -> Self {
        Self {
            name: name.into(),
            params: Vec::new(),
            recursive: false,
            body,
        }
    }

    /// The same with formal parameters.
    pub(crate) fn with_params(self, params: Vec<String>) -> Self {
        Self { params, ..self }
    }
}

impl Term {
    pub(crate) fn name(name: impl Into<String>) -> Self {
        Self::Name(name.into())
    }

    pub(crate) fn truth(value: bool) -> Self {
        Self::name(if value { "TRUE" } else { "FALSE" })
    }

    /// An integer.
    pub(crate) fn number(n: impl Into<BigInt>) -> Self {
        let n = n.into();
        match n.sign() {
            Sign::Minus => Self::prefix(Prefix::Minus, Self::Number(-n)),
            _ => Self::Number(n),
        }
    }

    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub(crate) fn prefix(op: Prefix, arg: Self) -> Self {
        Self::Prefix(op, Box::new(arg))
    }

    pub(crate) fn infix(op: Infix, left: Self, right: Self) -> Self {
        Self::Infix(op, Box::new([left, right]))
    }

    /// The conjunction of some formulas: `TRUE` if there are none.
    pub(crate) fn all(parts: Vec<Self>) -> Self {
        Self::junction(Connective::And, parts)
    }

    /// The disjunction of some formulas: `FALSE` if there are none.
    pub(crate) fn any(parts: Vec<Self>) -> Self {
        Self::junction(Connective::Or, parts)
    }

    fn junction(sign: Connective, mut parts: Vec<Self>) -> Self {
        match parts.len() {
            0 => Self::truth(sign == Connective::And),
            1 => parts.remove(0),
            _ => Self::Junction(sign, parts),
        }
    }

    /// A definition applied to arguments; without arguments, only its name.
    pub(crate) fn call(name: impl Into<String>, args: Vec<Self>) -> Self {
        match args.is_empty() {
            true => Self::Name(name.into()),
            false => Self::Call(name.into(), args),
        }
    }

    pub(crate) fn at(function: Self, args: Vec<Self>) -> Self {
        Self::At(Box::new(function), args)
    }

    pub(crate) fn field(record: Self, name: impl Into<String>) -> Self {
        Self::Field(Box::new(record), name.into())
    }

    pub(crate) fn filter(name: impl Into<String>, set: Self, formula: Self) -> Self {
        Self::Filter(Bound::new(name, set), Box::new(formula))
    }

    pub(crate) fn function(name: impl Into<String>, set: Self, value: Self) -> Self {
        Self::Function(Bound::new(name, set), Box::new(value))
    }

    pub(crate) fn choose(name: impl Into<String>, set: Self, formula: Self) -> Self {
        Self::Choose(Bound::new(name, set), Box::new(formula))
    }

    pub(crate) fn except(whole: Self, path: Vec<Step>, value: Self) -> Self {
        Self::Except(Box::new(whole), path, Box::new(value))
    }

    pub(crate) fn conditional(condition: Self, then: Self, otherwise: Self) -> Self {
        Self::If(Box::new([condition, then, otherwise]))
    }

    pub(crate) fn quantified(
        quantifier: Quantifier,
        names: Vec<String>,
        set: Self,
        body: Self,
    ) -> Self {
        Self::Quantified(quantifier, names, Box::new([set, body]))
    }

    /// `\E name \in set : body`
    pub(crate) fn exists(name: impl Into<String>, set: Self, body: Self) -> Self {
        Self::quantified(Quantifier::Exists, vec![name.into()], set, body)
    }

    /// A definition before a term, in front of those that are already there.
    pub(crate) fn defining(definition: Definition, body: Self) -> Self {
        match body {
            Self::Let(mut definitions, body) => {
                definitions.insert(0, definition);
                Self::Let(definitions, body)
            }
            other => Self::Let(vec![definition], Box::new(other)),
        }
    }

    /// The parts of a conjunction, or the formula alone.
    pub(crate) fn into_conjuncts(self) -> Vec<Self> {
        match self {
            Self::Junction(Connective::And, parts) => parts,
            other => vec![other],
        }
    }
}

impl Bound {
    fn new(name: impl Into<String>, set: Term) -> Box<Self> {
        let name = name.into();
        Box::new(Self { name, set })
    }
}
