//! How many elements a set or multiset has, at any size of the sorts, and what the numbers in an array add up to.
//!
//! Over a type of few values they are counted. Otherwise the way the collection is built tells, and where that ends, at a
//! variable or a description, there is a symbol for the number, a function of the bound variables that the collection
//! depends on. Of these symbols only what follows is known, which is true of all finite collections and hence sound, but
//! not all that is true of them:
//!
//! - a size is not negative, and tells collections with none and with one element from others;
//! - of two collections, one within the other is no larger, and smaller unless they are equal;
//! - one that exceeds another by one element at most is larger by one at most.
//!
//! An array of natural numbers is a multiset of its indices, and its sum is the size of that. Of integers, only what compares two
//! collections is known, and what follows if none is below zero.

use std::rc::Rc;

use ioa_lang::core::Type;
use z3::Pattern;
use z3::ast::{Ast, Bool, Dynamic, Int, forall_const};

use super::measured::{Collection, Kind, Measured, Template, apply, describe};
use super::msets::not_below_zero;
use crate::logic::term::binder::note_bound;
use crate::logic::term::value::{Function, Mset, Set};
use crate::logic::{Encoded, Logic, Size, Sym, and, budget, implies, or, unsupported};

impl<'a> Logic<'a> {
    /// The number of elements of a set.
    pub(in crate::logic) fn set_size(&'a self, set: &Set<'a>, element: &'a Type) -> Encoded<Int> {
        self.size_by(
            || set.structural_size(),
            &Collection::Set(set.clone()),
            element,
        )
    }

    /// The sum of the counts of a multiset.
    pub(in crate::logic) fn mset_size(
        &'a self,
        mset: &Mset<'a>,
        element: &'a Type,
    ) -> Encoded<Int> {
        self.size_by(
            || mset.structural_size(),
            &Collection::Mset(mset.clone()),
            element,
        )
    }

    /// The sum of the numbers in an array of this type.
    pub(in crate::logic) fn array_sum(&'a self, array: &Sym<'a>, ty: &'a Type) -> Encoded<Int> {
        let (array, index) = (array.function_of_array(), index_of(ty)?);
        let collection = Collection::Ints(array.clone());
        let described = || self.described_sum(array, ty);
        let sum = || Some(array.structural_sum(ty).unwrap_or_else(described));
        self.size_by(sum, &collection, index)
    }

    /// The same of an array of which it is not known how it was built.
    pub(in crate::logic) fn described_sum(
        &'a self,
        array: &Rc<Function<'a>>,
        ty: &'a Type,
    ) -> Encoded<Int> {
        let index = index_of(ty)?;
        if self.model.is_infinite(index) {
            return unsupported("`sum` of infinitely many numbers");
        }
        let numbers = array.clone();
        // Where a term has no value, it may be a number below zero that is called a `Nat`.
        let natural = move |x: &Sym<'a>| Ok(not_below_zero(&numbers.call(x)?.int()));
        let collection = match ty {
            Type::Array(_, element) if **element == Type::Nat => {
                Collection::Mset(Mset::new(natural))
            }
            _ => Collection::Ints(array.clone()),
        };
        self.described_size(&collection, index)
    }

    /// The array that is the same everywhere; its sum is that number as often as there are indices.
    pub(in crate::logic) fn everywhere(&'a self, element: Sym<'a>) -> Sym<'a> {
        let number = element.clone();
        let sum = move |ty| {
            let all = Set::new(|_| Ok(Bool::from_bool(true)));
            let count = self.set_size(&all, index_of(ty)?)?;
            Ok(Int::mul(&[&number.int(), &count]))
        };
        Sym::Array(Function::with_sum(move |_| Ok(element.clone()), sum))
    }

    fn size_by(
        &'a self,
        structural: impl FnOnce() -> Option<Encoded<Int>>,
        collection: &Collection<'a>,
        element: &'a Type,
    ) -> Encoded<Int> {
        if let Some(values) = self.values(element) {
            let counts = values.iter().map(|x| collection.count(x));
            return Ok(Int::add(&counts.collect::<Encoded<Vec<Int>>>()?));
        }
        if let Size::Finite(finite) = &self.size {
            // Of a collection that depends on a bound variable nothing can be assumed by itself.
            if finite.windowed && self.open.borrow().is_empty() {
                return self.size_in_window(collection, element);
            }
            return unsupported("`size` of a collection of an infinite type in a finite instance");
        }
        structural().unwrap_or_else(|| self.described_size(collection, element))
    }

    /// The size of a collection that is held to have nothing beyond the window of its elements' type.
    fn size_in_window(&'a self, collection: &Collection<'a>, element: &'a Type) -> Encoded<Int> {
        let Some(listed) = self.instances(element, true) else {
            return unsupported("`size` of a collection of a type with too many values");
        };
        self.fact(self.forall("x", element, |x| {
            let is_in = collection.count(&x)?.gt(0);
            Ok(implies(&is_in, &self.in_window(&x, element)?))
        })?);
        let counts = listed.iter().map(|x| collection.count(&x.sym));
        Ok(Int::add(&counts.collect::<Encoded<Vec<Int>>>()?))
    }

    /// Begins to state what is assumed with one background.
    pub(crate) fn begin_ground(&self) {
        budget::renew();
        let mut sizes = self.sizes.borrow_mut();
        sizes.present.clear();
        sizes.ground = 0;
    }

    /// Begins to state one more part of something large.
    pub(crate) fn renew_budget(&self) {
        budget::renew();
    }

    /// Ends it: what is measured from now on is for one obligation.
    pub(crate) fn end_ground(&self) {
        let mut sizes = self.sizes.borrow_mut();
        sizes.ground = sizes.present.len();
    }

    /// Begins to state an obligation.
    pub(crate) fn begin_obligation(&self) {
        budget::renew();
        let mut sizes = self.sizes.borrow_mut();
        let ground = sizes.ground;
        sizes.present.truncate(ground);
    }

    /// The size of a collection that is given by a description.
    fn described_size(&'a self, collection: &Collection<'a>, element: &'a Type) -> Encoded<Int> {
        let template = self.template(collection, element)?;
        let kind = collection.kind();
        let key = (
            template.of.clone(),
            template.guard.clone(),
            element.clone(),
            kind,
        );
        let known = self.sizes.borrow().described.get(&key).cloned();
        let (measured, symbol) = known.unwrap_or_else(|| {
            let number = self.sizes.borrow().described.len();
            let described = describe(number, &template, element, kind);
            self.sizes
                .borrow_mut()
                .described
                .insert(key, described.clone());
            described
        });
        self.relate(&measured, &self.collection(&measured))?;
        Ok(apply(&symbol, &template.open))
    }

    /// A declared collection as a function of its indices has this size.
    pub(in crate::logic) fn declared_size(
        &'a self,
        collection: &Collection<'a>,
        element: &'a Type,
        open: Vec<Dynamic>,
        size: Int,
    ) -> Encoded<()> {
        let (it, value, _) = self.one_bound("size.element", element)?;
        let measured = Measured {
            term: Template {
                of: collection.of(&value)?,
                element: it,
                open,
                guard: Bool::from_bool(true),
            },
            element,
            kind: collection.kind(),
            size,
        };
        self.relate(&Rc::new(measured), collection)
    }

    /// The collection that a term stands for.
    fn collection(&'a self, measured: &Rc<Measured<'a>>) -> Collection<'a> {
        let (read, element) = (measured.clone(), measured.element);
        let at = move |x: &Sym<'a>| {
            let term = self.pack(x, element)?;
            let of = read.term.of.substitute(&[(&read.term.element, &term)]);
            Ok(Sym::scalar(&of))
        };
        match measured.kind {
            Kind::Set => Collection::Set(Set::new(move |x| Ok(at(x)?.bool()))),
            Kind::Mset => Collection::Mset(Mset::new(move |x| Ok(at(x)?.int()))),
            Kind::Ints => Collection::Ints(Function::new(at)),
        }
    }

    /// A description with the bound variables that it depends on.
    fn template(&'a self, collection: &Collection<'a>, element: &'a Type) -> Encoded<Template> {
        let (it, value, own) = self.one_bound("size.element", element)?;
        let of = self.under(own, || collection.of(&value))?;
        let (mut open, mut guards) = (Vec::new(), Vec::new());
        for binder in self.open.borrow().iter() {
            if !binder.consts.iter().any(|c| occurs(c, &of)) {
                continue;
            }
            match &binder.guard {
                Some(guard) => guards.push(guard.clone()),
                None if self.model.is_infinite(element) => {
                    return unsupported("`size` of a collection that depends on infinite ones");
                }
                None => {}
            }
            open.extend(binder.consts.iter().cloned());
        }
        Ok(Template {
            of,
            element: it,
            open,
            guard: and(&guards),
        })
    }

    /// States what is known about a size, by itself and beside those of the other collections of the type.
    fn relate(&'a self, measured: &Rc<Measured<'a>>, collection: &Collection<'a>) -> Encoded<()> {
        let (element, size) = (measured.element, &measured.size);
        let facts = match collection {
            Collection::Set(set) => self.set_size_facts(set, size, element)?,
            Collection::Mset(mset) => self.mset_size_facts(mset, size, element)?,
            Collection::Ints(array) => self.sum_facts(array, size, element)?,
        };
        self.size_fact(&[measured], &facts);
        let present = self.sizes.borrow().present.clone();
        let mut is_new = true;
        for other in present.iter().filter(|other| other.is_comparable(measured)) {
            if other.size == measured.size {
                is_new = false;
            } else {
                let facts = self.mutual_facts(measured, other)?;
                self.size_fact(&[measured, other], &facts);
            }
        }
        if is_new {
            self.sizes.borrow_mut().present.push(measured.clone());
        }
        Ok(())
    }

    /// Records a fact about collections for all that they depend on.
    fn size_fact(&self, about: &[&Rc<Measured<'a>>], fact: &Bool) {
        let open = about.iter().flat_map(|m| &m.term.open);
        let open: Vec<&dyn Ast> = open.map(|c| c as &dyn Ast).collect();
        let guards: Vec<Bool> = about.iter().map(|m| m.term.guard.clone()).collect();
        let fact = implies(&and(&guards), fact);
        let sizes = about.iter().filter(|m| !m.term.open.is_empty());
        let sizes: Vec<&dyn Ast> = sizes.map(|m| &m.size as &dyn Ast).collect();
        let patterns = match sizes.is_empty() {
            true => Vec::new(),
            false => vec![Pattern::new(&sizes)],
        };
        let patterns: Vec<&Pattern> = patterns.iter().collect();
        note_bound(&open);
        self.fact(forall_const(&open, &patterns, &fact));
    }

    /// The size of a set is not negative, and tells sets with none and with one element from others.
    fn set_size_facts(&'a self, set: &Set<'a>, size: &Int, element: &'a Type) -> Encoded<Bool> {
        let none = self.forall("x", element, |x| Ok(set.contains(&x)?.not()))?;
        let one = self.forall("x", element, |x| {
            self.forall("y", element, |y| {
                let both = and(&[set.contains(&x)?, set.contains(&y)?]);
                Ok(implies(&both, &x.equal(&y, element, self)?))
            })
        })?;
        Ok(and(&[
            size.ge(0),
            size.le(0).iff(&none),
            size.le(1).iff(&one),
        ]))
    }

    /// The size of a multiset is 0 just if it is empty, and no less than the counts of any two elements together.
    fn mset_size_facts(&'a self, mset: &Mset<'a>, size: &Int, element: &'a Type) -> Encoded<Bool> {
        let none = self.forall("x", element, |x| Ok(mset.count(&x)?.le(0)))?;
        let one = self.forall("x", element, |x| Ok(mset.count(&x)?.le(size)))?;
        let two = self.forall("x", element, |x| {
            self.forall("y", element, |y| {
                let both = Int::add(&[&mset.count(&x)?, &mset.count(&y)?]);
                Ok(or(&[x.equal(&y, element, self)?, both.le(size)]))
            })
        })?;
        Ok(and(&[size.ge(0), size.le(0).iff(&none), one, two]))
    }

    /// The sum of numbers that are all 0 is 0, and that of numbers not below zero is no less than any two of them together.
    fn sum_facts(&'a self, array: &Rc<Function<'a>>, sum: &Int, index: &'a Type) -> Encoded<Bool> {
        let at = |x: &Sym<'a>| Ok(array.call(x)?.int());
        let none = self.forall("x", index, |x| Ok(at(&x)?.eq(0)))?;
        let natural = self.forall("x", index, |x| Ok(at(&x)?.ge(0)))?;
        let one = self.forall("x", index, |x| Ok(at(&x)?.le(sum)))?;
        let two = self.forall("x", index, |x| {
            self.forall("y", index, |y| {
                let both = Int::add(&[&at(&x)?, &at(&y)?]);
                Ok(or(&[x.equal(&y, index, self)?, both.le(sum)]))
            })
        })?;
        Ok(and(&[
            implies(&none, &sum.eq(0)),
            implies(&natural, &and(&[sum.ge(0), one, two])),
        ]))
    }

    fn mutual_facts(&'a self, a: &Rc<Measured<'a>>, b: &Rc<Measured<'a>>) -> Encoded<Bool> {
        let (s, t) = (self.collection(a), self.collection(b));
        Ok(and(&[
            self.facts_of_two((&s, &a.size), (&t, &b.size), a.element)?,
            self.facts_of_two((&t, &b.size), (&s, &a.size), a.element)?,
        ]))
    }

    /// What one within the other, and one but little beyond the other, says about their sizes.
    fn facts_of_two(
        &'a self,
        (s, size): (&Collection<'a>, &Int),
        (t, larger): (&Collection<'a>, &Int),
        element: &'a Type,
    ) -> Encoded<Bool> {
        let within = self.forall("x", element, |x| Ok(s.exceeds(t, &x)?.not()))?;
        let smaller = self.forall("x", element, |x| {
            Ok(implies(
                &and(&[t.exceeds(s, &x)?, within.clone()]),
                &size.lt(larger),
            ))
        })?;
        let by_one = self.forall("x", element, |x| s.exceeds_by_one(t, &x))?;
        let at_one = self.forall("x", element, |x| {
            self.forall("y", element, |y| {
                let both = and(&[s.exceeds(t, &x)?, s.exceeds(t, &y)?]);
                Ok(implies(&both, &x.equal(&y, element, self)?))
            })
        })?;
        let one_more = Int::add(&[larger, &Int::from_i64(1)]);
        Ok(and(&[
            implies(&within, &size.le(larger)),
            smaller,
            implies(&and(&[by_one, at_one]), &size.le(one_more)),
        ]))
    }
}

fn index_of(array: &Type) -> Encoded<&Type> {
    match array {
        Type::Array(index, _) => Ok(index),
        _ => unsupported("`sum` of something that is no array"),
    }
}

fn occurs(constant: &Dynamic, term: &Dynamic) -> bool {
    let other = Dynamic::fresh_const("other", &constant.get_sort());
    term.substitute(&[(constant, &other)]) != *term
}
