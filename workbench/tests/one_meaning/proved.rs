//! What is proved is tried: in random states, reachable or not, in which all that a proof assumes holds, at several
//! sizes. Each step that the interpreter takes from there must keep what was proved to be preserved, and nothing that
//! was proved to be defined may have no value.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use finite::Universe;
use interpreter::{
    Attempt, Cell, Draws, Executor, Firing, Instance, Interrupt, Shape, State, Stream,
};
use ioa_lang::core::{AutomatonId, Model, TransitionId};
use prover_bridge::{Kind, Options, Part, Target, prove};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use test_support::values;

use super::{generate, model_of};

/// Automata that are proved, where nothing else is asked for.
const CASES: u64 = 60;

/// The sizes of `Node` and `Ballot`.
const SIZES: [(u64, u64); 4] = [(1, 1), (2, 1), (3, 2), (1, 3)];

/// States that are drawn at each size.
const STATES: u64 = 12;

/// Parameters with which each clause is tried in a state, and steps of a walk that begins there.
const TRIES: u32 = 2;

/// Work of the solver for one question.
const RESOURCE_LIMIT: u32 = 200_000;

/// What was tried, counted.
#[derive(Debug, Default)]
struct Tried {
    /// Steps of clauses that are proved to preserve an invariant, a count for each of these.
    preserved: u64,
    /// Among them those that changed the state.
    changing: u64,
    /// Among them those of invariants that are proved altogether.
    inductive: u64,
    /// Steps, taken or not, of clauses that are proved to be defined.
    defined: u64,
    /// Values of invariants that are proved to be defined.
    stated: u64,
    /// Automata of which something was tried.
    automata: u64,
    wrong: Vec<String>,
}

/// What is proved of one automaton.
struct Proved {
    /// Invariants that are established, by position.
    established: BTreeSet<usize>,
    /// Invariants with the clauses that preserve them, given those that are established.
    preserved: BTreeSet<(usize, TransitionId)>,
    /// Obligations of definedness that are listed, and whether they are proved.
    defined: BTreeMap<Part, bool>,
}

impl Proved {
    fn of(model: &Model) -> Self {
        let options = Options {
            resource_limit: RESOURCE_LIMIT,
            threads: 1,
            shrink: false,
            ..Options::default()
        };
        let report = prove(&Target::everything(model), &options, &|| Duration::ZERO);
        let mut proved = Self {
            established: (0..report.established.len())
                .filter(|i| report.established[*i])
                .collect(),
            preserved: BTreeSet::new(),
            defined: BTreeMap::new(),
        };
        for outcome in &report.outcomes {
            match outcome.obligation.kind {
                Kind::Consecution {
                    invariant,
                    transition,
                } if outcome.is_proved() => {
                    proved.preserved.insert((invariant, transition));
                }
                Kind::Definedness(part) => {
                    proved.defined.insert(part, outcome.is_proved());
                }
                _ => {}
            }
        }
        proved
    }

    /// Whether a part is defined: where there is no obligation, nothing in it could be undefined.
    fn is_defined(&self, part: Part) -> bool {
        self.defined.get(&part).copied().unwrap_or(true)
    }
}

/// An automaton at one size, in which things are tried.
struct Trial<'t> {
    proved: &'t Proved,
    instance: &'t Instance,
    executor: Executor<'t>,
    rng: ChaCha8Rng,
    tried: &'t mut Tried,
    seed: u64,
}

const RANDOM: AutomatonId = AutomatonId(0);

impl Trial<'_> {
    /// Tries steps from a random state, and from those that they lead to.
    fn walk(&mut self) {
        let (model, universe) = (self.instance.model(), self.instance.universe());
        let variables = model.automata[0].variables.iter();
        let drawn: Vec<_> = variables
            .map(|v| values::draw(model, universe, &v.ty, &mut self.rng))
            .collect();
        let Ok(mut state) = self.instance.layout(RANDOM).state(&drawn) else {
            return;
        };
        for _ in 0..TRIES {
            let Some(holding) = self.holding(&state) else {
                return;
            };
            let mut next = None;
            for clause in (0..model.automata[0].transitions.len()).map(TransitionId::at) {
                next = self.step(&state, &holding, clause).or(next);
            }
            match next {
                Some(after) => state = after,
                None => return,
            }
        }
    }

    /// The invariants that hold in a state in which all that are established do; nothing of other states.
    fn holding(&mut self, state: &State) -> Option<BTreeSet<usize>> {
        let mut holding = BTreeSet::new();
        for i in 0..self.instance.model().invariants.len() {
            let is_defined = self.proved.is_defined(Part::Invariant(i));
            match self.executor.holds(state, i) {
                Ok(true) => {
                    holding.insert(i);
                }
                Ok(false) if self.proved.established.contains(&i) => return None,
                Err(Interrupt::Fault(fault)) if is_defined => {
                    self.complain(
                        state,
                        &format!("invariant {i} is proved to be defined: {}", fault.kind),
                    );
                }
                Ok(false) | Err(_) => {}
            }
            self.tried.stated += u64::from(is_defined);
        }
        let all = self.proved.established.iter().all(|i| holding.contains(i));
        all.then_some(holding)
    }

    /// Tries a step of a clause; where it is taken, returns the state that it leads to.
    fn step(
        &mut self,
        state: &State,
        holding: &BTreeSet<usize>,
        clause: TransitionId,
    ) -> Option<State> {
        let firing = self.firing(clause)?;
        let mut after = State::default();
        let mut draws = Draws::new(self.seed, Stream::Choices);
        let is_defined = self.proved.is_defined(Part::Transition(RANDOM, clause));
        let attempt = self.executor.step(state, &firing, &mut draws, &mut after);
        self.tried.defined += u64::from(is_defined);
        match attempt {
            Ok(Attempt::Taken) => {}
            Err(Interrupt::Fault(fault)) if is_defined => {
                self.complain(
                    state,
                    &format!("{clause:?} is proved to be defined: {}", fault.kind),
                );
                return None;
            }
            _ => return None,
        }
        for i in holding {
            if !self.proved.preserved.contains(&(*i, clause)) {
                continue;
            }
            self.tried.preserved += 1;
            self.tried.changing += u64::from(after != *state);
            self.tried.inductive += u64::from(self.proved.established.contains(i));
            if self.executor.holds(&after, *i).is_ok_and(|holds| !holds) {
                self.complain(
                    state,
                    &format!("{clause:?} is proved to preserve invariant {i}"),
                );
            }
        }
        Some(after)
    }

    /// A clause with random parameters.
    fn firing(&mut self, id: TransitionId) -> Option<Firing> {
        let (model, universe) = (self.instance.model(), self.instance.universe());
        let clause = &model.automata[0].transitions[id.index()];
        let mut cells = |locals: &[ioa_lang::core::LocalId]| -> Option<Vec<Cell>> {
            let cell = |local: &ioa_lang::core::LocalId| {
                let ty = &clause.locals[local.index()].ty;
                let value = values::draw(model, universe, ty, &mut self.rng);
                Shape::of(model, universe, ty).encode(&value)
            };
            locals.iter().map(cell).collect()
        };
        Some(Firing {
            transition: id,
            params: cells(&clause.params)?,
            hidden: cells(&clause.hidden)?,
        })
    }

    fn complain(&mut self, state: &State, what: &str) {
        let model = self.instance.model();
        let values = self.instance.layout(RANDOM).values(state);
        let shown: Vec<String> = values
            .map(|(name, value)| format!("{name} = {}", value.display(model)))
            .collect();
        let seed = self.seed;
        self.tried
            .wrong
            .push(format!("seed {seed}: {what}\nin {}", shown.join(", ")));
    }
}

impl Tried {
    fn automaton(&mut self, seed: u64) {
        let text = generate::automaton(seed, false);
        // What the front end refuses is told where the two readings are compared.
        let Ok(model) = model_of(&text) else {
            return;
        };
        let proved = Proved::of(&model);
        let before = (self.preserved, self.defined, self.wrong.len());
        for (nodes, ballots) in SIZES {
            let sizes = [("Node", nodes), ("Ballot", ballots)];
            let sizes = sizes.map(|(name, size)| (name.to_owned(), size));
            let universe = Universe::new(&model, model.every_setting(), &BTreeMap::from(sizes))
                .expect("sizes that fit");
            let instance = Instance::new(std::sync::Arc::new(model.clone()), universe);
            let Ok(executor) = Executor::new(&instance, RANDOM) else {
                return;
            };
            let mut trial = Trial {
                proved: &proved,
                instance: &instance,
                executor,
                rng: ChaCha8Rng::seed_from_u64(seed),
                tried: &mut *self,
                seed,
            };
            for _ in 0..STATES {
                trial.walk();
            }
        }
        self.automata += u64::from((self.preserved, self.defined) != (before.0, before.1));
        if let Some(wrong) = self.wrong.get_mut(before.2) {
            wrong.push_str(&format!("\n{text}"));
        }
    }
}

#[test]
fn what_is_proved_holds_one_step_beyond_any_state_that_it_assumes() {
    let asked = |name: &str| std::env::var(name).ok().and_then(|n| n.parse().ok());
    let cases = asked("ONE_MEANING_CASES").unwrap_or(CASES);
    let from = asked("ONE_MEANING_FROM").unwrap_or(0);
    let mut tried = Tried::default();
    for seed in from..from + cases {
        tried.automaton(seed);
    }
    println!("{tried:?}");
    assert_eq!(tried.wrong, [""; 0], "{}", tried.wrong.join("\n\n"));
    let at_least = |count: u64, each: u64, what: &str| {
        assert!(
            count >= each * cases,
            "only {count} {what} in {cases} automata"
        );
    };
    at_least(tried.preserved, 10, "steps that preserve something");
    at_least(tried.changing, 5, "of these that change something");
    at_least(tried.inductive, 5, "of these for a whole proof");
    at_least(tried.defined, 20, "steps that are defined");
    at_least(tried.stated, 20, "invariants that are defined");
    assert!(2 * tried.automata >= cases, "{} of {cases}", tried.automata);
}
