//! Terms, formulas and calls of actions in command lines.

use interpreter::{Executor, Inspection, Interrupt, State};
use ioa_lang::core::{ActionId, AutomatonId, Extent, StateTerm, Type};
use ioa_lang::diagnostic::nearest;
use ioa_lang::{Span, Value};
use session::study::{BadInput, Study};

use crate::command::Given;
use crate::reading::{PLACE, at};

/// A term that can be evaluated in any state.
#[derive(Debug)]
pub(crate) struct Ready {
    /// As it was written.
    pub(crate) text: String,
    inspection: Inspection,
}

/// An action with the values that are given for its parameters, if any are.
#[derive(Debug)]
pub(crate) struct Called {
    pub(crate) action: ActionId,
    pub(crate) args: Option<Vec<(StateTerm, Type)>>,
}

impl Ready {
    /// A term of whatever type.
    pub(crate) fn term(
        study: &Study,
        executor: &Executor<'_>,
        given: &Given,
    ) -> Result<Self, BadInput> {
        Self::of(study, executor, given, None)
    }

    /// A formula.
    pub(crate) fn formula(
        study: &Study,
        executor: &Executor<'_>,
        given: &Given,
    ) -> Result<Self, BadInput> {
        Self::of(study, executor, given, Some(&Type::Bool))
    }

    fn of(
        study: &Study,
        executor: &Executor<'_>,
        given: &Given,
        wanted: Option<&Type>,
    ) -> Result<Self, BadInput> {
        let whole = (given.from, given.line.len());
        let term = part(study, executor.automaton(), (&given.line, whole), wanted)?;
        Ok(Self {
            text: given.text().to_owned(),
            inspection: prepared(executor, &term)?,
        })
    }

    /// Its value in a state.
    ///
    /// # Errors
    /// That it has none, and why.
    pub(crate) fn value(
        &self,
        executor: &mut Executor<'_>,
        state: &State,
    ) -> Result<Value, String> {
        let value = executor.inspect(state, &self.inspection);
        value.map_err(|why| format!("no value: {}", reason(&why)))
    }

    /// Whether it is a formula that holds in a state.
    ///
    /// # Errors
    /// That this cannot be said, and why.
    pub(crate) fn holds(
        &self,
        executor: &mut Executor<'_>,
        state: &State,
    ) -> Result<bool, BadInput> {
        match self.value(executor, state) {
            Ok(value) => Ok(value == Value::Bool(true)),
            Err(why) => Err(BadInput::message(format!("{} has {why}", self.text))),
        }
    }
}

/// The term in a part of a line.
fn part(
    study: &Study,
    automaton: AutomatonId,
    (line, (from, to)): (&str, (usize, usize)),
    wanted: Option<&Type>,
) -> Result<StateTerm, BadInput> {
    if line[from..to].trim().is_empty() {
        return Err(at(
            line,
            (from, to),
            "a term should stand here",
            "write one of the language",
        ));
    }
    let mut sources = study.sources.clone();
    let file = sources.add(PLACE, line);
    // What stands before the term is blank, so that mistakes in the term are shown where it stands in the line.
    let text = " ".repeat(from) + &line[from..to];
    let about = (automaton, Extent::OneInstance);
    let term = ioa_lang::term(&study.names, (file, &text), about, wanted);
    term.map_err(|diagnostics| BadInput {
        sources,
        diagnostics,
        messages: Vec::new(),
    })
}

fn prepared(executor: &Executor<'_>, term: &StateTerm) -> Result<Inspection, BadInput> {
    let prepared = executor.inspection(term);
    prepared.map_err(|diagnostics| BadInput {
        messages: diagnostics.into_iter().map(|d| d.message).collect(),
        ..BadInput::default()
    })
}

/// The value of a closed term or of one over a state.
///
/// # Errors
/// That it has none.
pub(crate) fn value(
    executor: &mut Executor<'_>,
    state: &State,
    term: &StateTerm,
) -> Result<Value, BadInput> {
    let ready = prepared(executor, term)?;
    let value = executor.inspect(state, &ready);
    value.map_err(|why| BadInput::message(format!("a parameter has no value: {}", reason(&why))))
}

/// What a command line calls: an action alone, or with values for all of its parameters.
pub(crate) fn called(
    study: &Study,
    automaton: AutomatonId,
    given: &Given,
) -> Result<Called, BadInput> {
    let line = given.line.trim_end();
    let text = &line[given.from..];
    let open = text.find('(');
    let name = text[..open.unwrap_or(text.len())].trim_end();
    let actions = &study.model.automaton(automaton).actions;
    let place = (given.from, given.from + name.len());
    let Some(position) = actions.iter().position(|action| *action.name == *name) else {
        let names = || actions.iter().map(|action| &*action.name);
        let help = match nearest(name, names()) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => format!("there is {}", names().collect::<Vec<_>>().join(", ")),
        };
        return Err(at(
            line,
            place,
            &format!("no action is named `{name}`"),
            &help,
        ));
    };
    let action = ActionId::at(position);
    let params = &actions[position].params;
    let Some(open) = open else {
        let args = params.is_empty().then(Vec::new);
        return Ok(Called { action, args });
    };
    if !line.ends_with(')') {
        let end = line.len();
        return Err(at(
            line,
            (end, end),
            "a `)` is missing here",
            "close the parameters",
        ));
    }
    let inside = (given.from + open + 1, line.len() - 1);
    let places = match line[inside.0..inside.1].trim().is_empty() {
        true => Vec::new(),
        false => separated(line, inside),
    };
    if places.len() != params.len() {
        let types: Vec<String> = params
            .iter()
            .map(|(name, ty)| format!("{name}: {}", study.model.type_name(ty)))
            .collect();
        let given = match places.len() {
            1 => "1 value is given".to_owned(),
            many => format!("{many} values are given"),
        };
        let message = format!("{given}, and `{name}` takes {}", params.len());
        let help = format!("write `{name}({})` with values for these", types.join(", "));
        return Err(at(line, inside, &message, &help));
    }
    let args = places.into_iter().zip(params).map(|(place, (_, ty))| {
        let term = part(study, automaton, (line, place), Some(ty))?;
        Ok((term, ty.clone()))
    });
    Ok(Called {
        action,
        args: Some(args.collect::<Result<_, BadInput>>()?),
    })
}

/// The places between the commas that are in no bracket.
fn separated(line: &str, (from, to): (usize, usize)) -> Vec<(usize, usize)> {
    let (mut places, mut start, mut depth, mut quoted) = (Vec::new(), from, 0_usize, false);
    for (at, c) in line[from..to].char_indices() {
        match c {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                places.push((start, from + at));
                start = from + at + 1;
            }
            _ => {}
        }
    }
    places.push((start, to));
    places
}

/// Why something has no value, for people.
pub(crate) fn reason(why: &Interrupt) -> String {
    match why {
        Interrupt::Fault(fault) => fault.kind.to_string(),
        Interrupt::Limit(limit) => limit.kind.to_string(),
    }
}

/// Where a step or a start state goes wrong, and how.
pub(crate) fn trouble(study: &Study, why: &Interrupt) -> String {
    let place = |span: Span| study.location(span);
    match why {
        Interrupt::Fault(fault) => {
            format!(
                "run-time error of the model at {}: {}",
                place(fault.span),
                fault.kind
            )
        }
        Interrupt::Limit(limit) => {
            format!(
                "a limit of the tool was reached at {}: {}",
                place(limit.span),
                limit.kind
            )
        }
    }
}
