//! `ioa export`: models in the forms that other tools read.

use std::path::Path;

use exporters::tla::{self, Module};
use ioa_lang::core::AutomatonId;
use ioa_lang::finite::Universe;

use super::Answer;
use crate::args::{ExportArgs, ExportForm, TlaArgs};
use crate::console::Console;
use crate::files::{self, Made};
use crate::study::{BadInput, Study};

/// Writes what the flags say.
///
/// # Errors
/// Bad input, and what cannot be said in the form asked for.
pub(super) fn run(args: &ExportArgs, console: &Console) -> Result<Answer, BadInput> {
    match &args.form {
        ExportForm::Tla(args) => modules(args, console),
    }
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

fn modules(args: &TlaArgs, console: &Console) -> Result<Answer, BadInput> {
    let study = Study::load(&args.common.inputs)?;
    let universe = study.universe(&args.common)?;
    let wanted = Wanted::of(args, &study)?;
    let mut answer = Answer::about(&study, console);
    let mut problems = Vec::new();
    let mut written = Vec::new();
    for id in &wanted.automata {
        match tla::automaton(&study.model, &universe, *id) {
            Ok(module) => written.push(module),
            Err(found) => problems.extend(found),
        }
    }
    if !problems.is_empty() {
        return Err(study.refuse(problems));
    }
    for position in wanted.simulations {
        match refinement(&study, &universe, position) {
            Ok(module) => written.push(module),
            Err(bad) if wanted.named => return Err(bad),
            Err(bad) => {
                let simulation = &study.model.simulations[position];
                let name = study.model.simulation_name(simulation);
                answer
                    .closing
                    .push_str(&format!("not exported: {name}\n{}", bad.render(false)));
            }
        }
    }
    for module in &written {
        let paths = write(&args.out, module)?;
        answer.closing.push_str(&format!("wrote {paths}\n"));
    }
    Ok(answer)
}

fn refinement(study: &Study, universe: &Universe, position: usize) -> Result<Module, BadInput> {
    let module = tla::simulation(&study.model, universe, position);
    module.map_err(|problems| study.refuse(problems))
}

fn write(folder: &Path, module: &Module) -> Result<String, BadInput> {
    let path = |ending: &str| folder.join(format!("{}.{ending}", module.name));
    let (text, config) = (path("tla"), path("cfg"));
    files::write_whole(&text, &module.text, Made::Module).map_err(BadInput::message)?;
    files::write_whole(&config, &module.config, Made::Module).map_err(BadInput::message)?;
    Ok(format!("{} and {}", text.display(), config.display()))
}
