//! First-class collections: one term of Z3 for a value of any type.
//!
//! Needed where a collection is an element of a set, an index of an array, or bound by a quantifier. Tuples, unions,
//! `Null`s and sequences become datatypes, sets, multisets, arrays and maps become arrays of Z3. The term of a value is
//! canonical: equal values have equal terms, whatever stands where a value says nothing (after a `nil`, beyond a
//! sequence's length).

use std::rc::Rc;

use ioa_lang::core::{Type, UnionId};
use z3::ast::{Array, Ast, Bool, Dynamic, Int, lambda_const};
use z3::{DatatypeAccessor, DatatypeBuilder, DatatypeSort, Sort};

use crate::logic::term::binder::note_bound;
use crate::logic::term::value::{Mset, Seq, Set};
use crate::logic::vocabulary::Packed;
use crate::logic::{Encoded, Logic, Sym, and, mangle, or, unsupported};

impl<'a> Logic<'a> {
    /// The sort of the one term that a value of the type is packed into.
    pub(crate) fn packed_sort(&self, ty: &Type) -> Encoded<Sort> {
        Ok(self.packed(ty)?.sort())
    }

    /// The sorts of the terms that stand for a value of the type among the arguments of a function: the fields of a
    /// tuple side by side, anything else as one term.
    pub(crate) fn key_sorts(&self, ty: &Type) -> Encoded<Vec<Sort>> {
        match ty {
            Type::Tuple(_) => {
                let fields = self.model.parts_of(ty).into_iter();
                let sorts: Encoded<Vec<_>> = fields.map(|ty| self.key_sorts(ty)).collect();
                Ok(sorts?.concat())
            }
            _ => Ok(vec![self.packed_sort(ty)?]),
        }
    }

    /// Appends the terms that stand for a value among the arguments of a function.
    pub(crate) fn key(
        &'a self,
        value: &Sym<'a>,
        ty: &'a Type,
        out: &mut Vec<Dynamic>,
    ) -> Encoded<()> {
        match (value, ty) {
            (Sym::Tuple(values), _) => {
                let mut fields = values.iter().zip(self.model.parts_of(ty));
                fields.try_for_each(|(v, ty)| self.key(v, ty, out))
            }
            _ => {
                out.push(self.pack(value, ty)?);
                Ok(())
            }
        }
    }

    /// The one term that stands for a value.
    pub(crate) fn pack(&'a self, value: &Sym<'a>, ty: &'a Type) -> Encoded<Dynamic> {
        match (value, ty) {
            (Sym::Tuple(values), _) => {
                let each = values.iter().zip(self.model.parts_of(ty));
                let fields: Encoded<Vec<_>> = each.map(|(v, ty)| self.pack(v, ty)).collect();
                self.construct(ty, 0, &fields?)
            }
            (Sym::Union(..), Type::Union(id)) => self.pack_union(value, *id, ty),
            (Sym::Null(..), Type::Null(inner)) => self.pack_null(value, inner),
            (Sym::Set(set), Type::Set(element)) => self.pack_set(set, element),
            (Sym::Mset(mset), Type::Mset(element)) => {
                let mset = mset.clone();
                self.tabulate(element, &Type::Nat, move |x| Ok(mset.count(&x)?.into()))
            }
            (Sym::Array(array), Type::Array(index, element)) => {
                let array = array.clone();
                self.tabulate(index, element, move |i| {
                    self.pack(&array.call(&i)?, element)
                })
            }
            (Sym::Array(map), Type::Map(domain, range)) => {
                let (map, entry) = (map.clone(), Type::Null(range.clone()));
                self.tabulate(domain, &entry, move |d| {
                    self.pack_null(&map.call(&d)?, range)
                })
            }
            (Sym::Seq(seq), Type::Seq(element)) => self.pack_seq(seq, ty, element),
            (scalar, _) => Ok(scalar.term()),
        }
    }

    /// The term for a `Null` of this inner type.
    fn pack_null(&'a self, value: &Sym<'a>, inner: &'a Type) -> Encoded<Dynamic> {
        let ((some, value), ty) = (value.null(), Type::null(inner.clone()));
        let nil = self.construct(&ty, 0, &[])?;
        if some.as_bool() == Some(false) {
            return Ok(nil);
        }
        let embedded = self.construct(&ty, 1, &[self.pack(value, inner)?])?;
        Ok(some.ite(&embedded, &nil))
    }

    fn pack_union(&'a self, value: &Sym<'a>, id: UnionId, ty: &Type) -> Encoded<Dynamic> {
        let (_, payloads) = value.union();
        let variants = self.model.unions[id.index()].variants.iter();
        let mut packed: Option<Dynamic> = None;
        for (i, ((_, carried), payload)) in (0..).zip(variants.zip(payloads)) {
            let here = self.has_tag(value, id, i);
            if here.as_bool() == Some(false) {
                continue;
            }
            let term = self.construct(ty, i as usize, &[self.pack(payload, carried)?])?;
            packed = Some(match packed {
                Some(rest) => here.ite(&term, &rest),
                None => term,
            });
        }
        packed.map_or_else(|| unsupported("a union without variants"), Ok)
    }

    /// The value that a term stands for.
    pub(crate) fn unpack(&'a self, term: &Dynamic, ty: &'a Type) -> Encoded<Sym<'a>> {
        match ty {
            Type::Tuple(_) => {
                let fields = (0..).zip(self.model.parts_of(ty));
                let fields: Encoded<Vec<_>> = fields
                    .map(|(i, field)| self.unpack(&self.part(ty, 0, i, term)?, field))
                    .collect();
                Ok(Sym::tuple(fields?))
            }
            Type::Union(id) => self.unpack_union(term, *id, ty),
            Type::Null(inner) => self.unpack_null(term, inner),
            Type::Set(element) => {
                let array = as_array(term);
                let read = array.clone();
                let mut set =
                    Set::new(
                        move |x| Ok(Sym::scalar(&read.select(&self.pack(x, element)?)).bool()),
                    );
                set.term = Some(array);
                Ok(Sym::Set(set))
            }
            Type::Mset(element) => {
                let array = as_array(term);
                Ok(Sym::Mset(Mset::new(move |x| {
                    Ok(Sym::scalar(&array.select(&self.pack(x, element)?)).int())
                })))
            }
            Type::Array(index, element) => {
                let array = as_array(term);
                Ok(Sym::array(move |i| {
                    self.unpack(&array.select(&self.pack(i, index)?), element)
                }))
            }
            Type::Map(domain, range) => {
                let array = as_array(term);
                Ok(Sym::array(move |d| {
                    self.unpack_null(&array.select(&self.pack(d, domain)?), range)
                }))
            }
            Type::Seq(element) => {
                let len = Sym::scalar(&self.part(ty, 0, 0, term)?).int();
                let at = as_array(&self.part(ty, 0, 1, term)?);
                Ok(Sym::Seq(Seq::new(len, move |i| {
                    self.unpack(&at.select(i), element)
                })))
            }
            _ => Ok(Sym::scalar(term)),
        }
    }

    fn unpack_null(&'a self, term: &Dynamic, inner: &'a Type) -> Encoded<Sym<'a>> {
        let ty = Type::null(inner.clone());
        let some = self.tested(&ty, 1, term)?;
        let value = self.unpack(&self.part(&ty, 1, 0, term)?, inner)?;
        Ok(Sym::Null(some, Rc::new(value)))
    }

    fn unpack_union(&'a self, term: &Dynamic, id: UnionId, ty: &Type) -> Encoded<Sym<'a>> {
        let variants = &self.model.unions[id.index()].variants;
        let (mut tag, mut payloads) = (self.tag(id, 0), Vec::new());
        for (i, (_, carried)) in (0..).zip(variants) {
            let at = i as usize;
            tag = self.tested(ty, at, term)?.ite(&self.tag(id, i), &tag);
            payloads.push(self.unpack(&self.part(ty, at, 0, term)?, carried)?);
        }
        Ok(Sym::Union(tag, payloads.into()))
    }

    /// A set given by its elements.
    pub(crate) fn set_of(&'a self, elements: Vec<Sym<'a>>, element: &'a Type) -> Sym<'a> {
        let points = Some(elements.as_slice().into());
        let set = Set::new(move |x| {
            let each: Encoded<Vec<Bool>> =
                elements.iter().map(|e| x.equal(e, element, self)).collect();
            Ok(or(&each?))
        });
        Sym::Set(set.among(points))
    }

    /// An array given by its elements, one for each index in turn; the last one stands for all other indices too.
    pub(crate) fn array_of(
        &'a self,
        indices: Vec<Sym<'a>>,
        elements: Vec<Sym<'a>>,
        index: &'a Type,
    ) -> Sym<'a> {
        Sym::array(move |i| {
            let mut entries = indices.iter().zip(&elements).rev();
            let Some((_, last)) = entries.next() else {
                return unsupported("an array over no index");
            };
            entries.try_fold(last.clone(), |rest, (at, element)| {
                Ok(Sym::ite(&i.equal(at, index, self)?, element, &rest))
            })
        })
    }

    fn packed(&self, ty: &Type) -> Encoded<Rc<Packed>> {
        if let Some(known) = self.packed.borrow().get(ty) {
            return Ok(known.clone());
        }
        let packed = Rc::new(match ty {
            Type::Set(element) => {
                Packed::Array(Sort::array(&self.packed_sort(element)?, &Sort::bool()))
            }
            Type::Mset(element) => {
                Packed::Array(Sort::array(&self.packed_sort(element)?, &Sort::int()))
            }
            Type::Array(index, element) => Packed::Array(Sort::array(
                &self.packed_sort(index)?,
                &self.packed_sort(element)?,
            )),
            Type::Map(domain, range) => Packed::Array(Sort::array(
                &self.packed_sort(domain)?,
                &self.packed_sort(&Type::Null(range.clone()))?,
            )),
            Type::Tuple(_) | Type::Union(_) | Type::Null(_) | Type::Seq(_) => {
                Packed::Datatype(self.datatype(ty)?)
            }
            _ => Packed::Scalar(self.scalar_sort(ty)?),
        });
        self.packed.borrow_mut().insert(ty.clone(), packed.clone());
        Ok(packed)
    }

    fn datatype(&self, ty: &Type) -> Encoded<DatatypeSort> {
        let name = mangle(&format!(
            "{}pack.{}",
            self.size.mark(),
            self.model.type_name(ty)
        ));
        let parts = self.model.parts_of(ty).into_iter();
        let parts: Encoded<Vec<Sort>> = parts.map(|part| self.packed_sort(part)).collect();
        let variants = match (ty, parts?) {
            (Type::Tuple(_), fields) => vec![fields],
            (Type::Union(_), carried) => carried.into_iter().map(|sort| vec![sort]).collect(),
            (Type::Null(_), value) => vec![Vec::new(), value],
            (Type::Seq(_), element) => {
                vec![vec![Sort::int(), Sort::array(&Sort::int(), &element[0])]]
            }
            _ => return unsupported("a datatype for a type that needs none"),
        };
        let mut builder = DatatypeBuilder::new(name.clone());
        for (i, sorts) in variants.into_iter().enumerate() {
            let names: Vec<String> = (0..sorts.len())
                .map(|j| format!("{name}!{i}!{j}"))
                .collect();
            let fields = names.iter().zip(sorts);
            let fields = fields.map(|(n, sort)| (n.as_str(), DatatypeAccessor::Sort(sort)));
            builder = builder.variant(&format!("{name}!{i}"), fields.collect());
        }
        Ok(builder.finish())
    }

    fn with_datatype<T>(&self, ty: &Type, f: impl Fn(&DatatypeSort) -> T) -> Encoded<T> {
        match &*self.packed(ty)? {
            Packed::Datatype(datatype) => Ok(f(datatype)),
            _ => unsupported("a datatype for a type that needs none"),
        }
    }

    fn construct(&self, ty: &Type, variant: usize, fields: &[Dynamic]) -> Encoded<Dynamic> {
        let fields: Vec<&dyn Ast> = fields.iter().map(|f| f as &dyn Ast).collect();
        self.with_datatype(ty, |d| d.variants[variant].constructor.apply(&fields))
    }

    fn tested(&self, ty: &Type, variant: usize, term: &Dynamic) -> Encoded<Bool> {
        let tested = self.with_datatype(ty, |d| d.variants[variant].tester.apply(&[term]))?;
        Ok(Sym::scalar(&tested).bool())
    }

    fn part(&self, ty: &Type, variant: usize, field: usize, term: &Dynamic) -> Encoded<Dynamic> {
        self.with_datatype(ty, |d| d.variants[variant].accessors[field].apply(&[term]))
    }

    fn pack_set(&'a self, set: &Set<'a>, element: &'a Type) -> Encoded<Dynamic> {
        if let Some(term) = &set.term {
            return Ok(term.into());
        }
        let set = set.clone();
        self.tabulate(element, &Type::Bool, move |x| Ok(set.contains(&x)?.into()))
    }

    fn pack_seq(&'a self, seq: &Seq<'a>, ty: &Type, element: &'a Type) -> Encoded<Dynamic> {
        let sort = self.packed_sort(element)?;
        let nothing = Dynamic::new_const("nothing", &sort);
        let (seq, len) = (seq.clone(), seq.len.clone());
        let elements = self.tabulate(&Type::Int, element, move |i| {
            let i = i.int();
            let inside = and(&[i.ge(0), i.lt(&seq.len)]);
            Ok(inside.ite(&self.pack(&seq.nth(&i)?, element)?, &nothing))
        })?;
        self.construct(ty, 0, &[len.into(), elements])
    }

    /// The array of Z3 with these elements: entry by entry in a finite instance, else by a lambda.
    fn tabulate(
        &'a self,
        index: &'a Type,
        element: &Type,
        at: impl Fn(Sym<'a>) -> Encoded<Dynamic>,
    ) -> Encoded<Dynamic> {
        let sort = self.packed_sort(index)?;
        if let Some(indices) = self.domain(index) {
            let nothing = Dynamic::new_const("nothing", &self.packed_sort(element)?);
            let blank = Array::const_array(&sort, &nothing);
            let full = indices.into_iter().try_fold(blank, |array, i| {
                Ok(array.store(&self.pack(&i, index)?, &at(i)?))
            })?;
            return Ok(full.into());
        }
        let (bound, value, open) = self.one_bound("i", index)?;
        let body = self.under(open, || at(value))?;
        note_bound(&[&bound]);
        Ok(lambda_const(&[&bound], &body).into())
    }
}

fn as_array(term: &Dynamic) -> Array {
    term.as_array().expect("its sort is an array")
}

/// The number `n`.
pub(crate) fn number(n: &num_bigint::BigInt) -> Int {
    n.to_string().parse().expect("the digits of a number")
}
