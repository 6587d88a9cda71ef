//! Every operator of every type, on every path: run, explored, proved, paired, and in models that invariants are inferred
//! from. Each has an invariant that is true and one that is false; each path must tell them apart.

#[path = "../suite/sandbox/mod.rs"]
mod sandbox;
mod table;

use std::collections::BTreeMap;
use std::mem::discriminant;

use ioa_lang::Sources;
use ioa_lang::core::{Expr, ExprKind, Model, Op, exprs_of_stmts};
use ioa_lang::print::{self, Context};
use sandbox::{Answer, Sandbox};
use serde_json::Value as Json;
use table::{Section, TABLE};

/// The sizes at which sections with sorts are run.
const SIZES: [&str; 4] = ["--sort", "Node=2", "--sort", "Ballot=2"];

impl Section {
    /// An automaton with the variables, and one for each term that its one step gives the term's value.
    fn automaton(&self, name: &str) -> String {
        let known = self.variables.iter();
        let known = known.map(|(name, ty, value)| format!("{name}: {ty} := {value}"));
        let results = self.rows.iter().enumerate();
        let results = results.map(|(i, [_, ty, value, _])| format!("r{i}: {ty} := {value}"));
        let states: Vec<String> = known.chain(results).collect();
        let effects = self.rows.iter().enumerate();
        let effects: Vec<String> = effects
            .filter(|(_, [term, ..])| !term.contains("enabled"))
            .map(|(i, [term, ..])| format!("r{i} := {term}"))
            .collect();
        format!(
            "automaton {name}\n  signature output go\n  states\n    {}\n  transitions\n    output go eff\n      {}\n",
            states.join(",\n    "),
            effects.join(";\n      ")
        )
    }

    /// That the variables have their values.
    fn known(&self) -> String {
        let values = self.variables.iter();
        let values = values.map(|(name, _, value)| equation(name, value));
        format!(
            "invariant Known of A: {}\n",
            values.collect::<Vec<_>>().join(" /\\ ")
        )
    }

    /// For each term an invariant that gives it its value.
    fn right(&self) -> String {
        let rows = self.rows.iter().enumerate();
        let rows = rows.map(|(i, [term, _, right, _])| {
            let (now, kept) = (equation(term, right), equation(&format!("r{i}"), right));
            format!("invariant Right{i} of A: {now} /\\ {kept}\n")
        });
        rows.collect()
    }

    /// An invariant that gives a term another value.
    fn wrong(&self, row: usize) -> String {
        let [term, _, _, wrong] = self.rows[row];
        format!("invariant Wrong{row} of A: {}\n", equation(term, wrong))
    }

    /// The automaton beside another like it, which simulates it while a term has this value.
    fn pair(&self, rows: impl Iterator<Item = (usize, &'static str)>) -> String {
        let related = rows.map(|(i, value)| {
            let term = self.low(self.rows[i][0]);
            let same = format!("A.r{i} = B.r{i}");
            match term.contains("enabled") {
                true => same,
                false => format!("{same} /\\ {}", equation(&term, value)),
            }
        });
        let known = self.variables.iter();
        let known = known.map(|(name, ..)| format!("A.{name} = B.{name}"));
        let related: Vec<String> = known.chain(related).collect();
        format!(
            "{}\n{}{}{}forward simulation from A to B: {}\n  proof\n    for output go do fire output go od\n",
            self.types,
            self.automaton("A"),
            self.automaton("B"),
            self.known(),
            related.join(" /\\ ")
        )
    }

    /// A term over the variables of `A`, as a relation reads it.
    fn low(&self, term: &str) -> String {
        let mut out = String::new();
        for word in term.split_inclusive(|c: char| !c.is_alphanumeric()) {
            let is_variable =
                |name: &str| word.trim_end_matches(|c: char| !c.is_alphanumeric()) == name;
            if self.variables.iter().any(|(name, ..)| is_variable(name)) {
                out.push_str("A.");
            }
            out.push_str(word);
        }
        out
    }
}

/// That a term has a value; formulas are equal if they are equivalent.
fn equation(term: &str, value: &str) -> String {
    match value {
        "true" => format!("({term})"),
        "false" => format!("~({term})"),
        value => format!("({term}) = {value}"),
    }
}

/// What a command says of the things it speaks of, by their names.
fn verdicts(answer: &Answer) -> BTreeMap<String, String> {
    let document = answer.json();
    let results = document["results"].as_array().expect("results").iter();
    let text = |json: &Json| json.as_str().expect("a text").to_owned();
    let named = results.map(|result| (text(&result["name"]), text(&result["verdict"])));
    named.collect()
}

/// A section with the files that each path is given, and what was wrong so far.
struct Trial<'s> {
    section: &'s Section,
    sandbox: Sandbox,
    right: String,
    faults: Vec<String>,
}

impl<'s> Trial<'s> {
    fn of(section: &'s Section) -> Self {
        let right = [
            section.types,
            "\n",
            &section.automaton("A"),
            &section.known(),
            &section.right(),
        ];
        Self {
            section,
            sandbox: Sandbox::new(),
            right: right.concat(),
            faults: Vec::new(),
        }
    }

    fn ioa(&self, command: &str, more: &[&str]) -> BTreeMap<String, String> {
        let mut args = vec![command, "--json"];
        args.extend(more);
        if self.section.types.contains("Node") && command != "prove" {
            args.extend(SIZES);
        }
        if ["run", "infer", "pair"].contains(&command) {
            args.extend(["--random", "--steps", "3"]);
        }
        verdicts(&self.sandbox.ioa(&args))
    }

    /// What a command has to say of the terms' right values, and of the wrong ones.
    fn expect(
        &mut self,
        command: &str,
        found: &BTreeMap<String, String>,
        right: &str,
        wrong: &str,
    ) {
        for (i, [term, ..]) in self.section.rows.iter().enumerate() {
            for (name, expected) in [(format!("Right{i}"), right), (format!("Wrong{i}"), wrong)] {
                let said = found.get(&name).map_or("nothing", String::as_str);
                if said != expected && !(command == "run" && said == "nothing") {
                    self.faults.push(format!(
                        "{command}: `{term}` of {}: {name} is {said}",
                        self.section.name
                    ));
                }
            }
        }
    }

    /// Everything at once, where all that is false is found.
    fn explored_and_proved(&mut self) {
        let wrong: String = (0..self.section.rows.len())
            .map(|i| self.section.wrong(i))
            .collect();
        self.sandbox
            .write("all.ioa", format!("{}{wrong}", self.right));
        let explored = self.ioa("explore", &["all.ioa", "--keep-going"]);
        self.expect("explore", &explored, "explored", "violated");
        let proved = self.ioa("prove", &["all.ioa"]);
        self.expect("prove", &proved, "proved", "violated");
    }

    /// Each wrong value by itself: a run ends at the first.
    fn run(&mut self) {
        self.sandbox.write("right.ioa", &self.right);
        let found = self.ioa("run", &["right.ioa"]);
        self.expect("run", &found, "tested", "violated");
        for i in 0..self.section.rows.len() {
            let wrong = format!("{}{}", self.right, self.section.wrong(i));
            self.sandbox.write("wrong.ioa", wrong);
            let mut found = self.ioa("run", &["wrong.ioa"]);
            found.retain(|name, _| name.starts_with("Wrong"));
            if found.values().any(|said| said != "violated") || found.is_empty() {
                self.faults
                    .push(format!("run: {} row {i}: {found:?}", self.section.name));
            }
        }
    }

    /// What is inferred holds.
    fn infer(&mut self) {
        self.ioa("infer", &["right.ioa", "--output", "found.ioa"]);
        let explored = self.ioa("explore", &["right.ioa", "found.ioa", "--keep-going"]);
        let few = explored.len() <= self.section.rows.len() + 2;
        if few || explored.values().any(|said| said != "explored") {
            self.faults
                .push(format!("infer: {}: {explored:?}", self.section.name));
        }
    }

    /// A relation that gives the terms their values, and for each of them one that does not.
    fn pair(&mut self) {
        let values = |wrong: Option<usize>| {
            let rows = self.section.rows.iter().enumerate();
            rows.map(move |(i, row)| (i, row[if wrong == Some(i) { 3 } else { 2 }]))
        };
        self.sandbox
            .write("pair.ioa", self.section.pair(values(None)));
        let mut faults = Vec::new();
        for (command, expected) in [("pair", "tested"), ("prove", "proved")] {
            let said = self.ioa(command, &["pair.ioa"]).remove("A to B");
            if said.as_deref() != Some(expected) {
                faults.push(format!(
                    "{command}: {} in a relation: {said:?}",
                    self.section.name
                ));
            }
        }
        for (i, [term, ..]) in self.section.rows.iter().enumerate() {
            if term.contains("enabled") {
                continue;
            }
            self.sandbox
                .write("wrong.ioa", self.section.pair(values(Some(i))));
            let said = self.ioa("pair", &["wrong.ioa"]).remove("A to B");
            if said.as_deref() != Some("violated") {
                faults.push(format!("pair: `{term}` of {}: {said:?}", self.section.name));
            }
        }
        self.faults.extend(faults);
    }
}

#[test]
fn every_operator_means_the_same_on_every_path() {
    let check = |section: &Section| {
        let mut trial = Trial::of(section);
        trial.explored_and_proved();
        trial.run();
        trial.infer();
        trial.pair();
        trial.faults
    };
    let faults: Vec<String> = std::thread::scope(|scope| {
        let (first, second) = TABLE.split_at(TABLE.len() / 2);
        let first = scope.spawn(|| first.iter().flat_map(check).collect::<Vec<_>>());
        let second: Vec<String> = second.iter().flat_map(check).collect();
        [first.join().expect("the other half runs through"), second].concat()
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The section's model, whose invariants give the terms their values.
fn model(section: &Section, invariants: &str) -> Model {
    let mut sources = Sources::new();
    let text = [section.types, "\n", &section.automaton("A"), invariants];
    sources.add("section.ioa", text.concat());
    let loaded = ioa_lang::load(&sources);
    let errors: Vec<&str> = loaded.diagnostics.iter().map(|d| &*d.message).collect();
    assert!(
        loaded.model.invariants.len() == section.rows.len(),
        "{}: {errors:?}",
        section.name
    );
    loaded.model
}

#[test]
fn every_operator_has_a_row() {
    let mut found = Vec::new();
    let mut note = |term: &Expr| {
        term.walk(&mut |e| {
            if let ExprKind::Apply(op, _) = &e.kind {
                found.push(discriminant(op));
            }
        });
    };
    for section in &TABLE {
        let model = model(section, &section.right());
        model.invariants.iter().for_each(|i| note(&i.formula));
        let clauses = model.automata.iter().flat_map(|a| &a.transitions);
        clauses.for_each(|clause| exprs_of_stmts(&clause.effect, &mut note));
    }
    let missing: Vec<&Op> = Op::ALL
        .iter()
        .filter(|op| !found.contains(&discriminant(*op)))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn what_is_printed_is_read_as_the_same_term() {
    for section in &TABLE {
        let first = model(section, &section.right());
        let printed = first.invariants.iter().map(|invariant| {
            let context = Context::automaton(&first, invariant.automaton, &invariant.locals);
            let text = print::expr(&first, &context, &invariant.formula);
            format!("invariant {} of A: {text}\n", invariant.name)
        });
        let printed: Vec<String> = printed.collect();
        let second = model(section, &printed.concat());
        for ((one, other), text) in first.invariants.iter().zip(&second.invariants).zip(printed) {
            assert!(one.formula == other.formula, "{}: {text}", section.name);
        }
    }
}
