//! Samples in columns: the states and steps that candidates are tested on.
//!
//! A sample is a row of words, one for each variable: the packed code of a value whose type has a packing, a number as
//! a signed 64-bit integer, or the index of an interned value. Distinct rows are kept once, with a count.

mod column;
mod encoding;
mod own;
mod pool;
mod schema;
mod table;

use std::collections::BTreeSet;

use ioa_lang::core::ActionId;
use ioa_lang::value::{Value, belongs};

pub use column::Column;
pub use encoding::Encoding;
pub(crate) use own::Own;
pub use pool::Pool;
pub use schema::{ActionShape, Schema};
pub use table::{Added, Table};

/// How much is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Distinct rows kept at each point; further ones are refused and counted. A row takes 8 bytes for each column
    /// and about 16 more.
    pub rows: usize,
    /// Distinct values kept of the types that have no packing.
    pub values: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            rows: 1 << 20,
            values: 1 << 20,
        }
    }
}

/// Why a sample was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// A row has another number of entries than its point has columns.
    Width {
        /// Number of columns.
        expected: usize,
        /// Number of entries.
        found: usize,
    },
    /// An entry is not a value of its column's type.
    NotOfType {
        /// The column's name.
        column: String,
        /// Its type as written.
        ty: String,
    },
    /// There is no action with this index.
    NoSuchAction,
    /// More distinct values of types without a packing than [`Limits::values`].
    TooManyValues(usize),
}

impl std::fmt::Display for Misfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Width { expected, found } => {
                write!(f, "a row has {found} entries where {expected} are declared")
            }
            Self::NotOfType { column, ty } => write!(f, "{column} is given what is not a {ty}"),
            Self::NoSuchAction => write!(f, "no action has this index"),
            Self::TooManyValues(limit) => {
                write!(f, "more than {limit} distinct values of unbounded types")
            }
        }
    }
}

impl std::error::Error for Misfit {}

/// The samples of one automaton: a table for its states, and one for the steps of each of its actions.
#[derive(Clone, Debug)]
pub struct Samples {
    schema: Schema,
    limits: Limits,
    pool: Pool,
    states: Table,
    steps: Vec<Table>,
    /// Columns of states that held a number beyond 64 bits: nothing is proposed about them.
    lost: BTreeSet<usize>,
    /// Room for a step's row.
    scratch: Vec<u64>,
}

impl Samples {
    /// No samples yet.
    #[must_use]
    pub fn new(schema: Schema, limits: Limits) -> Self {
        let rows = limits.rows.min(u32::MAX as usize - 1);
        let states = Table::new(schema.state_columns().len(), rows);
        let steps = (0..schema.actions().len())
            .map(|action| Table::new(schema.step_columns(action).len(), rows))
            .collect();
        Self {
            schema,
            limits,
            pool: Pool::default(),
            states,
            steps,
            lost: BTreeSet::new(),
            scratch: Vec::new(),
        }
    }

    /// What the columns are.
    #[must_use]
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The states seen.
    #[must_use]
    pub fn states(&self) -> &Table {
        &self.states
    }

    /// The steps seen of an action: a row is the state before, the state after and the parameters.
    #[must_use]
    pub fn steps(&self, action: ActionId) -> &Table {
        &self.steps[action.index()]
    }

    /// The values that interned words stand for.
    #[must_use]
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Columns of states (by position) that held a number beyond 64 bits; nothing is proposed about them.
    #[must_use]
    pub fn lost(&self) -> &BTreeSet<usize> {
        &self.lost
    }

    /// Whether nothing is proposed of a column of states.
    pub(crate) fn is_left_out(&self, at: usize) -> bool {
        let left_out = &self.schema.focus().left_out;
        self.lost.contains(&at) || left_out.iter().any(|variable| variable.index() == at)
    }

    /// Adds a state, one word for each of its columns: the hot path.
    ///
    /// # Errors
    /// If the row has the wrong width, or a word is no code of its variable's type.
    pub fn add_state(&mut self, row: &[u64]) -> Result<Added, Misfit> {
        check_width(self.states.width(), row.len())?;
        let (schema, pool) = (&self.schema, &self.pool);
        self.states.insert(row, |row| {
            check_words(schema.state_columns(), row, pool, schema)
        })
    }

    /// Adds a step of an action: the states before and after, and the parameters.
    ///
    /// # Errors
    /// As [`Self::add_state`], or if there is no such action.
    pub fn add_step(
        &mut self,
        action: ActionId,
        before: &[u64],
        after: &[u64],
        params: &[u64],
    ) -> Result<Added, Misfit> {
        let columns = self.schema.state_columns().len();
        check_width(columns, before.len())?;
        check_width(columns, after.len())?;
        let Some(table) = self.steps.get_mut(action.index()) else {
            return Err(Misfit::NoSuchAction);
        };
        check_width(table.width() - 2 * columns, params.len())?;
        self.scratch.clear();
        for part in [before, after, params] {
            self.scratch.extend_from_slice(part);
        }
        let (schema, pool) = (&self.schema, &self.pool);
        table.insert(&self.scratch, |row| {
            check_words(schema.step_columns(action.index()), row, pool, schema)
        })
    }

    /// The row of a state given by values, for [`Self::add_state`] and [`Self::add_step`].
    ///
    /// # Errors
    /// If there are too many or too few values, or one is not of its variable's type.
    pub fn encode_state(&mut self, values: &[Value]) -> Result<Vec<u64>, Misfit> {
        check_width(self.schema.variables().len(), values.len())?;
        (0..values.len())
            .map(|at| self.encode(at, &values[at], None))
            .collect()
    }

    /// The words for the terms that somebody gave, by the values that they have in a state; nothing where one has none. They stand
    /// after those of the variables.
    ///
    /// # Errors
    /// If a value is not of its term's type.
    pub fn encode_own(
        &mut self,
        values: impl IntoIterator<Item = Option<Value>>,
    ) -> Result<Vec<u64>, Misfit> {
        let mut words = Vec::new();
        let mut values = values.into_iter();
        for own in 0..self.schema.own().len() {
            let Own {
                is_partial,
                first,
                ref instances,
                ..
            } = self.schema.own()[own];
            let (each, count) = (1 + usize::from(is_partial), instances.len());
            for choice in 0..count {
                let at = self.schema.variables().len() + first + choice * each + each - 1;
                let value = values.next().flatten();
                if is_partial {
                    words.push(u64::from(value.is_some()));
                }
                words.push(match value {
                    Some(value) => self.encode(at, &value, None)?,
                    None => self.pool.no_value(),
                });
            }
        }
        Ok(words)
    }

    /// The words of an action's parameters given by values, for [`Self::add_step`].
    ///
    /// # Errors
    /// As [`Self::encode_state`], or if there is no such action.
    pub fn encode_params(
        &mut self,
        action: ActionId,
        values: &[Value],
    ) -> Result<Vec<u64>, Misfit> {
        let Some(shape) = self.schema.actions().get(action.index()) else {
            return Err(Misfit::NoSuchAction);
        };
        check_width(shape.params.len(), values.len())?;
        (0..values.len())
            .map(|at| self.encode(at, &values[at], Some(action)))
            .collect()
    }

    fn encode(&mut self, at: usize, value: &Value, of: Option<ActionId>) -> Result<u64, Misfit> {
        let column = match of {
            Some(action) => &self.schema.actions()[action.index()].params[at],
            None => &self.schema.state_columns()[at],
        };
        if !belongs(value, &column.ty, self.schema.model()) || !self.schema.is_inside(value) {
            return Err(not_of_type(column, &self.schema));
        }
        if let Some(word) = self.pool.intern(&self.schema, &column.ty, value) {
            let within = self.pool.len() <= self.limits.values;
            return within
                .then_some(word)
                .ok_or(Misfit::TooManyValues(self.limits.values));
        }
        if of.is_none() {
            self.lost.insert(at);
        }
        Ok(0)
    }
}

fn check_width(expected: usize, found: usize) -> Result<(), Misfit> {
    if expected == found {
        Ok(())
    } else {
        Err(Misfit::Width { expected, found })
    }
}

fn check_words(
    columns: &[Column],
    row: &[u64],
    pool: &Pool,
    schema: &Schema,
) -> Result<(), Misfit> {
    for (column, word) in columns.iter().zip(row) {
        let fits = match &column.encoding {
            Encoding::Packed(packing) => packing.is_code(*word),
            Encoding::Number => true,
            Encoding::Interned => *word < pool.len() as u64,
        };
        if !fits {
            return Err(not_of_type(column, schema));
        }
    }
    Ok(())
}

fn not_of_type(column: &Column, schema: &Schema) -> Misfit {
    Misfit::NotOfType {
        column: column.name.clone(),
        ty: schema.model().type_name(&column.ty),
    }
}
