//! The vocabulary of a model in Z3: a sort for each sort and enumeration, a function for each theory operator.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use finite::Universe;
use ioa_lang::core::{Axiom, EnumId, FunctionId, Model, Setting, SortId, Type};
use z3::ast::{Ast, Bool, Dynamic};
use z3::{DatatypeSort, FuncDecl, Sort, Symbol};

use crate::logic::collection::measured::Sizes;
use crate::logic::instance::literals::Windows;
use crate::logic::term::declared::Shape;
use crate::logic::{AtSpan, Encoded, Env, Sym, budget, mangle};

/// How many elements the sorts have.
#[derive(Clone, Debug)]
pub(crate) enum Size {
    /// Any number: what is proved holds for every size.
    Any,
    /// A fixed number for each sort.
    Finite(FiniteSize),
}

/// A finite instance of the sorts, and of the numbers where they index something.
#[derive(Clone, Debug)]
pub(crate) struct FiniteSize {
    /// Which of several instances of these sizes in one context it is.
    pub(crate) copy: usize,
    /// Number of elements by sort.
    pub(crate) sorts: Vec<u32>,
    /// What the theories' operators mean; `None` leaves them to the axioms, but for the total orders, which are by
    /// index (all finite total orders of one size are alike).
    pub(crate) meaning: Option<Universe>,
    /// Whether quantifiers over finite types are written out, instance by instance.
    pub(crate) expand: bool,
    /// Whether numbers and the like in a collection whose size is asked for are held to their windows: there are enough
    /// to find an instance with, too few to say that there is none.
    pub(crate) windowed: bool,
}

impl Size {
    /// What sets the names of the sorts at this size apart, so that one context may hold several finite instances beside the
    /// model at any size: a sort of Z3 cannot be declared anew.
    pub(in crate::logic) fn mark(&self) -> String {
        match self {
            Self::Any => String::new(),
            Self::Finite(finite) => {
                let sizes: Vec<String> = finite.sorts.iter().map(ToString::to_string).collect();
                let copy = match finite.copy {
                    0 => String::new(),
                    copy => format!("{copy}."),
                };
                format!("finite.{}.{copy}", sizes.join("."))
            }
        }
    }
}

pub(in crate::logic) struct EnumSort {
    sort: Sort,
    pub(in crate::logic) values: Vec<FuncDecl>,
}

/// How values of one type are packed.
pub(crate) enum Packed {
    /// As the term that they are.
    Scalar(Sort),
    /// As a value of a datatype: a tuple's one constructor, a union's variants, `nil` and `embed`, or a sequence's length
    /// and elements.
    Datatype(DatatypeSort),
    /// As an array of Z3 from the packed element or index.
    Array(Sort),
}

impl Packed {
    pub(in crate::logic) fn sort(&self) -> Sort {
        match self {
            Self::Scalar(sort) | Self::Array(sort) => sort.clone(),
            Self::Datatype(datatype) => datatype.sort.clone(),
        }
    }
}

/// A bound variable of an open quantifier.
pub(in crate::logic) struct Open {
    /// What Z3 binds.
    pub(in crate::logic) consts: Vec<Dynamic>,
    /// What its type says about it; nothing where not even that makes it a value of its type.
    pub(in crate::logic) guard: Option<Bool>,
}

/// A model's vocabulary in the Z3 context of this thread.
pub(crate) struct Logic<'a> {
    pub(crate) model: &'a Model,
    pub(crate) size: Size,
    sorts: Vec<Sort>,
    pub(in crate::logic) enumerations: Vec<EnumSort>,
    functions: Vec<Shape<'a>>,
    /// The elements of each sort in a finite instance; at any size, those that have names.
    elements: Vec<Vec<Dynamic>>,
    pub(in crate::logic) packed: RefCell<BTreeMap<Type, Rc<Packed>>>,
    /// How many quantifiers are open: the name of a bound variable is made of it, so that no two open ones share a
    /// name and equal formulas are the same term.
    pub(in crate::logic) depth: Cell<u32>,
    /// Their variables, the innermost last.
    pub(in crate::logic) open: RefCell<Vec<Open>>,
    pub(in crate::logic) sizes: RefCell<Sizes<'a>>,
    pub(in crate::logic) windows: Windows,
    /// What is true of the symbols declared so far, by their types.
    facts: RefCell<Vec<Bool>>,
}

impl<'a> Logic<'a> {
    /// The vocabulary of `model`, with as many elements in each sort as `size` says.
    pub(crate) fn new(model: &'a Model, size: Size) -> Self {
        budget::renew();
        let mark = size.mark();
        let (sorts, elements) = match &size {
            Size::Any => (
                model.sorts.iter().map(|s| sort_named(&s.name)).collect(),
                Vec::new(),
            ),
            Size::Finite(finite) => finite_sorts(model, &finite.sorts, &mark),
        };
        let enumerations = model.enumerations.iter();
        Self {
            model,
            sorts,
            enumerations: enumerations.map(|e| enumeration(e, &mark)).collect(),
            size,
            functions: Vec::new(),
            elements,
            packed: RefCell::default(),
            depth: Cell::new(0),
            open: RefCell::default(),
            sizes: RefCell::default(),
            windows: Windows::of(model),
            facts: RefCell::default(),
        }
    }

    /// Declares the theories' operators and collects their axioms.
    ///
    /// # Errors
    /// An operator over types or an axiom that the encoding has no reading for.
    pub(crate) fn declare_theories(&mut self) -> Encoded<()> {
        for function in &self.model.functions {
            let mut domain = Vec::new();
            for ty in &function.params {
                domain.extend(self.key_sorts(ty).at(function.span)?);
            }
            let name = format!("theory.{}", function.name);
            let shape = self.declare(&name, &function.result, &domain);
            self.functions.push(shape.at(function.span)?);
        }
        Ok(())
    }

    /// Names so many elements of each sort, of which no two are the same and nothing else is known.
    pub(crate) fn name_elements(&mut self, counts: &[u32]) {
        let named = self.model.sorts.iter().zip(&self.sorts).zip(counts);
        let named = named.map(|((declared, sort), count)| {
            let name = |i| mangle(&format!("element.{}!{i}", declared.name));
            let constant = |i| FuncDecl::new(name(i), &[], sort).apply(&[]);
            (0..*count).map(constant).collect()
        });
        self.elements = named.collect();
        let several = self.elements.iter().filter(|all| all.len() > 1);
        let distinct: Vec<Bool> = several.map(|all| Dynamic::distinct(all)).collect();
        distinct.into_iter().for_each(|fact| self.fact(fact));
    }

    /// The axioms that hold in a setting. What is known about the operators besides is recorded as facts.
    pub(crate) fn axioms(&'a self, setting: &Setting) -> Encoded<Vec<(&'a Axiom, Bool)>> {
        self.meanings(setting)?;
        let axioms = self.model.axioms_in(setting);
        axioms
            .map(|(_, axiom)| {
                let env = Env::default().item(&axiom.locals);
                Ok((axiom, self.holds(&axiom.formula, &env)?))
            })
            .collect()
    }

    /// Records what is true of a symbol by its type.
    pub(in crate::logic) fn fact(&self, fact: Bool) {
        if fact.as_bool() != Some(true) {
            self.facts.borrow_mut().push(fact);
        }
    }

    /// Takes the facts recorded since the last call.
    pub(crate) fn take_facts(&self) -> Vec<Bool> {
        self.facts.take()
    }

    /// The sort of a type whose values are single terms that are no collections.
    pub(in crate::logic) fn scalar_sort(&self, ty: &Type) -> Encoded<Sort> {
        match ty {
            Type::Bool => Ok(Sort::bool()),
            Type::Nat | Type::Int | Type::Char => Ok(Sort::int()),
            Type::Real => Ok(Sort::real()),
            Type::String => Ok(Sort::string()),
            Type::Sort(id) => Ok(self.sorts[id.index()].clone()),
            Type::Enum(id) => Ok(self.enumerations[id.index()].sort.clone()),
            _ => crate::logic::unsupported("a collection where a single term is asked for"),
        }
    }

    pub(crate) fn enumerator(&self, id: EnumId, position: u32) -> Sym<'a> {
        let value = &self.enumerations[id.index()].values[position as usize];
        Sym::Atom(value.apply(&[]))
    }

    /// An element of a sort in a finite instance, or one that has a name.
    pub(crate) fn element(&self, id: SortId, index: u32) -> Option<Dynamic> {
        self.elements.get(id.index())?.get(index as usize).cloned()
    }

    /// All elements of a sort in a finite instance.
    pub(crate) fn elements(&self, id: SortId) -> &[Dynamic] {
        self.elements.get(id.index()).map_or(&[], Vec::as_slice)
    }

    /// A theory's operator applied to arguments.
    pub(crate) fn apply(&'a self, id: FunctionId, args: &[Sym<'a>]) -> Encoded<Sym<'a>> {
        let function = &self.model.functions[id.index()];
        let mut keys = Vec::new();
        for (arg, ty) in args.iter().zip(&function.params) {
            self.key(arg, ty, &mut keys)?;
        }
        Ok(self.functions[id.index()].at(self, &keys))
    }

    /// Whether quantifiers over finite types are written out, instance by instance.
    pub(crate) fn is_written_out(&self) -> bool {
        matches!(&self.size, Size::Finite(finite) if finite.expand)
    }

    /// The values of a type that a quantifier over it is written out for; `None` where it is left to the solver.
    pub(crate) fn domain(&'a self, ty: &'a Type) -> Option<Vec<Sym<'a>>> {
        match self.is_written_out() {
            true => self.values(ty),
            false => None,
        }
    }
}

/// The symbol of a sort.
pub(crate) fn sort_symbol(name: &str) -> String {
    mangle(&format!("sort.{name}"))
}

fn sort_named(name: &str) -> Sort {
    Sort::uninterpreted(Symbol::String(sort_symbol(name)))
}

fn enumeration(declared: &ioa_lang::core::Enumeration, mark: &str) -> EnumSort {
    let name = Symbol::String(mangle(&format!("{mark}enum.{}", declared.name)));
    let values: Vec<Symbol> = declared
        .values
        .iter()
        .map(|value| Symbol::String(mangle(&format!("{mark}enum.{}.{value}", declared.name))))
        .collect();
    let (sort, values, _) = Sort::enumeration(name, &values);
    EnumSort { sort, values }
}

/// Sorts of so many elements each, and the elements. They are enumerations to Z3, so that nothing need be said to close
/// them: a quantifier would cost more than all that is asked of a small instance.
fn finite_sorts(model: &Model, sizes: &[u32], mark: &str) -> (Vec<Sort>, Vec<Vec<Dynamic>>) {
    let sized = model.sorts.iter().zip(sizes);
    let finite = sized.map(|(declared, size)| {
        let name = mangle(&format!("{mark}sort.{}", declared.name));
        let element = |i| Symbol::String(format!("{name}!{i}"));
        let elements: Vec<Symbol> = (0..*size).map(element).collect();
        let (sort, elements, _) = Sort::enumeration(Symbol::String(name.clone()), &elements);
        (sort, elements.iter().map(|e| e.apply(&[])).collect())
    });
    finite.unzip()
}
