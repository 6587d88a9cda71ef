//! Traces from files, for the commands that repeat or show them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use interpreter::Instance;
use interpreter::trace::{self, Trace, TraceError};
use ioa_lang::core::SortSize;
use session::instances::{Instances, Interpreted};
use session::setup::Setup;
use session::study::{BadInput, Study};

use crate::reading;

/// The setup with the sizes that a trace was made with, where the user gives none.
///
/// # Errors
/// The text is no trace.
pub(in crate::cli) fn sized(
    study: &Study,
    setup: Setup,
    (path, text): (&Path, &str),
) -> Result<Setup, BadInput> {
    if !setup.sorts.is_empty() {
        return Ok(setup);
    }
    let origin = trace::origin(text).map_err(|e| reading::refused(path, &e))?;
    let given = study.model.sorts.iter();
    let given = given.filter(|sort| sort.size == SortSize::Given);
    let sizes = given.filter_map(|sort| {
        let size = origin.sizes.get(&*sort.name)?;
        Some((sort.name.to_string(), *size))
    });
    Ok(Setup {
        sorts: sizes.collect(),
        ..setup
    })
}

/// The trace in a file, in the instance whose interpretation of the theories is that of the trace.
///
/// # Errors
/// Why it is a trace of none of them.
pub(in crate::cli) fn read(
    instances: &Interpreted,
    (path, text): (&Path, &str),
) -> Result<(Arc<Instance>, Trace), BadInput> {
    let mut refused = Vec::new();
    for k in 0..instances.count() {
        let instance = instances.of_run(k).1;
        match trace::read(instance, text) {
            Ok((trace, _)) => return Ok((Arc::clone(instance), trace)),
            Err(why) => refused.push(why),
        }
    }
    // That it is of another interpretation is what all instances but one say anyway.
    let tells = |why: &&TraceError| !matches!(why, TraceError::OtherInterpretation);
    let why = refused.iter().find(tells).or(refused.first());
    let why = why.expect("there is at least one instance");
    Err(reading::refused(path, why))
}

/// As [`read`], of an automaton of a study by itself.
///
/// # Errors
/// As those of [`read`], and sizes that do not fit.
pub(in crate::cli) fn of_automaton(
    study: &Study,
    setup: &Setup,
    (path, text): (&Path, &str),
) -> Result<(Arc<Instance>, Trace), BadInput> {
    let automaton = trace::automaton_of(&study.model, text);
    let automaton = automaton.map_err(|e| reading::refused(path, &e))?;
    let setting = study.model.setting([automaton]);
    let refused = match Instances::new(study, setup).each(automaton) {
        Ok(instances) => match read(&instances, (path, text)) {
            Ok(read) => return Ok(read),
            Err(refused) => refused,
        },
        Err(refused) => refused,
    };
    if setup.interpretation.is_some() {
        return Err(refused);
    }
    // What the solver found is of any interpretation, not of one of those that are numbered.
    let instance = study.instance_of_trace((setup, setting), text);
    let instance = instance.map(Arc::new).map_err(|_| refused)?;
    let (trace, _) = trace::read(&instance, text).map_err(|e| reading::refused(path, &e))?;
    Ok((instance, trace))
}

/// Of an infinite execution in a file: the number of steps after which the others are repeated forever.
pub(in crate::cli) fn repeats_after(text: &str) -> Option<usize> {
    trace::origin(text).ok()?.repeats_after
}

/// That an execution is infinite, and how it goes on after the last of its steps in a trace.
pub(in crate::cli) fn repetition(steps: usize, stem: usize) -> String {
    let goes_on = continuation(steps, stem);
    format!("the execution is infinite: {goes_on}")
}

/// How an infinite execution goes on after the last of its steps in a trace. Those after the stem form a cycle; if there are none,
/// the execution stays where it is.
pub(in crate::cli) fn continuation(steps: usize, stem: usize) -> String {
    match steps > stem {
        true => format!("all steps from step {} on are repeated for ever", stem + 1),
        false => "after its last step nothing happens any more".to_owned(),
    }
}

/// The files of the model that a trace is of: those that the user names or, where none are, those that the trace does.
///
/// # Errors
/// The text is no trace, or the files that it names are not there.
pub(in crate::cli) fn inputs(
    named: &[PathBuf],
    (path, text): (&Path, &str),
) -> Result<Vec<PathBuf>, BadInput> {
    let origin = trace::origin(text).map_err(|e| reading::refused(path, &e))?;
    if !named.is_empty() {
        return Ok(named.to_vec());
    }
    let inputs: Vec<PathBuf> = origin.inputs.iter().map(Into::into).collect();
    let trouble = match inputs.iter().find(|input| !input.exists()) {
        _ if inputs.is_empty() => "does not say where its model is".to_owned(),
        Some(missing) => format!(
            "says that its model is {}, which is not there",
            missing.display()
        ),
        None => return Ok(inputs),
    };
    let shown = path.display();
    Err(BadInput::message(format!(
        "{shown} {trouble}: name the model's files after it"
    )))
}
