//! How a state that a search found is shown: the way to it, and what is wrong there.

use std::collections::BTreeMap;

use explorer::Instead;
use interpreter::{Instance, Interrupt, State};

use super::super::seen::{Disagreement, Shown};
use super::About;
use crate::finding::{Finding, Verdict};
use crate::interpretation::World;
use crate::numbers::{count, counted};
use crate::pipeline::plan::command::command;
use crate::pipeline::runs::{fault_account, limit_account};
use crate::story::{Frame, Story, execution};

impl About<'_> {
    pub(super) fn with_story(
        &self,
        mut finding: Finding,
        shown: &Shown,
        headline: String,
    ) -> Finding {
        finding.stories.push(self.story(shown, headline));
        finding.figures = BTreeMap::from([("steps", shown.depth as u64)]);
        let is_breadth_first =
            self.exploration.orders.is_none() && self.exploration.swarm.is_none();
        let is_shortest = is_breadth_first && !self.plan.leaves_out();
        let how = match shown.shortened {
            Some(from) => format!("; shortened from {}", count(from as u64)),
            None if is_shortest => format!("; none is shorter{}", shown.world.within()),
            None => String::new(),
        };
        let steps = counted(shown.depth as u64, "step");
        finding.summary = format!("{steps} from a start state{how}");
        finding.replay = Some(self.replay(&shown.world));
        if let Some(disagreement) = &shown.disagreement {
            finding.verdict = Verdict::Error;
            finding.summary = internal_error(disagreement);
        }
        finding
    }

    /// The command that shows it again.
    pub(super) fn replay(&self, world: &World) -> String {
        let flags = self.plan.flags(self.study);
        let setup = world.setup(self.setup);
        format!("{} {flags}", command(self.study, &setup, "explore"))
    }

    /// What each of two engines has for one step.
    fn of_disagreement(
        &self,
        instance: &Instance,
        disagreement: &explorer::Disagreement,
    ) -> Vec<Frame> {
        let explorer::Disagreement {
            finder,
            judge,
            step,
            ..
        } = disagreement;
        let after = match step {
            0 => "start state".to_owned(),
            step => format!("state after step {step}"),
        };
        let title = format!("{after}, by {finder}");
        let mut frames = vec![self.frame(instance, title, &disagreement.found)];
        if let Instead::Step(step) = &disagreement.instead {
            let automaton = self.plan.automaton;
            let label = execution::title(self.study, instance, automaton, step);
            let title = format!("{after}, by {judge}: {label}");
            frames.push(self.frame(instance, title, &step.state));
        }
        frames
    }

    /// A state in full.
    fn frame(&self, instance: &Instance, title: String, state: &State) -> Frame {
        let layout = instance.layout(self.plan.automaton);
        Frame {
            title,
            step: None,
            values: execution::all(&self.study.model, layout.values(state)),
        }
    }

    /// The way to a state, and what is wrong there; a term without a value makes the headline another one.
    pub(super) fn story(&self, shown: &Shown, headline: String) -> Story {
        let (headline, blame) = match &shown.interrupt {
            Some(Interrupt::Fault(fault)) => fault_account(self.study, fault),
            Some(Interrupt::Limit(limit)) => limit_account(self.study, limit),
            None => (headline, execution::blame(self.study, &shown.reasons)),
        };
        let mut story = Story::bare(headline, blame);
        let instance = &*shown.world.instance;
        if let Some(trace) = &shown.trace {
            execution::tell(self.study, instance, trace, &mut story);
        }
        if let Some(Disagreement::Step(disagreement)) = &shown.disagreement {
            story
                .frames
                .extend(self.of_disagreement(instance, disagreement));
        }
        let note = shown.world.note(self.study, self.plan.automaton);
        story.notes.extend(note);
        if let Some(state) = &shown.state {
            let title = "the state that was found".to_owned();
            story.frames.push(self.frame(instance, title, state));
        }
        if let Some(disagreement) = &shown.disagreement {
            story.notes.push(internal_error(disagreement));
        }
        story
    }
}

/// What is said of engines that disagree.
fn internal_error(disagreement: &Disagreement) -> String {
    format!("internal error: {disagreement}; please report it with the model")
}
