//! The types of generated automata, and the ways from a value to its parts.

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ty {
    Bool,
    Int,
    Nat,
    Node,
    Ballot,
    Quorum,
    Group,
    Color,
    /// A tuple that no finite run can enumerate.
    Pair,
    /// A tuple of few values.
    Mark,
    Set(Box<Ty>),
    Array(Box<Ty>, Box<Ty>),
    Null(Box<Ty>),
    Seq(Box<Ty>),
}

/// The declarations that every generated automaton can use.
pub(super) const DECLARATIONS: &str = "\
type Node
type Ballot
type Quorum
type Group
assumes TotalOrder(Ballot)
assumes Quorums(Quorum, Node)
assumes Subsets(Group, Ballot)
type Color = enumeration of red, green, blue
type Pair = tuple of shade: Color, flag: Bool, level: Int
type Mark = tuple of owner: Ballot, tag: Color

";

/// A step from a value to a part of it.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// `[i]` of an array, with the type of its index.
    Index(Ty),
    /// `.f` of a tuple.
    Field(&'static str),
    /// `.val`
    Val,
    /// `head(..)`, `last(..)` or `[n]` of a sequence.
    Element,
}

impl Step {
    /// Whether the part is there whatever the value.
    pub(super) fn is_total(&self) -> bool {
        matches!(self, Step::Index(_) | Step::Field(_))
    }
}

impl Ty {
    pub(super) fn text(&self) -> String {
        match self {
            Ty::Bool => "Bool".into(),
            Ty::Int => "Int".into(),
            Ty::Nat => "Nat".into(),
            Ty::Node => "Node".into(),
            Ty::Ballot => "Ballot".into(),
            Ty::Quorum => "Quorum".into(),
            Ty::Group => "Group".into(),
            Ty::Color => "Color".into(),
            Ty::Pair => "Pair".into(),
            Ty::Mark => "Mark".into(),
            Ty::Set(e) => format!("Set[{}]", e.text()),
            Ty::Array(i, e) => format!("Array[{}, {}]", i.text(), e.text()),
            Ty::Null(e) => format!("Null[{}]", e.text()),
            Ty::Seq(e) => format!("Seq[{}]", e.text()),
        }
    }

    /// The fields of a tuple type.
    pub(super) fn fields(&self) -> &'static [(&'static str, Ty)] {
        match self {
            Ty::Pair => &[("shade", Ty::Color), ("flag", Ty::Bool), ("level", Ty::Int)],
            Ty::Mark => &[("owner", Ty::Ballot), ("tag", Ty::Color)],
            _ => &[],
        }
    }

    /// How many values the type has in the instances that are tried, if they are few.
    pub(super) fn count(&self) -> Option<u32> {
        match self {
            Ty::Bool | Ty::Ballot => Some(2),
            Ty::Node | Ty::Color => Some(3),
            Ty::Quorum | Ty::Group => Some(4),
            Ty::Mark => Some(6),
            Ty::Set(e) => e.count().filter(|n| *n < 5).map(|n| 1 << n),
            Ty::Null(e) => e.count().map(|n| n + 1),
            Ty::Array(i, e) => e.count()?.checked_pow(i.count()?).filter(|n| *n <= 16),
            Ty::Int | Ty::Nat | Ty::Pair | Ty::Seq(_) => None,
        }
    }

    /// Whether a value fits a word in the instances that are tried.
    pub(super) fn is_finite(&self) -> bool {
        match self {
            Ty::Int | Ty::Nat | Ty::Pair | Ty::Seq(_) => false,
            Ty::Set(e) | Ty::Null(e) => e.is_finite(),
            Ty::Array(i, e) => i.is_finite() && e.is_finite(),
            _ => true,
        }
    }

    /// Every way of at most `depth` steps from a value of this type to a part of type `wanted`.
    pub(super) fn ways(&self, wanted: &Ty, depth: u32) -> Vec<Vec<Step>> {
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
            _ => self
                .fields()
                .iter()
                .map(|(f, ty)| (Step::Field(f), ty))
                .collect(),
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

pub(super) fn set(e: Ty) -> Ty {
    Ty::Set(Box::new(e))
}

pub(super) fn array(i: Ty, e: Ty) -> Ty {
    Ty::Array(Box::new(i), Box::new(e))
}

pub(super) fn null(e: Ty) -> Ty {
    Ty::Null(Box::new(e))
}

pub(super) fn seq(e: Ty) -> Ty {
    Ty::Seq(Box::new(e))
}
