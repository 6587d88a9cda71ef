//! What runs never exercised, so that nobody takes for tested what was not.

use std::collections::BTreeMap;

use interpreter::Branches;
use interpreter::run::Coverage;
use ioa_lang::Span;
use ioa_lang::core::{
    ActionId, Automaton, AutomatonId, ProofBlock, Stmt, StmtId, StmtKind, Store, TransitionId,
    VarId, places_of_stmts,
};

use crate::finding::Item;
use crate::numbers::{count, counted};
use crate::study::Study;

/// Of fewer steps, it says nothing that most of them changed nothing.
const FEW_STEPS: u64 = 20;

/// Three steps of four are most of them.
const MOST: (u64, u64) = (3, 4);

/// An action is rare if it happens less than once in so many runs.
const RARE: u64 = 3;

/// Of fewer runs, it says nothing that an action is rare.
const FEW_RUNS: u64 = 10;

/// More names than these are not listed.
const LISTED: usize = 6;

/// What some runs of an automaton never did, a sentence each: actions that never happened, variables that never changed
/// although steps were taken that may change them, branches of effects that were never taken; and that most steps changed
/// nothing.
pub(crate) fn by_runs(
    study: &Study,
    automaton: AutomatonId,
    runs: u64,
    coverage: &Coverage,
) -> Vec<String> {
    let asked = Asked {
        study,
        automaton: study.model.automaton(automaton),
        runs,
        coverage,
    };
    let said = [asked.never_fired(), asked.idle(), asked.never_changed()];
    let said = said.into_iter().flatten().chain(asked.rare());
    said.chain(asked.never_taken()).collect()
}

/// Which actions never happened in what was looked at, runs and visits, in a sentence.
pub(in crate::pipeline) fn never_happened(
    study: &Study,
    automaton: AutomatonId,
    coverage: &Coverage,
) -> Option<String> {
    let asked = Asked {
        study,
        automaton: study.model.automaton(automaton),
        runs: 0,
        coverage,
    };
    let never = asked.unfired();
    let names = listed(&never);
    (!never.is_empty()).then(|| format!("{names} never happened in anything that was looked at"))
}

/// How often each clause of an automaton fired in some runs, and how often that changed nothing.
pub(crate) fn fired(study: &Study, id: AutomatonId, coverage: &Coverage) -> Vec<Item> {
    let transitions = study.model.automaton(id).transitions.iter().zip(0..);
    let clauses = transitions.map(|(transition, at)| (transition, TransitionId(at)));
    // That a clause which refuses an input never fires is as it should be.
    let told = clauses.filter(|(transition, clause)| {
        transition.refused.is_none() || coverage.fired(*clause).steps > 0
    });
    let item = |(_, clause)| {
        let fired = coverage.fired(clause);
        let mut item = Item::fired(study.clause(id, clause), fired.steps, String::new);
        item.figures.insert("unchanged", fired.idle);
        item
    };
    told.map(item).collect()
}

/// What some paired runs never did in a proof block: branches that were never taken, in entries that were used.
pub(crate) fn in_block(
    study: &Study,
    (low, block): (AutomatonId, &ProofBlock),
    coverage: &Coverage,
    taken: &Branches,
) -> Vec<String> {
    let automaton = study.model.automaton(low);
    let is_used = |action| {
        let mut clauses = automaton.clauses(action);
        clauses.any(|(clause, _)| coverage.fired(clause).steps > 0)
    };
    let used = block.entries.iter().filter(|entry| is_used(entry.action));
    let mut never = Vec::new();
    for entry in used {
        never_taken(&entry.program.body, taken, &mut never);
    }
    let told = never.iter().map(|branch| {
        let at = study.location(branch.span);
        format!("a branch of the proof block was never taken: {at}")
    });
    told.collect()
}

/// A branch of a statement that somebody wrote.
struct Branch {
    /// The statement, and the position of the branch in it.
    id: (StmtId, usize),
    /// Where it begins.
    span: Span,
}

/// The branches among some statements that were never taken, without those inside of them. (Statements that sort out which
/// component takes part in a step are written nowhere, and not told.)
fn never_taken(body: &[Stmt], taken: &Branches, never: &mut Vec<Branch>) {
    for statement in body {
        match &statement.kind {
            StmtKind::If {
                branches,
                otherwise,
            } => {
                let bodies = branches
                    .iter()
                    .map(|(condition, body)| (condition.span, body));
                let last = otherwise.first().map(|first| (first.span, otherwise));
                for (position, (span, body)) in bodies.chain(last).enumerate() {
                    match statement.id().map(|id| (id, position)) {
                        Some(id) if !taken.contains(&id) => never.push(Branch { id, span }),
                        _ => never_taken(body, taken, never),
                    }
                }
            }
            StmtKind::For { body, .. } | StmtKind::While(_, body) => {
                never_taken(body, taken, never);
            }
            StmtKind::Assign(..)
            | StmtKind::Choose { .. }
            | StmtKind::Fire(_)
            | StmtKind::FireAny(_) => {}
        }
    }
}

/// What is asked about.
struct Asked<'a> {
    study: &'a Study,
    automaton: &'a Automaton,
    runs: u64,
    coverage: &'a Coverage,
}

impl Asked<'_> {
    /// The clauses of the automaton that are no refusals of an input.
    fn clauses(&self) -> impl Iterator<Item = TransitionId> {
        let all = self.automaton.transitions.iter().zip(0..);
        let real = all.filter(|(transition, _)| transition.refused.is_none());
        real.map(|(_, id)| TransitionId(id))
    }

    fn never_fired(&self) -> Option<String> {
        self.told(&self.unfired(), "happened")
    }

    /// The names of the clauses that never fired, each once.
    fn unfired(&self) -> Vec<String> {
        let mut never: Vec<String> = Vec::new();
        for clause in self.clauses() {
            if let Some(name) = self.if_never(clause)
                && !never.contains(&name)
            {
                never.push(name);
            }
        }
        never
    }

    /// The name of a clause that never fired: its action's; with the place of the clause if other clauses of the action
    /// fired. Of the cases that the clauses of components make together nothing is said then.
    fn if_never(&self, clause: TransitionId) -> Option<String> {
        let has_fired = |clause| self.coverage.fired(clause).steps > 0;
        if has_fired(clause) {
            return None;
        }
        let transition = &self.automaton.transitions[clause.index()];
        let name = &self.automaton.actions[transition.action.index()].name;
        let mut clauses = self.automaton.clauses(transition.action);
        match clauses.any(|(other, _)| has_fired(other)) {
            false => Some(name.to_string()),
            true if self.automaton.components.is_empty() => {
                let at = self.study.location(transition.span);
                Some(format!("{name} ({at})"))
            }
            true => None,
        }
    }

    /// That what is named never did something.
    fn told(&self, never: &[String], what: &str) -> Option<String> {
        let runs = counted(self.runs, "run");
        let said = || {
            format!(
                "{} never {what} in {runs} of {}",
                listed(never),
                self.automaton.name
            )
        };
        (!never.is_empty()).then(said)
    }

    /// The actions that happened, but rarely.
    fn rare(&self) -> Option<String> {
        if self.runs < FEW_RUNS {
            return None;
        }
        let mut times: BTreeMap<ActionId, u64> = BTreeMap::new();
        for clause in self.clauses() {
            let action = self.automaton.transitions[clause.index()].action;
            *times.entry(action).or_default() += self.coverage.fired(clause).steps;
        }
        let is_rare = |times: u64| 0 < times && times * RARE < self.runs;
        let rare = times.into_iter().filter(|(_, times)| is_rare(*times));
        let rare: Vec<String> = rare
            .map(|(action, times)| {
                let name = &self.automaton.actions[action.index()].name;
                format!("{name} ({})", counted(times, "time"))
            })
            .collect();
        let (runs, automaton) = (counted(self.runs, "run"), &self.automaton.name);
        let said = || format!("{} happened rarely in {runs} of {automaton}", listed(&rare));
        (!rare.is_empty()).then(said)
    }

    /// That most of the steps changed nothing, with the action that has the most of them.
    fn idle(&self) -> Option<String> {
        let (idle, steps) = (self.coverage.idle(), self.coverage.steps());
        if steps < FEW_STEPS || idle / MOST.0 < steps / MOST.1 {
            return None;
        }
        let worst = self
            .clauses()
            .max_by_key(|c| (self.coverage.fired(*c).idle, std::cmp::Reverse(c.index())))?;
        let action = &self.automaton.action_of(worst).name;
        Some(format!(
            "{} of the {} steps of {} changed nothing, {} of them by {action}",
            count(idle),
            count(steps),
            self.automaton.name,
            count(self.coverage.fired(worst).idle)
        ))
    }

    /// The branches of effects that no step took, of clauses that fired.
    fn never_taken(&self) -> Vec<String> {
        let taken = self.coverage.branches();
        let mut never: BTreeMap<(StmtId, usize), (Span, TransitionId, u64)> = BTreeMap::new();
        for clause in self.clauses() {
            let fired = self.coverage.fired(clause);
            let looked = fired.steps - fired.passed_over;
            let effect = &self.automaton.transitions[clause.index()].effect;
            let mut of_clause = Vec::new();
            if looked > 0 {
                never_taken(effect, taken, &mut of_clause);
            }
            for Branch { id, span } in of_clause {
                never.entry(id).or_insert((span, clause, 0)).2 += looked;
            }
        }
        let mut never: Vec<(Span, TransitionId, u64)> = never.into_values().collect();
        never.sort_unstable();
        let told = never.into_iter().map(|(span, clause, looked)| {
            format!(
                "a branch of {} was never taken in {}: {}",
                self.automaton.action_of(clause).name,
                counted(looked, "step"),
                self.study.location(span)
            )
        });
        told.collect()
    }

    fn never_changed(&self) -> Option<String> {
        let mut written: Vec<VarId> = Vec::new();
        for clause in self.clauses().filter(|c| self.coverage.fired(*c).steps > 0) {
            let transition = &self.automaton.transitions[clause.index()];
            places_of_stmts(&transition.effect, &mut |place| {
                if place.root.store == Store::Pre {
                    written.push(place.root.var);
                }
            });
            written.extend(&transition.unconstrained);
        }
        written.sort_unstable();
        written.dedup();
        let never = written
            .into_iter()
            .filter(|v| !self.coverage.is_changed(*v));
        let never: Vec<String> = never
            .map(|v| self.automaton.variables[v.index()].name.to_string())
            .collect();
        self.told(&never, "changed")
    }
}

/// Names in a row, at most so many of them.
fn listed(names: &[String]) -> String {
    let (shown, more) = names.split_at(names.len().min(LISTED));
    match (more.len(), shown) {
        (0, [one]) => one.clone(),
        (0, [all @ .., last]) => format!("{} and {last}", all.join(", ")),
        (more, shown) => format!("{} and {more} more", shown.join(", ")),
    }
}
