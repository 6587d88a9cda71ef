//! Liveness properties as temporal formulas, and the tasks as the weak fairness under which they are to hold.

use ioa_lang::core::{Automaton, AutomatonId, Liveness, LocalId, Task};

use super::module::{self, SPECIFICATION};
use super::text::{Doc, Level, Text};
use super::writer::Writer;

/// What a module says of liveness.
pub(super) struct Live {
    /// The definitions.
    pub(super) text: String,
    /// The name of the specification under which the properties are to hold.
    pub(super) specification: String,
    /// The names of the properties.
    pub(super) names: Vec<String>,
}

/// The definitions of an automaton's liveness properties, given the names of its clauses and its variables. Without such
/// a property there is no need of fairness either.
pub(super) fn definitions(
    writer: &mut Writer<'_>,
    id: AutomatonId,
    clauses: &[String],
    variables: &[String],
) -> Live {
    let model = writer.model;
    let properties: Vec<&Liveness> = model.liveness_of(id).collect();
    if properties.is_empty() {
        return Live {
            text: String::new(),
            specification: SPECIFICATION.to_owned(),
            names: Vec::new(),
        };
    }
    let automaton = model.automaton(id);
    let fair: Vec<Doc> = automaton
        .tasks
        .iter()
        .filter_map(|task| fairness(writer, automaton, task, clauses, variables))
        .collect();
    let fair = match fair.is_empty() {
        true => Doc::Line("TRUE".into()),
        false => Doc::All(fair),
    };
    let [fairness, specification] =
        ["Fairness", "FairSpec"].map(|wanted| writer.names.global(wanted));
    let mut text = module::rule();
    text.push_str(&fair.definition(&fairness));
    text.push_str(&format!(
        "\n{specification} == {SPECIFICATION} /\\ {fairness}\n\n"
    ));
    let mut names = Vec::new();
    for property in properties {
        let name = writer.names.global(&property.name);
        text.push_str(&temporal(writer, property, variables).definition(&name));
        text.push('\n');
        names.push(name);
    }
    Live {
        text,
        specification,
        names,
    }
}

/// `\A m \in Msg : WF_vars(get(m) \/ get_2(m))`; nothing for a task whose actions have no clauses.
fn fairness<'a>(
    writer: &mut Writer<'a>,
    automaton: &'a Automaton,
    task: &'a Task,
    clauses: &[String],
    variables: &[String],
) -> Option<Doc> {
    module::begin(writer, &task.locals, variables, true);
    let binders = (0..task.locals.len()).map(LocalId::at);
    let head = for_all(writer, binders);
    let mut steps = Vec::new();
    for (action, args) in &task.actions {
        let args: Vec<Text> = args.iter().map(|arg| writer.term(arg)).collect();
        for (clause, _) in automaton.clauses(*action) {
            let name = &clauses[clause.index()];
            steps.push(match args.is_empty() {
                true => Text::atom(&**name),
                false => Text::call(name, &args),
            });
        }
    }
    let step = match &steps[..] {
        [] => return None,
        [one] => one.clone(),
        several => Text::infix(Level::Junction, "\\/", several),
    };
    Some(Doc::Line(format!("{head}WF_vars({})", step.plain())))
}

/// `\A m \in Msg : (premise ~> goal)`, or `[]<>goal`.
fn temporal<'a>(writer: &mut Writer<'a>, property: &'a Liveness, variables: &[String]) -> Doc {
    module::begin(writer, &property.locals, variables, true);
    let head = for_all(writer, property.params.iter().copied());
    let goal = writer.term(&property.goal).at(Level::Atom);
    Doc::Line(match property.premise.is_true() {
        true => format!("{head}[]<>{goal}"),
        false => {
            let premise = writer.term(&property.premise).at(Level::Atom);
            format!("{head}({premise} ~> {goal})")
        }
    })
}

/// `\A x \in S : \A y \in T :` with a blank behind it, and the variables in scope from here on.
fn for_all(writer: &mut Writer<'_>, binders: impl Iterator<Item = LocalId>) -> String {
    let mut head = String::new();
    for binder in binders {
        let set = writer.range(binder, &[]);
        let name = writer.enter(binder);
        head.push_str(&format!("\\A {name} \\in {set} : "));
    }
    head
}
