//! Random small automata as text: well-typed by construction, using every operator and statement form of the language.
//!
//! They are text rather than core, so that the front end is tested as well and a failure can be read and kept as a fixture.

mod backward;
mod beside;
mod choices;
mod composite;
mod constructs;
mod draft;
mod ending;
mod explorable;
mod forward;
mod live;
mod monitored;
mod theory;

use rand::RngExt;
use rand::seq::IndexedRandom;

pub use backward::backward;
pub use beside::{Beside, beside};
use choices::Choices;
pub use composite::{Composite, Instance, composite};
use constructs::types::{DECLARATIONS, Ty, array, constant, formals, map, mset, null, seq, set};
pub use draft::{Draft, Drafts, Shrinking};
pub use ending::ending;
pub use explorable::{Model, explorable};
pub use forward::forward;
pub use live::live;
pub use monitored::monitored;
pub use theory::theory;

/// A generated automaton, as text; if `finite`, it has only values of finite types.
#[must_use]
pub fn automaton(seed: u64, finite: bool) -> String {
    Generator::new(seed, finite).automaton()
}

/// A generated automaton, as text, with integers in all places where they can be packed.
#[must_use]
pub fn ranged(seed: u64) -> String {
    let mut generator = Generator::new(seed, false);
    generator.ranged = true;
    generator.automaton()
}

/// A generated automaton with a schedule, as text; some of its choices have determinators.
#[must_use]
pub fn scheduled(seed: u64) -> String {
    let mut generator = Generator::new(seed, false);
    generator.determined = true;
    let text = generator.automaton();
    let (variables, actions) = generator.made.clone();
    let schedule = generator.schedule(&variables, &actions);
    text + &schedule
}

/// The automaton of [`automaton`], as text, with the types of natural numbers expressed in another way.
#[must_use]
pub fn without_annotations(seed: u64) -> String {
    let mut generator = Generator::new(seed, false);
    generator.annotates = false;
    generator.automaton()
}

/// Names with their types.
type Names = Vec<(String, Ty)>;

struct Generator {
    rng: Choices,
    finite: bool,
    /// Whether there are integers, but nothing that is never packed.
    ranged: bool,
    /// Names that a term may use: state variables, parameters, bound variables.
    scope: Names,
    /// The actions, while terms may ask whether they are enabled.
    actions: Vec<(String, Names)>,
    fresh: usize,
    /// Whether choices may have determinators.
    determined: bool,
    /// Whether numbers are kept small, so that few states can be reached.
    bounded: bool,
    /// Whether the automaton is about numbers and collections of them, so that many of them are packed side by side.
    numeric: bool,
    /// Whether terms that can be written in two ways are written in both.
    twins: bool,
    /// Names that a term may use anywhere.
    outer: Names,
    /// Whether numbers are written with their types, instead of the equivalent form without types.
    annotates: bool,
    /// The variables and the actions of the automaton, once it has been generated.
    made: (Names, Vec<(String, Names)>),
}

impl Generator {
    fn new(seed: u64, finite: bool) -> Self {
        Self::by(Choices::seeded(seed), finite)
    }

    fn by(choices: Choices, finite: bool) -> Self {
        Self {
            rng: choices,
            finite,
            ranged: false,
            scope: Vec::new(),
            actions: Vec::new(),
            fresh: 0,
            determined: false,
            bounded: false,
            numeric: false,
            twins: false,
            outer: Names::new(),
            annotates: true,
            made: (Names::new(), Vec::new()),
        }
    }

    fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices.choose(&mut self.rng).expect("some choice").clone()
    }

    /// One of some types; if required, a finite one or one that can be packed.
    fn pick_type(&mut self, choices: &[Ty]) -> Ty {
        let (finite, ranged) = (self.finite, self.ranged);
        let allowed = choices
            .iter()
            .filter(|ty| (!finite || ty.is_finite()) && (!ranged || ty.is_ranged()));
        let allowed: Vec<Ty> = allowed.cloned().collect();
        self.pick(&allowed)
    }

    /// Whether there are sequences.
    fn has_general(&self) -> bool {
        !self.finite && !self.ranged
    }

    /// Whether something that happens once in `n` times happens now.
    fn once_in(&mut self, n: u32) -> bool {
        self.rng.random_range(0..n) == 0
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.fresh += 1;
        format!("{prefix}{}", self.fresh)
    }

    /// What `make` generates with additional names in scope.
    fn under<T>(&mut self, bound: &[(String, Ty)], make: impl FnOnce(&mut Self) -> T) -> T {
        let depth = self.scope.len();
        self.scope.extend(bound.iter().cloned());
        let made = make(self);
        self.scope.truncate(depth);
        made
    }

    fn automaton(&mut self) -> String {
        let variables = self.variables();
        let actions: Vec<(String, Names)> = (0..3)
            .map(|a| {
                let count = self.rng.random_range(0..=2);
                let params = (0..count).map(|p| (format!("p{a}{p}"), self.parameter_type()));
                (format!("act{a}"), params.collect())
            })
            .collect();
        let mut text = DECLARATIONS.to_owned();
        text.push_str("automaton Random\n  signature\n");
        for (name, params) in &actions {
            text.push_str(&self.entry(name, params));
        }
        text.push_str("  states\n");
        let states: Vec<String> = variables
            .iter()
            .map(|(n, t)| format!("    {n}: {}{}", t.text(), self.initially(t)))
            .collect();
        text.push_str(&states.join(",\n"));
        text.push_str("\n  transitions\n");
        for (name, params) in &actions {
            for _ in 0..if self.once_in(4) { 2 } else { 1 } {
                text.push_str(&self.clause(name, params, &variables));
            }
        }
        self.made = (variables.clone(), actions.clone());
        self.actions = actions;
        for i in 0..2 {
            self.scope.clone_from(&variables);
            let formula = self.term(&Ty::Bool, 4);
            text.push_str(&format!("invariant I{i} of Random: {formula}\n"));
        }
        text
    }

    /// The state. A sort has no constants, so each has one variable that a term can always fall back on.
    fn variables(&mut self) -> Names {
        let sorts = [
            ("n0", Ty::Node),
            ("b0", Ty::Ballot),
            ("k0", Ty::Quorum),
            ("g0", Ty::Group),
        ];
        let others = self.rng.random_range(4..=8);
        let others = (0..others).map(|i| (format!("s{i}"), self.state_type()));
        let others: Names = others.collect();
        let sorts = sorts.map(|(name, ty)| (name.to_owned(), ty));
        sorts.into_iter().chain(others).collect()
    }

    /// An initial value, but for sorts: not every type can be enumerated.
    fn initially(&mut self, ty: &Ty) -> String {
        let value = match ty {
            Ty::Bool if !self.once_in(3) => Some(self.closed_formula()),
            ty => constant(ty),
        };
        value.map_or(String::new(), |value| format!(" := {value}"))
    }

    /// A formula that reads nothing, with an outermost operator, so that it tests the parentheses around it.
    fn closed_formula(&mut self) -> String {
        let mut side = || match self.rng.random_range(0..5) {
            0 => self.about(&Names::new(), 1),
            1 => "({}:Set[Node]) \\subseteq {n: Node where true}".into(),
            2 => "green = other(red, green)".into(),
            3 => "~(1 < 2)".into(),
            _ => self.pick(&["true", "false"]).to_owned(),
        };
        let (a, b) = (side(), side());
        match self.rng.random_range(0..6) {
            n @ 0..=3 => format!("({a}) {} ({b})", ["/\\", "\\/", "=>", "<=>"][n]),
            _ => a,
        }
    }

    fn state_type(&mut self) -> Ty {
        if self.ranged && !self.once_in(4) {
            return self.pick(&constructs::types::ranged());
        }
        let choices = [
            Ty::Bool,
            Ty::Int,
            Ty::Nat,
            Ty::Node,
            Ty::Color,
            Ty::Pair,
            Ty::Mark,
            set(Ty::Node),
            set(Ty::Color),
            set(Ty::Mark),
            set(set(Ty::Ballot)),
            array(Ty::Node, Ty::Bool),
            array(Ty::Node, Ty::Int),
            array(Ty::Node, set(Ty::Ballot)),
            array(Ty::Ballot, null(Ty::Node)),
            array(Ty::Ballot, array(Ty::Color, Ty::Bool)),
            array(Ty::Node, array(Ty::Ballot, Ty::Nat)),
            array(Ty::Color, Ty::Pair),
            array(set(Ty::Ballot), Ty::Bool),
            array(Ty::Bool, seq(Ty::Int)),
            null(Ty::Color),
            null(Ty::Nat),
            null(Ty::Pair),
            null(seq(Ty::Node)),
            null(null(Ty::Ballot)),
            seq(Ty::Node),
            seq(Ty::Int),
            seq(Ty::Pair),
            seq(Ty::Mark),
            Ty::Light,
            Ty::Real,
            Ty::Char,
            Ty::Text,
            Ty::Item,
            Ty::Who,
            set(Ty::Who),
            array(Ty::Node, Ty::Who),
            array(Ty::Light, Ty::Real),
            null(Ty::Item),
            seq(Ty::Item),
            map(Ty::Node, Ty::Color),
            map(Ty::Ballot, Ty::Int),
            map(Ty::Color, set(Ty::Ballot)),
            mset(Ty::Color),
            mset(Ty::Node),
            set(Ty::Int),
            set(Ty::Nat),
            array(Ty::Node, set(Ty::Nat)),
        ];
        self.pick_type(&choices)
    }

    fn parameter_type(&mut self) -> Ty {
        if self.ranged && self.once_in(2) {
            return self.pick(&[Ty::Int, Ty::Nat]);
        }
        let choices = [
            Ty::Bool,
            Ty::Int,
            Ty::Node,
            Ty::Ballot,
            Ty::Color,
            Ty::Quorum,
            Ty::Mark,
            Ty::Light,
            Ty::Who,
            Ty::Text,
            set(Ty::Ballot),
            set(Ty::Node),
            null(Ty::Color),
        ];
        self.pick_type(&choices)
    }
}
