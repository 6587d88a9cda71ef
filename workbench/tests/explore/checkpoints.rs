//! Checkpoints that are cut short, damaged, or made up: none is taken for more than it is, and none does any harm.

use std::fs;
use std::sync::Arc;

use interpreter::Instance;
use session::finding::{Finding, Verdict};
use session::host::InMemory;
use session::pipeline::explore::{self, ExplorePlan};
use session::setup::Setup;
use session::study::Study;
use workbench::console::Console;
use workbench::reading;

use super::Sandbox;

/// Packed variables that do not use all codes of their bits, a sequence among them, and a general value.
const LAMPS: &str = "\
type Node
type Colour = enumeration of red, green, blue
automaton Lamps
  signature
    internal light(n: Node), turn, forget
  states
    on: Set[Node] := {},
    colour: Colour := red,
    count: Nat := 0,
    last: Seq[Node] := {},
    bag: Mset[Node] := {}
  transitions
    internal light(n)
      pre n \\notin on /\\ len(last) < 2
      eff on := insert(n, on);
          last := last |- n;
          bag := insert(n, bag);
          count := count + 1
    internal turn
      pre colour = red
      eff colour := green
    internal forget
      pre colour = green /\\ len(last) > 0 /\\ count < 5
      eff last := tail(last);
          count := count + 1
invariant Few of Lamps: size(on) < 2
invariant Red of Lamps: colour = red
";

/// Letters that have thousands of values: those that occur are numbered.
const LETTERS: &str = "\
type Node
type Day = enumeration of mo, tu, we, th, fr
type Letter = tuple of by: Node, written, sent, due, paid: Day
automaton Letters
  signature
    internal write(n: Node, a: Day, b: Day), pay(l: Letter, d: Day)
  states
    open: Set[Letter] := {}
  transitions
    internal write(n, a, b)
      pre size(open) < 2 /\\ a ~= b /\\ a \\in {mo, fr} /\\ b \\in {tu, fr}
      eff open := insert([n, a, b, a, b], open)
    internal pay(l, d)
      pre l \\in open /\\ d = fr
      eff open := insert([l.by, l.written, l.sent, l.due, d], delete(l, open))
invariant Few of Letters: size(open) < 2
invariant Due of Letters: \\A l: Letter (l \\in open => l.written = l.due)
";

/// The same without the sequence and the general value.
fn packed() -> String {
    LAMPS
        .replace(
            "count: Nat := 0,\n    last: Seq[Node] := {},\n    bag: Mset[Node] := {}",
            "count: Nat := 0",
        )
        .replace(" /\\ len(last) < 2", "")
        .replace(" /\\ len(last) > 0", "")
        .replace(
            "last := last |- n;\n          bag := insert(n, bag);\n          ",
            "",
        )
        .replace("last := tail(last);\n          ", "")
}

/// A model with a checkpoint of a search of it.
struct Kept {
    study: Study,
    instance: Instance,
    setup: Setup,
    plan: ExplorePlan,
    bytes: Vec<u8>,
}

impl Kept {
    /// The checkpoint of a search that went so far.
    fn of(text: &str, depth: u64) -> Self {
        let sandbox = Sandbox::with("lamps.ioa", text);
        let flags = "--sort Node=3 --keep-going --no-native --threads 1";
        let all = format!("lamps.ioa {flags} --depth {depth} --checkpoint kept");
        let answer = sandbox.explore(&all);
        assert!(answer.out.contains("--resume kept goes on"), "{answer:?}");
        let study = reading::study(&[sandbox.path("lamps.ioa")]);
        let study = study.unwrap_or_else(|b| panic!("{b:?}"));
        let setup = Setup {
            sorts: vec![("Node".into(), 3)],
            ..Setup::default()
        };
        let plans = ExplorePlan::planned(&study, &setup, false);
        let mut plans = plans.unwrap_or_else(|b| panic!("{b:?}"));
        let instance = study.instance(&setup, study.model.every_setting());
        let plan = ExplorePlan {
            keep_going: true,
            native: false,
            ..plans.swap_remove(0)
        };
        Self {
            plan,
            instance: instance.unwrap_or_else(|b| panic!("{b:?}")),
            study,
            setup,
            bytes: fs::read(sandbox.path("kept")).expect("a checkpoint"),
        }
    }

    /// What comes of going on from some bytes, however long that would take.
    fn go_on(&self, bytes: &[u8]) -> Result<Vec<Finding>, String> {
        let mut plan = ExplorePlan {
            resume: Some(Arc::new(InMemory::holding(bytes.to_vec()))),
            ..self.plan.clone()
        };
        plan.limits.states = Some(2_000);
        plan.limits.memory = Some(1 << 24);
        let (study, instance) = (&self.study, &self.instance);
        let found = explore::explore(study, instance, &plan, 1, &Console::silent());
        let found = found.map_err(|b| b.render(false))?;
        Ok(explore::findings(study, &self.setup, &plan, &found))
    }

    /// The checkpoint with other words, at their positions, and right sums.
    fn with(&self, words: &[(usize, u64)]) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        for (at, word) in words {
            bytes[8 * at..][..8].copy_from_slice(&word.to_le_bytes());
        }
        explore::make_sums_right(&mut bytes);
        bytes
    }

    fn words(&self) -> Vec<u64> {
        let words = self.bytes.as_chunks::<8>().0.iter();
        words.map(|word| u64::from_le_bytes(*word)).collect()
    }
}

/// What is said of findings that the interpreter does not confirm.
fn unconfirmed(findings: &[Finding]) -> Vec<&Finding> {
    let says = |f: &&Finding| {
        let mut notes = f.stories.iter().flat_map(|story| &story.notes);
        notes.any(|note| note.starts_with("internal error"))
    };
    findings.iter().filter(says).collect()
}

#[test]
fn what_is_whole_goes_on_and_what_is_cut_short_does_not() {
    for text in [LAMPS.to_owned(), packed(), LETTERS.to_owned()] {
        let kept = Kept::of(&text, 2);
        let findings = kept.go_on(&kept.bytes).expect("a checkpoint");
        assert_eq!(unconfirmed(&findings).len(), 0);
        assert!(findings.iter().any(|f| f.verdict == Verdict::Violated));
        for end in 0..kept.bytes.len() {
            assert!(kept.go_on(&kept.bytes[..end]).is_err(), "{end}");
        }
    }
}

#[test]
fn no_byte_of_a_checkpoint_can_be_another_one() {
    let kept = Kept::of(LAMPS, 2);
    for at in 0..kept.bytes.len() {
        for change in [0x01, 0x80, 0xff] {
            let mut bytes = kept.bytes.clone();
            bytes[at] ^= change;
            assert!(kept.go_on(&bytes).is_err(), "byte {at}");
        }
    }
}

#[test]
fn made_up_words_with_right_sums_do_no_harm() {
    for text in [LAMPS.to_owned(), packed(), LETTERS.to_owned()] {
        let kept = Kept::of(&text, 2);
        assert_eq!(kept.with(&[]), kept.bytes);
        let (mut refused, mut taken) = (0, 0);
        for (at, word) in kept.words().into_iter().enumerate() {
            let others = [
                0,
                1,
                word.wrapping_add(1),
                word.wrapping_sub(1),
                word ^ 1 << 8,
                word ^ 1 << 32,
                1 << 31,
                1 << 62,
                u64::MAX / 2,
                u64::MAX - 1,
                u64::MAX,
            ];
            for other in others {
                match kept.go_on(&kept.with(&[(at, other)])) {
                    Ok(_) => taken += 1,
                    Err(_) => refused += 1,
                }
            }
        }
        // Counts may be any, and the time that was spent; most is not.
        assert!(refused > 5 * taken && taken > 50, "{refused} {taken}");
    }
}

#[test]
fn rows_that_are_no_states_are_refused() {
    let kept = Kept::of(&packed(), 3);
    // Three bits, then two, of which 3 is no colour, then the bits of the counter.
    let no_colour = |word: u64| word >> 3 & 3 == 3;
    let words = kept.words();
    let mut refused = 0;
    // The rows of the last shards, without the sum.
    for (at, word) in words.iter().enumerate().rev().skip(1).take(44) {
        for other in 0..1 << 9 {
            match kept.go_on(&kept.with(&[(at, other)])) {
                Ok(_) => assert!(!no_colour(other) || *word == other, "{at} {other}"),
                Err(why) => refused += u64::from(why.contains("is no state of the automaton")),
            }
        }
    }
    assert!(refused > 10, "{refused}");
}

#[test]
fn a_finding_that_the_interpreter_does_not_confirm_is_kept_and_says_so() {
    let kept = Kept::of(&packed(), 2);
    let words = &kept.words();
    let mut said = Vec::new();
    let mut try_with = |changes: &[(usize, u64)]| {
        let findings = kept.go_on(&kept.with(changes)).unwrap_or_default();
        for finding in unconfirmed(&findings) {
            assert_eq!(finding.verdict, Verdict::Error, "{finding:?}");
            assert!(!finding.stories[0].frames.is_empty(), "{finding:?}");
            assert!(finding.replay.is_some(), "{finding:?}");
            said.extend(finding.stories[0].notes.clone());
        }
    };
    // What was asked is another question now, of a state that gives no cause for it.
    for at in 0..words.len() {
        (0..4).for_each(|code| try_with(&[(at, code)]));
    }
    // Two questions have changed places.
    let places = |code| (0..words.len()).filter(move |at| words[*at] == code);
    for (first, second) in places(2).flat_map(|a| places(3).map(move |b| (a, b))) {
        try_with(&[(first, 3), (second, 2)]);
    }
    // The state that was found is another one, to which no way leads.
    for (at, word) in words.iter().enumerate() {
        for (again, _) in words
            .iter()
            .enumerate()
            .filter(|(n, w)| *n > at && *w == word)
        {
            if *word > 2 {
                (0..1 << 8).for_each(|other| try_with(&[(at, other), (again, other)]));
            }
        }
    }
    for what in [
        "by the interpreter the formula holds in it",
        "by the interpreter the automaton can go on from it",
        "by the interpreter every step from it has a result",
        "no step of a visited state leads to the state",
    ] {
        assert!(said.iter().any(|note| note.contains(what)), "{what}");
    }
}
