//! What somebody names to be looked at: variables and actions, terms of their own, and conditions that tell cases apart.

use std::collections::BTreeSet;

use invariants::Focus;
use ioa_lang::core::{
    ActionId, AutomatonId, Expr, ExprKind, Invariant, LocalId, Model, Op, OpenTerm, Quantifier,
    Type, VarId, reads_of_expr,
};
use ioa_lang::diagnostic::{Code, Diagnostic};
use ioa_lang::print::{Abbreviations, Context};
use ioa_lang::{Sources, Span};

use crate::study::{BadInput, Study, says_something, unknown};

/// What somebody names, as it is written.
#[derive(Clone, Debug, Default)]
pub struct Naming {
    /// Variables and actions to which everything is restricted.
    pub look_at: Vec<String>,
    /// Variables and actions that are left out.
    pub leave_out: Vec<String>,
    /// Terms over the state.
    pub terms: Vec<String>,
    /// Conditions.
    pub splits: Vec<String>,
}

/// What is named, and where that is written: on the command line or, where it says nothing, in the study.
struct Written<'n> {
    look_at: (&'static str, &'n [String]),
    leave_out: (&'static str, &'n [String]),
    terms: (&'static str, &'n [String]),
    splits: (&'static str, &'n [String]),
}

impl<'n> Written<'n> {
    fn of(study: &'n Study, automaton: AutomatonId, naming: &'n Naming) -> Self {
        let section = study.manifest.infer.as_ref();
        // What the study names is about the automaton that it names.
        let section =
            section.filter(|s| study.model.automaton_named(&s.automaton) == Some(automaton));
        let either =
            |flag, given: &'n [String], key, section: Option<&'n Vec<String>>| match section {
                Some(section) if given.is_empty() => (key, &section[..]),
                _ => (flag, given),
            };
        Self {
            look_at: either(
                "--look-at",
                &naming.look_at,
                "look-at",
                section.map(|s| &s.look_at),
            ),
            leave_out: either(
                "--leave-out",
                &naming.leave_out,
                "leave-out",
                section.map(|s| &s.leave_out),
            ),
            terms: either("--term", &naming.terms, "terms", section.map(|s| &s.terms)),
            splits: either(
                "--split",
                &naming.splits,
                "splits",
                section.map(|s| &s.splits),
            ),
        }
    }
}

/// What is looked at.
#[derive(Debug, Default)]
pub struct Focused {
    pub(super) focus: Focus,
    /// What is said of it, a line each.
    pub(super) lines: Vec<String>,
    /// The texts that the terms stand in.
    sources: Sources,
}

impl Focused {
    /// What is looked at of an automaton.
    ///
    /// # Errors
    /// Names of nothing; mistakes in terms; terms that say nothing.
    pub(super) fn of(
        study: &Study,
        automaton: AutomatonId,
        naming: &Naming,
    ) -> Result<Self, BadInput> {
        let written = Written::of(study, automaton, naming);
        let named = Named { study, automaton };
        let looked_at = named.all(written.look_at)?;
        let left_out = named.all(written.leave_out)?;
        let variables = Choice::of(named.variables(), &looked_at.variables, &left_out.variables);
        let actions = Choice::of(named.actions(), &looked_at.actions, &left_out.actions);
        let (sources, mut terms, splits) = terms(study, automaton, &written)?;
        if variables.kept.is_empty() && !variables.others.is_empty() && terms.is_empty() {
            let place = written.leave_out.0;
            return Err(BadInput::message(format!(
                "{place} leaves nothing to look at"
            )));
        }
        let names = study.abbreviations(automaton);
        let texts = |all: &[OpenTerm]| -> Option<String> {
            let texts = all
                .iter()
                .map(|own| named_term(study, (automaton, &names), own));
            let texts: Vec<String> = texts.collect();
            (!texts.is_empty()).then(|| texts.join("; "))
        };
        let lines = [
            ("of the variables", variables.told()),
            ("steps are described", actions.told()),
            ("terms", texts(&terms)),
            ("cases", texts(&splits)),
        ];
        let lines = lines.into_iter();
        let lines = lines
            .filter_map(|(what, told)| told.map(|told| format!("{what}: {told}")))
            .collect();
        let left_out: BTreeSet<VarId> = variables.others().map(VarId::at).collect();
        terms.extend(named_in_model(study, automaton, &left_out, &terms));
        Ok(Self {
            lines,
            focus: Focus {
                left_out,
                undescribed: actions.others().map(ActionId::at).collect(),
                terms,
                splits,
            },
            sources,
        })
    }

    /// Diagnostics about the terms as a reason not to begin.
    pub(super) fn refuse(&self, diagnostics: Vec<Diagnostic>) -> BadInput {
        BadInput {
            sources: self.sources.clone(),
            diagnostics,
            messages: Vec::new(),
        }
    }

    /// For each condition its text, and that it is always true and that it is always false.
    pub(super) fn constant(
        &self,
        study: &Study,
        automaton: AutomatonId,
    ) -> Vec<(String, [Invariant; 2])> {
        let splits = self.focus.splits.iter();
        let names = study.abbreviations(automaton);
        let both = |split: &OpenTerm| {
            let is = |positive| always(automaton, split, positive);
            (
                named_term(study, (automaton, &names), split),
                [is(true), is(false)],
            )
        };
        splits.map(both).collect()
    }

    /// The variables that a formula reads and that are left out, by name.
    pub(super) fn unseen(&self, model: &Model, stated: &Invariant) -> Vec<String> {
        let read = variables_in(&stated.formula);
        let variables = &model.automaton(stated.automaton).variables;
        let unseen = read.intersection(&self.focus.left_out);
        unseen
            .map(|id| variables[id.index()].name.to_string())
            .collect()
    }
}

/// That a condition is true, or false, for all values of the variables that it leaves open.
fn always(automaton: AutomatonId, split: &OpenTerm, positive: bool) -> Invariant {
    let (ty, span) = (Type::Bool, split.term.span);
    let condition = match positive {
        true => split.term.clone(),
        false => Expr::apply(Op::Not, vec![split.term.clone()], ty.clone(), span),
    };
    let open = (0..split.open).map(LocalId::at);
    let formula = match split.open {
        0 => condition,
        _ => {
            let kind =
                ExprKind::Quantified(Quantifier::ForAll, open.collect(), Box::new(condition));
            Expr::new(kind, ty, span)
        }
    };
    Invariant {
        name: "split".into(),
        automaton,
        locals: split.locals.clone(),
        formula,
        uses: None,
        span,
    }
}

/// A term as IOA text, with what it leaves open.
fn named_term(
    study: &Study,
    (automaton, names): (AutomatonId, &Abbreviations),
    own: &OpenTerm,
) -> String {
    let model = &*study.model;
    let context = Context::automaton(model, automaton, &own.locals);
    let text = names.expr(&context, &own.term);
    let open = own.locals[..own.open].iter();
    let open: Vec<String> = open
        .map(|local| format!("{}: {}", local.name, model.type_name(&local.ty)))
        .collect();
    match &open[..] {
        [] => text,
        open => format!("{text} for {}", open.join(", ")),
    }
}

/// Names as variables and actions, by position.
#[derive(Default)]
struct Names {
    variables: BTreeSet<usize>,
    actions: BTreeSet<usize>,
}

/// What can be named.
struct Named<'s> {
    study: &'s Study,
    automaton: AutomatonId,
}

impl<'s> Named<'s> {
    fn variables(&self) -> Known<'s> {
        let declared = &self.study.model.automaton(self.automaton).variables;
        declared.iter().map(|v| &*v.name).enumerate().collect()
    }

    fn actions(&self) -> Known<'s> {
        let declared = &self.study.model.automaton(self.automaton).actions;
        declared.iter().map(|a| &*a.name).enumerate().collect()
    }

    /// What some names mean: a variable, an action, or a component with all that is its own.
    fn all(&self, (place, names): (&str, &[String])) -> Result<Names, BadInput> {
        let mut all = Names::default();
        for name in names {
            let is_meant = |own: &str| {
                let rest = own.strip_prefix(&**name);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            let meant = |known: Known<'_>| -> Vec<usize> {
                let own = known.into_iter().filter(|(_, own)| is_meant(own));
                own.map(|(at, _)| at).collect()
            };
            let (variables, actions) = (meant(self.variables()), meant(self.actions()));
            if variables.is_empty() && actions.is_empty() {
                let subject = &self.study.model.automaton(self.automaton).name;
                let known = self.variables().into_iter().chain(self.actions());
                let known: Vec<&str> = known.map(|(_, name)| name).collect();
                let what = format!("variable or action of {subject}");
                let mut refused = unknown(&what, name, known.iter().copied());
                refused.messages[0] = format!("{place}: {}", refused.messages[0]);
                return Err(refused);
            }
            all.variables.extend(variables);
            all.actions.extend(actions);
        }
        Ok(all)
    }
}

/// Things by position, with their names.
type Known<'n> = Vec<(usize, &'n str)>;

/// Which of all things are kept: those that are looked at (all, if none is named) and that are not left out.
struct Choice<'n> {
    kept: Known<'n>,
    others: Known<'n>,
    is_restricted: bool,
}

impl<'n> Choice<'n> {
    fn of(all: Known<'n>, looked_at: &BTreeSet<usize>, left_out: &BTreeSet<usize>) -> Self {
        let is_kept =
            |at: &usize| (looked_at.is_empty() || looked_at.contains(at)) && !left_out.contains(at);
        let (kept, others) = all.into_iter().partition(|(at, _)| is_kept(at));
        Self {
            kept,
            others,
            is_restricted: !looked_at.is_empty(),
        }
    }

    /// The positions of those that are not kept.
    fn others(&self) -> impl Iterator<Item = usize> + '_ {
        self.others.iter().map(|(at, _)| *at)
    }

    /// What was chosen, in words; nothing if all are kept.
    fn told(&self) -> Option<String> {
        let names = |them: &Known<'_>| -> String {
            let names: Vec<&str> = them.iter().map(|(_, name)| *name).collect();
            names.join(", ")
        };
        match (
            self.others.is_empty(),
            self.is_restricted && !self.kept.is_empty(),
        ) {
            (true, _) => None,
            (false, true) => Some(format!("only {}", names(&self.kept))),
            (false, false) => Some(format!("not {}", names(&self.others))),
        }
    }
}

/// The terms and the conditions, with the sources that they stand in.
fn terms(
    study: &Study,
    automaton: AutomatonId,
    written: &Written<'_>,
) -> Result<(Sources, Vec<OpenTerm>, Vec<OpenTerm>), BadInput> {
    let (place, splits) = written.splits;
    let conditions = splits.iter().map(|text| (place, &**text, Some(Type::Bool)));
    let (place, terms) = written.terms;
    let terms = terms.iter().map(|text| (place, &**text, None));
    let texts: Vec<(&str, &str, Option<Type>)> = terms.clone().chain(conditions).collect();
    for (place, text, ty) in &texts {
        let what = if ty.is_some() { "formula" } else { "term" };
        says_something(place, what, text)?;
    }
    let (sources, mut read) = study.open_terms(automaton, &texts)?;
    let useless: Vec<Diagnostic> = read
        .iter()
        .filter_map(|own| useless(&study.model, own))
        .collect();
    if !useless.is_empty() {
        return Err(BadInput {
            sources,
            diagnostics: useless,
            messages: Vec::new(),
        });
    }
    let splits = read.split_off(terms.count());
    Ok((sources, read, splits))
}

/// At most so many of the terms that an automaton names are looked at.
const MAX_NAMED: usize = 6;

/// The terms to which the model itself gives names, with a sort or an enumeration for each parameter: somebody thought of them.
/// Formulas are left out, since clauses are made of what these consist of.
fn named_in_model(
    study: &Study,
    automaton: AutomatonId,
    left_out: &BTreeSet<VarId>,
    known: &[OpenTerm],
) -> Vec<OpenTerm> {
    let is_new = |own: &OpenTerm| {
        let mut params = own.locals[..own.open].iter();
        variables_in(&own.term).is_disjoint(left_out)
            && own.is_composed_value()
            && params.all(|param| matches!(param.ty, Type::Sort(_) | Type::Enum(_)))
            && (is_table(own) || useless(&study.model, own).is_none())
            && known.iter().all(|other| other.term != own.term)
    };
    let named = study.names.named_expressions(automaton).into_iter();
    let named = named.map(|(_, own)| own);
    named.filter(is_new).take(MAX_NAMED).collect()
}

/// Whether a term is a number that depends on nothing but the variables that it leaves open, such as a price of each thing.
fn is_table(own: &OpenTerm) -> bool {
    own.open > 0 && own.term.ty.is_integer()
}

/// The variables that a term reads.
pub(super) fn variables_in(term: &Expr) -> BTreeSet<VarId> {
    let mut read = BTreeSet::new();
    reads_of_expr(term, &mut |state, _| {
        read.insert(state.var);
    });
    read
}

/// Why a term is of no use, if it is of none.
fn useless(model: &Model, own: &OpenTerm) -> Option<Diagnostic> {
    let span: Span = own.term.span;
    if variables_in(&own.term).is_empty() {
        let message = "this reads no variable of the state, so nothing can be found out about it";
        return Some(Diagnostic::error(Code::Unexpected, span, message));
    }
    let ty = &own.term.ty;
    (!Focus::is_of_use(model, ty)).then(|| {
        let message = format!("candidates say nothing of a {}", model.type_name(ty));
        Diagnostic::error(Code::WrongType, span, message)
            .help("give a formula about it, such as a comparison")
    })
}
