//! Commands that look for ways to states with some property.

use interpreter::trace::Step;
use session::host::Host;
use session::study::BadInput;

use crate::command::Given;
use crate::debugger::Debugger;
use crate::reply::Reply;
use crate::search::{Found, Search, Trouble};
use crate::terms::{Ready, trouble};

impl Debugger<'_> {
    pub(crate) fn find(&mut self, given: &Given, host: &dyn Host) -> Result<Reply, BadInput> {
        let goal = Ready::formula(self.study, &self.executor, given)?;
        let (from, at) = (self.current, self.cursor);
        match self.search(&mut Search::default(), at, &goal, host)? {
            Found::Way(steps) if steps.is_empty() => {
                Ok(Reply::line(format!("{} holds here", goal.text)))
            }
            Found::Way(steps) => {
                let taken = session::numbers::counted(steps.len() as u64, "step");
                self.ready_for(steps)?;
                let mut reply = Reply::line(format!("{taken} from here, and no way is shorter"));
                reply.items.extend(self.arrived(from).items);
                Ok(reply)
            }
            Found::Nowhere(states) => Err(BadInput::message(format!(
                "{} holds in none of the {states} states that can be reached from here",
                goal.text
            ))),
            Found::Unknown(states) => Err(unknown(&goal, states, host)),
        }
    }

    fn ready_for(&mut self, steps: Vec<Step>) -> Result<(), BadInput> {
        self.has_room_for(self.cursor + steps.len())?;
        steps.into_iter().try_for_each(|step| self.append(step))
    }

    /// Looks for a way from the state after so many steps to one in which a formula holds.
    fn search(
        &mut self,
        search: &mut Search,
        at: usize,
        goal: &Ready,
        host: &dyn Host,
    ) -> Result<Found, BadInput> {
        let from = self.paths[self.current].state(at);
        let mut is_wanted = |executor: &mut _, state: &_| goal.holds(executor, state);
        let found = search.run(&mut self.executor, from, &mut is_wanted, host);
        found.map_err(|why| match why {
            Trouble::Step(why) => BadInput::message(trouble(self.study, &why)),
            Trouble::Goal(bad) => bad,
        })
    }

    /// The *live sibling* of this run: the one that shares its longest prefix with it (Killian and others, Life, Death, and
    /// the Critical Transition, section 4). States are looked at from the end of the run backwards, each exhaustively, so
    /// that the answer is exact or is none.
    pub(crate) fn sibling(&mut self, given: &Given, host: &dyn Host) -> Result<Reply, BadInput> {
        let goal = Ready::formula(self.study, &self.executor, given)?;
        let (from, end) = (self.current, self.path().len());
        let mut search = Search::default();
        for at in (0..=end).rev() {
            match self.search(&mut search, at, &goal, host)? {
                Found::Nowhere(_) => {}
                Found::Unknown(states) => return Err(unknown(&goal, states, host)),
                Found::Way(_) if at == end => {
                    return Ok(Reply::line(format!(
                        "a state in which {} holds can be reached from the end of this run: `end` and `find` show a way",
                        goal.text
                    )));
                }
                Found::Way(steps) => return self.branch_off((from, at), steps, &goal),
            }
        }
        Err(BadInput::message(format!(
            "no state in which {} holds can be reached from any state of this run ({} states were looked at)",
            goal.text,
            search.states()
        )))
    }

    /// Makes the sibling of a run a branch, and says which step was critical.
    fn branch_off(
        &mut self,
        (from, at): (usize, usize),
        steps: Vec<Step>,
        goal: &Ready,
    ) -> Result<Reply, BadInput> {
        self.has_room_for(at + steps.len())?;
        let critical = self.path().step(at + 1).cloned();
        let mut branch = self.path().prefix(from + 1, at);
        branch.trace.steps.extend(steps);
        self.cursor = branch.len();
        self.paths.push(branch);
        self.current = self.paths.len() - 1;
        let mut reply = Reply::default();
        if let Some(step) = critical {
            reply.say(format!(
                "step {} of run {} is critical: {}",
                at + 1,
                from + 1,
                self.title(&step)
            ));
            reply.say(format!(
                "before it, a state in which {} holds can be reached; after it, none can",
                goal.text
            ));
        }
        reply.items.extend(self.arrived(from).items);
        Ok(reply)
    }
}

fn unknown(goal: &Ready, states: usize, host: &dyn Host) -> BadInput {
    let text = &goal.text;
    BadInput::message(match host.stopped() {
        Some(stop) => format!(
            "{} after {states} states: it is not known whether {text} can come to hold",
            stop.words()
        ),
        None => format!(
            "{states} states were looked at, and there are more: it is not known whether {text} can come to hold"
        ),
    })
}
