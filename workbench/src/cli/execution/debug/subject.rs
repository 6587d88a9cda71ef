//! What is debugged: a study, an instance of it, and a recorded run where one is opened; and sessions about it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use debugger::{Command, Debugger, Reply};
use exporters::execution::{Execution, sketch};
use interpreter::Instance;
use interpreter::trace::{About, Trace};
use ioa_lang::core::AutomatonId;
use session::host::Host;
use session::instances::Instances;
use session::study::{BadInput, Study};

use super::super::replay;
use crate::args::SubjectArgs;
use crate::files::{self, Made};
use crate::reading;

/// What is debugged.
#[derive(Debug)]
pub(super) struct Subject {
    pub(super) study: Study,
    instance: Arc<Instance>,
    automaton: AutomatonId,
    /// The run that is opened, if one is.
    trace: Option<Trace>,
    /// What is said of how it goes on.
    repetition: Option<String>,
    inputs: Vec<PathBuf>,
    seed: u64,
}

impl Subject {
    /// What the flags say.
    pub(super) fn of(args: &SubjectArgs) -> Result<Self, BadInput> {
        match &args.replay {
            Some(path) => Self::recorded(args, path),
            None => Self::fresh(args),
        }
    }

    fn fresh(args: &SubjectArgs) -> Result<Self, BadInput> {
        let study = reading::study(&args.inputs)?;
        let setup = args.setup();
        let study = study.evaluable(&setup).unwrap_or(study);
        let automaton = study.automaton(args.automaton.as_deref())?;
        let (_, instance) = {
            let each = Instances::new(&study, &setup).each(automaton)?;
            let (number, instance) = each.of_run(0);
            (number, Arc::clone(instance))
        };
        Ok(Self {
            study,
            instance,
            automaton,
            trace: None,
            repetition: None,
            inputs: args.inputs.clone(),
            seed: args.seed,
        })
    }

    fn recorded(args: &SubjectArgs, path: &Path) -> Result<Self, BadInput> {
        let text = files::read_text(path).map_err(BadInput::message)?;
        let inputs = replay::inputs(&args.inputs, (path, &text))?;
        let study = reading::study(&inputs)?;
        let setup = replay::sized(&study, args.setup(), (path, &text))?;
        let study = study.evaluable(&setup).unwrap_or(study);
        let (instance, trace) = replay::of_automaton(&study, &setup, (path, &text))?;
        Ok(Self {
            study,
            instance,
            automaton: trace.automaton,
            repetition: replay::repetition(&text, &trace),
            trace: Some(trace),
            inputs,
            seed: args.seed,
        })
    }

    /// A session at the start, and what is to be said first.
    pub(super) fn session(&self) -> Result<(Session<'_>, Reply), BadInput> {
        let (study, instance) = (&self.study, &self.instance);
        let (debugger, mut opening) = match &self.trace {
            Some(trace) => Debugger::of_trace(study, instance, trace.clone(), self.seed)?,
            None => {
                let debugger = Debugger::fresh(study, instance, self.automaton, self.seed)?;
                (debugger, Reply::default())
            }
        };
        let subject = self;
        if let Some(repetition) = &self.repetition {
            opening.say(repetition);
        }
        Ok((Session { subject, debugger }, opening))
    }

    /// A run as a trace file holds it.
    fn written(&self, trace: &Trace) -> String {
        let about = About {
            description: "a run of a debugging session".to_owned(),
            inputs: reading::named(&self.inputs),
            ..About::default()
        };
        interpreter::trace::write(&self.instance, trace, &about)
    }

    /// A run with its components across and its steps down.
    fn drawn(&self, trace: &Trace) -> Result<String, BadInput> {
        let execution = Execution::read(&self.written(trace));
        let drawn = execution.and_then(|execution| sketch(&execution, &[]));
        drawn.map_err(|why| BadInput::message(why.to_string()))
    }

    /// Writes a run to a file; says so.
    fn save(&self, trace: &Trace, path: &Path) -> Result<Reply, BadInput> {
        let text = self.written(trace);
        files::write_whole(path, &text, Made::Trace).map_err(BadInput::message)?;
        let steps = session::numbers::counted(trace.steps.len() as u64, "step");
        Ok(Reply::line(format!("wrote {steps} to {}", path.display())))
    }
}

/// A debugger and what it debugs.
#[derive(Debug)]
pub(super) struct Session<'s> {
    pub(super) subject: &'s Subject,
    pub(super) debugger: Debugger<'s>,
}

impl Session<'_> {
    /// Does what a command asks, with the help of files where it needs them.
    pub(super) fn answer(&mut self, command: &Command, host: &dyn Host) -> Result<Reply, BadInput> {
        match command {
            Command::Save(path) => self.subject.save(self.debugger.trace(), Path::new(path)),
            Command::Graph => {
                let drawn = self.subject.drawn(self.debugger.trace())?;
                Ok(Reply::line(drawn.trim_end()))
            }
            command => self.debugger.execute(command, host),
        }
    }
}
