//! `ioa export`: models and runs in the forms that other tools read.

use std::path::{Path, PathBuf};

use exporters::execution::{self, Execution, TraceError};
use exporters::tla::{self, Module};
use ioa_lang::core::AutomatonId;
use session::numbers::count;
use session::pipeline::explore::ExplorePlan;
use session::setup::Setup;
use session::study::{BadInput, Study};

use super::answer::Answer;
use crate::args::{DrawArgs, ExportArgs, ExportForm, TlaArgs, TraceArgs};
use crate::files::{self, Made};
use crate::reading;

/// Writes what the flags say.
///
/// # Errors
/// Bad input, and what cannot be said in the form asked for.
pub(super) fn run(args: &ExportArgs) -> Result<Answer, BadInput> {
    match &args.form {
        ExportForm::Tla(args) => modules(args),
        ExportForm::Shiviz(args) => drawn(args, Made::Log, execution::log),
        ExportForm::Mermaid(args) => drawn(args, Made::Diagram, execution::diagram),
        ExportForm::Svg(args) => drawn(args, Made::Picture, execution::picture),
        ExportForm::Html(args) => drawn(args, Made::Steps, execution::page),
        ExportForm::Itf(args) => shown(args, Made::Trace, execution::strict),
    }
}

/// An execution in some form, with the hosts that were asked for.
fn drawn(
    args: &DrawArgs,
    made: Made,
    form: impl Fn(&Execution, &[String]) -> Result<String, TraceError>,
) -> Result<Answer, BadInput> {
    shown(&args.trace, made, |text| {
        form(&Execution::read(text)?, &args.hosts)
    })
}

/// What is made of a trace file: printed, or written.
fn shown(
    args: &TraceArgs,
    made: Made,
    form: impl Fn(&str) -> Result<String, TraceError>,
) -> Result<Answer, BadInput> {
    let text = files::read_text(&args.trace).map_err(BadInput::message)?;
    let refuse = |e| BadInput::message(format!("{}: {e}", args.trace.display()));
    let text = form(&text).map_err(refuse)?;
    let warnings = match made {
        Made::Diagram => too_long(&text),
        _ => String::new(),
    };
    let mut answer = Answer {
        warnings,
        ..Answer::default()
    };
    match &args.out {
        None => answer.closing = text,
        Some(path) => {
            files::write_whole(path, &text, made).map_err(BadInput::message)?;
            answer.closing = format!("wrote {}\n", path.display());
            answer.written.push(path.clone());
        }
    }
    Ok(answer)
}

/// A doubt about a diagram that Mermaid does not draw unless told to.
fn too_long(diagram: &str) -> String {
    let (length, most) = (diagram.len(), execution::MOST_CHARACTERS);
    if length <= most {
        return String::new();
    }
    let [length, most] = [length, most].map(|n| count(n as u64));
    format!(
        "warning: the diagram has {length} characters, and Mermaid draws {most} unless its maxTextSize says more; a \
         shorter run is easier to read\n"
    )
}

/// What is to be written as modules.
struct Wanted {
    automata: Vec<AutomatonId>,
    /// By position in the model.
    simulations: Vec<usize>,
    /// Whether the simulations were asked for by name, so that one which is no refinement mapping is a mistake.
    named: bool,
}

impl Wanted {
    fn of(args: &TlaArgs, study: &Study) -> Result<Self, BadInput> {
        let model = &study.model;
        if let Some(name) = &args.simulation {
            let position = study.simulation_index(Some(name))?;
            let simulation = &model.simulations[position];
            return Ok(Self {
                automata: vec![simulation.low, simulation.high],
                simulations: vec![position],
                named: true,
            });
        }
        if let Some(name) = &args.common.automaton {
            return Ok(Self {
                automata: vec![study.automaton(Some(name))?],
                simulations: Vec::new(),
                named: false,
            });
        }
        Ok(Self {
            automata: (0..model.automata.len()).map(AutomatonId::at).collect(),
            simulations: (0..model.simulations.len()).collect(),
            named: false,
        })
    }
}

fn modules(args: &TlaArgs) -> Result<Answer, BadInput> {
    let study = reading::study(&args.common.inputs)?;
    let setup = explored(&study, args.common.setup())?;
    let wanted = Wanted::of(args, &study)?;
    let mut answer = Answer::about(&study);
    let mut problems = Vec::new();
    let mut written = Vec::new();
    for id in &wanted.automata {
        let universe = study.universe(&setup, study.model.setting([*id]))?;
        match tla::automaton(&study.model, &universe, *id) {
            Ok(module) => written.push(module),
            Err(found) => problems.extend(found),
        }
    }
    if !problems.is_empty() {
        return Err(study.refuse(problems));
    }
    for position in wanted.simulations {
        match refinement(&study, &setup, position) {
            Ok(module) => written.push(module),
            Err(bad) if wanted.named => return Err(bad),
            Err(bad) => answer.warnings.push_str(&left_out(&study, position, &bad)),
        }
    }
    for module in &written {
        let [text, config] = write(&args.out, module)?;
        let line = format!("wrote {} and {}\n", text.display(), config.display());
        answer.closing.push_str(&line);
        answer.written.extend([text, config]);
    }
    Ok(answer)
}

/// The setup with the sizes at which the study explores the automaton that is asked for, if it says once how that is done: TLC is to
/// count what `ioa explore` counts.
fn explored(study: &Study, setup: Setup) -> Result<Setup, BadInput> {
    let sections = study.manifest.explores.iter();
    let mut own = sections.filter(|section| setup.automaton.as_ref() == Some(&section.automaton));
    match (own.next(), own.next()) {
        (Some(section), None) => Ok(ExplorePlan::of_section(study, section)?.sized(&setup)),
        _ => Ok(setup),
    }
}

/// The warning that a simulation is left out: it cannot be written and was not asked for by name.
fn left_out(study: &Study, position: usize, bad: &BadInput) -> String {
    let name = study
        .model
        .simulation_name(&study.model.simulations[position]);
    let mut text = format!("warning: the simulation from {name} is not exported\n");
    let reasons = bad.diagnostics.iter();
    let reasons = reasons.map(|d| (&d.message, bad.sources.location(d.span)));
    reasons.for_each(|(why, place)| text.push_str(&format!("  {why} (at {place})\n")));
    text
}

fn refinement(study: &Study, setup: &Setup, position: usize) -> Result<Module, BadInput> {
    let setting = study
        .model
        .setting_of_simulation(&study.model.simulations[position]);
    let universe = study.universe(setup, setting)?;
    let module = tla::simulation(&study.model, &universe, position);
    module.map_err(|problems| study.refuse(problems))
}

/// Writes a module and its configuration into files of their own.
fn write(folder: &Path, module: &Module) -> Result<[PathBuf; 2], BadInput> {
    let path = |ending: &str| folder.join(format!("{}.{ending}", module.name));
    let (text, config) = (path("tla"), path("cfg"));
    files::write_whole(&text, &module.text, Made::Module).map_err(BadInput::message)?;
    files::write_whole(&config, &module.config, Made::Module).map_err(BadInput::message)?;
    Ok([text, config])
}
