//! Questions put by a program that has no files, no terminal, no clock and no threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use interpreter::Cancel;
use ioa_lang::Sources;
use session::finding::{Finding, Kind, Verdict};
use session::host::{Alarm, Host, InMemory, Progress, Silent, Stop};
use session::instances::Instances;
use session::manifest::{self, Manifest};
use session::pipeline::candidates::{self, Thoroughness};
use session::pipeline::explore::{self, ExplorePlan};
use session::pipeline::plan::{Driver, Plan};
use session::pipeline::runs;
use session::setup::Setup;
use session::study::{BadInput, Study};

/// A lock that lets go of whom it does not hold.
const LOCK: &str = "\
type Client
automaton Lock
  signature
    internal take(c: Client), give(c: Client)
  states
    holders: Set[Client] := {},
    free: Bool := true
  transitions
    internal take(c)
      pre free
      eff holders := insert(c, holders);
          free := false
    internal give(c)
      eff holders := delete(c, holders);
          free := true
invariant OneHolder of Lock: \\A a, b: Client (a \\in holders /\\ b \\in holders => a = b)
invariant Known of Lock: size(holders) <= 2
";

fn study(manifest: Manifest) -> Result<Study, BadInput> {
    let mut sources = Sources::new();
    sources.add("lock.ioa", LOCK);
    Study::from_sources(manifest, "lock.ioa".into(), sources)
}

fn lock() -> (Study, Setup) {
    let setup = Setup {
        sorts: vec![("Client".into(), 2)],
        ..Setup::default()
    };
    (study(Manifest::default()).expect("a right model"), setup)
}

fn explored(plan: &ExplorePlan, study: &Study, setup: &Setup) -> Vec<Finding> {
    let study = plan.asked(study).expect("formulas that can be read");
    let setting = study.model.setting([plan.automaton]);
    let instance = study.instance(setup, setting).expect("sizes that fit");
    let found = explore::explore(&study, &instance, plan, 1, &Silent).expect("a search");
    explore::findings(&study, setup, plan, &found)
}

fn verdict(findings: &[Finding], kind: Kind, name: &str) -> Verdict {
    let mut findings = findings.iter();
    let found = findings.find(|f| f.kind == kind && f.name == name);
    found
        .unwrap_or_else(|| panic!("no finding on {name}"))
        .verdict
}

#[test]
fn a_search_finds_what_is_violated_and_tells_the_way() {
    let (study, setup) = lock();
    let mut plans = ExplorePlan::planned(&study, &setup, true).expect("a plan");
    plans[0].keep_going = true;
    plans[0].only = vec!["OneHolder".into(), "Known".into()];
    plans[0].check = vec!["free \\/ holders ~= {}".into()];
    let findings = explored(&plans[0], &study, &setup);
    let invariant = |name| verdict(&findings, Kind::Invariant, name);
    assert_eq!(invariant("OneHolder"), Verdict::Violated);
    assert_eq!(invariant("Known"), Verdict::Explored);
    assert_eq!(
        verdict(&findings, Kind::Check, "free \\/ holders ~= {}"),
        Verdict::Explored
    );
    let story = findings.iter().flat_map(|f| &f.stories).next();
    // Take, give by somebody else, take: the shortest way.
    assert_eq!(story.expect("the violation is told").frames.len(), 4);
}

#[test]
fn what_is_kept_in_one_place_is_taken_up_from_it() {
    let (study, setup) = lock();
    let place = Arc::new(InMemory::default());
    let mut plan = ExplorePlan::planned(&study, &setup, true)
        .expect("a plan")
        .remove(0);
    plan.keep_going = true;
    plan.limits.depth = Some(1);
    plan.checkpoint = Some(place.clone());
    plan.checkpoint_every = 1e9;
    let first = explored(&plan, &study, &setup);
    assert_eq!(verdict(&first, Kind::Exploration, "Lock"), Verdict::Unknown);
    plan.limits.depth = None;
    plan.checkpoint = None;
    plan.resume = Some(place);
    let rest = explored(&plan, &study, &setup);
    plan.resume = None;
    let whole = explored(&plan, &study, &setup);
    assert_eq!(rest[0].figures, whole[0].figures);
    assert_eq!(verdict(&rest, Kind::Exploration, "Lock"), Verdict::Explored);
}

/// A token that is passed around a ring.
const TOKEN: &str = "\
type Node
assumes Ring(Node)
automaton Token
  signature
    internal pass
  states
    at: Node,
    before: Node
    so that next(before) = at
  transitions
    internal pass
      eff before := at;
          at := next(at)
invariant Behind of Token: next(before) = at
";

/// A token that goes from the first node to the last, where it may stay.
const RELAY: &str = "\
type Node
assumes Successor(Node)
automaton Relay
  signature
    internal pass
  states
    at: Node := first,
    before: Node := first
  transitions
    internal pass
      eff before := at;
          at := successor(at)
invariant Behind of Relay: before = predecessor(at) \\/ successor(at) = at
";

#[test]
fn rings_and_lines_are_known_without_a_solver() {
    // In the last but one state of the line, the token has come to the last node, and in the last one it stays there.
    for (text, size, states) in [(TOKEN, 20, 20), (RELAY, 20, 21), (RELAY, 1000, 1001)] {
        let mut sources = Sources::new();
        sources.add("token.ioa", text);
        let study = Study::from_sources(Manifest::default(), "token.ioa".into(), sources);
        let study = study.expect("a right model");
        let setup = Setup {
            sorts: vec![("Node".into(), size)],
            ..Setup::default()
        };
        let plans = ExplorePlan::planned(&study, &setup, true).expect("a plan");
        let findings = explored(&plans[0], &study, &setup);
        assert_eq!(
            verdict(&findings, Kind::Invariant, "Behind"),
            Verdict::Explored
        );
        let visited = findings.iter().find(|f| f.kind == Kind::Exploration);
        let visited = visited.expect("a search").figures["distinct_states"];
        assert_eq!(visited, states);
    }
}

/// A wheel that turns forever in executions from the second of two start states.
const WHEEL: &str = "\
automaton Wheel
  signature
    internal turn
  states
    isOn: Bool,
    at: Nat := 0
  transitions
    internal turn
      pre isOn
      eff at := mod(at + 1, 40)
  tasks
    {turn}
liveness Rests of Wheel: eventually always at = 0
";

/// A host that is interrupted when it was asked about it so many times.
struct Impatient(AtomicU64);

impl Host for Impatient {
    fn now(&self) -> Duration {
        Silent.now()
    }

    fn begins(&self, work: &str, pieces: Option<u64>) -> Box<dyn Progress> {
        Silent.begins(work, pieces)
    }

    fn warns(&self, message: &str) {
        Silent.warns(message);
    }

    fn stopped(&self) -> Option<Stop> {
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(1), Ordering::Relaxed);
        (left == 0).then_some(Stop::Interrupted)
    }

    fn cancels(&self, _: Option<Duration>, cancel: &Arc<Cancel>) -> Box<dyn Alarm> {
        Silent.cancels(None, cancel)
    }

    fn spare_memory(&self) -> u64 {
        Silent.spare_memory()
    }
}

#[test]
fn an_execution_that_was_found_before_an_interrupt_is_shown() {
    let mut sources = Sources::new();
    sources.add("wheel.ioa", WHEEL);
    let study = Study::from_sources(Manifest::default(), "wheel.ioa".into(), sources);
    let (study, setup) = (study.expect("a right model"), Setup::default());
    let plan = ExplorePlan::planned(&study, &setup, true).expect("a plan");
    let mut plan = plan.into_iter().next().expect("a plan");
    // Where the wheel is not on, nothing is enabled.
    plan.keep_going = true;
    let study = plan.asked(&study).expect("formulas that can be read");
    let verdicts: Vec<(Verdict, String)> = (0..200)
        .map(|patience| {
            let host = Impatient(AtomicU64::new(patience));
            let found = explore::in_each_interpretation(&study, &setup, &plan, &host);
            let found = found.expect("a search");
            let findings = explore::findings(&study, &setup, &plan, &found);
            let mut findings = findings.into_iter();
            let rests = findings.find(|f| f.name == "Rests").expect("an answer");
            assert!(
                !rests.summary.contains("internal error"),
                "{}",
                rests.summary
            );
            (rests.verdict, rests.summary)
        })
        .collect();
    let shorter = |(verdict, summary): &(Verdict, String)| {
        *verdict == Verdict::Violated && summary.contains("there may be shorter ones")
    };
    assert_eq!(verdicts[0].0, Verdict::Unknown);
    assert_eq!(verdicts[199].0, Verdict::Violated);
    assert!(!shorter(&verdicts[199]));
    assert!(verdicts.iter().any(shorter), "{verdicts:?}");
}

#[test]
fn runs_are_tested_and_sampled() {
    let (study, setup) = lock();
    let instances = Instances::new(&study, &setup);
    let driver = Driver {
        random: true,
        runs: Some(30),
        ..Driver::default()
    };
    let plan = Plan::asked(&study, &setup, &driver)
        .expect("a plan")
        .remove(0);
    let automaton = plan.drive.automaton(&study);
    let each = instances.each(automaton).expect("sizes that fit");
    let tally = runs::all(&study, &each, &plan, &setup, &Silent, &mut ()).expect("runs");
    let findings = runs::findings(&study, &setup, &[tally]);
    assert_eq!(
        verdict(&findings, Kind::Invariant, "OneHolder"),
        Verdict::Violated
    );
    let plans = candidates::plans(&study, &setup, &driver).expect("plans");
    let (how, naming) = (Thoroughness::QUICK, candidates::Naming::default());
    let found = candidates::propose((&study, &setup), (&plans, &naming), how, &Silent);
    let found = found.expect("samples");
    assert!(found.runs.samples > 60, "{}", found.runs.samples);
    assert!(found.looked.states > 10, "{:?}", found.looked);
    let formulas = found.formulas(&study);
    assert!(!formulas.is_empty(), "{formulas:?}");
}

#[test]
fn proofs_need_the_solver() {
    let text = "[study]\nname = \"lock\"\nsources = []\n[prove]\n";
    let mut sources = Sources::new();
    let file = sources.add("ioa.toml", text);
    let manifest = manifest::parse(file, text).expect("a right manifest");
    let study = study(manifest).expect("a right model");
    let answer = session::pipeline::verify(&study, &Setup::default(), &Silent);
    if cfg!(feature = "smt") {
        let findings = answer.expect("proofs");
        assert_eq!(
            verdict(&findings, Kind::Invariant, "OneHolder"),
            // The proof fails, and an execution shows why.
            Verdict::Violated
        );
    } else {
        let messages = answer.expect_err("no solver").messages;
        assert!(messages[0].contains("no solver"), "{messages:?}");
    }
}
