//! A run depends on its seed alone, however its states lie in memory.

use finite::Ranges;
use interpreter::Instance;
use interpreter::run::{How, Options, Report, Strategy, random_by};
use ioa_lang::core::AutomatonId;
use test_support::generate;

use crate::common::{instance, model};

const FIRST: AutomatonId = AutomatonId(0);

/// What a run comes to, with the values of its last state.
fn told(instance: &Instance, report: &Report) -> String {
    let layout = instance.layout(FIRST);
    let state = report.state.as_ref().map(|state| {
        let values = layout.values(state);
        let values =
            values.map(|(name, value)| format!("{name} = {}", value.display(instance.model())));
        values.collect::<Vec<_>>()
    });
    format!(
        "{:?} {} {:?} {state:?}",
        report.ending, report.steps, report.coverage
    )
}

/// The same instance with ranges that are so many times as large as those that are guessed.
fn with_ranges(instance: &Instance, times: i64) -> Option<Instance> {
    let ranges = Ranges::of(instance.model(), FIRST, |place| {
        let mut range = place.guess();
        range.high = (range.high + 1) * times - 1;
        Some(range)
    });
    Some(instance.in_ranges(Some(ranges?)))
}

/// Runs that are made in several layouts.
#[derive(Default)]
struct Compared {
    packed: u64,
    others: u64,
}

/// Compares runs without ranges with those in ranges that nothing outgrows.
fn compare(general: &Instance, strategy: Strategy, compared: &mut Compared) {
    for times in [1, 3, 4] {
        for seed in 0..6 {
            let Some(other) = with_ranges(general, times) else {
                return;
            };
            let run = |instance: &Instance| {
                let how = How {
                    strategy,
                    ..How::default()
                };
                let options = Options { seed, steps: 60 };
                random_by(instance, FIRST, options, &mut (), how)
            };
            let (Ok(expected), Ok(found)) = (run(general), run(&other)) else {
                return;
            };
            if other.range_overflows().is_empty() {
                assert_eq!(
                    told(&other, &found),
                    told(general, &expected),
                    "seed {seed}"
                );
                match other.layout(FIRST).is_packed() {
                    true => compared.packed += 1,
                    false => compared.others += 1,
                }
            }
        }
    }
}

#[test]
fn packed_states_do_not_change_the_runs_of_random_automata() {
    let mut compared = Compared::default();
    for seed in 0..250 {
        let mut model = model(&[&generate::ranged(seed)]);
        // A violation would end the runs early.
        model.invariants.clear();
        let general = instance(model, &[("Node", 3), ("Ballot", 2)]);
        compare(&general, Strategy::Random, &mut compared);
    }
    let Compared { packed, others } = compared;
    println!("{packed} runs with packed states, {others} others");
    assert!(packed > 500);
}

/// Messages of several types in sets, whose elements are drawn as parameters, in choices and for what is fired.
const MESSAGES: &str = "\
type Node
type Packet = tuple of client: Node, epoch: Nat, sure: Bool
type Message = union of ask: Packet, tell: Null[Packet], list: Seq[Nat]
automaton Net
  signature internal send(n: Node), ask(p: Packet), any(m: Message), pick, note, group(s: Set[Nat]), two(p: Packet, q: Packet)
  states
    net: Set[Packet] := {},
    all: Set[Message] := {},
    groups: Set[Set[Nat]] := {},
    last: Null[Packet] := nil,
    count: Nat := choose k where k < 3,
    first: Packet := choose p where p.epoch < 3
  transitions
    internal send(n)
      eff count := mod(count + 1, 12);
          net := insert([n, count, mod(count, 2) = 0], net);
          if size(net) > 9 then net := {} fi
    internal ask(p)
      pre p \\in net
      eff all := insert(ask(p), all); net := delete(p, net)
    internal any(m)
      pre m \\in all
      eff if tag(m) = ask then all := insert(tell(embed(m.ask)), insert(list({} |- m.ask.epoch |- count), all)) fi;
          all := delete(m, all)
    internal pick
      pre net ~= {}
      eff last := embed(first);
          first := choose p where p \\in net
    internal note
      choose p: Packet
      pre p \\in net /\\ p.epoch > 2
      eff last := embed(p)
    internal group(s)
      pre s \\in groups \\/ s = {count} \\/ s = {count, 1}
      eff if s \\in groups then groups := delete(s, groups) else groups := insert(s, groups) fi
    internal two(p, q)
      pre p \\in net /\\ q \\in net /\\ p.epoch < q.epoch
      eff net := delete(p, net); last := embed(q)
";

#[test]
fn messages_are_drawn_alike_in_all_ranges() {
    let general = instance(model(&[MESSAGES]), &[("Node", 3)]);
    for strategy in [
        Strategy::Random,
        Strategy::Priorities { depth: 3 },
        Strategy::Delays { bound: 2 },
    ] {
        let mut compared = Compared::default();
        compare(&general, strategy, &mut compared);
        assert!(compared.packed + compared.others > 8, "{strategy:?}");
    }
}
