//! The types of generated automata, and the ways from a value to its parts.

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::generate) enum Ty {
    Bool,
    Int,
    Nat,
    Node,
    Ballot,
    Quorum,
    Group,
    Color,
    /// An enumeration that shares a value with [`Ty::Color`].
    Light,
    Real,
    Char,
    Text,
    /// A union that no finite run can enumerate.
    Item,
    /// A union of few values.
    Who,
    /// A tuple that no finite run can enumerate.
    Pair,
    /// A tuple of few values.
    Mark,
    Set(Box<Ty>),
    Array(Box<Ty>, Box<Ty>),
    Null(Box<Ty>),
    Seq(Box<Ty>),
    Map(Box<Ty>, Box<Ty>),
    Mset(Box<Ty>),
}

/// The declarations that every generated automaton can use.
pub(in crate::generate) const DECLARATIONS: &str = "\
type Node
type Ballot
type Quorum
type Group
assumes TotalOrder(Ballot)
assumes Quorums(Quorum, Node)
assumes Subsets(Group, Ballot)
type Color = enumeration of red, green, blue
type Light = enumeration of green, amber
type Item = union of num: Int, tone: Color
type Who = union of node: Node, flag: Bool
type Pair = tuple of shade: Color, flag: Bool, level: Int
type Mark = tuple of owner: Ballot, tag: Color
let further(i: Int, n: Nat) = i + n
let natural(n: Nat) = n
let other(a, b: Color) = if a = b then red else b
let voted(n: Node, s: Set[Node]) = n \\in s \\/ s = {}

";

/// Types with integers in every place where they can be packed.
pub(in crate::generate) fn ranged() -> [Ty; 18] {
    [
        Ty::Int,
        Ty::Nat,
        Ty::Nat,
        Ty::Pair,
        Ty::Item,
        set(Ty::Nat),
        set(Ty::Nat),
        set(Ty::Int),
        set(Ty::Pair),
        null(Ty::Nat),
        null(Ty::Pair),
        map(Ty::Nat, Ty::Color),
        map(Ty::Nat, Ty::Nat),
        map(Ty::Ballot, Ty::Int),
        array(Ty::Node, Ty::Nat),
        array(Ty::Node, set(Ty::Nat)),
        array(Ty::Ballot, null(Ty::Int)),
        array(Ty::Ballot, map(Ty::Nat, Ty::Bool)),
    ]
}

/// A step from a value to a part of it.
#[derive(Clone, Debug)]
pub(in crate::generate) enum Step {
    /// `[i]` of an array, with the type of its index.
    Index(Ty),
    /// `.f` of a tuple.
    Field(&'static str),
    /// `.val`
    Val,
    /// `[k]` of a map, with the type of its keys.
    Key(Ty),
    /// `.v` of a union.
    Variant(&'static str),
    /// `head(..)`, `last(..)` or `[n]` of a sequence.
    Element,
}

impl Step {
    /// Whether the part is there whatever the value.
    pub(in crate::generate) fn is_total(&self) -> bool {
        matches!(self, Step::Index(_) | Step::Field(_))
    }
}

impl Ty {
    pub(in crate::generate) fn text(&self) -> String {
        match self {
            Ty::Bool => "Bool".into(),
            Ty::Int => "Int".into(),
            Ty::Nat => "Nat".into(),
            Ty::Node => "Node".into(),
            Ty::Ballot => "Ballot".into(),
            Ty::Quorum => "Quorum".into(),
            Ty::Group => "Group".into(),
            Ty::Color => "Color".into(),
            Ty::Light => "Light".into(),
            Ty::Real => "Real".into(),
            Ty::Char => "Char".into(),
            Ty::Text => "String".into(),
            Ty::Item => "Item".into(),
            Ty::Who => "Who".into(),
            Ty::Pair => "Pair".into(),
            Ty::Mark => "Mark".into(),
            Ty::Set(e) => format!("Set[{}]", e.text()),
            Ty::Array(i, e) => format!("Array[{}, {}]", i.text(), e.text()),
            Ty::Null(e) => format!("Null[{}]", e.text()),
            Ty::Seq(e) => format!("Seq[{}]", e.text()),
            Ty::Map(d, r) => format!("Map[{}, {}]", d.text(), r.text()),
            Ty::Mset(e) => format!("Mset[{}]", e.text()),
        }
    }

    /// The fields of a tuple type.
    pub(in crate::generate) fn fields(&self) -> &'static [(&'static str, Ty)] {
        match self {
            Ty::Pair => &[("shade", Ty::Color), ("flag", Ty::Bool), ("level", Ty::Int)],
            Ty::Mark => &[("owner", Ty::Ballot), ("tag", Ty::Color)],
            _ => &[],
        }
    }

    /// The variants of a union type.
    pub(in crate::generate) fn variants(&self) -> &'static [(&'static str, Ty)] {
        match self {
            Ty::Item => &[("num", Ty::Int), ("tone", Ty::Color)],
            Ty::Who => &[("node", Ty::Node), ("flag", Ty::Bool)],
            _ => &[],
        }
    }

    /// How many values the type has in the instances that are tried, if they are few.
    pub(in crate::generate) fn count(&self) -> Option<u32> {
        match self {
            Ty::Bool | Ty::Ballot | Ty::Light => Some(2),
            Ty::Node | Ty::Color => Some(3),
            Ty::Quorum | Ty::Group => Some(4),
            Ty::Who => Some(5),
            Ty::Mark => Some(6),
            Ty::Set(e) => e.count().filter(|n| *n < 5).map(|n| 1 << n),
            Ty::Null(e) => e.count().map(|n| n + 1),
            Ty::Array(i, e) => e.count()?.checked_pow(i.count()?).filter(|n| *n <= 16),
            Ty::Map(d, r) => (r.count()? + 1)
                .checked_pow(d.count()?)
                .filter(|n| *n <= 16),
            _ => None,
        }
    }

    /// Whether a value fits a word in the instances that are tried.
    pub(in crate::generate) fn is_finite(&self) -> bool {
        match self {
            Ty::Int
            | Ty::Nat
            | Ty::Real
            | Ty::Char
            | Ty::Text
            | Ty::Pair
            | Ty::Item
            | Ty::Seq(_)
            | Ty::Mset(_) => false,
            Ty::Set(e) | Ty::Null(e) => e.is_finite(),
            Ty::Array(i, e) | Ty::Map(i, e) => i.is_finite() && e.is_finite(),
            _ => true,
        }
    }

    /// Whether a value fits a word where the integers in it are few.
    pub(in crate::generate) fn is_ranged(&self) -> bool {
        match self {
            Ty::Real | Ty::Char | Ty::Text | Ty::Seq(_) => false,
            Ty::Set(e) | Ty::Mset(e) | Ty::Null(e) => e.is_ranged(),
            Ty::Array(i, e) => i.is_finite() && e.is_ranged(),
            Ty::Map(i, e) => i.is_ranged() && e.is_ranged(),
            _ => true,
        }
    }

    /// Every way of at most `depth` steps from a value of this type to a part of type `wanted`.
    pub(in crate::generate) fn ways(&self, wanted: &Ty, depth: u32) -> Vec<Vec<Step>> {
        if self == wanted {
            return vec![Vec::new()];
        }
        if depth == 0 {
            return Vec::new();
        }
        let parts: Vec<(Step, &Ty)> = match self {
            Ty::Array(i, e) => vec![(Step::Index((**i).clone()), e)],
            Ty::Null(e) => vec![(Step::Val, e)],
            Ty::Seq(e) => vec![(Step::Element, e)],
            Ty::Map(d, r) => vec![(Step::Key((**d).clone()), r)],
            _ => {
                let fields = self.fields().iter().map(|(f, ty)| (Step::Field(f), ty));
                let variants = self.variants().iter().map(|(v, ty)| (Step::Variant(v), ty));
                fields.chain(variants).collect()
            }
        };
        let mut ways = Vec::new();
        for (step, part) in parts {
            for rest in part.ways(wanted, depth - 1) {
                ways.push([vec![step.clone()], rest].concat());
            }
        }
        ways
    }
}

pub(in crate::generate) fn set(e: Ty) -> Ty {
    Ty::Set(Box::new(e))
}

pub(in crate::generate) fn array(i: Ty, e: Ty) -> Ty {
    Ty::Array(Box::new(i), Box::new(e))
}

pub(in crate::generate) fn null(e: Ty) -> Ty {
    Ty::Null(Box::new(e))
}

pub(in crate::generate) fn seq(e: Ty) -> Ty {
    Ty::Seq(Box::new(e))
}

pub(in crate::generate) fn map(d: Ty, r: Ty) -> Ty {
    Ty::Map(Box::new(d), Box::new(r))
}

pub(in crate::generate) fn mset(e: Ty) -> Ty {
    Ty::Mset(Box::new(e))
}

/// A term for a value that all instances have, if there is one.
pub(in crate::generate) fn constant(ty: &Ty) -> Option<String> {
    Some(match ty {
        Ty::Bool => "true".into(),
        Ty::Int | Ty::Nat => "0".into(),
        Ty::Color => "red".into(),
        Ty::Pair => "[red, true, 0]".into(),
        Ty::Light => "amber".into(),
        Ty::Real => "0.5".into(),
        Ty::Char => "'a'".into(),
        Ty::Text => "\"\"".into(),
        Ty::Item => "num(0)".into(),
        Ty::Who => "flag(true)".into(),
        Ty::Map(..) => "empty".into(),
        Ty::Set(_) | Ty::Seq(_) | Ty::Mset(_) => "{}".into(),
        Ty::Null(_) => "nil".into(),
        Ty::Array(_, element) => format!("constant({})", constant(element)?),
        Ty::Mark | Ty::Node | Ty::Ballot | Ty::Quorum | Ty::Group => return None,
    })
}

/// Parameters with their types, as a signature lists them.
pub(in crate::generate) fn formals(params: &[(String, Ty)]) -> String {
    if params.is_empty() {
        return String::new();
    }
    let shown: Vec<String> = params
        .iter()
        .map(|(n, t)| format!("{n}: {}", t.text()))
        .collect();
    format!("({})", shown.join(", "))
}
