//! What came of a search: lemmas as text, the ordinary proof with them, and findings.

mod left;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use ioa_lang::core::{AutomatonId, Invariant, Model};
use prover_bridge::Options;

use super::super::request::Request;
use super::super::sorted::Sorted;
use super::super::{Sort, prove_and};
use super::effort::BUDGET;
use super::executed::{failed_blocks, found_alone};
use super::goals::Goals;
use super::needed::{Graph, least};
use super::search::archive::Cti;
use super::search::obstacle::Obstacle;
use crate::finding::{Finding, Item, Kind, Scope, Verdict};
use crate::host::{Host, Stopwatch};
use crate::numbers::counted;
use crate::pipeline::candidates::formula_text;
use crate::pipeline::explore::{ExplorePlan, Limits};
use crate::setup::Setup;
use crate::study::{BadInput, Study, written};

/// What came of a proof without help.
#[derive(Debug)]
pub struct Found {
    /// What is established and what is not, and the lemmas.
    pub findings: Vec<Finding>,
    /// The lemmas as IOA text, each with what it is needed for.
    pub text: String,
}

/// Where lemmas were looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Engine {
    /// Clauses that were made of counterexamples.
    #[default]
    Diagrams,
    /// Clauses that were learnt from all states, and chosen by the counterexamples that they exclude.
    Clauses,
    /// What small instances need of all clauses.
    Slices,
}

/// What a search has found so far.
#[derive(Debug, Default)]
pub(super) struct Attempt {
    /// Lemmas, perhaps more than are needed.
    pub(super) lemmas: Vec<Invariant>,
    pub(super) rounds: u64,
    pub(super) counterexamples: u64,
    /// What was searched.
    pub(super) engine: Engine,
    /// How many clauses were looked at, where all of them were.
    pub(super) clauses: u64,
    /// What stands in the way.
    pub(super) remains: Vec<Obstacle>,
    /// Whether there was no search, since an earlier one is remembered.
    pub(super) is_recalled: bool,
}

impl Attempt {
    /// The better of this attempt and a later, wider one: the one with more lemmas. A wider search may find fewer with its budget.
    pub(super) fn or_better(mut self, later: Self) -> Self {
        if later.lemmas.len() >= self.lemmas.len() {
            return later;
        }
        let no_more = Obstacle::general("a wider search found no more");
        if self.remains.last() != Some(&no_more) {
            self.remains.push(no_more);
        }
        self
    }
}

/// Work for each question of a proof that is known not to succeed as a whole, where the user has set no limit.
pub(super) const SHORT: u32 = 1_000_000;

/// What is said above a lemma where the search ended without a proof of the goals.
const PROVED: &str = "% proved\n";
const CANDIDATE: &str =
    "% a candidate: it holds in all states that were visited, and is not proved\n";

/// What is told of, and by whose clock.
#[derive(Clone, Copy)]
pub(super) struct Telling<'t> {
    pub(super) study: &'t Study,
    pub(super) goals: &'t Goals,
    pub(super) request: &'t Request,
    pub(super) started: Stopwatch<'t>,
    /// Seconds for the whole search; what was found has to be proved in a third of them more.
    pub(super) budget: f64,
    /// Work for one question, in the solver's own unit, at most.
    pub(super) work: u32,
    pub(super) host: &'t dyn Host,
}

/// A lemma as people get it.
pub(super) struct Written {
    /// It, under the name that it is given.
    pub(super) lemma: Invariant,
    /// Its formula as text.
    pub(super) text: String,
    /// The names of the goals and lemmas whose proofs need it.
    pub(super) needed_for: Vec<String>,
}

impl Written {
    pub(super) fn name(&self) -> &str {
        &self.lemma.name
    }
}

impl Telling<'_> {
    /// What is told where the lemmas that are needed prove the goals in the ordinary way, with these lemmas; nothing where they do
    /// not.
    ///
    /// # Errors
    /// What is wrong with the request.
    pub(super) fn proved(
        &self,
        attempt: &Attempt,
        options: &Options<'_>,
    ) -> Result<Option<(Found, Vec<Written>)>, BadInput> {
        let (goals, lemmas) = (&self.goals.study, &attempt.lemmas);
        let Some((kept, graph)) = least(goals, lemmas, self.request, options, self.host) else {
            return Ok(None);
        };
        let written = self.written(&kept, &graph);
        let findings = self.ordinary_proof(&written, self.request.clone())?;
        if findings.iter().any(|f| f.verdict != Verdict::Proved) {
            return Ok(None);
        }
        let found = self.found(attempt, &written, findings);
        Ok(Some((found, written)))
    }

    /// What is proved of the goals without any lemma, and what is not; with the executions on which proof blocks fail.
    ///
    /// # Errors
    /// What is wrong with the request.
    pub(super) fn without_lemmas(&self, setup: &Setup) -> Result<Vec<Finding>, BadInput> {
        self.proof(&[], self.first(), &|study, _, report| Sorted {
            violated: failed_blocks((study, setup), &report.outcomes, self.host),
            ..Sorted::default()
        })
    }

    /// The request of a proof that is tried before lemmas are looked for.
    pub(super) fn first(&self) -> Request {
        self.brief(self.budget / 8.0, self.work)
    }

    /// The request of a proof that may not succeed, in so many seconds, where the user has set no limit on the work.
    pub(super) fn brief(&self, seconds: f64, work: u32) -> Request {
        Request {
            until: Some(self.host.now() + Duration::from_secs_f64(seconds)),
            work: match self.request.apart {
                true => self.request.work,
                false => work,
            },
            ..self.request.clone()
        }
    }

    /// The command that asks for the same search.
    pub(super) fn command(&self) -> String {
        let only = self.request.only.iter();
        let only: String = only.map(|name| format!(" --only \"{name}\"")).collect();
        let is_usual = (self.budget - BUDGET).abs() < f64::EPSILON;
        let budget = (!is_usual).then(|| format!(" --budget {}", self.budget));
        let budget = budget.unwrap_or_default();
        format!("ioa prove {} --auto{only}{budget}", self.study.inputs)
    }

    /// The lemmas with names that nothing in the study has, and with what needs them.
    pub(super) fn written(&self, lemmas: &[Invariant], graph: &Graph) -> Vec<Written> {
        let names = free_names(&self.study.model);
        self.written_as(names, lemmas, graph)
    }

    /// The same with these names.
    fn written_as(
        &self,
        names: impl Iterator<Item = String>,
        lemmas: &[Invariant],
        graph: &Graph,
    ) -> Vec<Written> {
        let model = &self.study.model;
        let internal = lemmas.iter().map(|lemma| lemma.name.to_string());
        let renamed: BTreeMap<String, String> = internal.zip(names).collect();
        let users = |lemma: &Invariant| {
            let users = graph.get(&*lemma.name).into_iter().flatten();
            let users = users.map(|name| renamed.get(name).unwrap_or(name).clone());
            users.collect()
        };
        let written = lemmas.iter().map(|lemma| Written {
            text: formula_text(model, lemma),
            needed_for: users(lemma),
            lemma: Invariant {
                name: (*renamed[&*lemma.name]).into(),
                ..lemma.clone()
            },
        });
        written.collect()
    }

    /// The ordinary proof of the goals and of the lemmas.
    ///
    /// # Errors
    /// What is wrong with the request.
    pub(super) fn ordinary_proof(
        &self,
        lemmas: &[Written],
        request: Request,
    ) -> Result<Vec<Finding>, BadInput> {
        self.proof(lemmas, request, &|_, _, _| Sorted::default())
    }

    /// The same, where `sort` says what is known about the counterexamples.
    ///
    /// # Errors
    /// What is wrong with the request.
    pub(super) fn proof(
        &self,
        lemmas: &[Written],
        mut request: Request,
        sort: Sort<'_>,
    ) -> Result<Vec<Finding>, BadInput> {
        let goals = &self.goals.study;
        let mut sources = goals.sources.clone();
        let lemma = |found: &Written| {
            written::invariant(&goals.model, &mut sources, "a lemma", &found.lemma)
        };
        let mut invariants: Vec<Invariant> = lemmas.iter().map(lemma).collect();
        invariants.extend(goals.model.invariants.iter().cloned());
        let study = goals.stating(sources, invariants);
        if !request.only.is_empty() {
            let names = lemmas.iter().map(|lemma| lemma.name().to_owned());
            request.only.extend(names);
        }
        Ok(prove_and(&study, &request, self.host, sort)?.findings)
    }

    /// The findings of a proof, with one about the lemmas; and these as text.
    pub(super) fn found(
        &self,
        attempt: &Attempt,
        written: &[Written],
        mut findings: Vec<Finding>,
    ) -> Found {
        let verdict_of = |name: &str| {
            let about = findings
                .iter()
                .find(|f| f.name == name && f.kind == Kind::Invariant);
            about.map(|finding| finding.verdict)
        };
        let items = written.iter().map(|lemma| Item {
            name: lemma.name().to_owned(),
            text: lemma.text.clone(),
            verdict: verdict_of(lemma.name()),
            needed_for: lemma.needed_for.clone(),
            figures: BTreeMap::new(),
            seconds: None,
            opinion: None,
        });
        let items: Vec<Item> = items.collect();
        for finding in &mut findings {
            let is_needed = |lemma: &&Written| lemma.needed_for.contains(&finding.name);
            let names = written
                .iter()
                .filter(is_needed)
                .map(|lemma| lemma.name().to_owned());
            finding.needs = Some(names.collect());
        }
        let worst = crate::finding::status(&findings, &BTreeMap::new());
        let gravest = findings.iter().find(|f| f.status() == worst);
        let verdict = gravest.map_or(Verdict::Unknown, |f| match f.verdict {
            Verdict::Proved => Verdict::Proved,
            _ => Verdict::Unknown,
        });
        let name = format!("for {}", goals(&findings, written));
        let mut finding = Finding::new(Kind::Lemmas, name, "", verdict, Scope::UNBOUNDED);
        finding.figures = BTreeMap::from([
            ("lemmas", written.len() as u64),
            ("rounds", attempt.rounds),
            ("counterexamples", attempt.counterexamples),
        ]);
        let is_proved = |item: &&Item| item.verdict == Some(Verdict::Proved);
        let proved = items.iter().filter(is_proved).count();
        finding.summary = summary(attempt, (proved, items.len()), verdict);
        finding.items = items;
        finding.seconds = Some(self.started.seconds());
        let text = self.text(written, &findings, verdict);
        findings.push(finding);
        Found { findings, text }
    }

    /// The lemmas as IOA text.
    fn text(&self, written: &[Written], findings: &[Finding], verdict: Verdict) -> String {
        let is_proved = |name: &str| {
            let own = |f: &&Finding| f.name == name && f.kind == Kind::Invariant;
            findings
                .iter()
                .find(own)
                .is_some_and(|f| f.verdict == Verdict::Proved)
        };
        let mut out = match (verdict, written.len()) {
            (Verdict::Proved, 0) => return "no lemma is needed\n".to_owned(),
            (_, 0) => return "no lemma was found\n".to_owned(),
            (Verdict::Proved, _) => {
                "% With these lemmas all is proved, for every size.\n".to_owned()
            }
            _ => "% What was found before the search ended; it does not prove all.\n".to_owned(),
        };
        for lemma in written {
            out.push('\n');
            if !lemma.needed_for.is_empty() {
                out.push_str(&format!("% needed for {}\n", lemma.needed_for.join(", ")));
            } else {
                out.push_str(match is_proved(lemma.name()) {
                    true => PROVED,
                    false => CANDIDATE,
                });
            }
            let (model, automaton) = (&self.study.model, lemma.lemma.automaton);
            let statement = statement(model, automaton, lemma.name(), &lemma.text);
            out.push_str(&format!("{statement}\n"));
        }
        out
    }

    /// The same at the sizes of a counterexample to induction whose first state is reached; nothing where no goal can be evaluated.
    ///
    /// # Errors
    /// Why the automaton cannot be explored.
    pub(super) fn violated_from(
        &self,
        cti: &Cti,
        setup: &Setup,
    ) -> Result<Option<Found>, BadInput> {
        let study = &self.goals.study;
        let setup = setup.at_sizes(study.given_sizes(&cti.spots[0].universe));
        let goals = self.goals.evaluable_of(cti.spots[0].automaton, &setup);
        match goals.is_empty() {
            true => Ok(None),
            false => self.violated(&goals, &setup).map(Some),
        }
    }

    /// The shortest execution that violates one of these goals, which are about one automaton, at the sizes of the setup.
    ///
    /// # Errors
    /// Why the automaton cannot be explored.
    pub(super) fn violated(&self, goals: &[Invariant], setup: &Setup) -> Result<Found, BadInput> {
        let plan = ExplorePlan {
            keep_going: false,
            ..ExplorePlan::survey(goals[0].automaton, Limits::default())
        };
        let about = (&self.goals.study, setup);
        Ok(Found {
            findings: found_alone(about, goals, plan, self.host)?,
            text: String::new(),
        })
    }
}

/// The statement of an invariant of an automaton, as IOA text.
pub(super) fn statement(
    model: &Model,
    automaton: AutomatonId,
    name: &str,
    formula: &str,
) -> String {
    format!(
        "invariant {name} of {}: {formula}",
        model.automaton(automaton).name
    )
}

/// Lemmas, each text once: clauses of different frames may be the same in their simplest form.
pub(super) fn distinct(model: &Model, lemmas: &[Invariant]) -> Vec<Invariant> {
    let mut seen = BTreeSet::new();
    let is_new = |lemma: &&Invariant| seen.insert((lemma.automaton, formula_text(model, lemma)));
    lemmas.iter().filter(is_new).cloned().collect()
}

/// Names for lemmas that no invariant of the model has.
pub(super) fn free_names(model: &Model) -> impl Iterator<Item = String> {
    free_numbered(model, "Lemma")
}

/// Names that no invariant of the model has: a word with numbers.
fn free_numbered(model: &Model, word: &str) -> impl Iterator<Item = String> {
    let is_free = |name: &String| model.invariants.iter().all(|i| *i.name != **name);
    (1..).map(move |n| format!("{word}{n}")).filter(is_free)
}

/// What lemmas were looked for, among the findings of a proof with these lemmas: the name of the only goal, or how many there are.
fn goals(findings: &[Finding], lemmas: &[Written]) -> String {
    let is_goal = |f: &&Finding| {
        let is_lemma = lemmas.iter().any(|lemma| lemma.name() == f.name);
        matches!(f.kind, Kind::Invariant | Kind::Simulation) && !is_lemma
    };
    let goals: Vec<&Finding> = findings.iter().filter(is_goal).collect();
    match &goals[..] {
        [only] => only.name.clone(),
        all => counted(all.len() as u64, "goal"),
    }
}

/// What the search came to in a line: so many of its lemmas are proved.
fn summary(attempt: &Attempt, (proved, lemmas): (usize, usize), verdict: Verdict) -> String {
    let found = counted(proved as u64, "lemma");
    let found = match lemmas - proved {
        0 => found,
        candidates => format!("{found} and {}", counted(candidates as u64, "candidate")),
    };
    let how = match attempt.counterexamples {
        _ if attempt.is_recalled => "found before (--fresh looks for them again)".to_owned(),
        0 if lemmas == 0 && verdict == Verdict::Proved => "none is needed".to_owned(),
        0 if lemmas == 0 => "none was found".to_owned(),
        _ if attempt.engine == Engine::Slices => format!(
            "what small instances need of {}, in {}",
            counted(attempt.clauses, "clause"),
            counted(attempt.rounds, "round")
        ),
        // Nothing was learnt before the first counterexample.
        0 if attempt.engine == Engine::Diagrams => "conditions on start states".to_owned(),
        0 => "inductive candidates of the detector".to_owned(),
        n => format!(
            "{}{} in {}",
            match attempt.engine {
                Engine::Diagrams => "diagrams of ",
                Engine::Clauses | Engine::Slices => "clauses that exclude ",
            },
            counted(n, "counterexample"),
            counted(attempt.rounds, "round")
        ),
    };
    let mut summary = format!("{found}: {how}");
    if verdict != Verdict::Proved {
        for obstacle in &attempt.remains {
            summary.push_str(&format!("; {}", obstacle.words));
        }
    }
    summary
}
