//! Rings in finite instances: their elements are numbered in the order in which one comes past them. A ring that is numbered
//! otherwise is the same one, but for the names of its elements.

use ioa_lang::Value;
use ioa_lang::core::{FunctionId, Meaning, Model, Ring, SortId, SortSize};

use super::universe::{Interpretation, Universe};

/// Tables of more rows than this are not made.
const MOST_ROWS: u64 = 1 << 21;

/// Whether no built-in theory tells the elements of a sort apart, so that they may take each other's names.
#[must_use]
pub fn is_interchangeable(model: &Model, sort: SortId) -> bool {
    let built_in = model.functions.iter().any(|f| match f.meaning {
        Meaning::Axioms => false,
        Meaning::Less(ordered) => ordered == sort,
        Meaning::InGroup { member, group } => member == sort || group == sort,
    });
    !built_in && model.sorts[sort.index()].size == SortSize::Given
}

/// The rings of a universe whose elements may be numbered in the order of the ring without loss: every interpretation is the
/// same as one with such numbers, up to the names of elements. Where the same elements lie in two rings, it is the first.
#[must_use]
pub fn numbered_rings<'m>(model: &'m Model, universe: &Universe) -> Vec<&'m Ring> {
    let is_known = |ring: &&Ring| model.is_known(ring.next, universe.setting());
    let mut numbered: Vec<&Ring> = Vec::new();
    for ring in model.rings.iter().filter(is_known) {
        let is_taken = numbered.iter().any(|other| other.sort == ring.sort);
        if !is_taken && is_interchangeable(model, ring.sort) {
            numbered.push(ring);
        }
    }
    numbered
}

/// The table of an operator of a ring that has so many elements, numbered in its order: its result for each row of arguments.
/// None if it is not one of its operators.
#[must_use]
pub fn table_in_ring(
    numbered: (&Ring, u32),
    operator: FunctionId,
    rows: &[Vec<Value>],
) -> Option<Vec<Value>> {
    let results = rows.iter();
    let results = results.map(|row| meaning_in_ring(numbered, operator, row));
    results.collect()
}

/// What an operator of a ring says about some arguments.
fn meaning_in_ring(
    (ring, size): (&Ring, u32),
    operator: FunctionId,
    arguments: &[Value],
) -> Option<Value> {
    let place = |value: &Value| match value {
        Value::Element(_, place) => Some(*place),
        _ => None,
    };
    let places: Vec<u32> = arguments.iter().filter_map(place).collect();
    match places.as_slice() {
        [a] if operator == ring.next => Some(Value::Element(ring.sort, (a + 1) % size)),
        [a] if operator == ring.previous => Some(Value::Element(ring.sort, (a + size - 1) % size)),
        [a, b, c] if operator == ring.between => {
            let in_order = |x: &u32, y: &u32, z: &u32| x < y && y < z;
            Some(Value::Bool(
                in_order(a, b, c) || in_order(b, c, a) || in_order(c, a, b),
            ))
        }
        _ => None,
    }
}

impl Universe {
    /// The interpretation in which all rings are numbered, where nothing but rings is open to interpretation. Of those that
    /// satisfy the axioms of rings, it is the only one, up to the names of elements; whether it satisfies other axioms too is
    /// not said. None where something else is open, or tables would be huge.
    #[must_use]
    pub fn of_rings_alone(&self, model: &Model) -> Option<Interpretation> {
        let rings = numbered_rings(model, self);
        let mut interpretation = Interpretation::default();
        for (id, function) in self.open_to_interpretation(model) {
            let ring = rings.iter().find(|ring| ring.operators().contains(&id))?;
            let size = u32::try_from(self.size(ring.sort)).ok()?;
            let rows = self.rows(model, &function.params, MOST_ROWS)?;
            let table = table_in_ring((ring, size), id, &rows)?;
            interpretation.tables.insert(id, table);
        }
        Some(interpretation)
    }
}
