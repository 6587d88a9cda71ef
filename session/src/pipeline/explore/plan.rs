//! What is asked of an exploration.

use std::collections::BTreeSet;
use std::sync::Arc;

use explorer::Question;
use ioa_lang::core::{AutomatonId, Expr, ExprKind, Extent, Invariant, Liveness, Op, VarId};

use super::symmetry::BySymmetry;
use crate::host::{Place, SearchFolder};
use crate::manifest::{ExploreSection, MANIFEST_NAME};
use crate::pipeline::plan::command::quoted;
use crate::setup::Setup;
use crate::study::{BadInput, Formula, Study, asks_something, did_you_mean};

/// An exploration of one automaton.
#[derive(Clone, Debug)]
pub struct ExplorePlan {
    /// The automaton.
    pub automaton: AutomatonId,
    /// Sizes of its own, which the command line's win over.
    pub sizes: Vec<(String, u64)>,
    /// Formulas for which a state is looked for in which they hold.
    pub find: Vec<String>,
    /// Formulas that are to hold in every state.
    pub check: Vec<String>,
    /// Formulas of which each is to be reachable from every state.
    pub possible: Vec<String>,
    /// Whether to show the way from a state from which the most steps are needed to such a formula.
    pub farthest: bool,
    /// Formulas that keep the search within the states in which they hold: from others no steps are taken.
    pub within: Vec<String>,
    /// Conditions `action(x): P` under which steps by an action are taken.
    pub when: Vec<String>,
    /// Variables that are ignored: states that differ in their values alone are taken for one.
    pub ignore: Vec<String>,
    /// The only questions to ask: names of invariants and liveness properties, and `deadlock` for whether some action is
    /// always enabled; all if nothing is named.
    pub only: Vec<String>,
    /// Whether it is fine that no action is enabled.
    pub allow_deadlock: bool,
    /// Whether to go on behind the first finding.
    pub keep_going: bool,
    /// Whether steps may be taken by native code.
    pub native: bool,
    /// When to visit one state only of those that differ in the names of interchangeable elements alone.
    pub symmetry: BySymmetry,
    /// Whether to take one execution of each partial order of steps instead of visiting all states.
    pub dpor: bool,
    /// Whether to leave out states that differ from visited ones in the order of independent steps alone.
    pub por: bool,
    /// What says then, in either case, which steps are independent.
    pub independence: IndependenceBy,
    /// Whether to visit some states only, by many searches that go deep.
    pub swarm: Option<SwarmPlan>,
    /// How far to go.
    pub limits: Limits,
    /// Where the search is kept, so that it can be taken up again.
    pub checkpoint: Option<Arc<dyn Place>>,
    /// How many seconds there are between two checkpoints.
    pub checkpoint_every: f64,
    /// The checkpoint to go on from.
    pub resume: Option<Arc<dyn Place>>,
    /// The folder in which the states are kept, where they need not fit into memory. The checkpoint is a part of it then.
    pub disk: Option<Arc<dyn SearchFolder>>,
    /// Whether the graph of the states is wanted.
    pub graph: bool,
    /// How many states there should be.
    pub expected: Option<u64>,
}

/// What says which steps are independent of each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IndependenceBy {
    /// What the text says that they read and write.
    Footprints,
    /// The solver, too: steps that read and write the same may commute in every state.
    #[default]
    Solver,
}

/// Searches side by side, each in an order of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwarmPlan {
    /// How many.
    pub searches: u64,
    /// The seed of the first; each of the others has the next one.
    pub seed: u64,
}

/// The bounds that a user sets.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Steps from a start state.
    pub depth: Option<u64>,
    /// States.
    pub states: Option<u64>,
    /// Seconds.
    pub time: Option<f64>,
    /// Bytes.
    pub memory: Option<u64>,
}

impl Limits {
    /// These, and the others where these say nothing.
    #[must_use]
    pub fn or(self, others: Self) -> Self {
        Self {
            depth: self.depth.or(others.depth),
            states: self.states.or(others.states),
            time: self.time.or(others.time),
            memory: self.memory.or(others.memory),
        }
    }
}

impl ExplorePlan {
    /// The plans of the study for the automaton that is asked for, or for all where none is named; where the study has
    /// none, or a single one is wanted and it has several, one of the automaton's own.
    ///
    /// # Errors
    /// Names that do not exist.
    pub fn planned(study: &Study, setup: &Setup, single: bool) -> Result<Vec<Self>, BadInput> {
        let sections = &study.manifest.explores;
        let only = setup.automaton.as_deref();
        let planned = sections
            .iter()
            .filter(|s| only.is_none_or(|name| name == s.automaton));
        let mut plans: Vec<Self> = planned
            .map(|section| Self::of_section(study, section))
            .collect::<Result<_, _>>()?;
        if plans.is_empty() || single && plans.len() > 1 {
            plans = vec![Self::of(study.automaton(only)?)];
        }
        if !setup.sorts.is_empty() {
            // Plans that differ in their sizes are one when these are given.
            let mut seen = BTreeSet::new();
            plans.retain(|plan| seen.insert(plan.automaton));
        }
        Ok(plans)
    }

    /// The plan of a study's `[[explore]]`.
    ///
    /// # Errors
    /// The automaton does not exist; a number of states is stated beside a bound at which the search ends.
    pub fn of_section(study: &Study, section: &ExploreSection) -> Result<Self, BadInput> {
        let limits = Limits {
            depth: section.depth,
            states: section.states,
            time: section.time.map(|seconds| seconds as f64),
            memory: section.memory,
        };
        if limits != Limits::default() && section.distinct.is_some() {
            return Err(BadInput::message(format!(
                "{MANIFEST_NAME}: [[explore]] of {} ends at a bound, so it cannot say with `distinct` how many states there are; \
                 `within` keeps a search within states that can be counted",
                section.automaton
            )));
        }
        Ok(Self {
            limits,
            symmetry: BySymmetry::asked(section.symmetry),
            por: section.por,
            allow_deadlock: section.allow_deadlock,
            keep_going: section.keep_going,
            expected: section.distinct,
            possible: section.possible.clone(),
            farthest: false,
            within: section.within.clone(),
            when: section.when.clone(),
            ignore: section.ignore.clone(),
            sizes: section.sizes.clone().into_iter().collect(),
            ..Self::of(study.automaton(Some(&section.automaton))?)
        })
    }

    /// The plan that visits all states there are within some bounds, whatever is found on the way.
    #[must_use]
    pub fn survey(automaton: AutomatonId, limits: Limits) -> Self {
        Self {
            allow_deadlock: true,
            keep_going: true,
            symmetry: BySymmetry::Never,
            limits,
            ..Self::of(automaton)
        }
    }

    /// The plan of an automaton of which nothing special is asked.
    pub(in crate::pipeline) fn of(automaton: AutomatonId) -> Self {
        Self {
            automaton,
            sizes: Vec::new(),
            find: Vec::new(),
            check: Vec::new(),
            possible: Vec::new(),
            farthest: false,
            within: Vec::new(),
            when: Vec::new(),
            ignore: Vec::new(),
            only: Vec::new(),
            allow_deadlock: false,
            keep_going: false,
            native: true,
            symmetry: BySymmetry::IfItPays,
            dpor: false,
            por: false,
            independence: IndependenceBy::default(),
            swarm: None,
            limits: Limits::default(),
            checkpoint: None,
            checkpoint_every: 0.0,
            resume: None,
            disk: None,
            graph: false,
            expected: None,
        }
    }

    /// The setup flags, with the sizes of the plan where the command line gives no others.
    #[must_use]
    pub fn sized(&self, setup: &Setup) -> Setup {
        let given = |name: &String| setup.sorts.iter().any(|(n, _)| n == name);
        let own = self.sizes.iter().filter(|(name, _)| !given(name));
        Setup {
            sorts: own.chain(&setup.sorts).cloned().collect(),
            ..setup.clone()
        }
    }

    /// The study with the formulas of the plan as invariants of the automaton, and without those of its invariants that
    /// are not to be checked. Of a formula that is looked for, it is the negation: what violates it is a witness. The last
    /// invariants are the formulas within which the search is to stay; see `evaluated`.
    ///
    /// # Errors
    /// What is wrong with the formulas, and names of no invariant.
    pub fn asked(&self, study: &Study) -> Result<Study, BadInput> {
        let mut seen = BTreeSet::new();
        let find = self.find.iter().map(|text| ("--find", text));
        let check = self.check.iter().map(|text| ("--check", text));
        let possible = self.possible.iter().map(|text| ("--possible", text));
        let within = self.within.iter().map(|text| ("--within", text));
        let asked = find.chain(check).chain(possible).chain(within);
        for (flag, text) in asked.clone() {
            asks_something(flag, text)?;
            if !seen.insert(text) {
                return Err(BadInput::message(format!("{text} is asked for twice")));
            }
        }
        let formulas = asked.map(|(flag, text)| Formula {
            place: flag,
            name: text,
            text,
        });
        let (sources, mut stated) =
            study.formulas((self.automaton, Extent::OneInstance), formulas)?;
        let mut within = stated.split_off(stated.len() - self.within.len());
        let possible = stated.split_off(self.find.len() + self.check.len());
        let wanted = stated.iter_mut().take(self.find.len());
        wanted.for_each(|found| negate(&mut found.formula));
        let mut invariants = self.wanted(study, study.model.invariants.clone())?;
        invariants.append(&mut stated);
        invariants.append(&mut within);
        let stated = Study {
            possible,
            ..study.stating(sources, invariants)
        };
        stated.restricted(self.automaton, &self.when)
    }

    /// The variables that are ignored.
    ///
    /// # Errors
    /// Names of no variable; that something is asked for beside them that they rule out.
    pub(super) fn ignored(&self, study: &Study) -> Result<Vec<VarId>, BadInput> {
        let goes_into_file = self.checkpoint.is_some() || self.resume.is_some() || self.graph;
        let other = match (self.symmetry == BySymmetry::Always, goes_into_file) {
            (true, _) => Some("with symmetry, other states are taken for one"),
            (_, true) => Some("a file does not say which states stand for others"),
            (false, false) => None,
        };
        if let (Some(why), [first, ..]) = (other, &self.ignore[..]) {
            return Err(BadInput::message(format!(
                "{first} cannot be ignored here: {why}"
            )));
        }
        let variables = &study.model.automaton(self.automaton).variables;
        let known = || variables.iter().map(|variable| &*variable.name);
        let find = |name: &String| {
            let place = known().position(|known| known == name);
            place.map(VarId::at).ok_or_else(|| {
                let hint = did_you_mean(name, known()).unwrap_or_default();
                BadInput::message(format!(
                    "no variable of the automaton is named {name}{hint}"
                ))
            })
        };
        self.ignore.iter().map(find).collect()
    }

    /// What is evaluated in each state, where the study is that with the plan's formulas.
    pub(super) fn evaluated(&self, study: &Study) -> Evaluated {
        let stated = &study.model.invariants;
        let first = stated.len() - self.within.len();
        let ours = (0..first).filter(|at| stated[*at].automaton == self.automaton);
        Evaluated {
            invariants: ours.collect(),
            within: (first..stated.len()).collect(),
        }
    }

    /// Those of the model's invariants that are not passed over.
    fn wanted(
        &self,
        study: &Study,
        mut invariants: Vec<Invariant>,
    ) -> Result<Vec<Invariant>, BadInput> {
        let is_ours = |i: &Invariant| i.automaton == self.automaton;
        let liveness = study.model.liveness_of(self.automaton);
        let unevaluable = study.unevaluable.iter().map(|one| &one.invariant);
        let unevaluable = unevaluable.filter(|i| is_ours(i)).map(|i| &*i.name);
        let ours: Vec<&str> = invariants
            .iter()
            .filter(|i| is_ours(i))
            .map(|i| &*i.name)
            .chain(liveness.map(|property| &*property.name))
            .chain(unevaluable)
            .collect();
        let is_known = |name: &&String| ours.contains(&&***name) || **name == DEADLOCK;
        let asks_for_deadlocks = self.only.iter().any(|name| name == DEADLOCK);
        if !self.when.is_empty() && asks_for_deadlocks {
            let message = "with --when, a state from which no step is taken need not be a deadlock, so there is nothing to ask by \
                           --only deadlock";
            return Err(BadInput::message(message));
        }
        if self.allow_deadlock && asks_for_deadlocks {
            let message =
                "deadlocks are allowed here, so there is nothing to ask by --only deadlock";
            return Err(BadInput::message(message));
        }
        if let Some(name) = self.only.iter().find(|name| !is_known(name)) {
            let hint = did_you_mean(name, ours).unwrap_or_default();
            let message =
                format!("no invariant or liveness property of the automaton is named {name}{hint}");
            return Err(BadInput::message(message));
        }
        let is_named = |i: &Invariant| self.only.iter().any(|name| **name == *i.name);
        invariants.retain(|i| self.asks_all() || !is_ours(i) || is_named(i));
        Ok(invariants)
    }

    /// Whether everything that is stated is asked about: no names are given, and no formulas of one's own.
    #[must_use]
    pub fn asks_all(&self) -> bool {
        self.only.is_empty() && self.find.is_empty() && self.check.is_empty()
    }

    /// Whether a liveness property is to be decided.
    #[must_use]
    pub fn asks_for(&self, property: &Liveness) -> bool {
        let is_named = self.only.iter().any(|name| **name == *property.name);
        property.automaton == self.automaton && (self.asks_all() || is_named)
    }

    /// Whether a state in which no action is enabled is a finding. Where some steps are not taken, such a state says nothing.
    #[must_use]
    pub fn asks_for_deadlocks(&self) -> bool {
        let is_named = self.only.iter().any(|name| name == DEADLOCK);
        self.when.is_empty() && !self.allow_deadlock && (self.asks_all() || is_named)
    }

    /// Whether the search ends where it has found something of this kind. Where it was asked about some properties alone, a step
    /// without a result is reported, and the search goes on: what was asked about may be false elsewhere.
    #[must_use]
    pub(super) fn ends_at(&self, question: Question) -> bool {
        let ends = match question {
            Question::Invariant(_) => true,
            Question::Deadlock => self.asks_for_deadlocks(),
            Question::Fault => self.only.is_empty(),
        };
        ends && !self.keep_going
    }

    /// Whether executions are left out on purpose, among which there may be shorter ones than those that are found.
    pub(super) fn leaves_out(&self) -> bool {
        let restricted =
            !self.within.is_empty() || !self.when.is_empty() || !self.ignore.is_empty();
        restricted || self.por
    }

    /// The flags that ask for it again.
    #[must_use]
    pub fn flags(&self, study: &Study) -> String {
        let mut flags = format!("--automaton {}", study.model.automaton(self.automaton).name);
        let formulas = [
            ("--find", &self.find),
            ("--check", &self.check),
            ("--possible", &self.possible),
            ("--within", &self.within),
            ("--when", &self.when),
        ];
        for (flag, text) in formulas
            .iter()
            .flat_map(|(f, all)| all.iter().map(move |t| (f, t)))
        {
            flags.push_str(&format!(" {flag} {}", quoted(text)));
        }
        for name in &self.ignore {
            flags.push_str(&format!(" --ignore {name}"));
        }
        for name in &self.only {
            flags.push_str(&format!(" --only {name}"));
        }
        // Executions that are taken one by one are those that end.
        if self.allow_deadlock && !self.dpor {
            flags.push_str(" --allow-deadlock");
        }
        if self.farthest {
            flags.push_str(" --farthest");
        }
        if self.keep_going {
            flags.push_str(" --keep-going");
        }
        if self.symmetry == BySymmetry::Always {
            flags.push_str(" --symmetry");
        }
        if self.dpor {
            flags.push_str(" --dpor");
        }
        if self.por {
            flags.push_str(" --por");
        }
        if (self.dpor || self.por) && self.independence == IndependenceBy::Footprints {
            flags.push_str(" --independence footprints");
        }
        if let Some(SwarmPlan { searches, seed }) = self.swarm {
            flags.push_str(&format!(" --swarm {searches} --seed {seed}"));
            if let Some(states) = self.limits.states {
                flags.push_str(&format!(" --states {states}"));
            }
        }
        if let (true, Some(depth)) = (self.dpor || self.swarm.is_some(), self.limits.depth) {
            flags.push_str(&format!(" --depth {depth}"));
        }
        flags
    }
}

/// What is evaluated in each state, by positions in the model of the study with a plan's formulas.
pub(super) struct Evaluated {
    /// What is to hold.
    pub(super) invariants: Vec<usize>,
    /// Where the search goes on.
    pub(super) within: Vec<usize>,
}

impl Evaluated {
    /// All formulas, the invariants first.
    pub(super) fn all(&self) -> Vec<usize> {
        [&self.invariants[..], &self.within[..]].concat()
    }
}

/// What `--only` calls the question whether the automaton can always go on, which is about none of the invariants.
const DEADLOCK: &str = "deadlock";

/// Makes a formula its negation.
pub(in crate::pipeline) fn negate(formula: &mut Expr) {
    let (ty, span) = (formula.ty.clone(), formula.span);
    let negated = std::mem::replace(
        formula,
        Expr::new(ExprKind::Apply(Op::Not, Vec::new()), ty, span),
    );
    formula.kind = ExprKind::Apply(Op::Not, vec![negated]);
}
