//! Whatever a checkpoint holds, it is refused or goes on: no panic, no hang, no memory beyond the bounds, no finding that
//! cannot be told. Sums are made right, for they would hide all that is after them.
#![no_main]

use std::sync::{Arc, LazyLock};

use interpreter::Instance;
use ioa_lang::core::AutomatonId;
use ioa_lang::Sources;
use libfuzzer_sys::fuzz_target;
use session::host::{InMemory, Silent};
use session::manifest::Manifest;
use session::pipeline::explore::{self, ExplorePlan, Limits};
use session::setup::Setup;
use session::study::Study;

/// Packed variables that do not use all codes of their bits, and values of other kinds.
const MODEL: &str = "
type Node
type Colour = enumeration of red, green, blue
type Pair = tuple of left: Int, right: Seq[Node]
automaton Lamps
  signature
    internal light(n: Node), turn, forget
  states
    on: Set[Node] := {}, colour: Colour := red, count: Nat := 0, last: Seq[Node] := {}, pair: Pair := [0, {}],
    bag: Mset[Colour] := {}, far: Array[Int, Nat] := constant(0), open: Null[Seq[Int]] := nil
  transitions
    internal light(n)
      pre n \\notin on /\\ len(last) < 2
      eff on := insert(n, on); last := last |- n; count := count + 1; pair.right := last
    internal turn
      pre colour = red
      eff colour := green; bag := insert(colour, bag)
    internal forget
      pre colour = green /\\ len(last) > 0 /\\ count < 5
      eff last := tail(last); count := count + 1; pair.left := pair.left - 1;
          far[count] := 1; open := embed({} |- 7)
invariant Few of Lamps: size(on) < 2
invariant Red of Lamps: colour = red
";

struct Kept {
    study: Study,
    instance: Instance,
    setup: Setup,
    bytes: Vec<u8>,
}

static KEPT: LazyLock<Kept> = LazyLock::new(|| {
    let mut sources = Sources::new();
    sources.add("lamps.ioa", MODEL);
    let study = Study::from_sources(Manifest::default(), "lamps.ioa".into(), sources);
    let study = study.unwrap_or_else(|bad| panic!("{}", bad.render(false)));
    let setup = Setup {
        sorts: vec![("Node".into(), 3)],
        ..Setup::default()
    };
    let instance = study
        .instance(&setup, study.model.every_setting())
        .expect("the model is right");
    let place = Arc::new(InMemory::default());
    let plan = ExplorePlan {
        checkpoint: Some(place.clone()),
        checkpoint_every: 1e9,
        ..plan(Some(2))
    };
    explore::explore(&study, &instance, &plan, 1, &Silent).expect("a search");
    Kept {
        study,
        instance,
        setup,
        bytes: place.bytes(),
    }
});

fn plan(depth: Option<u64>) -> ExplorePlan {
    let limits = Limits {
        depth,
        states: Some(2_000),
        memory: Some(1 << 24),
        time: None,
    };
    ExplorePlan {
        native: false,
        ..ExplorePlan::survey(AutomatonId(0), limits)
    }
}

/// The checkpoint with some words changed, the end of it made up, or bytes that are all made up.
fn mutated(whole: &[u8], data: &[u8]) -> Vec<u8> {
    let Some((kind, data)) = data.split_first() else {
        return Vec::new();
    };
    let words = whole.len() / 8;
    match kind % 3 {
        0 => data.to_vec(),
        1 => {
            let (from, data) = data.split_first().unwrap_or((&0, &[]));
            let from = 8 * (usize::from(*from) * words / 256);
            [&whole[..from], data].concat()
        }
        _ => {
            let mut bytes = whole.to_vec();
            for edit in data.chunks_exact(10) {
                let at = usize::from(u16::from_le_bytes([edit[0], edit[1]])) % words;
                bytes[8 * at..8 * at + 8].copy_from_slice(&edit[2..]);
            }
            bytes
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let kept = &*KEPT;
    let mut bytes = mutated(&kept.bytes, data);
    explore::make_sums_right(&mut bytes);
    let plan = ExplorePlan {
        resume: Some(Arc::new(InMemory::holding(bytes))),
        ..plan(None)
    };
    let (study, instance) = (&kept.study, &kept.instance);
    if let Ok(found) = explore::explore(study, instance, &plan, 1, &Silent) {
        let _ = explore::findings(study, &kept.setup, &plan, &found);
    }
});
