//! Commands about several states, and about several runs.

use interpreter::State;
use session::numbers::counted;
use session::story::{Frame, execution};
use session::study::BadInput;

use crate::debugger::Debugger;
use crate::reply::{Item, Reply};

impl Debugger<'_> {
    pub(crate) fn diff(&mut self, one: usize, other: usize) -> Result<Reply, BadInput> {
        let len = self.path().len();
        if let Some(missing) = [one, other].into_iter().find(|at| *at > len) {
            return Err(BadInput::message(format!(
                "there is no step {missing}: the run has {}",
                counted(len as u64, "step")
            )));
        }
        let path = self.path();
        let frame = self.difference(
            format!(
                "from the state after {} to that after {}",
                counted(one as u64, "step"),
                counted(other as u64, "step")
            ),
            (path.state(one), path.state(other)),
        );
        Ok(shown(frame, "the two states are equal"))
    }

    fn difference(&self, title: String, (one, other): (&State, &State)) -> Frame {
        let layout = self.instance.layout(self.automaton());
        Frame {
            title,
            step: None,
            values: execution::changes(&self.study.model, layout, one, other),
        }
    }

    /// Where two runs part, how each goes on, and in what their last states differ.
    pub(crate) fn compare(&mut self, number: usize) -> Result<Reply, BadInput> {
        let other = self.numbered(number)?;
        if other == self.current {
            return Ok(Reply::line(format!(
                "run {number} is this run itself: `branches` lists the others"
            )));
        }
        let (mine, theirs) = (self.path(), &self.paths[other]);
        let (this, that) = (self.current + 1, number);
        let mut reply = Reply::default();
        let common = mine.common(theirs);
        match common {
            None => reply.say("the two runs begin in different states"),
            Some(n) => reply.say(format!("{} in common", counted(n as u64, "step"))),
        }
        if let Some(common) = common {
            for (number, path) in [(this, mine), (that, theirs)] {
                let more = counted((path.len() - common) as u64, "more step");
                reply.say(match path.step(common + 1) {
                    Some(step) => format!("run {number} has {more}: {} first", self.title(step)),
                    None => format!("run {number} ends there"),
                });
            }
        }
        let title = format!("from the last state of run {that} to that of run {this}");
        let frame = self.difference(title, (theirs.state(theirs.len()), mine.state(mine.len())));
        reply
            .items
            .extend(shown(frame, "their last states are equal").items);
        Ok(reply)
    }

    pub(crate) fn branches(&mut self) -> Reply {
        let lines = (1..).zip(&self.paths).map(|(number, path)| {
            let mark = if number == self.current + 1 { ">" } else { " " };
            let steps = counted(path.len() as u64, "step");
            let origin = path.origin.map(|(from, at)| {
                format!(
                    ", branched off run {from} after {}",
                    counted(at as u64, "step")
                )
            });
            Item::Line(format!(
                "{mark}run {number}: {steps}{}",
                origin.unwrap_or_default()
            ))
        });
        Reply {
            items: lines.collect(),
        }
    }

    pub(crate) fn switch(&mut self, number: usize) -> Result<Reply, BadInput> {
        let position = self.numbered(number)?;
        let common = self.path().common(&self.paths[position]);
        // Where the two are still the same, the state at hand is that of both.
        self.cursor = match common {
            Some(common) => self.cursor.min(common),
            None => 0,
        };
        self.current = position;
        Ok(self.here())
    }

    /// The position of the path with a number.
    fn numbered(&self, number: usize) -> Result<usize, BadInput> {
        let position = number.checked_sub(1).filter(|at| *at < self.paths.len());
        position.ok_or_else(|| {
            BadInput::message(format!(
                "there is no run {number}: `branches` lists {}",
                self.paths.len()
            ))
        })
    }
}

/// What differs, or that nothing does.
fn shown(frame: Frame, otherwise: &str) -> Reply {
    let mut reply = Reply::default();
    match frame.values.is_empty() {
        true => reply.say(otherwise),
        false => reply.show(frame),
    }
    reply
}
