//! Trees as text: what is written on one line, where parentheses are needed, and what is laid out over several lines.

use std::fmt::{self, Write as _};

use super::operators::{CLOSED, Connective, Fixity, Infix, OPEN, POSTFIX};
use super::tree::{Bound, Definition, Quantifier, Step, Term, Unit};

/// Maximum length of a definition or formula that is written on one line.
const WIDTH: usize = 100;

/// The context of a term, which determines how tightly it must bind to need no parentheses.
#[derive(Clone, Copy)]
enum Place {
    /// Between brackets, commas or keywords: any term needs no parentheses.
    Enclosed,
    /// Beside an operator: terms that bind more tightly need no parentheses.
    Above(u8),
    /// Before a selector of a part.
    Base,
}

/// The set of a bound variable has the same context as the right argument of `\in`.
fn of_binder() -> Place {
    Place::Above(Infix::In.fixity().high)
}

/// How loosely the outermost operator of a term binds.
fn looseness(term: &Term) -> u8 {
    match term {
        Term::If(_) | Term::Choose(..) | Term::Quantified(..) | Term::Let(..) => OPEN,
        Term::Junction(sign, _) => sign.fixity().low,
        Term::Prefix(op, _) => op.fixity().low,
        Term::Infix(op, _) => op.fixity().low,
        Term::Primed(_) | Term::At(..) | Term::Field(..) => POSTFIX,
        Term::Name(_)
        | Term::Number(_)
        | Term::Text(_)
        | Term::Call(..)
        | Term::Tuple(_)
        | Term::Set(_)
        | Term::Filter(..)
        | Term::Function(..)
        | Term::Functions(_)
        | Term::Record(_)
        | Term::Records(_)
        | Term::Except(..)
        | Term::Step(..) => CLOSED,
    }
}

/// The text of a term in its context, on one line. This function writes every term that is a part of another.
fn line(term: &Term, place: Place) -> String {
    let fits = match place {
        Place::Enclosed => true,
        Place::Above(limit) => looseness(term) > limit,
        Place::Base => looseness(term) >= POSTFIX,
    };
    match fits {
        true => bare(term),
        false => format!("({})", bare(term)),
    }
}

/// The text of a term on one line, without parentheses around it.
fn bare(term: &Term) -> String {
    let enclosed = |term: &Term| line(term, Place::Enclosed);
    match term {
        Term::Name(name) => name.clone(),
        Term::Primed(name) => format!("{name}'"),
        Term::Number(n) => n.to_string(),
        Term::Text(text) => quoted(text),
        Term::Prefix(op, arg) => {
            let fixity = op.fixity();
            let again = matches!(&**arg, Term::Prefix(inner, _) if inner.fixity().repeats);
            format!("{}{}", fixity.sign, line(arg, beside(fixity, again)))
        }
        Term::Infix(op, args) => {
            let fixity = op.fixity();
            let again = matches!(&args[0], Term::Infix(inner, _) if inner == op);
            let left = line(&args[0], beside(fixity, again));
            let right = line(&args[1], beside(fixity, false));
            format!("{left}{}{right}", fixity.sign)
        }
        Term::Junction(sign, parts) => {
            let fixity = sign.fixity();
            joined(parts, fixity.sign, beside(fixity, false))
        }
        Term::Call(name, args) => format!("{name}({})", listed(args)),
        Term::At(base, args) => format!("{}[{}]", line(base, Place::Base), listed(args)),
        Term::Field(base, name) => format!("{}.{name}", line(base, Place::Base)),
        Term::Tuple(parts) => format!("<<{}>>", listed(parts)),
        Term::Set(parts) => format!("{{{}}}", listed(parts)),
        Term::Filter(bound, formula) => format!("{{{} : {}}}", binder(bound), enclosed(formula)),
        Term::Function(bound, value) => format!("[{} |-> {}]", binder(bound), enclosed(value)),
        Term::Functions(sets) => format!("[{} -> {}]", enclosed(&sets[0]), enclosed(&sets[1])),
        Term::Record(values) => fields(values, " |->"),
        Term::Records(sets) => fields(sets, ":"),
        Term::Except(whole, path, value) => {
            let path: String = path.iter().map(step).collect();
            let whole = line(whole, Place::Base);
            format!("[{whole} EXCEPT !{path} = {}]", enclosed(value))
        }
        Term::Step(step, vars) => format!("[{step}]_{vars}"),
        Term::If(parts) => {
            let [condition, then, otherwise] = parts.each_ref().map(enclosed);
            format!("IF {condition} THEN {then} ELSE {otherwise}")
        }
        Term::Choose(bound, formula) => {
            format!("CHOOSE {} : {}", binder(bound), enclosed(formula))
        }
        Term::Quantified(quantifier, names, parts) => {
            let head = head(*quantifier, names, &parts[0]);
            format!("{head} {}", enclosed(&parts[1]))
        }
        Term::Let(definitions, body) => {
            let definitions: Vec<String> = definitions.iter().map(definition_in_line).collect();
            format!("LET {} IN {}", definitions.join(" "), enclosed(body))
        }
    }
}

fn fields(fields: &[(String, Term)], sign: &str) -> String {
    let fields = fields.iter();
    let fields: Vec<String> = fields
        .map(|(name, value)| format!("{name}{sign} {}", line(value, Place::Enclosed)))
        .collect();
    format!("[{}]", fields.join(", "))
}

fn step(step: &Step) -> String {
    match step {
        Step::At(index) => format!("[{}]", line(index, Place::Enclosed)),
        Step::Field(name) => format!(".{name}"),
    }
}

/// The context of an operator's argument. `again` says that the argument is an application of the same operator, which needs
/// no parentheses for some operators.
fn beside(fixity: Fixity, again: bool) -> Place {
    match again && fixity.repeats {
        true => Place::Enclosed,
        false => Place::Above(fixity.high),
    }
}

fn listed(parts: &[Term]) -> String {
    joined(parts, ", ", Place::Enclosed)
}

fn joined(parts: &[Term], separator: &str, place: Place) -> String {
    let parts: Vec<String> = parts.iter().map(|part| line(part, place)).collect();
    parts.join(separator)
}

fn binder(bound: &Bound) -> String {
    format!("{} \\in {}", bound.name, line(&bound.set, of_binder()))
}

/// `\A x, y \in S :`
fn head(quantifier: Quantifier, names: &[String], set: &Term) -> String {
    let sign = match quantifier {
        Quantifier::ForAll => "\\A",
        Quantifier::Exists => "\\E",
    };
    format!(
        "{sign} {} \\in {} :",
        names.join(", "),
        line(set, of_binder())
    )
}

/// A string constant.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The name and the formal parameters of a definition, with what goes before it.
fn heading(definition: &Definition) -> String {
    let name = &definition.name;
    match &definition.params[..] {
        [] => name.clone(),
        params => format!("{name}({})", params.join(", ")),
    }
}

/// `RECURSIVE f(_, _)`, if it is required.
fn announced(definition: &Definition) -> Option<String> {
    let holes = vec!["_"; definition.params.len()].join(", ");
    definition
        .recursive
        .then(|| format!("RECURSIVE {}({holes})", definition.name))
}

fn definition_in_line(definition: &Definition) -> String {
    let body = line(&definition.body, Place::Enclosed);
    let text = format!("{} == {body}", heading(definition));
    match announced(definition) {
        Some(first) => format!("{first} {text}"),
        None => text,
    }
}

/// A term that is alone, over as many lines as it takes. All lines after the first begin to the right of the start of the
/// first, so that TLA+ treats them as part of the same list item.
fn lines(term: &Term) -> Vec<String> {
    match term {
        Term::Junction(Connective::And, parts) if !parts.iter().all(is_word) => {
            bullets(Connective::And, parts)
        }
        Term::Quantified(quantifier, names, parts) => {
            let [set, body] = &**parts;
            under(head(*quantifier, names, set), &lines(body))
        }
        Term::Let(definitions, body) => {
            let definitions: Vec<String> = definitions.iter().flat_map(definition_lines).collect();
            let mut all = hanging("LET ", &definitions);
            all.extend(hanging("IN  ", &lines(body)));
            all
        }
        Term::If(parts) => {
            let [condition, then, otherwise] = &**parts;
            let [then, otherwise] = [then, otherwise].map(lines);
            if then.len() == 1 && otherwise.len() == 1 {
                return vec![line(term, Place::Enclosed)];
            }
            let mut all = vec![format!("IF {}", line(condition, Place::Enclosed))];
            all.extend(hanging("THEN ", &then));
            all.extend(hanging("ELSE ", &otherwise));
            all
        }
        other => vec![line(other, Place::Enclosed)],
    }
}

/// Whether a formula is too little for a line of its own.
fn is_word(formula: &Term) -> bool {
    match formula {
        Term::Name(_) | Term::Step(..) => true,
        Term::Prefix(_, inner) => is_word(inner),
        _ => false,
    }
}

/// A list with a line for each part.
fn bullets(sign: Connective, parts: &[Term]) -> Vec<String> {
    let bullet = sign.fixity().sign.trim_start();
    let each = parts.iter().map(|part| hanging(bullet, &lines(part)));
    each.flatten().collect()
}

/// Text under a head, on the same line if there is room.
fn under(head: String, body: &[String]) -> Vec<String> {
    match body {
        [only] if head.len() + only.len() < WIDTH => vec![format!("{head} {only}")],
        _ => {
            let mut all = vec![head];
            all.extend(indented(body));
            all
        }
    }
}

fn definition_lines(definition: &Definition) -> Vec<String> {
    let body = match &definition.body {
        // A disjunction that is the whole body is written as a list of alternatives.
        Term::Junction(Connective::Or, parts) => bullets(Connective::Or, parts),
        body => lines(body),
    };
    let mut all: Vec<String> = announced(definition).into_iter().collect();
    all.extend(under(format!("{} ==", heading(definition)), &body));
    all
}

/// Lines, with a prefix on the first of them.
fn hanging(first: &str, lines: &[String]) -> Vec<String> {
    let rest = " ".repeat(first.len());
    let each = lines.iter().enumerate();
    each.map(|(at, line)| format!("{}{line}", if at == 0 { first } else { &rest }))
        .collect()
}

fn indented(lines: &[String]) -> Vec<String> {
    lines.iter().map(|line| format!("  {line}")).collect()
}

impl fmt::Display for Term {
    /// The term on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&line(self, Place::Enclosed))
    }
}

impl fmt::Display for Definition {
    /// The definition over as many lines as it takes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&definition_lines(self).join("\n"))
    }
}

/// The text of some parts of a module.
pub(crate) fn text(units: &[Unit]) -> String {
    let mut text = String::new();
    for unit in units {
        write(unit, &mut text);
    }
    text
}

fn write(unit: &Unit, text: &mut String) {
    match unit {
        Unit::Names(_, names) if names.is_empty() => {}
        Unit::Names(keyword, names) => {
            let _ = writeln!(text, "{keyword} {}", names.join(", "));
        }
        Unit::Definition(definition) => {
            for line in definition_lines(definition) {
                let _ = writeln!(text, "{line}");
            }
        }
        Unit::Helper { name, params, body } => {
            let gap = if body.starts_with('\n') { "" } else { " " };
            let _ = writeln!(text, "{name}{params} =={gap}{body}");
        }
        Unit::Instance { name, module, with } => {
            let with = with.iter();
            let with: Vec<String> = with
                .map(|(variable, term)| format!("  {variable} <- {}", line(term, Place::Enclosed)))
                .collect();
            let _ = writeln!(
                text,
                "{name} == INSTANCE {module} WITH\n{}",
                with.join(",\n")
            );
        }
        Unit::Gap => text.push('\n'),
        Unit::Rule => {
            let _ = writeln!(text, "{}\n", "-".repeat(90));
        }
    }
}
