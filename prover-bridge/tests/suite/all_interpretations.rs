//! The interpretations that the solver finds are those that there are: random axioms over a small sort, of which all
//! interpretations are tried one after the other.

use std::collections::{BTreeMap, BTreeSet};

use finite::{Interpretation, Universe};
use ioa_lang::core::{Axiom, FunctionId, Model, Type};
use ioa_lang::{Severity, Sources, Value};
use prover_bridge::{NoModel, Options, interpretations};
use test_support::generate::{self, Drafts};
use test_support::reference::{Scope, World};
use test_support::theory::{self, renamed};

/// Theories of the campaign.
const THEORIES: u64 = 60;

/// What was compared.
#[derive(Debug, Default)]
struct Compared {
    contradictory: u64,
    one: u64,
    several: u64,
    /// Interpretations of all theories together that are alike but for the names of elements.
    alike: u64,
}

#[test]
fn the_solver_finds_all_interpretations_that_there_are() {
    let drafts = Drafts::of_parts(5);
    let mut compared = Compared::default();
    for seed in 0..THEORIES {
        let draft = drafts.draft(seed);
        if let Err(how) = compared.theory(&generate::theory(&draft)) {
            let smallest = drafts.shrunk(seed, 500, |draft| {
                let theory = generate::theory(draft);
                Compared::default().theory(&theory).is_err()
            });
            let theory = generate::theory(&smallest);
            let smallest = Compared::default().theory(&theory).err();
            panic!(
                "seed {seed}: {how}\nthe smallest: {}\n{}",
                smallest.unwrap_or_default(),
                theory.text
            );
        }
    }
    println!("{compared:#?}");
    assert!(compared.contradictory * 10 > THEORIES && compared.one * 20 > THEORIES);
    assert!(compared.several * 3 > THEORIES && compared.alike > THEORIES);
}

impl Compared {
    /// Compares what the solver finds with what there is.
    fn theory(&mut self, theory: &generate::Model) -> Result<(), String> {
        let model = loaded(&theory.text)?;
        let sizes = theory
            .sizes
            .iter()
            .map(|(sort, n)| ((*sort).to_owned(), *n));
        let universe = Universe::sized(&model, model.every_setting(), &sizes.collect())
            .map_err(|e| format!("{e:?}"))?;
        let every = model.axioms_in(&model.every_setting());
        let every: Vec<&Axiom> = every.map(|(_, axiom)| axiom).collect();
        let mut all: BTreeSet<Tables> = theory::all(&model, &universe).into_iter().collect();
        all.retain(|tables| satisfies(&model, &universe, tables, &every));
        let classes = classes(&model, &universe, &all);
        self.alike += (all.len() - classes.len()) as u64;
        let options = Options::default();
        let found = interpretations(&model, &universe, classes.len(), &options);
        match (found, all.first()) {
            (Err(NoModel::Contradiction(names)), None) => {
                self.contradictory += 1;
                let named = every.iter().filter(|axiom| names.contains(&axiom.name));
                let named: Vec<&Axiom> = named.copied().collect();
                let mut tables = theory::all(&model, &universe).into_iter();
                let any = tables.find(|tables| satisfies(&model, &universe, tables, &named));
                match any {
                    None => Ok(()),
                    Some(_) => Err(format!("{names:?} do not contradict each other")),
                }
            }
            (Err(why), _) => Err(format!("{} interpretations, but {why}", all.len())),
            (Ok(found), None) => Err(format!("there are none, but {found:?}")),
            (Ok(found), Some(first)) => {
                match classes.len() {
                    1 => self.one += 1,
                    _ => self.several += 1,
                }
                if !found.are_all {
                    return Err("the solver does not say that these are all".into());
                }
                let fewer = interpretations(&model, &universe, classes.len() - 1, &options);
                if classes.len() > 1 && fewer.is_ok_and(|fewer| fewer.are_all) {
                    return Err("the solver says of fewer that they are all".into());
                }
                let found: Vec<Tables> = found.found.into_iter().map(|i| i.tables).collect();
                let of_class = |tables: &Tables| classes.iter().position(|c| c.contains(tables));
                let hit: BTreeSet<Option<usize>> = found.iter().map(of_class).collect();
                if hit.contains(&None) {
                    return Err("what was found breaks an axiom".into());
                }
                if hit.len() != found.len() || found.len() != classes.len() {
                    return Err(format!(
                        "{} are found, of {} kinds; there are {}",
                        found.len(),
                        hit.len(),
                        classes.len()
                    ));
                }
                let around = all.iter().find(|one| leads_around(&model, &universe, one));
                match around {
                    Some(_) if leads_around(&model, &universe, &found[0]) => Ok(()),
                    Some(around) => {
                        Err(format!("{:?} leads around, unlike {:?}", around, found[0]))
                    }
                    None if found[0] == *first => Ok(()),
                    None => Err(format!("{:?} comes before {:?}", first, found[0])),
                }
            }
        }
    }
}

type Tables = BTreeMap<FunctionId, Vec<Value>>;

/// Whether there are operators that may lead around all elements of a sort, and each of them does.
fn leads_around(model: &Model, universe: &Universe, tables: &Tables) -> bool {
    let around = tables.iter().filter_map(|(id, results)| {
        let function = &model.functions[id.index()];
        let ([Type::Sort(from)], Type::Sort(to)) = (&function.params[..], &function.result) else {
            return None;
        };
        let size = usize::try_from(universe.size(*from)).ok()?;
        (from == to && size > 1).then(|| {
            let mut passed = BTreeSet::new();
            let mut at = 0;
            while passed.insert(at) {
                at = match results[at] {
                    Value::Element(_, next) => next as usize,
                    _ => return false,
                };
            }
            passed.len() == size && at == 0
        })
    });
    let around: Vec<bool> = around.collect();
    !around.is_empty() && around.iter().all(|leads| *leads)
}

fn loaded(text: &str) -> Result<Model, String> {
    let mut sources = Sources::new();
    sources.add("theory.ioa", text);
    let loaded = ioa_lang::load(&sources);
    let mut errors = loaded.diagnostics.iter();
    match errors.find(|d| d.severity == Severity::Error) {
        Some(error) => Err(format!("not well-typed: {}", error.message)),
        None => Ok(loaded.model),
    }
}

/// Whether axioms hold where operators have these tables.
fn satisfies(model: &Model, universe: &Universe, tables: &Tables, axioms: &[&Axiom]) -> bool {
    let interpretation = Interpretation {
        tables: tables.clone(),
    };
    let universe = universe.clone().interpreted(model, interpretation);
    let universe = universe.expect("a table for each operator");
    let world = World::new(model, &universe, 8);
    axioms.iter().all(|axiom| {
        let mut scope = Scope::new(&axiom.locals, &[]);
        let holds = world.truth(&axiom.formula, &mut scope);
        holds.expect("an axiom is defined")
    })
}

/// Those of some tables that differ in more than the names of elements, each with those like it.
fn classes(model: &Model, universe: &Universe, all: &BTreeSet<Tables>) -> Vec<BTreeSet<Tables>> {
    let mut classes: Vec<BTreeSet<Tables>> = Vec::new();
    for tables in all {
        if classes.iter().any(|class| class.contains(tables)) {
            continue;
        }
        classes.push(renamed(model, universe, tables));
    }
    classes
}
