//! Arrangements in finite instances: their elements are numbered in the order in which they lie. A ring that is numbered
//! otherwise is the same one, but for the names of its elements, and a line follows the order of its sort.

use ioa_lang::Value;
use ioa_lang::core::{Arrangement, Axiom, FunctionId, Meaning, Model, Shape, SortId, SortSize};

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

/// The arrangements of a universe whose elements may be numbered as they lie without loss: every interpretation is the same as
/// one with such numbers, up to the names of elements. Where the same elements lie in two rings, it is the first.
#[must_use]
pub fn natural_arrangements<'m>(model: &'m Model, universe: &Universe) -> Vec<&'m Arrangement> {
    let mut natural: Vec<&Arrangement> = Vec::new();
    for arrangement in &model.arrangements {
        let [operator, ..] = arrangement.operators();
        let is_natural = match arrangement.shape {
            // It follows an order, which is that of the numbers.
            Shape::Line { .. } => {
                let order = Meaning::Less(arrangement.sort);
                model.functions.iter().any(|f| f.meaning == order)
            }
            Shape::Ring { .. } => {
                let is_taken = natural.iter().any(|other| other.sort == arrangement.sort);
                !is_taken && is_interchangeable(model, arrangement.sort)
            }
        };
        if is_natural && model.is_known(operator, universe.setting()) {
            natural.push(arrangement);
        }
    }
    natural
}

/// Whether an axiom is true where orders and these arrangements have their natural meaning, by the theory that it belongs to.
#[must_use]
pub fn is_true_naturally(model: &Model, natural: &[&Arrangement], axiom: &Axiom) -> bool {
    axiom.describes.is_some_and(|operator| {
        let meaning = model.functions[operator.index()].meaning;
        let mut operators = natural.iter().flat_map(|natural| natural.operators());
        matches!(meaning, Meaning::Less(_)) || operators.any(|known| known == operator)
    })
}

/// The natural meaning of an operator of an arrangement that has so many elements: its result for each row of arguments. None
/// if it is not one of its operators.
#[must_use]
pub fn natural_table(
    natural: (&Arrangement, u32),
    operator: FunctionId,
    rows: &[Vec<Value>],
) -> Option<Vec<Value>> {
    let results = rows.iter();
    let results = results.map(|row| natural_meaning(natural, operator, row));
    results.collect()
}

/// What an operator of an arrangement says about some arguments.
fn natural_meaning(
    (arrangement, size): (&Arrangement, u32),
    operator: FunctionId,
    arguments: &[Value],
) -> Option<Value> {
    let place = |value: &Value| match value {
        Value::Element(_, place) => Some(*place),
        _ => None,
    };
    let places: Option<Vec<u32>> = arguments.iter().map(place).collect();
    let element = |place| Some(Value::Element(arrangement.sort, place));
    match (arrangement.shape, &places?[..]) {
        (Shape::Ring { next, .. }, [a]) if operator == next => element((a + 1) % size),
        (Shape::Ring { previous, .. }, [a]) if operator == previous => {
            element((a + size - 1) % size)
        }
        (Shape::Ring { between, .. }, [a, b, c]) if operator == between => {
            let in_order = |x: &u32, y: &u32, z: &u32| x < y && y < z;
            Some(Value::Bool(
                in_order(a, b, c) || in_order(b, c, a) || in_order(c, a, b),
            ))
        }
        (Shape::Line { successor, .. }, [a]) if operator == successor => {
            element((a + 1).min(size - 1))
        }
        (Shape::Line { predecessor, .. }, [a]) if operator == predecessor => {
            element(a.saturating_sub(1))
        }
        (Shape::Line { first, .. }, []) if operator == first => element(0),
        _ => None,
    }
}

impl Universe {
    /// The interpretation in which all arrangements have their natural meaning, where nothing else is open to interpretation.
    /// Of those that satisfy the axioms of arrangements, it is the only one, up to the names of elements; whether it satisfies
    /// other axioms too is not said. None where something else is open, or tables would be huge.
    #[must_use]
    pub fn of_arrangements_alone(&self, model: &Model) -> Option<Interpretation> {
        let natural = natural_arrangements(model, self);
        let mut interpretation = Interpretation::default();
        for (id, function) in self.open_to_interpretation(model) {
            let mut natural = natural.iter();
            let arrangement = natural.find(|natural| natural.operators().contains(&id))?;
            let size = u32::try_from(self.size(arrangement.sort)).ok()?;
            let rows = self.rows(model, &function.params, MOST_ROWS)?;
            let table = natural_table((arrangement, size), id, &rows)?;
            interpretation.tables.insert(id, table);
        }
        Some(interpretation)
    }
}
