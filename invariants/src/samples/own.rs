//! Terms that somebody gave, as columns: what they are evaluated to in each state stands beside the variables.

use finite::Universe;
use ioa_lang::core::{AutomatonId, Expr, Local, Model, OpenTerm, Type};
use ioa_lang::print::{self, Context};

use super::column::Column;
use super::encoding::Encoding;
use crate::focus::{Focus, instances};

/// A term has no more columns than this: one for each choice of values for the variables that it leaves open.
const MAX_CHOICES: usize = 64;

/// A term that somebody gave, with its columns. If it may have no value, there are two for each choice of values for the variables
/// that it leaves open: whether it has one, and which.
#[derive(Clone, Debug)]
pub(crate) struct Own {
    pub(crate) term: OpenTerm,
    /// Whether what holds is to be told apart by it.
    pub(crate) is_split: bool,
    pub(crate) is_partial: bool,
    /// The first of its columns, counted from the first of any such term.
    pub(crate) first: usize,
    /// How many columns there are for each value of each open variable.
    pub(crate) strides: Vec<usize>,
    /// The term without open variables, for each choice of values for these.
    pub(crate) instances: Vec<Instance>,
}

/// A term without open variables, and the locals that are bound in it.
pub(crate) type Instance = (Expr, Vec<Local>);

impl Own {
    /// The variables that it leaves open.
    pub(crate) fn open(&self) -> &[Local] {
        &self.term.locals[..self.term.open]
    }

    /// How many columns there are for a choice of values.
    pub(crate) fn each(&self) -> usize {
        1 + usize::from(self.is_partial)
    }

    /// All of its columns, counted from the first of any such term.
    pub(crate) fn columns(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.each() * self.instances.len()
    }
}

/// The terms of a focus as columns of an instance, and what is said about those that have too many.
pub(super) fn own(
    (model, universe, automaton): (&Model, &Universe, AutomatonId),
    focus: &Focus,
) -> (Vec<Own>, Vec<Column>, Vec<String>) {
    let (mut all, mut columns, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    for (at, term) in focus.own().enumerate() {
        let about = (model, universe);
        let Some(instances) = instances(about, term, MAX_CHOICES) else {
            let context = Context::automaton(model, automaton, &term.locals);
            let text = print::expr(model, &context, &term.term);
            notes.push(format!(
                "{text} has more than {MAX_CHOICES} instances: no relations of it were tried"
            ));
            continue;
        };
        let mut own = Own {
            is_split: at >= focus.terms.len(),
            is_partial: !term.term.is_total(),
            first: columns.len(),
            strides: Vec::new(),
            instances,
            term: term.clone(),
        };
        own.strides = strides(about, &own);
        for (expr, locals) in &own.instances {
            let context = Context::automaton(model, automaton, locals);
            let name = print::expr(model, &context, expr);
            let column = |name: String, ty: &Type| Column {
                encoding: Encoding::of(model, universe, ty),
                ty: ty.clone(),
                name,
            };
            if own.is_partial {
                columns.push(column(format!("whether {name} is defined"), &Type::Bool));
            }
            columns.push(column(name, &expr.ty));
        }
        all.push(own);
    }
    (all, columns, notes)
}

/// The distance between the columns for one value of each open variable and the next; the last variable varies fastest.
fn strides((model, universe): (&Model, &Universe), own: &Own) -> Vec<usize> {
    let mut stride = own.each();
    let open = own.open().iter().rev();
    let mut strides: Vec<usize> = open
        .map(|local| {
            let this = stride;
            let values = finite::closed_values((model, universe), &local.ty, MAX_CHOICES as u64);
            stride *= values.map_or(1, |values| values.len());
            this
        })
        .collect();
    strides.reverse();
    strides
}
