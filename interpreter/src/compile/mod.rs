//! From the core to the compiled form.
//!
//! Nothing is evaluated here but operators on constants. So errors of a model at given sizes that show without running it
//! are found here, and all errors of an item are reported together: domains that are infinite or too large to enumerate,
//! and elements that a sort does not have.

mod domain;
mod facts;
mod general;
mod guards;
mod loops;
mod number;
mod parts;
mod stmt;
mod theory;
mod waiting;
mod word;

use ioa_lang::diagnostic::Code;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use finite::{Universe, Wide, types_with_numbers};
use ioa_lang::core::{Expr, Local, LocalId, Model, StateRef, Type};
use ioa_lang::{Diagnostic, Span};

use self::guards::Guarded;
use crate::code::{Binder, Det, Formula, Frame, Program, Row, Site, Slot, Word};
use crate::interrupt::fault::Item;
use crate::interrupt::limits::MAX_DEPTH;
use crate::state::cell::{Order, Shape};
use crate::state::layout::{Layout, Location};

pub(crate) use facts::reads;

/// What an item's terms may refer to: the layouts of the valuations it reads, by [`ioa_lang::core::Store`], and the item's
/// bound variables.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub(crate) model: &'a Model,
    pub(crate) universe: &'a Universe,
    pub(crate) stores: Stores<'a>,
    pub(crate) locals: &'a [Local],
}

/// The layouts of the five valuations.
pub(crate) type Stores<'a> = [Option<&'a Layout>; 5];

/// The valuations of a term that reads one automaton's state.
pub(crate) fn of_state(layout: &Layout) -> Stores<'_> {
    [Some(layout), None, None, None, None]
}

/// Those of a term that reads the states before and after a step.
pub(crate) fn of_step(layout: &Layout) -> Stores<'_> {
    [Some(layout), Some(layout), None, None, None]
}

/// Translates the terms and statements of one item.
pub(crate) struct Compiler<'a> {
    scope: Scope<'a>,
    shapes: BTreeMap<Type, Arc<Shape>>,
    /// How the values of types lie in several limbs.
    wide: BTreeMap<Type, Option<Arc<Wide>>>,
    /// The types of values that may be found in the order of their numbers, once these are asked for.
    numbered: Option<BTreeSet<Type>>,
    /// Variables in addition to those of the item, each in a slot of its own.
    declared: BTreeMap<LocalId, Local>,
    slots: usize,
    depth: usize,
    /// The identification of the determinators in the item; see [`Site`].
    item: u32,
    /// Terms that are evaluated only if they have a value.
    guarded: Guarded,
    /// Terms that have a value because of formulas which have been found to be true when these are evaluated.
    assured: Guarded,
    /// Whether choices need the value of the place that they are for.
    reads_places: bool,
    errors: Vec<Diagnostic>,
}

/// Compiles one item: returns what `build` makes of it with the frame it needs, or every reason why it cannot be run.
pub(crate) fn item<'a, T>(
    scope: Scope<'a>,
    build: impl FnOnce(&mut Compiler<'a>) -> T,
) -> Result<(Frame, T), Vec<Diagnostic>> {
    item_beside(0, scope, build)
}

/// The same for an item that is evaluated while another one with the same variables is: its temporaries lie behind the given number of slots,
/// which are those of the other one.
pub(crate) fn item_beside<'a, T>(
    slots: usize,
    scope: Scope<'a>,
    build: impl FnOnce(&mut Compiler<'a>) -> T,
) -> Result<(Frame, T), Vec<Diagnostic>> {
    let mut compiler = Compiler {
        scope,
        shapes: BTreeMap::new(),
        wide: BTreeMap::new(),
        numbered: None,
        declared: BTreeMap::new(),
        slots: slots.max(scope.locals.len()),
        depth: 0,
        item: 0,
        guarded: Guarded::default(),
        assured: Guarded::default(),
        reads_places: false,
        errors: Vec::new(),
    };
    let built = build(&mut compiler);
    if !compiler.errors.is_empty() {
        return Err(compiler.errors);
    }
    let binders = (0..scope.locals.len()).map(|l| compiler.binder(LocalId::at(l)));
    let frame = Frame {
        item: Item::Other,
        binders: binders.collect(),
        slots: compiler.slots,
    };
    Ok((frame, built))
}

/// Compiles a formula.
pub(crate) fn formula(scope: Scope<'_>, formula: &Expr) -> Result<Formula, Vec<Diagnostic>> {
    let (frame, body) = item(scope, |c| c.formula(formula))?;
    Ok(Formula { frame, body })
}

/// Compiles a start program.
pub(crate) fn start_program(
    scope: Scope<'_>,
    body: &[ioa_lang::core::Stmt],
) -> Result<Program, Vec<Diagnostic>> {
    let (frame, body) = item(scope, |c| {
        c.reads_places = true;
        c.block(body)
    })?;
    Ok(Program { frame, body })
}

/// Compiles a program.
pub(crate) fn program(
    scope: Scope<'_>,
    body: &[ioa_lang::core::Stmt],
) -> Result<Program, Vec<Diagnostic>> {
    let (frame, body) = item(scope, |c| c.block(body))?;
    Ok(Program { frame, body })
}

impl Compiler<'_> {
    /// Compiles what `build` makes of some conjuncts, each of which guards those after it.
    pub(crate) fn guarding<T>(
        &mut self,
        conjuncts: &[&Expr],
        build: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let guarded = Guarded::by(conjuncts, |ty| self.is_packed(ty));
        let before = std::mem::replace(&mut self.guarded, guarded);
        let built = build(self);
        self.guarded = before;
        built
    }

    /// A whole formula, optimised.
    pub(crate) fn formula(&mut self, formula: &Expr) -> Word {
        let word = self.guarding(&[formula], |c| c.word(formula));
        self.hoist(word)
    }

    /// A determinator of some bound variables; none if there are no rows.
    pub(crate) fn det<'e>(
        &mut self,
        first: LocalId,
        rows: impl Iterator<Item = &'e [Expr]>,
    ) -> Option<Det> {
        let rows = rows.map(|row| Row {
            terms: row.iter().map(|term| self.term(term)).collect(),
            span: row.first().map_or_else(Span::default, |term| term.span),
        });
        let rows: Box<[Row]> = rows.collect();
        let (item, slot) = (self.item, first.0);
        (!rows.is_empty()).then_some(Det {
            site: Site { item, slot },
            rows,
        })
    }

    /// The representation of a type.
    pub(crate) fn shape(&mut self, ty: &Type) -> Arc<Shape> {
        if let Some(shape) = self.shapes.get(ty) {
            return shape.clone();
        }
        let shape = Shape::of(self.scope.model, self.scope.universe, ty);
        self.shapes.insert(ty.clone(), shape.clone());
        shape
    }

    fn is_packed(&mut self, ty: &Type) -> bool {
        self.shape(ty).is_packed()
    }

    /// A bound variable.
    pub(crate) fn binder(&mut self, local: LocalId) -> Binder {
        let Local { name, ty, .. } = self.declared(local).clone();
        let shape = self.shape(&ty);
        let Scope {
            model, universe, ..
        } = self.scope;
        let numbered = self
            .numbered
            .get_or_insert_with(|| types_with_numbers(model, universe));
        Binder {
            slot: local.0,
            packed: shape.is_packed(),
            may_be_numbered: numbered.contains(&ty),
            order: Order::of(self.scope.model, self.scope.universe, &ty, &shape),
            shape,
            name,
        }
    }

    fn local_type(&self, local: LocalId) -> &Type {
        &self.declared(local).ty
    }

    fn declared(&self, local: LocalId) -> &Local {
        let own = self.scope.locals.get(local.index());
        own.unwrap_or_else(|| &self.declared[&local])
    }

    /// A slot that no binder uses.
    fn temporary(&mut self) -> Slot {
        self.slots += 1;
        (self.slots - 1) as Slot
    }

    fn location(&self, state: StateRef) -> &Location {
        self.layout(state).location(state.var)
    }

    fn layout(&self, state: StateRef) -> &Layout {
        let layout = self.scope.stores[state.store as usize];
        layout.expect("the front end lets an item read only what it may")
    }

    /// Declares the item to be a clause, given by its position.
    pub(crate) fn enter_clause(&mut self, clause: usize) {
        self.item = clause as u32 + 1;
    }

    /// What `build` makes of something, or every reason why it cannot be run.
    pub(crate) fn attempt<T>(
        &mut self,
        build: impl FnOnce(&mut Self) -> T,
    ) -> Result<T, Vec<Diagnostic>> {
        let before = std::mem::take(&mut self.errors);
        let built = build(self);
        let errors = std::mem::replace(&mut self.errors, before);
        if errors.is_empty() {
            Ok(built)
        } else {
            Err(errors)
        }
    }

    fn error(&mut self, error: Diagnostic) {
        self.errors.push(error);
    }

    /// Runs `build` one level deeper, unless that is too deep.
    fn deeper<T>(&mut self, span: Span, otherwise: T, build: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= MAX_DEPTH {
            let message = format!("this is nested more than {MAX_DEPTH} levels deep");
            self.error(Diagnostic::error(Code::CannotRun, span, message).help("name a part of it"));
            return otherwise;
        }
        self.depth += 1;
        let built = build(self);
        self.depth -= 1;
        built
    }
}
