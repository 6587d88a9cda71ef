//! What comes of judging one model.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use finite::Universe;
use ioa_lang::Value;
use ioa_lang::core::{AutomatonId, Model};
use test_support::flatten::{self, flattened};
use test_support::generate::{self, Composite, Draft};
use test_support::reference::{
    Answer, Budget, Component, Expansion, Fault, Level, Product, Stop, World,
};

use crate::orders::Told;
use crate::subject::{self, Steps};

/// The reference tries integers from the negative of this to this, where a type has infinitely many.
const WINDOW: i64 = 24;

/// How far the reference goes.
pub(crate) const BUDGET: Budget = Budget {
    states: 60,
    depth: 12,
};

/// What can be seen in a model that was compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Seen {
    /// Visited to the end.
    Complete,
    Violation,
    Deadlock,
    Quiescent,
    UndefinedTerm,
    NothingToChoose,
    NoOutcome,
    RefusedInput,
    NoStart,
    ManyStarts,
    Twin,
    Components,
    ExcludedComponents,
    NoComponent,
    Illegal,
    WrittenOut,
    /// A simulation that is one, or a liveness property that is true.
    Holds,
    Unrelated,
    NotAStart,
    NoWay,
    /// A simulation, or a liveness property, of what is at fault.
    Fault,
    /// A lasso with a cycle.
    Cycle,
    /// A lasso in which nothing happens any more.
    Rest,
    /// A formula that stays possible.
    Possible,
    /// A state from which it is not.
    Dead,
    /// Executions that differ only in the order of independent steps.
    Reduced,
    /// Steps that are independent though their footprints do not show it.
    Refined,
}

/// What comes of judging a model.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// All agree on a model in which this can be seen.
    Agreed(BTreeSet<Seen>),
    /// Why nothing was compared.
    Skipped(String),
    Differs(Difference),
}

/// That two answers differ.
#[derive(Clone, Debug)]
pub(crate) struct Difference {
    /// In what, and between whom.
    pub(crate) what: String,
    pub(crate) text: String,
    pub(crate) shown: String,
}

/// The shapes of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub(crate) enum Shape {
    /// One automaton of its own.
    Primitive,
    /// A composition.
    Composite,
    /// A backward simulation between two automata.
    Backward,
    /// An automaton with tasks, and a liveness property of it.
    Live,
    /// A monitor of an automaton with tasks.
    Monitor,
    /// An automaton all of whose executions end.
    Ending,
    /// An automaton or a composition of which not all states are visited.
    Reduced,
}

/// The model of a draft, and what is composed in it.
fn generated(shape: Shape, draft: &Draft) -> (generate::Model, Option<Composite>) {
    match shape {
        Shape::Primitive => (generate::explorable(draft), None),
        Shape::Composite => {
            let composite = generate::composite(draft);
            (composite.model.clone(), Some(composite))
        }
        Shape::Backward => (generate::backward(draft), None),
        Shape::Live => (generate::live(draft), None),
        Shape::Monitor => (generate::monitored(draft), None),
        Shape::Ending => (generate::ending(draft), None),
        Shape::Reduced => (reducible(draft), None),
    }
}

/// A model whose searches are reduced: the composition of a draft, if it can be run, or an automaton all of whose executions end.
fn reducible(draft: &Draft) -> generate::Model {
    let composite = generate::composite(draft).model;
    match Case::new(&composite).is_ok_and(|case| case.starts()) {
        true => composite,
        false => generate::ending(draft),
    }
}

/// A model as it is shown.
fn shown(model: &generate::Model) -> String {
    format!("% sizes: {:?}\n{}", model.sizes, model.text)
}

/// The text of the model of a draft.
#[allow(dead_code, reason = "the tests print models only where they differ")]
pub(crate) fn text(shape: Shape, draft: &Draft) -> String {
    shown(&generated(shape, draft).0)
}

/// Judges the model of a draft.
pub(crate) fn judge(shape: Shape, draft: &Draft) -> Verdict {
    let (model, composite) = generated(shape, draft);
    let case = match Case::new(&model) {
        Ok(case) => case,
        Err(error) => return Verdict::Skipped(format!("the front end: {}", template(&error))),
    };
    let judged = match shape {
        Shape::Backward => case.against_the_definition(),
        Shape::Live => case.against_the_enumeration(&model.text),
        Shape::Monitor => case.against_the_composition(&model),
        Shape::Ending => case.against_all_executions(Told::Truth),
        Shape::Reduced => case.against_all_states(Told::Truth),
        Shape::Primitive | Shape::Composite => case.judged(&model, composite.as_ref()),
    };
    match judged {
        Ok(seen) => Verdict::Agreed(seen),
        Err(Unlike::Skipped(why)) => Verdict::Skipped(why),
        Err(Unlike::Differs { what, shown }) => Verdict::Differs(Difference {
            what,
            text: self::shown(&model),
            shown,
        }),
    }
}

/// Whether partial order reduction of the model of a draft that is told something untrue is found out.
#[allow(dead_code, reason = "what judges many models tells the truth")]
pub(crate) fn is_found_out(told: Told, draft: &Draft) -> bool {
    let case = Case::new(&generate::ending(draft)).expect("a right model");
    let judged = case.against_all_executions(told);
    matches!(judged, Err(Unlike::Differs { .. }))
}

/// Whether a reduced search of the model of a draft that is told something untrue is found out.
#[allow(dead_code, reason = "what judges many models tells the truth")]
pub(crate) fn is_found_out_by_states(told: Told, draft: &Draft) -> bool {
    [reducible(draft), generate::ending(draft)]
        .iter()
        .any(|model| {
            let case = Case::new(model).expect("a right model");
            let judged = case.against_all_states(told);
            matches!(judged, Err(Unlike::Differs { .. }))
        })
}

/// What comes of partial order reduction of the model of a draft, where the solver says which steps are independent.
#[allow(dead_code, reason = "what judges many models does not ask the solver")]
pub(crate) fn by_solver(draft: &Draft) -> Result<BTreeSet<Seen>, Unlike> {
    let case = Case::new(&generate::ending(draft)).expect("a right model");
    case.against_all_executions_by_solver()
}

/// What is not supported: that what all members of a family do in one step is not one plain effect, that an action is
/// an output for some parameters and an input for others, and what is beyond limits of ours.
const OURS: [&str; 5] = [
    "no clause of",
    "two clauses of",
    "an output of no component",
    "cannot be enumerated",
    "a value has more than",
];

/// What is made of an automaton that could be run, and is not.
pub(crate) fn refused(why: &str, between: &str) -> Unlike {
    let what = format!("cannot be run: {}", template(why));
    match OURS.iter().any(|ours| why.contains(ours)) {
        true => Unlike::Skipped(what),
        false => Unlike::Differs {
            what: format!("{between}: {what}"),
            shown: why.to_owned(),
        },
    }
}

/// A message without the names in it, so that alike ones count as one.
pub(crate) fn template(message: &str) -> String {
    let mut out = String::new();
    for (n, part) in message.split('`').enumerate() {
        out.push_str(if n % 2 == 1 { "`..`" } else { part });
    }
    let start = out.find(": ").map_or(0, |at| at + 2);
    let first = out[start..].split("; ").next().unwrap_or_default();
    // What follows are the values for which it is so.
    let values = first.find(" = ").and_then(|at| first[..at].rfind(" for "));
    first[..values.unwrap_or(first.len())].to_owned()
}

/// Why there is no agreement.
pub(crate) enum Unlike {
    Skipped(String),
    Differs { what: String, shown: String },
}

/// A model in a finite instance.
pub(crate) struct Case {
    pub(crate) model: Arc<Model>,
    pub(crate) universe: Universe,
    pub(crate) automaton: AutomatonId,
}

impl Case {
    pub(crate) fn new(model: &generate::Model) -> Result<Self, String> {
        Self::of(model.automaton, &model.text, &model.sizes)
    }

    /// An automaton of a text.
    fn of(automaton: &str, text: &str, sizes: &[(&'static str, u64)]) -> Result<Self, String> {
        let model = Arc::new(subject::model(text)?);
        let automaton = model.automaton_named(automaton);
        Ok(Self {
            universe: subject::universe(&model, sizes),
            automaton: automaton.expect("the automaton that is judged"),
            model,
        })
    }

    fn judged(
        &self,
        model: &generate::Model,
        composite: Option<&Composite>,
    ) -> Result<BTreeSet<Seen>, Unlike> {
        let mut seen = BTreeSet::new();
        if let Some(composite) = composite {
            seen = self.against_the_product(composite)?;
            if seen.contains(&Seen::Illegal) {
                return Ok(seen);
            }
        }
        let answer = self.against_the_reference()?;
        seen.extend(self::seen(&answer));
        seen.extend(self.against_the_twin(model)?);
        if composite.is_some() {
            seen.extend(self.against_one_automaton(model, &answer)?);
        }
        Ok(seen)
    }

    pub(crate) fn world(&self) -> World<'_> {
        World::new(&self.model, &self.universe, WINDOW)
    }

    fn explored(&self, steps: Steps, depth: usize) -> Result<Result<Answer, String>, Unlike> {
        let explore = || {
            let instance = (&self.model, &self.universe);
            subject::explore(instance, self.automaton, (steps, depth))
        };
        catch_unwind(AssertUnwindSafe(explore)).map_err(|panic| {
            let message = panic.downcast_ref::<String>().cloned();
            let message = message.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            Unlike::Differs {
                what: format!("{steps:?}: a panic"),
                shown: message.unwrap_or_default(),
            }
        })
    }

    /// What the reference answers, and everybody else with it.
    fn against_the_reference(&self) -> Result<Answer, Unlike> {
        let expected = self.world().explore(self.automaton, BUDGET);
        let expected = expected.map_err(|why| Unlike::Skipped(format!("the reference: {why}")))?;
        for steps in [Steps::Interpreted, Steps::Native] {
            self.compare(&expected, steps, "the reference")?;
        }
        Ok(expected)
    }

    /// Holds an exploration to an answer, as far as that goes.
    fn compare(&self, expected: &Answer, steps: Steps, judge: &str) -> Result<(), Unlike> {
        let found = match self.explored(steps, depth_of(expected))? {
            Ok(found) => found,
            // What cannot be run because an input would be refused is told so.
            Err(_) if blames(expected, Fault::Refused) || expected.starts == 0 => return Ok(()),
            Err(why) => return Err(refused(&why, &format!("{steps:?} against {judge}"))),
        };
        match first_difference(expected, &found) {
            None => Ok(()),
            Some(field) => Err(Unlike::Differs {
                what: format!("{steps:?} against {judge}: {field}"),
                shown: format!("expected {expected:?}\nfound    {found:?}"),
            }),
        }
    }

    /// What can be written in two ways means the same.
    fn against_the_twin(&self, model: &generate::Model) -> Result<BTreeSet<Seen>, Unlike> {
        let Some(twin) = &model.twin else {
            return Ok(BTreeSet::new());
        };
        let twin = Case::new(&generate::Model {
            text: twin.clone(),
            ..model.clone()
        });
        let twin =
            twin.map_err(|error| Unlike::Skipped(format!("the twin: {}", template(&error))))?;
        let expected = twin.world().explore(twin.automaton, BUDGET);
        let expected = expected.map_err(|why| Unlike::Skipped(format!("the twin: {why}")))?;
        self.compare(&expected, Steps::Interpreted, "the twin")?;
        Ok(BTreeSet::from([Seen::Twin]))
    }

    /// A composition, written out as one automaton, does the same. `all` is what the reference says of the composition.
    fn against_one_automaton(
        &self,
        model: &generate::Model,
        all: &Answer,
    ) -> Result<BTreeSet<Seen>, Unlike> {
        let depth = depth_of(all);
        let mut expected = match self.explored(Steps::Interpreted, depth)? {
            // What cannot be run has been compared before; without a start state there is nothing to begin.
            Ok(found) if found.starts > 0 => found,
            _ => return Ok(BTreeSet::new()),
        };
        // Of several faults in one state either may be met first.
        if expected.fault.is_some() {
            expected.fault.clone_from(&all.fault);
        }
        let Some(flat) = flattened(&self.model, self.automaton) else {
            return Ok(BTreeSet::new());
        };
        let text = format!("{}{flat}", model.text);
        let flat = Case::of(flatten::NAME, &text, &model.sizes);
        let flat = match flat {
            Ok(flat) => flat,
            // A family makes its choices one after the other, which a loop in an effect may not do.
            Err(why) if why.contains("could depend on the order") => return Ok(BTreeSet::new()),
            Err(why) => {
                return Err(Unlike::Differs {
                    what: format!("cannot be written out: {}", template(&why)),
                    shown: format!("{why}\n{text}"),
                });
            }
        };
        let found = match flat.explored(Steps::Interpreted, depth + 1)? {
            Ok(found) => found,
            Err(why) => return Err(refused(&why, "written out")),
        };
        // All begins one step later, and the environment does nothing.
        let begin = Level {
            states: 1,
            generated: expected.starts,
        };
        expected.levels.insert(0, begin);
        expected.starts = 1;
        expected.fired.insert(0, begin.generated);
        expected.fault.iter_mut().for_each(|f| f.depth += 1);
        expected.broken.clear();
        (expected.deadlock, expected.quiescent) = (found.deadlock, found.quiescent);
        // As a text, a clause that refuses an input is one whose `ensuring` is false.
        if let Some(faulty) = &mut expected.fault
            && faulty.faults.remove(&Fault::Refused)
        {
            faulty.faults.insert(Fault::NoOutcome);
        }
        match first_difference(&expected, &found) {
            None => Ok(BTreeSet::from([Seen::WrittenOut])),
            Some(field) => Err(Unlike::Differs {
                what: format!("written out: {field}"),
                shown: format!("expected {expected:?}\nfound    {found:?}"),
            }),
        }
    }

    /// A composition does what its components do together.
    fn against_the_product(&self, composite: &Composite) -> Result<BTreeSet<Seen>, Unlike> {
        let skipped = |stop: Stop| Unlike::Skipped(format!("the product: {stop}"));
        let parts = self.parts(composite).map_err(skipped)?;
        let mut seen = BTreeSet::from([Seen::Components]);
        if parts.excluded {
            seen.insert(Seen::ExcludedComponents);
        }
        if parts.components.is_empty() {
            seen.insert(Seen::NoComponent);
        }
        let product = Product::new(parts.components);
        if parts.undefined || product.has_undefined_conditions().map_err(skipped)? {
            return Err(Unlike::Skipped(
                "a condition without a state is undefined".into(),
            ));
        }
        if parts.illegal || product.conflicts().map_err(skipped)? {
            return match self.explored(Steps::Interpreted, BUDGET.depth)? {
                Err(_) => Ok(BTreeSet::from([Seen::Illegal])),
                Ok(found) => Err(Unlike::Differs {
                    what: "components that do not fit together are run".into(),
                    shown: format!("{found:?}"),
                }),
            };
        }
        let mut expected = product
            .explore(BUDGET)
            .map_err(|why| Unlike::Skipped(format!("the product: {why}")))?;
        // How clauses are joined, and what is stated of the whole, is not for the components to say.
        if let Ok(Ok(found)) = self.explored(Steps::Interpreted, depth_of(&expected)) {
            (expected.fired, expected.broken) = (found.fired, found.broken);
        }
        self.compare(&expected, Steps::Interpreted, "the product")?;
        Ok(seen)
    }

    /// The components that there are, as `Probe` says.
    fn parts(&self, composite: &Composite) -> Result<Parts<'_>, Stop> {
        let probe = self.model.automaton_named("Probe").expect("an automaton");
        let world = self.world();
        let state = vec![Value::Bool(false)];
        let Expansion { steps, faults } = world.expand(probe, &state)?;
        let core = self.model.automaton(probe);
        let mut parts = Parts {
            undefined: !faults.is_empty(),
            ..Parts::default()
        };
        for instance in &composite.instances {
            let automaton = self.model.automaton_named(&instance.automaton);
            let automaton = automaton.expect("an automaton that is composed");
            let of = |name: &str| {
                let name = name.to_owned();
                steps
                    .iter()
                    .filter(move |step| *core.action_of(step.clause).name == *name)
            };
            parts.illegal |= of(&instance.illegal).next().is_some();
            let indices = core
                .actions
                .iter()
                .find(|a| *a.name == *instance.probe)
                .map(|a| a.params[..instance.indices].to_vec());
            let mut possible = 1;
            for (_, ty) in indices.into_iter().flatten() {
                possible *= world.values(&ty)?.len();
            }
            parts.excluded |= of(&instance.probe).count() < possible;
            for step in of(&instance.probe) {
                let params = &step.params[instance.indices..];
                let component = Component::new(self.world(), automaton, params);
                parts.components.push(component);
            }
        }
        Ok(parts)
    }
}

#[derive(Default)]
struct Parts<'m> {
    components: Vec<Component<'m>>,
    /// Whether some component breaks the condition of its automaton.
    illegal: bool,
    /// Whether there is none for some value of the indices.
    excluded: bool,
    /// Whether it is undefined for some value of the indices whether there is one.
    undefined: bool,
}

/// How deep an exploration goes that is to be compared with an answer.
fn depth_of(answer: &Answer) -> usize {
    match answer.complete {
        true => answer.levels.len() + 1,
        false => answer.levels.len().saturating_sub(1),
    }
}

fn blames(answer: &Answer, fault: Fault) -> bool {
    let faulty = answer.fault.as_ref();
    faulty.is_some_and(|faulty| faulty.faults.contains(&fault))
}

/// In what an answer differs from the one that is expected.
fn first_difference(expected: &Answer, found: &Answer) -> Option<String> {
    let faults = match (&expected.fault, &found.fault) {
        (None, None) => None,
        (Some(_), f) if blames(expected, Fault::Refused) && f.is_none() => {
            Some("an input is refused, and nobody says so".into())
        }
        (Some(e), Some(f)) if e.depth == f.depth && f.faults.is_subset(&e.faults) => None,
        (Some(e), _) => Some(format!("fault {:?}", e.faults)),
        (None, Some(f)) => Some(format!("no fault, and not {:?}", f.faults)),
    };
    let same = [
        ("start states", expected.starts == found.starts),
        ("levels", expected.levels == found.levels),
        ("fired", expected.fired == found.fired),
        ("violations", expected.broken == found.broken),
        ("quiescent", expected.quiescent == found.quiescent),
        (
            "deadlock",
            expected.deadlock == found.deadlock
                || found.deadlock.is_some_and(|d| expected.dead.contains(&d)),
        ),
    ];
    let others = same.into_iter().find(|(_, same)| !same);
    faults.or(others.map(|(what, _)| what.to_owned()))
}

fn seen(answer: &Answer) -> BTreeSet<Seen> {
    let facts = [
        (Seen::Complete, answer.complete && answer.fault.is_none()),
        (Seen::Violation, !answer.broken.is_empty()),
        (Seen::Deadlock, answer.deadlock.is_some()),
        (Seen::Quiescent, answer.quiescent > 0),
        (Seen::UndefinedTerm, blames(answer, Fault::Undefined)),
        (
            Seen::NothingToChoose,
            blames(answer, Fault::NothingToChoose),
        ),
        (Seen::NoOutcome, blames(answer, Fault::NoOutcome)),
        (Seen::RefusedInput, blames(answer, Fault::Refused)),
        (Seen::NoStart, answer.starts == 0 && answer.fault.is_none()),
        (Seen::ManyStarts, answer.starts > 1),
    ];
    let facts = facts.into_iter().filter(|(_, is_so)| *is_so);
    facts.map(|(fact, _)| fact).collect()
}
