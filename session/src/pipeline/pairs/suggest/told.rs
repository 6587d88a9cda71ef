//! Why there is nothing to propose: how far it got.

use std::collections::VecDeque;

use ioa_lang::core::VarId;

use super::basis::Suggesting;
use super::block::Open;
use super::definitions::Definition;
use super::relation::Relation;
use super::sample::Sample;
use crate::finding::{Finding, Kind, Verdict};
use crate::host::Stop;
use crate::story::{Binding, Frame, Story, call};
use crate::verdict::Scope;

/// No more formulas than this are shown.
const SHOWN: usize = 8;

impl Suggesting<'_> {
    /// That no forward simulation relates the start states of some sample, if that is so.
    pub(super) fn impossible(&self) -> Option<Finding> {
        let mut samples = self.samples.iter().enumerate();
        let (at, sample) = samples.find(|(_, s)| s.joint.unmatched_start().is_some())?;
        let (low, high) = (&self.low().name, &self.high().name);
        if let Some((state, step)) = self.unmatched_step(sample) {
            let headline = format!("no execution of {high} has the trace of this one of {low}");
            let mut story = Story::bare(headline, Vec::new());
            story.frames = self.way(at, state, Some(step));
            let verdict = match sample.joint.is_complete() {
                true => Verdict::Violated,
                false => Verdict::Unknown,
            };
            return Some(self.finding(at, verdict, story));
        }
        let headline = format!(
            "there is no forward simulation: whatever {high} has done, some later step of {low} cannot be answered"
        );
        let mut story = Story::bare(headline, Vec::new());
        if let Some((state, step)) = self.earliest(sample) {
            story.frames = self.way(at, state, Some(step));
        }
        story.notes = vec![format!(
            "where {high} decides before {low} does, a backward simulation or a history variable may show that {low} implements it"
        )];
        Some(self.finding(at, Verdict::Unknown, story))
    }

    /// A low state and a step from it which no high state answers that any execution with the same trace leads to.
    fn unmatched_step(&self, sample: &Sample) -> Option<(usize, usize)> {
        let joint = &sample.joint;
        let mut above: Vec<Vec<usize>> = vec![Vec::new(); joint.low_states().len()];
        for (low, high) in joint.pairs() {
            above[*low].push(*high);
        }
        let is_expanded = |low: usize| {
            let mut pairs = above[low]
                .iter()
                .filter_map(|high| joint.pair_at(low, *high));
            pairs.all(|pair| joint.is_expanded(pair))
        };
        let states = 0..joint.low_states().len();
        let mut asked = states.filter(|low| !above[*low].is_empty() && is_expanded(*low));
        asked.find_map(|low| {
            let mut steps = joint.moves(low).iter();
            let step = steps.position(|step| {
                let mut all = above[low].iter();
                all.all(|high| joint.answers(*high, step).is_empty())
            })?;
            Some((low, step))
        })
    }

    /// The first low state of which a pair has a step that nothing answers, and this step.
    fn earliest(&self, sample: &Sample) -> Option<(usize, usize)> {
        let joint = &sample.joint;
        let lost = (0..joint.pairs().len()).filter_map(|pair| Some((pair, joint.lost(pair)?)));
        let direct = lost.filter(|(_, why)| why.round == 0);
        let first = direct.min_by_key(|(pair, _)| joint.pairs()[*pair].0);
        first.map(|(pair, why)| (joint.pairs()[pair].0, why.step))
    }

    /// That no relation was found.
    pub(super) fn no_relation(&self, definitions: &[Vec<Definition>]) -> Finding {
        let open = definitions.iter().enumerate().filter(|(_, d)| d.is_empty());
        let (high, low) = (self.high(), &self.low().name);
        let open: Vec<String> = open
            .map(|(at, _)| format!("{}.{}", high.name, high.variables[at].name))
            .collect();
        let headline = match &open[..] {
            [] => format!(
                "a forward simulation may exist, but no choice of what the variables of {} are makes one",
                high.name
            ),
            open => format!(
                "a forward simulation may exist, but no term or formula over {low} that was tried is {}",
                open.join(", or ")
            ),
        };
        let mut story = Story::bare(headline, Vec::new());
        let found = definitions.iter().flatten().take(SHOWN);
        story.notes = found
            .map(|d| format!("this fits by itself: {}", self.shown(&d.conjunct)))
            .collect();
        self.finding(0, Verdict::Unknown, story)
    }

    /// That a relation was found, but for some action no steps that answer it can be said.
    pub(super) fn no_answer(&self, relation: &Relation, open: &Open) -> Finding {
        let action = &self.low().actions[open.action.index()];
        let headline = format!(
            "a relation was found, but no conditions and parameters that were tried say how {} answers {}",
            self.high().name,
            action.name
        );
        let mut story = Story::bare(headline, Vec::new());
        story.frames = self.way(open.sample, open.low, None);
        let found = relation.conjuncts();
        let conjuncts = found.map(|d| format!("a conjunct: {}", self.shown(&d.conjunct)));
        let unsaid = relation.open().map(|var| self.unsaid(var));
        story.notes = conjuncts.chain(unsaid).collect();
        self.finding(open.sample, Verdict::Unknown, story)
    }

    /// That what was found fails in an instance when it is followed along all executions.
    pub(super) fn not_followed(&self, text: &str, findings: Vec<Finding>) -> Finding {
        let failed = findings
            .into_iter()
            .find(|f| f.verdict == Verdict::Violated);
        let mut stories = failed.map(|f| f.stories).unwrap_or_default();
        for story in &mut stories {
            story.headline = format!("what was found fails on more states: {}", story.headline);
            story.notes.push(format!("this was found:\n{text}"));
        }
        let story = stories.into_iter().next();
        let story = story.unwrap_or_else(|| Story::bare("what was found fails", Vec::new()));
        self.finding(0, Verdict::Unknown, story)
    }

    /// That the search was stopped before anything was found.
    pub(super) fn cut_short(&self, stop: Stop) -> Finding {
        let headline = format!("{} before a simulation was found", stop.words());
        let mut finding = self.finding(0, Verdict::Unknown, Story::bare(headline, Vec::new()));
        finding.stories.clear();
        finding.bound = Some("time".into());
        finding
    }

    fn unsaid(&self, var: VarId) -> String {
        let high = self.high();
        format!(
            "it says nothing of {}.{}",
            high.name,
            high.variables[var.index()].name
        )
    }

    fn finding(&self, at: usize, verdict: Verdict, story: Story) -> Finding {
        let name = self.study.model.simulation_name(&self.simulation);
        let sizes = self.samples.get(at).map(|s| s.sizes.clone());
        let scope = Scope::Sizes(sizes.unwrap_or_default().into_iter().collect());
        let mut finding = Finding::new(Kind::Pair, name, &*self.low().name, verdict, scope);
        finding.summary = story.headline.clone();
        finding.stories.push(story);
        finding
    }

    /// A shortest execution of the low automaton to a state, and a step from there.
    fn way(&self, at: usize, state: usize, last: Option<usize>) -> Vec<Frame> {
        let joint = &self.samples[at].joint;
        let mut by: Vec<Option<(usize, usize)>> = vec![None; joint.low_states().len()];
        let mut seen = vec![false; joint.low_states().len()];
        let mut open: VecDeque<usize> = joint.starts().iter().copied().collect();
        open.iter().for_each(|start| seen[*start] = true);
        while let Some(low) = open.pop_front() {
            for (number, step) in joint.moves(low).iter().enumerate() {
                if !std::mem::replace(&mut seen[step.to], true) {
                    by[step.to] = Some((low, number));
                    open.push_back(step.to);
                }
            }
        }
        let mut steps: Vec<(usize, usize)> = last.map(|step| (state, step)).into_iter().collect();
        let mut here = state;
        while let Some((before, step)) = by[here] {
            steps.push((before, step));
            here = before;
        }
        steps.reverse();
        let mut frames = vec![self.frame(
            at,
            here,
            (format!("a start state of {}", self.low().name), 0),
        )];
        for (number, (before, step)) in (1..).zip(steps) {
            let step = &joint.moves(before)[step];
            let action = &self.low().actions[step.action.index()];
            let taken = call(&self.study.model, &action.name, &step.params);
            let title = format!("{} {taken}", action.kind.keyword());
            let mut frame = self.frame(at, step.to, (title, number));
            let old = self.frame(at, before, (String::new(), 0)).values;
            frame.values.retain(|binding| !old.contains(binding));
            frames.push(frame);
        }
        frames
    }

    /// A low state in full.
    fn frame(&self, at: usize, state: usize, (title, step): (String, usize)) -> Frame {
        let names = self.low().variables.iter().map(|v| v.name.to_string());
        let values = names.zip(self.low_values((at, state)));
        let model = &self.study.model;
        Frame {
            title,
            step: Some(step),
            values: values
                .map(|(name, value)| Binding::new(name, value.display(model)))
                .collect(),
        }
    }
}
