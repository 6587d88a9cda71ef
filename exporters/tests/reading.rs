//! What is exported is read back as what was meant: by another reader of TLA+, which goes by the official precedences.
//!
//! `READING_CASES=20000 cargo test --release -p exporters --test reading` runs a longer campaign.

mod reader;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use exporters::tla::{
    self, Bound, Connective, Definition, Infix, Module, Prefix, Quantifier, Step, Term, Unit,
};
use finite::Universe;
use ioa_lang::core::{AutomatonId, Model, SortSize};
use ioa_lang::{Severity, Sources, load};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reader::{Tree, node, word};
use test_support::generate;

/// Random models and random terms of one campaign, where nothing else is asked for.
const CASES: u64 = 200;

fn cases() -> u64 {
    let asked = std::env::var("READING_CASES").ok();
    asked.and_then(|n| n.parse().ok()).unwrap_or(CASES)
}

/// A term as the reader would have it.
fn tree(term: &Term) -> Tree {
    let all = |terms: &[Term]| terms.iter().map(tree).collect::<Vec<_>>();
    let bound = |bound: &Bound, rest: &Term| vec![word(&*bound.name), tree(&bound.set), tree(rest)];
    let named = |fields: &[(String, Term)]| {
        let each = fields.iter();
        let each = each.flat_map(|(name, term)| [word(&**name), tree(term)]);
        each.collect::<Vec<_>>()
    };
    match term {
        Term::Name(name) => word(&**name),
        Term::Primed(name) => node("'", vec![word(&**name)]),
        Term::Number(n) => word(n.to_string()),
        Term::Text(text) => word(format!("{text:?}")),
        Term::Prefix(op, arg) => node(format!("{}_", prefix(*op)), vec![tree(arg)]),
        Term::Infix(op, args) => node(infix(*op), all(&**args)),
        Term::Junction(Connective::And, parts) => node("/\\", all(parts)),
        Term::Junction(Connective::Or, parts) => node("\\/", all(parts)),
        Term::Call(name, args) => node("call", [vec![word(&**name)], all(args)].concat()),
        Term::At(base, args) => node("at", [vec![tree(base)], all(args)].concat()),
        Term::Field(base, name) => node(".", vec![tree(base), word(&**name)]),
        Term::Tuple(parts) => node("<<", all(parts)),
        Term::Set(parts) => node("{", all(parts)),
        Term::Filter(x, formula) => node("filter", bound(x, formula)),
        Term::Function(x, value) => node("function", bound(x, value)),
        Term::Functions(sets) => node("->", all(&**sets)),
        Term::Record(fields) => node("|->", named(fields)),
        Term::Records(fields) => node(":", named(fields)),
        Term::Except(whole, path, value) => {
            let path = path.iter().map(|step| match step {
                Step::At(index) => node("at", vec![tree(index)]),
                Step::Field(name) => node(".", vec![word(&**name)]),
            });
            let path = path.collect();
            node(
                "EXCEPT",
                [vec![tree(whole)], path, vec![tree(value)]].concat(),
            )
        }
        Term::If(parts) => node("IF", all(&**parts)),
        Term::Choose(x, formula) => node("CHOOSE", bound(x, formula)),
        Term::Quantified(quantifier, names, parts) => {
            let sign = match quantifier {
                Quantifier::ForAll => "\\A",
                Quantifier::Exists => "\\E",
            };
            let names = names.iter().map(|name| word(&**name)).collect();
            node(sign, [names, all(&**parts)].concat())
        }
        Term::Let(definitions, body) => {
            let definitions = definitions.iter().map(definition).collect();
            node("LET", [definitions, vec![tree(body)]].concat())
        }
        Term::Step(step, vars) => node("step", vec![word(&**step), word(&**vars)]),
    }
}

fn definition(definition: &Definition) -> Tree {
    let names = [&definition.name].into_iter().chain(&definition.params);
    let names = names.map(|name| word(&**name)).collect();
    node("==", [names, vec![tree(&definition.body)]].concat())
}

fn prefix(op: Prefix) -> &'static str {
    match op {
        Prefix::Not => "~",
        Prefix::Minus => "-",
        Prefix::Subsets => "SUBSET",
        Prefix::Domain => "DOMAIN",
        Prefix::Unchanged => "UNCHANGED",
        Prefix::Always => "[]",
        Prefix::Eventually => "<>",
    }
}

fn infix(op: Infix) -> &'static str {
    match op {
        Infix::Implies => "=>",
        Infix::Iff => "<=>",
        Infix::LeadsTo => "~>",
        Infix::Equal => "=",
        Infix::Unequal => "#",
        Infix::Less => "<",
        Infix::LessOrEqual => "<=",
        Infix::In => "\\in",
        Infix::NotIn => "\\notin",
        Infix::SubsetEq => "\\subseteq",
        Infix::SubBag => "\\sqsubseteq",
        Infix::Over => "@@",
        Infix::MapsTo => ":>",
        Infix::Union => "\\cup",
        Infix::Intersection => "\\cap",
        Infix::Difference => "\\",
        Infix::To => "..",
        Infix::Plus => "+",
        Infix::Minus => "-",
        Infix::Times => "*",
        Infix::BagUnion => "(+)",
        Infix::BagDifference => "(-)",
        Infix::Concat => "\\o",
    }
}

/// Reads a module back, and compares it with what it was made of. Helpers are only read.
fn compare(module: &Module) -> usize {
    let found = reader::definitions(&module.text);
    let found = found.unwrap_or_else(|error| panic!("{error}\n{}", module.text));
    let mut found = found.into_iter();
    let mut compared = 0;
    for unit in &module.units {
        let expected = match unit {
            Unit::Names(..) | Unit::Gap | Unit::Rule => continue,
            Unit::Definition(one) => definition(one),
            Unit::Helper { .. } => {
                assert!(found.next().is_some(), "{}", module.text);
                continue;
            }
            Unit::Instance { name, module, with } => {
                let with = with.iter();
                let with = with.flat_map(|(name, term)| [word(&**name), tree(term)]);
                let with = [word(&**module)].into_iter().chain(with).collect();
                node("==", vec![word(&**name), node("INSTANCE", with)])
            }
        };
        assert_eq!(found.next(), Some(expected), "{}", module.text);
        compared += 1;
    }
    assert_eq!(found.next(), None, "{}", module.text);
    compared
}

fn model(texts: &[String]) -> Model {
    let mut sources = Sources::new();
    for text in texts {
        sources.add("test", &**text);
    }
    let loaded = load(&sources);
    let mut errors = loaded.diagnostics.iter();
    if let Some(error) = errors.find(|d| d.severity == Severity::Error) {
        panic!("{} in\n{}", error.message, texts.join("\n"));
    }
    loaded.model
}

fn universe(model: &Model) -> Universe {
    let given = model.sorts.iter().filter(|s| s.size == SortSize::Given);
    let sizes: BTreeMap<String, u64> = given.map(|s| (s.name.to_string(), 2)).collect();
    Universe::sized(model, model.every_setting(), &sizes).expect("the sizes fit")
}

#[test]
fn random_models_are_read_back_as_they_were_meant() {
    let (mut modules, mut definitions, mut formulas) = (0, 0, 0);
    for seed in 0..cases() {
        let text = generate::automaton(seed, seed % 4 != 0);
        let model = model(&[text]);
        let Ok(module) = tla::automaton(&model, &universe(&model), AutomatonId(0)) else {
            continue;
        };
        definitions += compare(&module);
        modules += 1;
        let init = module.units.iter().find_map(|unit| match unit {
            Unit::Definition(one) if one.name == "Init" => Some(one.body.to_string()),
            _ => None,
        });
        formulas += usize::from(init.is_some_and(|init| init.contains(" = (")));
    }
    println!("{modules} modules, {definitions} definitions, {formulas} start formulas");
    assert!(modules * 2 > cases() as usize, "only {modules} modules");
    assert!(definitions > 5 * modules, "only {definitions} definitions");
    assert!(formulas * 10 > modules, "only {formulas} start formulas");
}

/// All files with this ending in a folder of the project.
fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(folder).expect("a folder of the project");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|ending| ending == "ioa"))
        .collect();
    paths.sort();
    paths
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).expect("a file of the project")
}

#[test]
fn the_models_of_the_project_are_read_back_as_they_were_meant() {
    let studies = [
        "two-phase-commit",
        "lamport-paxos",
        "paxos",
        "alternating-bit",
        "lcr",
    ];
    let channels = Path::new(env!("CARGO_MANIFEST_DIR"));
    let channels = channels.join("../case-studies/environments/channels.ioa");
    let folders = studies.map(|study| {
        let mut paths = files(&format!("../case-studies/{study}"));
        paths.push(channels.clone());
        paths
    });
    let models = files("tests/models").into_iter().map(|path| vec![path]);
    let (mut automata, mut simulations) = (0, 0);
    for paths in folders.into_iter().chain(models) {
        let texts: Vec<String> = paths.iter().map(|path| text(path)).collect();
        let model = model(&texts);
        let universe = universe(&model);
        for id in (0..model.automata.len()).map(AutomatonId::at) {
            if let Ok(module) = tla::automaton(&model, &universe, id) {
                compare(&module);
                automata += 1;
            }
        }
        for position in 0..model.simulations.len() {
            if let Ok(module) = tla::simulation(&model, &universe, position) {
                compare(&module);
                simulations += 1;
            }
        }
    }
    assert!(automata > 15 && simulations > 2, "{automata} {simulations}");
}

/// The start states of an automaton of some text, as the reader has them.
fn init(text: &str) -> Tree {
    let model = model(&[text.to_owned()]);
    let module = tla::automaton(&model, &universe(&model), AutomatonId(0)).expect("a module");
    let found = reader::definitions(&module.text).expect("it can be read");
    let init = found.into_iter().find_map(|definition| match definition {
        Tree::Node(_, mut parts) if parts[0] == word("Init") => parts.pop(),
        _ => None,
    });
    init.expect("there are start states")
}

/// Otherwise `b = TRUE /\ FALSE` would say that nothing is a start state.
#[test]
fn a_formula_as_a_start_value_is_one_side_of_an_equation() {
    let conjunction = "automaton A
        signature internal a
        states b: Bool := true /\\ false, n: Nat := 0
        transitions internal a pre n < 3 eff n := n + 1; b := ~b";
    let [truth, falsehood] = ["TRUE", "FALSE"].map(word);
    let value = node("/\\", vec![truth, falsehood]);
    let [b, n] =
        [("b", value), ("n", word("0"))].map(|(name, value)| node("=", vec![word(name), value]));
    assert_eq!(init(conjunction), node("/\\", vec![b, n]));
    let inclusion = "type P
        automaton A
          signature internal a
          states s: Set[P] := {}, b: Bool := ({}:Set[P]) \\subseteq ({}:Set[P])
          transitions internal a eff b := ~b; s := {p: P where b}";
    let empty = || node("{", Vec::new());
    let included = node("\\subseteq", vec![empty(), empty()]);
    let [s, b] =
        [("s", empty()), ("b", included)].map(|(name, value)| node("=", vec![word(name), value]));
    assert_eq!(init(inclusion), node("/\\", vec![s, b]));
}

const PREFIXES: [Prefix; 7] = [
    Prefix::Not,
    Prefix::Minus,
    Prefix::Subsets,
    Prefix::Domain,
    Prefix::Unchanged,
    Prefix::Always,
    Prefix::Eventually,
];

const INFIXES: [Infix; 23] = [
    Infix::Implies,
    Infix::Iff,
    Infix::LeadsTo,
    Infix::Equal,
    Infix::Unequal,
    Infix::Less,
    Infix::LessOrEqual,
    Infix::In,
    Infix::NotIn,
    Infix::SubsetEq,
    Infix::SubBag,
    Infix::Over,
    Infix::MapsTo,
    Infix::Union,
    Infix::Intersection,
    Infix::Difference,
    Infix::To,
    Infix::Plus,
    Infix::Minus,
    Infix::Times,
    Infix::BagUnion,
    Infix::BagDifference,
    Infix::Concat,
];

/// A random term. Whether it means anything is of no interest.
fn random(rng: &mut ChaCha8Rng, depth: u32) -> Term {
    let name = |rng: &mut ChaCha8Rng| ["x", "y", "z"].choose(rng).expect("a name").to_string();
    if depth == 0 {
        return match rng.random_range(0..4) {
            0 => Term::Number(rng.random_range(0..9).into()),
            1 => Term::Primed(name(rng)),
            2 => Term::Text(name(rng)),
            _ => Term::Name(name(rng)),
        };
    }
    let d = depth - 1;
    let some = |rng: &mut ChaCha8Rng, from: usize| -> Vec<Term> {
        (0..rng.random_range(from..4))
            .map(|_| random(rng, d))
            .collect()
    };
    let one = |rng: &mut ChaCha8Rng| Box::new(random(rng, d));
    let bound = |rng: &mut ChaCha8Rng| {
        let (name, set) = (name(rng), random(rng, d));
        Box::new(Bound { name, set })
    };
    let fields = |rng: &mut ChaCha8Rng| {
        vec![
            ("f".to_owned(), random(rng, d)),
            ("g".to_owned(), random(rng, d)),
        ]
    };
    let definition = |rng: &mut ChaCha8Rng| Definition {
        name: "d".into(),
        params: vec!["p".into(), "q".into()],
        recursive: rng.random_bool(0.5),
        body: random(rng, d),
    };
    match rng.random_range(0..26) {
        0..=3 => Term::Prefix(*PREFIXES.choose(rng).expect("some"), one(rng)),
        4..=9 => Term::Infix(
            *INFIXES.choose(rng).expect("some"),
            Box::new([random(rng, d), random(rng, d)]),
        ),
        10 | 11 => Term::Junction(Connective::And, some(rng, 2)),
        12 => Term::Junction(Connective::Or, some(rng, 2)),
        13 => Term::Call(name(rng), some(rng, 1)),
        14 => Term::At(one(rng), some(rng, 1)),
        15 => Term::Field(one(rng), "f".into()),
        16 => Term::Tuple(some(rng, 0)),
        17 => Term::Set(some(rng, 0)),
        18 => Term::Filter(bound(rng), one(rng)),
        19 => Term::Function(bound(rng), one(rng)),
        20 => Term::Functions(Box::new([random(rng, d), random(rng, d)])),
        21 => match rng.random_bool(0.5) {
            true => Term::Record(fields(rng)),
            false => Term::Records(fields(rng)),
        },
        22 => {
            let path = vec![Step::At(random(rng, d)), Step::Field("g".into())];
            Term::Except(one(rng), path, one(rng))
        }
        23 => Term::If(Box::new([random(rng, d), random(rng, d), random(rng, d)])),
        24 => match rng.random_bool(0.3) {
            true => Term::Choose(bound(rng), one(rng)),
            false => {
                let names = vec![name(rng), "w".into()];
                let parts = Box::new([random(rng, d), random(rng, d)]);
                Term::Quantified(Quantifier::Exists, names, parts)
            }
        },
        _ => Term::Let(vec![definition(rng), definition(rng)], one(rng)),
    }
}

#[test]
fn random_terms_are_read_back_as_they_were_meant() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for _ in 0..20 * cases() {
        let depth = rng.random_range(1..5);
        let body = random(&mut rng, depth);
        let text = body.to_string();
        assert_eq!(reader::term(&text).as_ref(), Ok(&tree(&body)), "{text}");
        let whole = Definition {
            name: "whole".into(),
            params: Vec::new(),
            recursive: false,
            body,
        };
        let text = whole.to_string();
        let found = reader::definitions(&text);
        assert_eq!(found, Ok(vec![definition(&whole)]), "{text}");
    }
}

/// What the reader is for: where parentheses are missing it finds something else, or nothing.
#[test]
fn the_reader_goes_by_the_precedences() {
    let read = |text: &str| reader::term(text).expect("a term");
    let same = |one: &str, other: &str| assert_eq!(read(one), read(other), "{one}");
    same("b = TRUE /\\ FALSE", "(b = TRUE) /\\ FALSE");
    same("a + b - c", "a + (b - c)");
    same("a - b - c", "(a - b) - c");
    same("-a * b", "-(a * b)");
    same("~a = b", "~(a = b)");
    same("x \\in 0..n - 1", "x \\in (0..(n - 1))");
    same("DOMAIN f[x]", "DOMAIN (f[x])");
    same("\\A x \\in S : a => b", "\\A x \\in S : (a => b)");
    same("[]<>(a = b)", "[](<>(a = b))");
    for text in [
        "a = b \\subseteq c",
        "a => b => c",
        "a /\\ b \\/ c",
        "a \\cup b \\cap c",
        "SUBSET a \\cup b",
        "a .. b .. c",
        "[]a = b",
    ] {
        assert!(reader::term(text).is_err(), "{text}");
    }
}
