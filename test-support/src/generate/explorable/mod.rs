//! Random automata with interesting reachable states: they have few start states, numbers that stay small, and inputs,
//! outputs and internal actions.

mod action;

use rand::RngExt;

use super::choices::Choices;
use super::constructs::types::{DECLARATIONS, Ty, array, map, mset, null, seq, set};
use super::{Draft, Generator, Names, constant};

pub(super) use self::action::Visited;

/// A generated model.
#[derive(Clone, Debug)]
pub struct Model {
    /// The text.
    pub text: String,
    /// The name of the automaton to test.
    pub automaton: &'static str,
    /// The twin: the same text, with every term that has a second form written in that form; none if there is no such term.
    pub twin: Option<String>,
    /// The sizes of its sorts.
    pub sizes: Vec<(&'static str, u64)>,
}

/// Operators without arguments, so that every sort has an element with a name.
const NAMES: &str = "\
vocabulary Names
  operators
    aNode: -> Node,
    bNode: -> Node,
    aBallot: -> Ballot,
    aQuorum: -> Quorum,
    aGroup: -> Group
end
imports Names

";

/// A variable that every generated automaton has, so that there is something small to choose, to assign and to compare.
pub(super) const FLAG: &str = "ready";

/// What a part of a draft becomes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DraftKind {
    Variable,
    Action,
    Invariant,
    Start,
}

/// A part of a draft: what it becomes, and its remaining choices.
struct DraftPart {
    kind: DraftKind,
    choices: Choices,
}

/// The automaton of a draft, as text, with its twin.
#[must_use]
pub fn explorable(draft: &Draft) -> Model {
    let head = draft.first().map_or(&[][..], Vec::as_slice);
    let mut generator = Generator::of_few_states(head);
    let nodes = if generator.once_in(4) { 3 } else { 2 };
    let made = generator.of_parts(draft.get(1..).unwrap_or_default());
    let text = header() + &made.automaton + &made.invariants;
    Model::new("Random", &text, vec![("Node", nodes), ("Ballot", 2)])
}

/// What is generated from the parts of a draft.
pub(super) struct Generated {
    pub(super) variables: Names,
    /// Its actions, but for `idle`.
    pub(super) actions: Vec<Visited>,
    /// The automaton `Random`.
    pub(super) automaton: String,
    /// The invariants that are stated about it.
    pub(super) invariants: String,
}

impl Model {
    /// A model from a text in which both ways to write some terms are given.
    pub(super) fn new(
        automaton: &'static str,
        text: &str,
        sizes: Vec<(&'static str, u64)>,
    ) -> Self {
        let (text, twin) = (written(text, Side::First), written(text, Side::Second));
        let twin = (twin != text).then_some(twin);
        Self {
            text,
            automaton,
            twin,
            sizes,
        }
    }
}

/// Which of two ways to write something is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    First,
    Second,
}

/// A term that can be written in two ways.
pub(super) fn either(first: &str, second: &str) -> String {
    format!("\u{1}{first}\u{2}{second}\u{3}")
}

/// A text with one of the two ways taken, wherever there are two.
fn written(text: &str, side: Side) -> String {
    let mut inside: Vec<Side> = Vec::new();
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\u{1}' => inside.push(Side::First),
            '\u{2}' => *inside.last_mut().expect("a first way is begun") = Side::Second,
            '\u{3}' => {
                inside.pop();
            }
            c if inside.iter().all(|s| *s == side) => out.push(c),
            _ => {}
        }
    }
    out
}

impl DraftPart {
    fn new(generator: &mut Generator, choices: &[u32]) -> Self {
        generator.rng = Choices::listed(choices);
        let kind = match generator.rng.random_range(0..28) {
            0 => DraftKind::Start,
            1..=9 => DraftKind::Action,
            10..=13 => DraftKind::Invariant,
            _ => DraftKind::Variable,
        };
        let choices = generator.rng.clone();
        Self { kind, choices }
    }
}

impl Generator {
    /// What is generated from the parts of one kind, each from its own choices; the remaining choices are kept for later.
    fn each<T>(
        &mut self,
        parts: &mut [DraftPart],
        kind: DraftKind,
        mut make: impl FnMut(&mut Self, usize) -> T,
    ) -> Vec<T> {
        let parts = parts.iter_mut().filter(|part| part.kind == kind);
        let made = parts.enumerate().map(|(n, part)| {
            self.rng = part.choices.clone();
            let made = make(self, n);
            part.choices = self.rng.clone();
            made
        });
        made.collect()
    }

    /// A generator of automata that have few reachable states.
    pub(super) fn of_few_states(choices: &[u32]) -> Self {
        let mut generator = Self::by(Choices::listed(choices), false);
        generator.finite = generator.once_in(3);
        generator.determined = true;
        generator.bounded = true;
        generator.twins = true;
        generator.numeric = generator.once_in(2);
        generator
    }

    pub(super) fn of_parts(&mut self, draft: &[Vec<u32>]) -> Generated {
        let parts = draft.iter().map(|choices| DraftPart::new(self, choices));
        let mut parts: Vec<DraftPart> = parts.collect();
        let constants = constants();
        let started = self.each(&mut parts, DraftKind::Variable, |g, n| {
            let ty = g.visited_type();
            g.scope.clone_from(&constants);
            let start = g.start_value(&ty);
            ((format!("v{n}"), ty), start)
        });
        let flag = ((FLAG.to_owned(), Ty::Bool), " := false".to_owned());
        let (variables, starts): (Names, Vec<String>) = started.into_iter().chain([flag]).unzip();
        let actions = self.each(&mut parts, DraftKind::Action, |g, n| g.visited_action(n));
        let mut text = String::from("automaton Random\n  signature\n");
        for action in &actions {
            text.push_str(&action.heading);
        }
        text.push_str("    internal idle\n  states\n");
        let states = variables.iter().zip(&starts);
        let states = states.map(|((name, ty), start)| format!("    {name}: {}{start}", ty.text()));
        text.push_str(&states.collect::<Vec<_>>().join(",\n"));
        self.outer.clone_from(&constants);
        let facts = self.each(&mut parts, DraftKind::Start, |g, _| {
            g.scope = [&constants[..], &variables].concat();
            g.term(&Ty::Bool, 2)
        });
        if !facts.is_empty() {
            text.push_str(&format!("\n    so that {}", facts.join(" /\\ ")));
        }
        text.push_str("\n  transitions\n");
        let clauses = self.each(&mut parts, DraftKind::Action, |g, n| {
            g.clauses_of(&actions[n], &variables)
        });
        text.push_str(&clauses.concat());
        text.push_str(&format!(
            "    internal idle\n      pre {FLAG}\n      eff {FLAG} := false\n"
        ));
        let local = actions.iter().filter(|action| action.keyword != "input");
        self.actions = local.map(|a| (a.name.clone(), a.params.clone())).collect();
        let invariants = self.each(&mut parts, DraftKind::Invariant, |g, n| {
            g.scope = [&constants[..], &variables].concat();
            format!("invariant I{n} of Random: {}\n", g.term(&Ty::Bool, 3))
        });
        Generated {
            variables,
            actions,
            automaton: text,
            invariants: invariants.concat(),
        }
    }

    /// The type of a variable; the simplest comes last.
    fn visited_type(&mut self) -> Ty {
        if self.numeric {
            return self.pick(&[
                seq(Ty::Nat),
                set(Ty::Pair),
                map(Ty::Node, Ty::Nat),
                map(Ty::Nat, Ty::Int),
                array(Ty::Node, set(Ty::Nat)),
                array(Ty::Node, Ty::Int),
                null(Ty::Nat),
                Ty::Pair,
                set(Ty::Int),
                set(Ty::Nat),
                set(Ty::Nat),
                Ty::Int,
                Ty::Nat,
                Ty::Nat,
                Ty::Bool,
            ]);
        }
        self.pick_type(&[
            Ty::Item,
            Ty::Real,
            mset(Ty::Color),
            seq(Ty::Nat),
            seq(Ty::Pair),
            set(Ty::Pair),
            array(Ty::Node, set(Ty::Nat)),
            array(Ty::Color, Ty::Pair),
            array(Ty::Ballot, map(Ty::Node, Ty::Nat)),
            map(Ty::Color, set(Ty::Ballot)),
            map(Ty::Nat, Ty::Int),
            map(Ty::Node, Ty::Nat),
            array(Ty::Node, null(Ty::Nat)),
            array(Ty::Node, Ty::Int),
            set(Ty::Int),
            set(Ty::Nat),
            null(Ty::Nat),
            Ty::Pair,
            Ty::Int,
            Ty::Nat,
            Ty::Who,
            Ty::Mark,
            set(Ty::Who),
            array(Ty::Ballot, null(Ty::Node)),
            array(Ty::Node, set(Ty::Ballot)),
            set(Ty::Node),
            Ty::Ballot,
            Ty::Node,
            Ty::Color,
            Ty::Bool,
        ])
    }

    /// The initialisation of a variable; the constants are in scope.
    pub(super) fn start_value(&mut self, ty: &Ty) -> String {
        let few = ty.count().is_some_and(|n| n <= 6);
        let x = self.fresh("x");
        match (self.rng.random_range(0..8), ty) {
            (0, Ty::Nat) => format!(" := choose {x} where {x} < 2"),
            (0, Ty::Int) => format!(" := choose {x} where (-1) <= {x} /\\ {x} <= 1"),
            (0, _) if few => String::new(),
            (1, _) if few => {
                let bound = [(x.clone(), ty.clone())];
                let predicate = self.under(&bound, |g| g.term(&Ty::Bool, 2));
                format!(" := choose {x} where {predicate}")
            }
            (4 | 5, Ty::Nat | Ty::Int) => format!(" := {}", self.rng.random_range(0..8)),
            (2 | 3, _) => format!(" := {}", self.bounded_term(ty)),
            _ => match constant(ty) {
                Some(value) => format!(" := {value}"),
                None => format!(" := {}", self.leaf(ty)),
            },
        }
    }

    /// A term in which numbers are mostly kept small, so that a search comes to an end.
    pub(super) fn bounded_term(&mut self, ty: &Ty) -> String {
        let kind = self.rng.random_range(0..6);
        match (ty, kind) {
            (_, 0) => self.term(ty, 3),
            (Ty::Int, 1 | 2) => format!("min(max({}, -2), 4)", self.term(ty, 2)),
            (Ty::Nat, 1 | 2) => format!("min({}, 4)", self.term(ty, 2)),
            (Ty::Int | Ty::Nat, _) => {
                let modulus = self.rng.random_range(2..7);
                format!("mod({}, {modulus})", self.term(ty, 2))
            }
            (Ty::Set(element), _) if matches!(**element, Ty::Int | Ty::Nat) => {
                let modulus = self.rng.random_range(2..5);
                let element = format!("mod({}, {modulus})", self.term(element, 1));
                let set = self.leaf(ty);
                let operator = self.pick(&["delete", "insert", "insert"]);
                format!("{operator}({element}, {set})")
            }
            (Ty::Null(element), _) if matches!(**element, Ty::Int | Ty::Nat) => {
                format!("embed({})", self.bounded_term(element))
            }
            (Ty::Seq(element), _) => match self.named(ty) {
                Some(name) => {
                    let element = self.bounded_term(element);
                    format!("(if len({name}) < 2 then {name} |- {element} else {{}})")
                }
                None => "{}".into(),
            },
            (Ty::Map(domain, range), _) => match self.named(ty) {
                Some(name) => {
                    let (key, value) = (self.bounded_term(domain), self.bounded_term(range));
                    format!("update({name}, {key}, {value})")
                }
                None => "empty".into(),
            },
            _ => self.term(ty, 3),
        }
    }
}

/// The declarations that every generated model begins with.
pub(super) fn header() -> String {
    format!("{DECLARATIONS}{NAMES}")
}

/// The operators without arguments, with their types.
pub(super) fn constants() -> Names {
    let constants = [
        ("aQuorum", Ty::Quorum),
        ("aGroup", Ty::Group),
        ("aBallot", Ty::Ballot),
        ("bNode", Ty::Node),
        ("aNode", Ty::Node),
    ];
    constants
        .map(|(name, ty)| (name.to_owned(), ty))
        .into_iter()
        .collect()
}
