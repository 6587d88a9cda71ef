//! Symbolic values: terms for scalars, functions from terms to terms for collections.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::rc::Rc;

use ioa_lang::core::Type;
use z3::SortKind;
use z3::ast::{Array, Bool, Dynamic, Int, Real};

use crate::logic::term::connective::either;
use crate::logic::term::identity::{ByIdentity, FunctionId, Identity, Key};
use crate::logic::{Encoded, budget};

/// A term of Z3's theory of strings.
pub(crate) type Text = z3::ast::String;

/// A symbolic value. Its type is known from the expression it is the value of.
#[derive(Clone)]
pub(crate) enum Sym<'a> {
    /// A truth value.
    Bool(Bool),
    /// A number, or a character by its number.
    Int(Int),
    /// A real number.
    Real(Real),
    /// A string.
    Text(Text),
    /// An element of a sort or of an enumeration.
    Atom(Dynamic),
    /// A tuple, field by field.
    Tuple(Rc<[Sym<'a>]>),
    /// Whether there is a value, and the value; the latter is arbitrary where there is none.
    Null(Bool, Rc<Sym<'a>>),
    /// The tag, and for each variant what it carries; that is arbitrary but for the variant of the tag.
    Union(Dynamic, Rc<[Sym<'a>]>),
    /// A set by its characteristic function.
    Set(Set<'a>),
    /// An array as a function of its index; a map as a function from its keys to `Null`s, which are nil where it has no entry.
    Array(Rc<Function<'a>>),
    /// A multiset by its counts.
    Mset(Mset<'a>),
    /// A sequence by its length and its elements; those at and beyond the length are arbitrary.
    Seq(Seq<'a>),
}

/// A number of elements, where the way a collection was built tells.
type Sized<'a> = Option<Rc<dyn Fn() -> Encoded<Int> + 'a>>;

/// Values among which all members of a collection are, where the way it was built tells.
pub(crate) type Points<'a> = Option<Rc<[Sym<'a>]>>;

/// The points of what is made of two collections.
pub(in crate::logic) fn joined<'a>(a: &Points<'a>, b: &Points<'a>) -> Points<'a> {
    let (a, b) = (a.as_ref()?, b.as_ref()?);
    Some(a.iter().chain(b.iter()).cloned().collect())
}

/// The points of a collection with one value more.
pub(in crate::logic) fn wider<'a>(points: &Points<'a>, value: &Sym<'a>) -> Points<'a> {
    let points = points.as_ref()?.iter();
    Some(points.chain([value]).cloned().collect())
}

/// A symbolic set: whether each value is in it.
pub(crate) type Set<'a> = Collection<'a, Bool>;

/// A symbolic multiset: how often each value is in it, never less than 0 times.
pub(crate) type Mset<'a> = Collection<'a, Int>;

/// A symbolic set or multiset.
#[derive(Clone)]
pub(crate) struct Collection<'a, T> {
    at: Rc<Function<'a>>,
    size: Sized<'a>,
    pub(crate) points: Points<'a>,
    /// The array of Z3 that it was read from, if it was.
    pub(in crate::logic) term: Option<Array>,
    of: PhantomData<T>,
}

/// A symbolic sequence.
#[derive(Clone)]
pub(crate) struct Seq<'a> {
    pub(crate) len: Int,
    pub(crate) at: Rc<Function<'a>>,
}

type Body<'a> = Box<dyn Fn(&Sym<'a>) -> Encoded<Sym<'a>> + 'a>;

/// The sum of the numbers in an array of this type, where the way the array was built tells.
type Summed<'a> = Option<Box<dyn Fn(&'a Type) -> Encoded<Int> + 'a>>;

/// A function from symbolic values to symbolic values that remembers its results: a chain of updates is asked for the
/// same point over and over, and would cost twice as much with each link.
pub(crate) struct Function<'a> {
    id: FunctionId,
    body: Body<'a>,
    sum: Summed<'a>,
    known: RefCell<ByIdentity<Sym<'a>>>,
}

impl<'a> Function<'a> {
    pub(crate) fn new(body: impl Fn(&Sym<'a>) -> Encoded<Sym<'a>> + 'a) -> Rc<Self> {
        Self::of(Box::new(body), None)
    }

    /// A function whose sum is known too, if its values are numbers.
    pub(in crate::logic) fn with_sum(
        body: impl Fn(&Sym<'a>) -> Encoded<Sym<'a>> + 'a,
        sum: impl Fn(&'a Type) -> Encoded<Int> + 'a,
    ) -> Rc<Self> {
        Self::of(Box::new(body), Some(Box::new(sum)))
    }

    fn of(body: Body<'a>, sum: Summed<'a>) -> Rc<Self> {
        Rc::new(Self {
            id: FunctionId::fresh(),
            body,
            sum,
            known: RefCell::default(),
        })
    }

    /// The sum of its values over an array's type, where the way it was built tells.
    pub(in crate::logic) fn structural_sum(&self, ty: &'a Type) -> Option<Encoded<Int>> {
        let sum = self.sum.as_ref()?;
        Some(budget::spend(budget::CALL).and_then(|()| sum(ty)))
    }

    pub(crate) fn call(&self, argument: &Sym<'a>) -> Encoded<Sym<'a>> {
        budget::spend(budget::CALL)?;
        let identity = argument.identity();
        if let Some(result) = self.known.borrow().get(&identity) {
            return Ok(result.clone());
        }
        let result = (self.body)(argument)?;
        let mut known = self.known.borrow_mut();
        known.insert(identity, result.clone());
        Ok(result)
    }
}

impl<'a, T: Into<Sym<'a>> + 'a> Collection<'a, T> {
    pub(crate) fn new(at: impl Fn(&Sym<'a>) -> Encoded<T> + 'a) -> Self {
        Self::of(Function::new(move |x| at(x).map(T::into)))
    }

    fn of(at: Rc<Function<'a>>) -> Self {
        Self {
            at,
            size: None,
            points: None,
            term: None,
            of: PhantomData,
        }
    }

    /// The same collection, whose number of elements is known too.
    pub(crate) fn sized(mut self, size: impl Fn() -> Encoded<Int> + 'a) -> Self {
        self.size = Some(Rc::new(size));
        self
    }

    /// The same collection, whose members are known to be among some values.
    pub(crate) fn among(mut self, points: Points<'a>) -> Self {
        self.points = points;
        self
    }

    /// Its number of elements, where the way it was built tells.
    pub(in crate::logic) fn structural_size(&self) -> Option<Encoded<Int>> {
        let size = self.size.as_ref()?;
        Some(budget::spend(budget::CALL).and_then(|()| size()))
    }

    fn ite(c: &Bool, a: &Self, b: &Self) -> Self {
        let (condition, then, otherwise) = (c.clone(), a.at.clone(), b.at.clone());
        let at =
            move |x: &Sym<'a>| Ok(Sym::either(&condition, &then.call(x)?, &otherwise.call(x)?));
        let merged = Self::of(Function::new(at)).among(joined(&a.points, &b.points));
        let (Some(a), Some(b), c) = (a.size.clone(), b.size.clone(), c.clone()) else {
            return merged;
        };
        merged.sized(move || Ok(c.ite(&a()?, &b()?)))
    }
}

impl<'a> Set<'a> {
    pub(crate) fn contains(&self, element: &Sym<'a>) -> Encoded<Bool> {
        Ok(self.at.call(element)?.bool())
    }
}

impl<'a> Mset<'a> {
    pub(crate) fn count(&self, element: &Sym<'a>) -> Encoded<Int> {
        Ok(self.at.call(element)?.int())
    }
}

impl From<Bool> for Sym<'_> {
    fn from(term: Bool) -> Self {
        Self::Bool(term)
    }
}

impl From<Int> for Sym<'_> {
    fn from(term: Int) -> Self {
        Self::Int(term)
    }
}

impl<'a> Seq<'a> {
    pub(crate) fn new(len: Int, at: impl Fn(&Int) -> Encoded<Sym<'a>> + 'a) -> Self {
        Self {
            len,
            at: Function::new(move |i| at(&i.int())),
        }
    }

    pub(crate) fn nth(&self, index: &Int) -> Encoded<Sym<'a>> {
        self.at.call(&Sym::Int(index.clone()))
    }
}

impl<'a> Sym<'a> {
    pub(crate) fn truth(value: bool) -> Self {
        Self::Bool(Bool::from_bool(value))
    }

    /// The scalar that a term stands for.
    pub(crate) fn scalar(term: &Dynamic) -> Self {
        match term.sort_kind() {
            SortKind::Bool => Self::Bool(term.as_bool().expect("its sort is Bool")),
            SortKind::Int => Self::Int(term.as_int().expect("its sort is Int")),
            SortKind::Real => Self::Real(term.as_real().expect("its sort is Real")),
            SortKind::Seq => Self::Text(term.as_string().expect("its sort is String")),
            _ => Self::Atom(term.clone()),
        }
    }

    pub(crate) fn tuple(fields: Vec<Sym<'a>>) -> Self {
        Self::Tuple(fields.into())
    }

    pub(crate) fn array(body: impl Fn(&Sym<'a>) -> Encoded<Sym<'a>> + 'a) -> Self {
        Self::Array(Function::new(body))
    }

    /// The term of a truth value. The checker's types say that it is one, here and in the accessors below.
    pub(crate) fn bool(&self) -> Bool {
        match self {
            Self::Bool(b) => b.clone(),
            _ => unreachable!("a truth value by its type"),
        }
    }

    pub(crate) fn int(&self) -> Int {
        match self {
            Self::Int(n) => n.clone(),
            _ => unreachable!("a number by its type"),
        }
    }

    pub(crate) fn real(&self) -> Real {
        match self {
            Self::Real(n) => n.clone(),
            _ => unreachable!("a real by its type"),
        }
    }

    /// The term of a scalar.
    pub(in crate::logic) fn term(&self) -> Dynamic {
        match self.head() {
            Some(term) => term,
            None => unreachable!("a scalar by its type"),
        }
    }

    pub(crate) fn mset(&self) -> &Mset<'a> {
        match self {
            Self::Mset(m) => m,
            _ => unreachable!("a multiset by its type"),
        }
    }

    pub(crate) fn union(&self) -> (&Dynamic, &[Sym<'a>]) {
        match self {
            Self::Union(tag, payloads) => (tag, payloads),
            _ => unreachable!("a union by its type"),
        }
    }

    pub(crate) fn set(&self) -> &Set<'a> {
        match self {
            Self::Set(s) => s,
            _ => unreachable!("a set by its type"),
        }
    }

    pub(crate) fn seq(&self) -> &Seq<'a> {
        match self {
            Self::Seq(s) => s,
            _ => unreachable!("a sequence by its type"),
        }
    }

    pub(crate) fn fields(&self) -> &[Sym<'a>] {
        match self {
            Self::Tuple(fields) => fields,
            _ => unreachable!("a tuple by its type"),
        }
    }

    pub(crate) fn null(&self) -> (&Bool, &Sym<'a>) {
        match self {
            Self::Null(some, value) => (some, value),
            _ => unreachable!("a Null by its type"),
        }
    }

    /// What an array has for an index, or a map for a key: a `Null`.
    pub(crate) fn select(&self, index: &Sym<'a>) -> Encoded<Sym<'a>> {
        self.function_of_array().call(index)
    }

    /// An array as a function of its index, or a map of its key.
    pub(in crate::logic) fn function_of_array(&self) -> &Rc<Function<'a>> {
        match self {
            Self::Array(function) => function,
            _ => unreachable!("an array or a map by its type"),
        }
    }

    /// The term of a scalar; else the one that says how much of a value there is: the tag of a union, whether a `Null` has a
    /// value, the length of a sequence.
    pub(crate) fn head(&self) -> Option<Dynamic> {
        match self {
            Self::Bool(term) | Self::Null(term, _) => Some(term.into()),
            Self::Int(term) | Self::Seq(Seq { len: term, .. }) => Some(term.into()),
            Self::Real(term) => Some(term.into()),
            Self::Text(term) => Some(term.into()),
            Self::Atom(term) | Self::Union(term, _) => Some(term.clone()),
            Self::Tuple(_) | Self::Set(_) | Self::Mset(_) | Self::Array(_) => None,
        }
    }

    /// The parts of a tuple, a union or a `Null`, in the order of the parts of its type.
    pub(crate) fn parts(&self) -> &[Sym<'a>] {
        match self {
            Self::Tuple(parts) | Self::Union(_, parts) => parts,
            Self::Null(_, value) => std::slice::from_ref(value),
            _ => &[],
        }
    }

    /// What a collection, an array or a sequence has for each of its indices.
    fn function(&self) -> Option<&Rc<Function<'a>>> {
        match self {
            Self::Set(set) => Some(&set.at),
            Self::Mset(mset) => Some(&mset.at),
            Self::Array(at) | Self::Seq(Seq { at, .. }) => Some(at),
            _ => None,
        }
    }

    /// What identifies this value.
    pub(crate) fn identity(&self) -> Identity {
        let mut out = Vec::new();
        self.identify(&mut out);
        out
    }

    fn identify(&self, out: &mut Identity) {
        out.extend(self.head().map(Key::Term));
        self.parts().iter().for_each(|part| part.identify(out));
        out.extend(self.function().map(|at| Key::Function(at.id)));
    }

    /// `if condition then self else other`.
    pub(crate) fn ite(condition: &Bool, then: &Self, otherwise: &Self) -> Self {
        if then.identity() == otherwise.identity() {
            return then.clone();
        }
        match condition.as_bool() {
            Some(true) => then.clone(),
            Some(false) => otherwise.clone(),
            None => Self::either(condition, then, otherwise),
        }
    }

    /// The same for values that differ, and a condition that is open.
    fn either(c: &Bool, then: &Self, otherwise: &Self) -> Self {
        match (then, otherwise) {
            (Self::Bool(a), Self::Bool(b)) => Self::Bool(either(c, a, b)),
            (Self::Int(a), Self::Int(b)) => Self::Int(c.ite(a, b)),
            (Self::Real(a), Self::Real(b)) => Self::Real(c.ite(a, b)),
            (Self::Text(a), Self::Text(b)) => Self::Text(c.ite(a, b)),
            (Self::Atom(a), Self::Atom(b)) => Self::Atom(c.ite(a, b)),
            (Self::Tuple(a), Self::Tuple(b)) => Self::Tuple(ite_each(c, a, b)),
            (Self::Null(p, a), Self::Null(q, b)) => {
                Self::Null(either(c, p, q), Rc::new(Self::ite(c, a, b)))
            }
            (Self::Union(s, a), Self::Union(t, b)) => Self::Union(c.ite(s, t), ite_each(c, a, b)),
            (Self::Set(a), Self::Set(b)) => Self::Set(Set::ite(c, a, b)),
            (Self::Mset(a), Self::Mset(b)) => Self::Mset(Mset::ite(c, a, b)),
            (Self::Array(a), Self::Array(b)) => Self::Array(ite_function(c, a, b)),
            (Self::Seq(a), Self::Seq(b)) => {
                let len = c.ite(&a.len, &b.len);
                let (c, a, b) = (c.clone(), a.clone(), b.clone());
                let at = move |i: &Int| Ok(Self::ite(&c, &a.nth(i)?, &b.nth(i)?));
                Self::Seq(Seq::new(len, at))
            }
            _ => unreachable!("both branches have one type"),
        }
    }
}

fn ite_each<'a>(c: &Bool, a: &[Sym<'a>], b: &[Sym<'a>]) -> Rc<[Sym<'a>]> {
    a.iter().zip(b).map(|(a, b)| Sym::ite(c, a, b)).collect()
}

fn ite_function<'a>(c: &Bool, a: &Rc<Function<'a>>, b: &Rc<Function<'a>>) -> Rc<Function<'a>> {
    let condition = c.clone();
    let (then, otherwise) = (a.clone(), b.clone());
    let at = move |i: &Sym<'a>| Ok(Sym::ite(&condition, &then.call(i)?, &otherwise.call(i)?));
    if a.sum.is_none() || b.sum.is_none() {
        return Function::new(at);
    }
    let (c, a, b) = (c.clone(), a.clone(), b.clone());
    let of = |function: &Rc<Function<'a>>, ty| function.structural_sum(ty).expect("it has a sum");
    Function::with_sum(at, move |ty| Ok(c.ite(&of(&a, ty)?, &of(&b, ty)?)))
}
