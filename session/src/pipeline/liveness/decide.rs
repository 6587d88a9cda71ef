//! The question to the explorer.

use std::ops::ControlFlow;
use std::time::Duration;

use explorer::{Bits, Graph, Growth, Limits, Stopped};
use interpreter::trace::Trace;
use interpreter::{Executor, Firing, Instance, Interrupt, LimitKind, Rows};
use ioa_lang::core::Liveness;

use super::super::explore::{Ended, Exploration, ExplorePlan, TimeLimit, bound, labelled, stopped};
use super::answer::{Answer, Asked, Counterexample, Dead, Outcome, Transient, Undefined, Why};
use super::facts::{Case, Found, evaluated};
use super::fairness::fates;
use super::life::reached;
use super::seen::Seen;
use super::tasks::Classes;
use crate::host::{Host, Stopwatch};
use crate::numbers::count;
use crate::study::Study;

/// What a question is about.
struct Question<'q, 'i> {
    study: &'q Study,
    instance: &'i Instance,
    plan: &'q ExplorePlan,
    rows: &'q Rows<'i>,
    graph: &'q Graph,
    classes: Classes<'i>,
    limit: &'q TimeLimit<'q>,
}

/// What is known about each liveness property that a plan asks for, in the instance that was explored.
#[must_use]
pub fn answers(
    study: &Study,
    exploration: &Exploration,
    plan: &ExplorePlan,
    host: &dyn Host,
) -> Vec<Answer> {
    let stated = study.model.liveness.iter().enumerate();
    let fair = stated
        .filter(|(_, property)| plan.asks_for(property))
        .map(|(position, _)| Asked::Fair(position));
    let possible = (0..study.possible.len()).map(Asked::Possible);
    let asked: Vec<Asked> = fair.chain(possible).collect();
    if asked.is_empty() {
        return Vec::new();
    }
    let unknown = |why: &Why| {
        let answer = |asked: &Asked| Answer {
            asked: *asked,
            outcome: Outcome::Unknown(why.clone()),
            world: exploration.world.clone(),
            seconds: 0.0,
        };
        asked.iter().map(answer).collect()
    };
    if let Some(why) = without_graph(plan) {
        return unknown(&why.to_owned().into());
    }
    if exploration.ended != Ended::Complete {
        return unknown(&ended(exploration.ended));
    }
    match all(study, exploration, (plan, &asked), host) {
        Ok(answers) => answers,
        Err(why) => unknown(&why),
    }
}

/// Why a search says nothing about executions that go on forever, if it is not one of all states.
fn without_graph(plan: &ExplorePlan) -> Option<&'static str> {
    match (plan.dpor, plan.swarm) {
        (true, _) => Some("--dpor decides no liveness properties, and not what stays possible"),
        (_, Some(_)) => Some("--swarm decides no liveness properties"),
        _ if plan.por => {
            Some("--por decides no liveness properties: it keeps what is asked of single states")
        }
        _ => None,
    }
}

/// The answers, or why there are none.
fn all(
    study: &Study,
    exploration: &Exploration,
    (plan, asked): (&ExplorePlan, &[Asked]),
    host: &dyn Host,
) -> Result<Vec<Answer>, Why> {
    let instance = &*exploration.world.instance;
    let rows = Rows::new(instance, plan.automaton);
    let started = Stopwatch::start(host);
    let seconds = plan.limits.time.map(|time| time - exploration.seconds);
    let limit = TimeLimit::new(instance.cancel(), seconds, host);
    let by = (host, &limit);
    let stopped = |why: Stopped| told(&why, plan, host);
    let classes = |seen| Classes::new(study, instance, plan.automaton, seen);
    let mut classes = match classes(None) {
        Ok(classes) => classes,
        Err(_) => {
            let mut seen = Seen::default();
            let note =
                &mut |firing: &Firing, _: &mut Bits| seen.note(instance, plan.automaton, firing);
            grown((instance, &rows), (0, note), plan, by).map_err(stopped)?;
            classes(Some(&seen))?
        }
    };
    let count = classes.tasks.count;
    let of = &mut |firing: &Firing, set: &mut Bits| classes.of(firing, set);
    let graph = grown((instance, &rows), (count, of), plan, by).map_err(stopped)?;
    // All answers rest on the graph.
    let shared = started.seconds() / asked.len().max(1) as f64;
    let mut question = Question {
        study,
        instance,
        plan,
        rows: &rows,
        graph: &graph,
        classes,
        limit: &limit,
    };
    let mut answers = Vec::new();
    for asked in asked {
        let started = Stopwatch::start(host);
        let outcome = match limit.is_over() {
            true => Err(ended(over(host))),
            false => question.outcome(*asked).map_err(Why::from),
        };
        answers.push(Answer {
            asked: *asked,
            outcome: outcome.unwrap_or_else(Outcome::Unknown),
            world: exploration.world.clone(),
            seconds: shared + started.seconds(),
        });
    }
    Ok(answers)
}

/// Puts the tasks that a step belongs to into a set.
type Belongs<'b> = dyn FnMut(&Firing, &mut Bits) + 'b;

/// All reachable states, with the tasks that each step belongs to: so many tasks, and to which of them a step belongs.
fn grown(
    (instance, rows): (&Instance, &Rows<'_>),
    (tasks, of): (usize, &mut Belongs<'_>),
    plan: &ExplorePlan,
    (host, limit): (&dyn Host, &TimeLimit<'_>),
) -> Result<Graph, Stopped> {
    let steps = labelled(instance, plan.automaton, plan.native);
    // The instance was explored, so that all its clauses can be run.
    let mut steps = steps.expect("an instance that was explored");
    let mut progress = host.begins("looking for fair executions", None);
    let mut said = Stopwatch::start(host);
    let growth = Growth {
        system: &mut *steps,
        rows,
        count: tasks,
        tasks: of,
        progress: &mut |states| {
            if said.elapsed() > Duration::from_millis(200) {
                said = Stopwatch::start(host);
                progress.say(&format!("{} states", count(states as u64)));
            }
            match limit.is_over() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        },
    };
    let limits = Limits {
        states: plan.limits.states.unwrap_or(u64::MAX),
        memory: plan.limits.memory.unwrap_or_else(|| host.spare_memory()),
    };
    Graph::new(growth, limits)
}

/// Why there is no graph.
fn told(why: &Stopped, plan: &ExplorePlan, host: &dyn Host) -> Why {
    match why {
        Stopped::States => ended(Ended::States),
        Stopped::Memory => ended(Ended::Memory(plan.limits.memory.is_some())),
        Stopped::Cancelled => ended(over(host)),
        Stopped::Interrupted(interrupt) => in_words(interrupt).into(),
    }
}

/// How a search ends whose time is over.
fn over(host: &dyn Host) -> Ended {
    host.stopped().map_or(Ended::Time, Ended::Stopped)
}

/// Why nothing is decided after a search that ended so. A part of the states says nothing about what goes on forever, so a bound on
/// them, unlike for an invariant, leaves the question open.
fn ended(ended: Ended) -> Why {
    let is_answered = matches!(ended, Ended::Found | Ended::Interpretations(_));
    Why {
        words: stopped(ended).to_owned(),
        bound: bound(ended).filter(|_| is_answered),
    }
}

/// The execution along a path, of which the interpreter says the same as the graph.
fn agreed(labelled: explorer::Labelled) -> Result<Trace, String> {
    match (labelled.trace, labelled.disagreement) {
        (Some(trace), None) => Ok(trace),
        (_, why) => {
            let why = why.map(|why| why.to_string()).unwrap_or_default();
            Err(format!(
                "internal error: {why}; please report it with the model"
            ))
        }
    }
}

fn in_words(interrupt: &Interrupt) -> String {
    match interrupt {
        Interrupt::Fault(fault) => format!("a step has no result: {}", fault.kind),
        Interrupt::Limit(limit) if limit.kind == LimitKind::Cancelled => {
            stopped(Ended::Time).to_owned()
        }
        Interrupt::Limit(limit) => format!("a limit of the tool was reached: {}", limit.kind),
    }
}

impl<'i> Question<'_, 'i> {
    fn outcome(&mut self, asked: Asked) -> Result<Outcome, String> {
        match asked {
            Asked::Fair(position) => {
                let property = &self.study.model.liveness[position];
                self.judged(property, |question, cases, facts| {
                    question.decided(cases, facts)
                })
            }
            Asked::Possible(position) => {
                let property = reached(&self.study.possible[position]);
                self.judged(&property, |question, _, facts| question.possible(&facts[0]))
            }
        }
    }

    /// What comes of looking where the formulas of a property are true.
    fn judged(
        &mut self,
        property: &Liveness,
        judge: impl Fn(&mut Self, &[Case], &[explorer::Bits]) -> Result<Outcome, String>,
    ) -> Result<Outcome, String> {
        let about = (self.graph, self.rows);
        let native = self.plan.native;
        let (cases, found) = evaluated(self.study, self.instance, property, about, native)?;
        match found {
            Found::Facts(facts) => judge(self, &cases, &facts),
            Found::Undefined(number, state, interrupt) => {
                let path = explorer::way(self.graph, number);
                let trace = self.labelled(&path).map(|labelled| labelled.trace)?;
                Ok(Outcome::Undefined(Box::new(Undefined {
                    trace,
                    state,
                    interrupt,
                })))
            }
            Found::Outgrown => Err("a number in it is too large".to_owned()),
        }
    }

    /// Whether a property is true of all fair executions at all values of its parameters.
    fn decided(&mut self, cases: &[Case], facts: &[explorer::Bits]) -> Result<Outcome, String> {
        for case in cases {
            let tasks = &self.classes.tasks;
            let is_stopped = || self.limit.is_over();
            let lasso = explorer::violation(self.graph, tasks, &case.formula, facts, &is_stopped);
            let lasso = lasso.map_err(|_| "the formula has too many cases".to_owned())?;
            if let Some(lasso) = lasso {
                return self.violated(case, &lasso);
            }
        }
        Ok(Outcome::Holds {
            states: self.graph.states() as u64,
            steps: self.graph.steps() as u64,
        })
    }

    /// Whether a fact stays possible.
    fn possible(&self, fact: &explorer::Bits) -> Result<Outcome, String> {
        let explorer::Possible { dead, transient } = explorer::possible(self.graph, fact);
        let transient = transient.map(|transient| self.transient(&transient));
        let transient = transient.transpose()?;
        let Some(dead) = dead else {
            return Ok(Outcome::Possible {
                states: self.graph.states() as u64,
                transient,
            });
        };
        let way_out = dead.way_out.map(|way| self.onward(&way));
        Ok(Outcome::Dead(Box::new(Dead {
            count: dead.count as u64,
            trace: agreed(self.labelled(&dead.path)?)?,
            way_out: way_out.transpose()?,
            transient,
        })))
    }

    fn transient(&self, transient: &explorer::Transient) -> Result<Transient, String> {
        Ok(Transient {
            count: transient.count as u64,
            trace: agreed(self.labelled(&transient.path)?)?,
            way_out: self.onward(&transient.way_out)?,
        })
    }

    /// The execution along a path that begins anywhere.
    fn onward(&self, path: &explorer::Path) -> Result<Trace, String> {
        let mut executor = self.executor()?;
        agreed(explorer::label_onward(path, &mut executor, self.rows))
    }

    /// Reads the labels of a lasso from the interpreter, and looks whether it is fair.
    fn violated(&mut self, case: &Case, lasso: &explorer::Lasso) -> Result<Outcome, String> {
        let labelled = self.labelled(&lasso.path)?;
        let trace = labelled
            .trace
            .ok_or("internal error: the lasso has no start")?;
        let mut executor = self.executor()?;
        let fates = fates(&mut executor, &mut self.classes, &trace, lasso.stem);
        let fates = fates.map_err(|interrupt| in_words(&interrupt))?;
        let disagreement = labelled.disagreement.map(|one| one.to_string());
        Ok(Outcome::Violated(Box::new(Counterexample {
            values: case.values.clone(),
            trace,
            stem: lasso.stem,
            is_shortest: lasso.is_shortest,
            fates,
            disagreement,
        })))
    }

    fn labelled(&self, path: &explorer::Path) -> Result<explorer::Labelled, String> {
        let mut executor = self.executor()?;
        Ok(explorer::label(path, &mut executor, self.rows, None))
    }

    /// What retells an execution that was found, even if time is over by then.
    fn executor(&self) -> Result<Executor<'i>, String> {
        let executor = Executor::undisturbed(self.instance, self.plan.automaton);
        executor.map_err(|why| why[0].message.clone())
    }
}
