//! A search for lemmas ends by the work that it counts: where no time passes, and whatever the number of threads, it ends at the
//! same place.
#![cfg(feature = "smt")]

use std::time::Duration;

use ioa_lang::Sources;
use session::finding::{Kind, Verdict};
use session::host::Silent;
use session::manifest::Manifest;
use session::pipeline::proof::auto::{Effort, Found, auto};
use session::pipeline::proof::{Method, Request};
use session::setup::Setup;
use session::study::Study;

/// What is missing speaks of a sum, which no clause does.
const TOKENS: &str = "\
type Node
automaton Tokens
  signature
    internal give(to: Node), pass(from: Node, to: Node)
  states
    left: Nat := 3,
    held: Array[Node, Nat] := constant(0)
  transitions
    internal give(to)
      pre left > 0
      eff left := left - 1;
          held[to] := held[to] + 1
    internal pass(from, to)
      pre from ~= to /\\ held[from] > 0
      eff held[from] := held[from] - 1;
          held[to] := held[to] + 1
invariant Few of Tokens: \\A n: Node (held[n] <= 3)
";

fn found(threads: usize) -> Found {
    let mut sources = Sources::new();
    sources.add("tokens.ioa", TOKENS);
    let study = Study::from_sources(Manifest::default(), "tokens.ioa".into(), sources);
    let setup = Setup {
        sorts: vec![("Node".into(), 2)],
        threads,
        ..Setup::default()
    };
    let request = Request {
        only: Vec::new(),
        check: Vec::new(),
        automaton: None,
        timeout: Duration::from_secs(20),
        resource_limit: 0,
        cores: false,
        threads,
        method: Method::Induction,
        repeat: 1,
        until: None,
    };
    let study = study.expect("a right model");
    auto((&study, &setup), &request, &Effort::all(1.0), &Silent).expect("a search")
}

#[test]
fn where_no_time_passes_a_search_ends_at_the_same_place() {
    let (one, two) = (found(1), found(2));
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
