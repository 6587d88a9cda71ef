//! One meaning: the executor and the logic are two readings of the core, and they must agree.
//!
//! Random small automata, given as text, take random steps from random small states. The interpreter takes each step;
//! Z3 is asked for the same transition, under the same finite sizes, through the encoding that proofs use. Enabledness,
//! definedness and every variable of the state afterwards are compared. What could not be compared is counted with its
//! reason, so that a campaign that tested nothing cannot look like a success.
//!
//! `ONE_MEANING_CASES=5000 cargo test --release -p workbench --test one_meaning` runs a longer campaign.

mod generate;
mod values;

use std::collections::BTreeMap;
use std::sync::Arc;

use interpreter::{Attempt, Draws, Executor, Firing, Instance, Interrupt, Shape, State, Stream};
use ioa_lang::core::{AutomatonId, Local, Model, TransitionId, Type};
use ioa_lang::finite::Universe;
use ioa_lang::{Name, Sources, Value};
use prover_bridge::Reason;
use prover_bridge::finite::{StepAnswer, TransitionQuery};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Automata of one campaign, where nothing else is asked for.
const CASES: u64 = 120;

/// States from which each transition of an automaton is tried.
const STATES: usize = 2;

/// What became of the comparisons.
#[derive(Debug, Default)]
struct Campaign {
    taken: u64,
    disabled: u64,
    undefined: u64,
    /// Cases that could not be compared, by reason.
    skipped: BTreeMap<String, u64>,
    disagreements: Vec<String>,
}

#[test]
fn the_executor_and_the_logic_agree() {
    let asked = std::env::var("ONE_MEANING_CASES").ok();
    let cases = asked.and_then(|n| n.parse().ok()).unwrap_or(CASES);
    let half = |parity: u64| {
        let mut campaign = Campaign::default();
        for seed in (0..cases).filter(|s| s % 2 == parity) {
            campaign.automaton(seed);
        }
        campaign
    };
    let (even, odd) = std::thread::scope(|scope| {
        let even = scope.spawn(|| half(0));
        let odd = half(1);
        (even.join().expect("the other half runs through"), odd)
    });
    let campaign = even.and(odd);
    println!("{campaign:#?}");
    assert!(
        campaign.disagreements.is_empty(),
        "{} disagreements; the first:\n{}",
        campaign.disagreements.len(),
        campaign.disagreements[0]
    );
    let skipped: u64 = campaign.skipped.values().sum();
    let compared = campaign.taken + campaign.disabled + campaign.undefined;
    assert!(
        compared > 4 * skipped,
        "{compared} compared, {skipped} skipped"
    );
    for (what, count) in [
        ("taken", campaign.taken),
        ("disabled", campaign.disabled),
        ("undefined", campaign.undefined),
    ] {
        assert!(
            count * 20 > cases,
            "only {count} {what} steps in {cases} automata"
        );
    }
}

impl Campaign {
    fn and(mut self, other: Self) -> Self {
        self.taken += other.taken;
        self.disabled += other.disabled;
        self.undefined += other.undefined;
        for (reason, count) in other.skipped {
            *self.skipped.entry(reason).or_default() += count;
        }
        self.disagreements.extend(other.disagreements);
        self
    }

    fn skip(&mut self, reason: impl Into<String>) {
        *self.skipped.entry(reason.into()).or_default() += 1;
    }

    fn automaton(&mut self, seed: u64) {
        let text = generate::automaton(seed);
        let mut sources = Sources::new();
        sources.add(format!("seed-{seed}.ioa"), text.clone());
        let loaded = ioa_lang::load(&sources);
        if let Some(error) = loaded
            .diagnostics
            .iter()
            .find(|d| d.severity == ioa_lang::Severity::Error)
        {
            self.disagreements.push(format!(
                "seed {seed} is not well-typed: {} at `{}`\n{text}",
                error.message,
                sources.text(error.span)
            ));
            return;
        }
        let sizes = [("Node", 3), ("Ballot", 2)].map(|(name, size)| (name.to_owned(), size));
        let universe =
            Universe::new(&loaded.model, &BTreeMap::from(sizes)).expect("sizes that fit");
        let instance = Instance::new(Arc::new(loaded.model), universe);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let transitions = instance.model().automata[0].transitions.len();
        for transition in (0..transitions).map(TransitionId::at) {
            for _ in 0..STATES {
                let case = Case::draw(&instance, transition, seed, &mut rng);
                self.compare(&case, &text);
            }
        }
    }

    fn compare(&mut self, case: &Case<'_>, text: &str) {
        let executed = match case.execute() {
            Ok(executed) => executed,
            Err(reason) => return self.skip(reason),
        };
        let answer = match case.ask(executed.choices()) {
            Ok(answer) => answer,
            Err(reason) => return self.skip(format!("{reason}")),
        };
        match (&executed, case.disagreement(&executed, &answer)) {
            (_, Some(what)) => self
                .disagreements
                .push(format!("{what}\n{}\n{text}", case.describe())),
            (Executed::Taken { .. }, None) => self.taken += 1,
            (Executed::Disabled, None) => self.disabled += 1,
            (Executed::Undefined(_), None) => self.undefined += 1,
        }
    }
}

/// One transition from one state with some parameters.
struct Case<'i> {
    instance: &'i Instance,
    transition: TransitionId,
    seed: u64,
    state: Vec<Value>,
    params: Vec<Value>,
}

/// What the interpreter made of it.
enum Executed {
    Taken {
        choices: Vec<Value>,
        after: Vec<Value>,
    },
    Disabled,
    Undefined(String),
}

impl Executed {
    fn choices(&self) -> &[Value] {
        match self {
            Self::Taken { choices, .. } => choices,
            Self::Disabled | Self::Undefined(_) => &[],
        }
    }
}

impl<'i> Case<'i> {
    fn draw(
        instance: &'i Instance,
        transition: TransitionId,
        seed: u64,
        rng: &mut ChaCha8Rng,
    ) -> Self {
        let (model, universe) = (instance.model(), instance.universe());
        let automaton = &model.automata[0];
        let mut value = |ty| values::draw(model, universe, ty, rng);
        Self {
            instance,
            transition,
            seed,
            state: automaton.variables.iter().map(|v| value(&v.ty)).collect(),
            params: automaton
                .action_of(transition)
                .params
                .iter()
                .map(|(_, ty)| value(ty))
                .collect(),
        }
    }

    fn model(&self) -> &Model {
        self.instance.model()
    }

    fn locals(&self) -> &[Local] {
        &self.model().automata[0].transitions[self.transition.index()].locals
    }

    fn execute(&self) -> Result<Executed, String> {
        let shape = |ty: &Type| Shape::of(self.instance.model(), self.instance.universe(), ty);
        let layout = self.instance.layout(AutomatonId(0));
        let mut executor =
            Executor::new(self.instance, AutomatonId(0)).map_err(|d| d[0].message.clone())?;
        let types = &self.model().automata[0].action_of(self.transition).params;
        let encode = |((_, ty), value): (&(Name, Type), &Value)| shape(ty).encode(value);
        let firing = Firing {
            transition: self.transition,
            params: types
                .iter()
                .zip(&self.params)
                .map(encode)
                .collect::<Option<_>>()
                .ok_or("encoding")?,
            hidden: Vec::new(),
        };
        let state = layout
            .state(&self.state)
            .map_err(|name| format!("no state: {name}"))?;
        let mut post = State::default();
        let mut draws = Draws::new(self.seed, Stream::Choices);
        match executor.step(&state, &firing, &mut draws, &mut post) {
            Ok(Attempt::Taken) => Ok(Executed::Taken {
                choices: executor
                    .choices()
                    .iter()
                    .map(|c| shape(&self.locals()[c.local as usize].ty).decode(&c.value))
                    .collect(),
                after: layout.values(&post).map(|(_, value)| value).collect(),
            }),
            Ok(Attempt::Disabled | Attempt::Rejected) => Ok(Executed::Disabled),
            Err(Interrupt::Fault(fault)) => Ok(Executed::Undefined(fault.kind.to_string())),
            Err(Interrupt::Limit(limit)) => Err(limit.kind.to_string()),
        }
    }

    /// What the logic says. A step that is not taken has met only some of its choices: the others get any value.
    fn ask(&self, choices: &[Value]) -> Result<StepAnswer, Reason> {
        let mut query =
            TransitionQuery::new(self.model(), self.instance.universe(), AutomatonId(0));
        query.expand_quantifiers = self.seed % 4 == 0;
        query.step(&self.state, self.transition, &self.params, choices)
    }

    fn disagreement(&self, executed: &Executed, answer: &StepAnswer) -> Option<String> {
        let defined = answer.undefined.is_empty();
        match executed {
            Executed::Undefined(fault) if defined => Some(format!(
                "the executor faults ({fault}), the logic calls everything defined"
            )),
            Executed::Undefined(_) => None,
            _ if !defined => Some(format!(
                "the executor does not fault, the logic calls something undefined: {}",
                answer.undefined[0].1
            )),
            Executed::Disabled => answer
                .enabled
                .then(|| "disabled for the executor, enabled in the logic".to_owned()),
            Executed::Taken { .. } if !answer.enabled => {
                Some("enabled for the executor, disabled in the logic".to_owned())
            }
            Executed::Taken { .. } if !answer.choices_fit => Some(
                "the executor's choices do not satisfy their predicates in the logic".to_owned(),
            ),
            Executed::Taken { after, .. } => self.difference(after, &answer.after),
        }
    }

    fn difference(&self, executed: &[Value], logic: &[Value]) -> Option<String> {
        let variables = &self.model().automata[0].variables;
        let differing = variables
            .iter()
            .zip(executed.iter().zip(logic))
            .find(|(_, (a, b))| a != b);
        differing.map(|(variable, (a, b))| {
            format!(
                "{} becomes {} for the executor, {} in the logic",
                variable.name,
                a.display(self.model()),
                b.display(self.model())
            )
        })
    }

    fn describe(&self) -> String {
        let model = self.model();
        let automaton = &model.automata[0];
        let shown = |values: &[Value]| {
            let values: Vec<String> = values.iter().map(|v| v.display(model)).collect();
            values.join(", ")
        };
        let names: Vec<&str> = automaton.variables.iter().map(|v| &*v.name).collect();
        format!(
            "seed {}: {}({}) from {} = {}",
            self.seed,
            automaton.action_of(self.transition).name,
            shown(&self.params),
            names.join(", "),
            shown(&self.state)
        )
    }
}
