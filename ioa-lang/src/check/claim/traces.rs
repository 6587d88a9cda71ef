//! Checks that the traces of two automata can be compared: every external action of the low automaton must be an action of
//! the high one, with the same kind and the same parameters.

use crate::check::report::Report;
use crate::check::world::{DeclaredAction, Header, World};
use crate::core::AutomatonId;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// Whether the external signatures allow equal traces; what is in the way is reported at `span`.
pub(in crate::check) fn comparable(
    low: AutomatonId,
    high: AutomatonId,
    span: Span,
    world: &World,
    report: &mut Report,
) -> bool {
    let pair = Pair {
        low: world.header(low),
        high: world.header(high),
        span,
        world,
    };
    let external = pair.low.actions.iter().filter(|a| a.kind.is_external());
    // Every action is checked, so that every mistake is reported.
    let answered: Vec<bool> = external
        .map(|action| pair.answered(action, report))
        .collect();
    answered.into_iter().all(|answered| answered)
}

/// Two automata and the statement that relates them.
struct Pair<'w> {
    low: &'w Header,
    high: &'w Header,
    span: Span,
    world: &'w World,
}

impl Pair<'_> {
    /// Whether the high automaton has the same external action.
    fn answered(&self, low: &DeclaredAction, report: &mut Report) -> bool {
        let name = &low.name.name;
        let Some(&id) = self.high.action_ids.get(name) else {
            report.add_absence(name, self.absent(low));
            return false;
        };
        let high = self.high.action(id);
        let Some((in_low, in_high)) = self.difference(low, high) else {
            return true;
        };
        let message = format!(
            "the external action `{name}` {in_low} in {}, but {in_high} in {}",
            self.low.name.name, self.high.name.name
        );
        report.add(
            Diagnostic::error(Code::ActionDiffers, self.span, message)
                .label("traces are compared action by action")
                .related(low.span, format!("the signature in {}", self.low.name.name))
                .related(
                    high.span,
                    format!("the signature in {}", self.high.name.name),
                ),
        );
        false
    }

    fn absent(&self, low: &DeclaredAction) -> Diagnostic {
        let (name, low_name) = (&low.name.name, &self.low.name.name);
        let high_name = &self.high.name.name;
        let message =
            format!("{high_name} has no action `{name}`, which is external in {low_name}");
        Diagnostic::error(Code::ActionAbsent, self.span, message)
            .label(format!(
                "a trace in which it happens is none of {high_name}"
            ))
            .related(low.span, format!("the signature in {low_name}"))
            .help(format!(
                "hide it by making it internal in {low_name}, or declare it in {high_name}"
            ))
    }

    /// The differences between the two, each in words. Something that was not understood counts as equal.
    fn difference(&self, low: &DeclaredAction, high: &DeclaredAction) -> Option<(String, String)> {
        if low.kind != high.kind {
            let (low, high) = (low.kind.keyword(), high.kind.keyword());
            return Some((format!("is {low}"), high.to_owned()));
        }
        let (few, many) = (low.params.len(), high.params.len());
        if few != many {
            let plural = if few == 1 { "" } else { "s" };
            return Some((format!("has {few} parameter{plural}"), many.to_string()));
        }
        let mut pairs = low.params.iter().zip(&high.params).enumerate();
        pairs.find_map(|(position, (low, high))| {
            let types = (low.ty.as_ref()?, high.ty.as_ref()?);
            let name = |ty| self.world.model.type_name(ty);
            let (in_low, in_high) = (name(types.0), name(types.1));
            let described = || format!("has parameter {} of type {in_low}", position + 1);
            (types.0 != types.1).then(|| (described(), format!("of type {in_high}")))
        })
    }
}
