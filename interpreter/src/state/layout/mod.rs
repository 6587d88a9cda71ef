//! Where the variables of an automaton lie in its states. This is decided once, from their types.

mod field;
mod part;

use std::sync::Arc;

use finite::{Packing, Universe, Wide};
use ioa_lang::core::{AutomatonId, Model, Type, VarId, Variable};
use ioa_lang::diagnostic::Code;
use ioa_lang::{Diagnostic, Name, Span, Value};

use crate::interrupt::fault::LimitKind;
use crate::state::cell::{Cell, Number, Shape, Unpacking};

pub(crate) use self::field::Limbs;
pub use self::field::{Field, Location};
pub use self::part::Part;

/// A state: packed words for the variables of finite types, then a cell for each other variable.
///
/// Two states of one automaton are equal if and only if they are structurally equal, so a state is its own key.
#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    pub(crate) words: Vec<u64>,
    pub(crate) cells: Vec<Cell>,
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self {
            words: self.words.clone(),
            cells: self.cells.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.words.clone_from(&source.words);
        self.cells.clone_from(&source.cells);
    }
}

impl State {
    /// The packed part: all of the state, if [`Layout::is_packed`].
    #[must_use]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Approximate number of bytes that it takes on the heap, if it shares nothing with others.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let lists = size_of_val(&*self.words) + size_of_val(&*self.cells);
        let cells: u64 = self.cells.iter().map(Cell::bytes).sum();
        (lists + 2 * ALLOCATION) as u64 + cells
    }

    /// The state with this packed part, of an automaton whose states are [packed](Layout::is_packed).
    #[must_use]
    pub fn packed(words: &[u64]) -> Self {
        Self {
            words: words.to_vec(),
            cells: Vec::new(),
        }
    }
}

/// The bytes that an allocation takes besides those that were asked for, at most.
pub(crate) const ALLOCATION: usize = 16;

/// A variable with its place.
#[derive(Clone, Debug)]
struct Placed {
    name: Name,
    /// Where it is declared.
    span: Span,
    ty: Type,
    shape: Arc<Shape>,
    location: Location,
}

/// The places of some variables in a [`State`], with what is needed to show them.
#[derive(Clone, Debug)]
pub struct Layout {
    variables: Vec<Placed>,
    /// The number of bits used in each word.
    words: Vec<u32>,
    cells: u32,
}

impl Layout {
    /// Places each variable (of an automaton, or of a block of statements): in the first word that has room for it, or in
    /// the next cell.
    #[must_use]
    pub fn of(
        model: &Model,
        universe: &Universe,
        owner: Option<AutomatonId>,
        variables: &[Variable],
    ) -> Self {
        let mut layout = Self {
            variables: Vec::new(),
            words: Vec::new(),
            cells: 0,
        };
        for (id, variable) in (0..).map(VarId).zip(variables) {
            let ranged = owner
                .filter(|_| variable.ty.is_integer())
                .and_then(|owner| Packing::of_variable(model, universe, (owner, id), &variable.ty));
            let shape = match ranged {
                Some(packing) => Arc::new(Shape::Packed(packing)),
                None => Shape::part(model, universe, &variable.ty),
            };
            // Variables that a relation leaves open are not computed limb by limb.
            let is_open = |owner| {
                let transitions = model.automaton(owner).transitions.iter();
                transitions.flat_map(|t| &t.unconstrained).any(|v| *v == id)
            };
            let wide = || match owner {
                Some(owner) if !is_open(owner) => Wide::of(model, universe, &variable.ty),
                _ => None,
            };
            let location = match shape.packing() {
                Some(packing) => Location::Bits(layout.place(packing.bits)),
                None => match wide() {
                    Some(wide) => layout.place_limbs(wide, &shape),
                    None => {
                        layout.cells += 1;
                        Location::Cell(layout.cells - 1)
                    }
                },
            };
            layout.variables.push(Placed {
                name: variable.name.clone(),
                span: variable.span,
                ty: variable.ty.clone(),
                shape,
                location,
            });
        }
        layout
    }

    fn place_limbs(&mut self, wide: Wide, shape: &Arc<Shape>) -> Location {
        Location::Limbs(Arc::new(Limbs {
            fields: wide.limbs.iter().map(|bits| self.place(*bits)).collect(),
            unpacking: Unpacking::of_limbs(wide, Arc::clone(shape)),
        }))
    }

    fn place(&mut self, bits: u32) -> Field {
        let word = self
            .words
            .iter()
            .position(|taken| taken + bits <= u64::BITS);
        let word = word.unwrap_or_else(|| {
            self.words.push(0);
            self.words.len() - 1
        });
        let field = Field::new(word as u32, self.words[word], bits);
        self.words[word] += bits;
        field
    }

    /// A state in which each variable has some value of its type, before variables are assigned.
    ///
    /// # Errors
    /// The variables whose values are all too large.
    pub(crate) fn blank(&self) -> Result<State, Vec<Diagnostic>> {
        let (mut cells, mut errors) = (Vec::new(), Vec::new());
        for placed in &self.variables {
            match placed.shape.blank() {
                // Limbs of 0 represent a value of every type that has limbs.
                Ok(_) if matches!(placed.location, Location::Limbs(_)) => cells.push(None),
                Ok(cell) => cells.push(Some(cell)),
                Err(limit) => errors.push(too_large(placed, limit)),
            }
        }
        match errors.is_empty() {
            true => Ok(self.holding(cells).expect("limbs of 0 fit")),
            false => Err(errors),
        }
    }

    /// The state in which the variables have these values, one for each in the order of their declaration, and limbs of 0
    /// where there is none. The error is the first variable in whose limbs a value does not fit.
    fn holding(&self, values: Vec<Option<Cell>>) -> Result<State, Name> {
        let mut state = State {
            words: vec![0; self.words.len()],
            cells: Vec::with_capacity(self.cells()),
        };
        for (placed, value) in self.variables.iter().zip(values) {
            let Some(value) = value else { continue };
            match (&placed.location, value) {
                (Location::Bits(field), Cell::Word(code)) => field.write(&mut state.words, code),
                (Location::Limbs(limbs), value) => {
                    let codes = limbs.unpacking.encode(&value);
                    limbs.write(&mut state.words, &codes.ok_or_else(|| placed.name.clone())?);
                }
                // Variables take the cells in the order of their declaration.
                (Location::Cell(_), value) => state.cells.push(value),
                (Location::Bits(_), cell) => {
                    unreachable!("a packed variable holds words: {cell:?}")
                }
            }
        }
        Ok(state)
    }

    /// Whether words are the packed part of a state: each variable has a value, and no other bit is set.
    pub(crate) fn are_values(&self, words: &[u64]) -> bool {
        let mut used = words.iter().zip(&self.words);
        let mut variables = self.variables.iter();
        used.all(|(word, bits)| word.checked_shr(*bits).unwrap_or(0) == 0)
            && variables.all(|v| match (&v.location, v.shape.packing()) {
                (Location::Bits(field), Some(packing)) => packing.is_code(field.read(words)),
                (Location::Limbs(limbs), _) => limbs.unpacking.are_codes(&limbs.read(words)),
                _ => true,
            })
    }

    /// The shapes of the cells of a state.
    pub(crate) fn cell_shapes(&self) -> impl Iterator<Item = &Shape> {
        let in_cells = |v: &&Placed| matches!(v.location, Location::Cell(_));
        // Variables take the cells in the order of their declaration.
        let variables = self.variables.iter().filter(in_cells);
        variables.map(|v| &*v.shape)
    }

    /// Number of words of a state.
    #[must_use]
    pub fn words(&self) -> usize {
        self.words.len()
    }

    /// The number of bits that a state uses if it has at most one word; otherwise all bits of a word.
    #[must_use]
    pub fn bits(&self) -> u32 {
        match self.words[..] {
            [] => 0,
            [bits] => bits,
            _ => u64::BITS,
        }
    }

    /// Number of cells of a state.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.cells as usize
    }

    /// Whether a state consists of words only.
    #[must_use]
    pub fn is_packed(&self) -> bool {
        self.cells == 0
    }

    /// Where a variable lies.
    #[must_use]
    pub fn location(&self, variable: VarId) -> &Location {
        &self.variables[variable.index()].location
    }

    /// The masks of the bits in a state's row (its words, followed by a word for each cell) that do not belong to the given
    /// variables.
    #[must_use]
    pub fn mask_without(&self, variables: &[VarId]) -> Vec<u64> {
        let mut mask = vec![u64::MAX; (self.words() + self.cells()).max(1)];
        for variable in variables {
            match self.location(*variable) {
                Location::Bits(field) => field.write(&mut mask, 0),
                Location::Limbs(limbs) => {
                    let fields = limbs.fields().iter();
                    fields.for_each(|field| field.write(&mut mask, 0));
                }
                Location::Cell(cell) => mask[self.words() + *cell as usize] = 0,
            }
        }
        mask
    }

    /// How a variable's value is represented.
    #[must_use]
    pub fn shape(&self, variable: VarId) -> &Arc<Shape> {
        &self.variables[variable.index()].shape
    }

    /// A variable's value, as the executor holds it.
    #[must_use]
    pub fn cell(&self, state: &State, variable: VarId) -> Cell {
        match self.location(variable) {
            Location::Bits(field) => Cell::Word(field.read(&state.words)),
            Location::Limbs(limbs) => limbs.unpacking.cell(&limbs.read(&state.words)),
            Location::Cell(cell) => state.cells[*cell as usize].clone(),
        }
    }

    /// A variable's value.
    #[must_use]
    pub fn value(&self, state: &State, variable: VarId) -> Value {
        self.shape(variable).decode(&self.cell(state, variable))
    }

    /// All variables with their values, in the order of their declaration.
    pub fn values<'a>(&'a self, state: &'a State) -> impl Iterator<Item = (&'a Name, Value)> {
        let names = self.variables.iter().map(|v| &v.name);
        names.zip(self.ids().map(|v| self.value(state, v)))
    }

    /// The state in which the variables have these values, in the order of their declaration; the error is the
    /// first variable whose value is missing or not of its type.
    ///
    /// # Errors
    /// The name of that variable.
    pub fn state(&self, values: &[Value]) -> Result<State, Name> {
        let cells = self.ids().map(|v| {
            let value = values.get(v.index());
            let cell = value.and_then(|value| self.shape(v).encode(value));
            cell.map(Some).ok_or_else(|| self.name(v).clone())
        });
        self.holding(cells.collect::<Result<_, _>>()?)
    }

    /// A state as it is in another layout of the same variables, such as one in which integers have other ranges.
    ///
    /// # Errors
    /// The variable whose value does not fit there.
    pub fn translated(&self, state: &State, to: &Self) -> Result<State, Name> {
        let values: Vec<Value> = self.values(state).map(|(_, value)| value).collect();
        to.state(&values)
    }

    /// Sets a variable.
    pub(crate) fn write(&self, state: &mut State, variable: VarId, cell: Cell) {
        match (self.location(variable), cell) {
            (Location::Bits(field), Cell::Word(code)) => field.write(&mut state.words, code),
            (Location::Cell(at), Cell::Word(n)) if self.ty(variable).is_integer() => {
                state.cells[*at as usize] = Cell::Int(Number::Small(n.cast_signed()));
            }
            (Location::Cell(at), cell) => state.cells[*at as usize] = cell,
            (Location::Limbs(_), _) => unreachable!("what is left open has no limbs"),
            (Location::Bits(_), cell) => unreachable!("a packed variable holds words: {cell:?}"),
        }
    }

    /// The variables in which two states differ.
    pub fn changed(&self, before: &State, after: &State) -> Vec<VarId> {
        let differs = |v: &VarId| match self.location(*v) {
            Location::Bits(field) => field.read(&before.words) != field.read(&after.words),
            Location::Limbs(limbs) => limbs.read(&before.words) != limbs.read(&after.words),
            Location::Cell(at) => before.cells[*at as usize] != after.cells[*at as usize],
        };
        self.ids().filter(differs).collect()
    }

    /// Whether a variable lies in some of these bits of the words, or in one of these cells.
    pub(crate) fn is_touched(&self, variable: VarId, words: &[u64], cells: &[bool]) -> bool {
        match self.location(variable) {
            Location::Bits(field) => field.read(words) != 0,
            Location::Limbs(limbs) => limbs.fields.iter().any(|field| field.read(words) != 0),
            Location::Cell(at) => cells[*at as usize],
        }
    }

    /// The variables.
    pub fn ids(&self) -> impl Iterator<Item = VarId> + use<> {
        (0..self.variables.len()).map(VarId::at)
    }

    /// The type of a variable.
    #[must_use]
    pub fn ty(&self, variable: VarId) -> &Type {
        &self.variables[variable.index()].ty
    }

    /// The name of a variable.
    #[must_use]
    pub fn name(&self, variable: VarId) -> &Name {
        &self.variables[variable.index()].name
    }
}

/// The error that a variable can have no value at these sizes.
fn too_large(variable: &Placed, limit: LimitKind) -> Diagnostic {
    let name = &variable.name;
    Diagnostic::error(
        Code::CannotRun,
        variable.span,
        format!("{name} is too large: {limit}"),
    )
    .help("give its indices smaller sizes")
}
