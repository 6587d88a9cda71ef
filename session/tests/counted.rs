//! A search for lemmas ends by the work that it counts: where no time passes, and whatever the number of threads, it ends at the
//! same place.
#![cfg(feature = "smt")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use interpreter::Cancel;
use ioa_lang::Sources;
use session::finding::{Kind, Verdict};
use session::host::{Alarm, Host, Progress, Silent};
use session::manifest::Manifest;
use session::pipeline::proof::Request;
use session::pipeline::proof::auto::{Effort, Found, auto};
use session::setup::Setup;
use session::study::Study;

/// What is missing speaks of a sum of lengths, which no candidate does.
const TOKENS: &str = "\
type Node
automaton Tokens
  signature
    internal give(to: Node), pass(from: Node, to: Node)
  states
    left: Nat := 3,
    held: Array[Node, Seq[Node]] := constant({})
  transitions
    internal give(to)
      pre left > 0
      eff left := left - 1;
          held[to] := held[to] |- to
    internal pass(from, to)
      pre from ~= to /\\ held[from] ~= {}
      eff held[to] := held[to] |- head(held[from]);
          held[from] := tail(held[from])
invariant Few of Tokens: \\A n: Node (len(held[n]) <= 3)
";

/// A host whose clock goes on whenever somebody looks at it.
#[derive(Default)]
struct Ticking(AtomicU64);

impl Host for Ticking {
    fn now(&self) -> Duration {
        Duration::from_micros(50 * self.0.fetch_add(1, Ordering::Relaxed))
    }

    fn begins(&self, work: &str, pieces: Option<u64>) -> Box<dyn Progress> {
        Silent.begins(work, pieces)
    }

    fn warns(&self, message: &str) {
        Silent.warns(message);
    }

    fn cancels(&self, _: Option<Duration>, cancel: &Arc<Cancel>) -> Box<dyn Alarm> {
        Silent.cancels(None, cancel)
    }

    fn spare_memory(&self) -> u64 {
        Silent.spare_memory()
    }

    fn does(&self, jobs: &[&(dyn Fn() + Sync)]) {
        thread::scope(|scope| {
            for job in jobs {
                let big = thread::Builder::new().stack_size(64 << 20);
                big.spawn_scoped(scope, job).expect("a thread");
            }
        });
    }
}

fn found(threads: usize, host: &dyn Host) -> Found {
    searched(TOKENS, &Effort::all(1.0), threads, host)
}

fn searched(text: &str, efforts: &[Effort], threads: usize, host: &dyn Host) -> Found {
    let mut sources = Sources::new();
    sources.add("model.ioa", text);
    let study = Study::from_sources(Manifest::default(), "model.ioa".into(), sources);
    let setup = Setup {
        threads,
        ..Setup::default()
    };
    let request = Request::by_induction(Vec::new(), threads);
    let study = study.expect("a right model");
    auto((&study, &setup), &request, efforts, host).expect("a search")
}

/// What is missing are two sums, which are inductive: nothing has to be searched for.
#[test]
fn a_glance_at_what_the_detector_finds_comes_second() {
    let buffer = include_str!("../../workbench/benches/auto/bounded_buffer.ioa");
    let efforts = Effort::all(300.0);
    let verdict = |efforts: &[Effort]| {
        let found = searched(buffer, efforts, 1, &Silent);
        let lemmas = found.findings.into_iter().find(|f| f.kind == Kind::Lemmas);
        lemmas.expect("what came of the search").verdict
    };
    assert_eq!(verdict(&efforts[1..2]), Verdict::Proved);
    assert_eq!(verdict(&efforts[2..3]), Verdict::Unknown);
}

/// Two ways lead to a proof, and the second one sooner: the first one decides, as if they were tried one after the other.
#[test]
fn of_several_ways_that_lead_to_a_proof_the_first_decides() {
    let barrier = include_str!("../../workbench/benches/auto/barrier.ioa");
    let all = Effort::all(300.0);
    let (diagrams, clauses) = (all[0], all[4]);
    // It is made alone, and asks nothing.
    let idle = Effort {
        rounds: 0,
        ..diagrams
    };
    let said = |efforts: &[Effort], threads, host: &dyn Host| {
        let found = searched(barrier, efforts, threads, host);
        let lemmas = found.findings.into_iter().find(|f| f.kind == Kind::Lemmas);
        let lemmas = lemmas.expect("what came of the search");
        assert_eq!(lemmas.verdict, Verdict::Proved, "{lemmas:?}");
        format!("{}{}", lemmas.summary, found.text)
    };
    let both = [idle, clauses, diagrams];
    let side_by_side = said(&both, 2, &Ticking::default());
    assert_eq!(side_by_side, said(&both, 1, &Silent));
    assert_eq!(side_by_side, said(&[idle, clauses], 1, &Silent));
    assert_ne!(side_by_side, said(&[idle, diagrams], 1, &Silent));
}

#[test]
fn a_search_ends_at_the_same_place_whatever_the_clock_and_the_threads() {
    let (one, two) = (found(1, &Silent), found(2, &Ticking::default()));
    let lemmas = one.findings.iter().find(|f| f.kind == Kind::Lemmas);
    let lemmas = lemmas.expect("what came of the search");
    assert_eq!(lemmas.verdict, Verdict::Unknown, "{lemmas:?}");
    assert!(one.text.contains("invariant Lemma1"), "{}", one.text);
    assert_eq!(one.text, two.text);
    let summaries = |found: &Found| -> Vec<String> {
        let each = found.findings.iter();
        each.map(|f| format!("{} {:?} {}", f.name, f.verdict, f.summary))
            .collect()
    };
    assert_eq!(summaries(&one), summaries(&two));
}
