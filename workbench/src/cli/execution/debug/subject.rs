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
    /// If it is infinite: the number of steps after which the others are repeated forever.
    repeats_after: Option<usize>,
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
            repeats_after: None,
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
            repeats_after: replay::repeats_after(&text),
            trace: Some(trace),
            inputs,
            seed: args.seed,
        })
    }

    /// A session at the start, and what is to be said first.
    pub(super) fn session(&self) -> Result<(Session<'_>, Reply), BadInput> {
        let (study, instance) = (&self.study, &self.instance);
        let (debugger, mut opening) = match &self.trace {
            Some(trace) => {
                let recorded = (trace.clone(), self.repeats_after);
                Debugger::of_trace(study, instance, recorded, self.seed)?
            }
            None => {
                let debugger = Debugger::fresh(study, instance, self.automaton, self.seed)?;
                (debugger, Reply::default())
            }
        };
        let subject = self;
        if let Some(stem) = debugger.repeats_after() {
            opening.say(replay::repetition(debugger.trace().steps.len(), stem));
        }
        Ok((Session { subject, debugger }, opening))
    }

    /// The run at hand as a trace file holds it.
    fn written(&self, debugger: &Debugger<'_>) -> String {
        let about = About {
            description: "a run of a debugging session".to_owned(),
            inputs: reading::named(&self.inputs),
            repeats_after: debugger.repeats_after(),
            ..About::default()
        };
        interpreter::trace::write(&self.instance, debugger.trace(), &about)
    }

    /// The run at hand with its components across and its steps down.
    fn drawn(&self, debugger: &Debugger<'_>) -> Result<String, BadInput> {
        let execution = Execution::read(&self.written(debugger));
        let drawn = execution.and_then(|execution| sketch(&execution, &[]));
        drawn.map_err(|why| BadInput::message(why.to_string()))
    }

    /// Writes the run at hand to a file; says so.
    fn save(&self, debugger: &Debugger<'_>, path: &Path) -> Result<Reply, BadInput> {
        if !files::folder_of(path).is_dir() {
            return Err(BadInput::message(format!(
                "cannot write {}: its folder is not there",
                path.display()
            )));
        }
        let text = self.written(debugger);
        files::write_whole(path, &text, Made::Trace).map_err(BadInput::message)?;
        let steps = session::numbers::counted(debugger.trace().steps.len() as u64, "step");
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
            Command::Save(path) => self.subject.save(&self.debugger, Path::new(path)),
            Command::Graph if self.debugger.trace().steps.is_empty() => {
                Ok(Reply::line("the run has no steps to be drawn"))
            }
            Command::Graph => {
                let drawn = self.subject.drawn(&self.debugger)?;
                Ok(Reply::line(drawn.trim_end()))
            }
            command => self.debugger.execute(command, host),
        }
    }
}
