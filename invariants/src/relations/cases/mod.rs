//! Cases: conditions under which relations may hold that do not hold everywhere, as Daikon's splitting conditions.
//!
//! Somebody may name some. Others are found: the conditions in the text of the automaton, since these decide what its steps do, the
//! values of what has few of them, and what a variable of the frame has to do with others. There only relations of numbers are looked
//! for, because clauses say the rest.

mod text;

use ioa_lang::core::Type;

use super::atom::{Atom, Relation};
use super::frame::Frame;
use super::term::{Counted, Kind, Measure, Term, TermId, Terms, tests};
use crate::samples::Schema;

/// In a frame with more numbers than this no cases are looked for: each has its own lines and planes.
const MAX_NUMBERS: usize = 24;
/// No more conditions than this are looked for in a frame.
const MAX_FOUND: usize = 16;
/// What is said where there are more.
const LIMIT: &str =
    "too many numbers or conditions: relations of numbers were not tried in all cases";

/// A condition under which rows are looked at: what is to be true, or to be false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Case {
    pub(crate) condition: Atom,
    pub(crate) is_true: bool,
    /// Whether somebody named the condition. Then everything is looked for.
    pub(crate) is_named: bool,
}

impl Case {
    /// Whether an atom says nothing in the case that its condition does not say: it speaks of a term that has one value there, or of
    /// what is compared alone.
    pub(crate) fn supposes(&self, terms: &Terms, atom: &Atom) -> bool {
        let expr = |id: &TermId| &terms.get(*id).expr;
        let compared = &self.condition.args;
        let is_compared = |id: &TermId| compared.iter().any(|own| expr(own) == expr(id));
        match self.has_one_value(terms) {
            true => atom.args.iter().any(is_compared),
            false => atom.args.iter().all(is_compared),
        }
    }

    /// Whether a term has one value in the case.
    fn has_one_value(&self, terms: &Terms) -> bool {
        match self.condition.relation {
            Relation::Is(_) => self.is_true || !is_number(terms.get(self.condition.args[0])),
            Relation::Truth | Relation::IsNil | Relation::IsEmpty => true,
            _ => false,
        }
    }
}

/// The cases in a frame, and what was not tried.
pub(crate) fn cases(
    schema: &Schema,
    frame: &Frame,
    terms: &mut Terms,
) -> (Vec<Case>, Option<String>) {
    let named = terms.splits().iter();
    let named = named.map(|id| Atom::new(Relation::Truth, [*id]));
    let named = named.flat_map(|condition| both(terms, &condition, true));
    let mut cases: Vec<Case> = named.collect();
    let numbers = terms.select(is_number).len();
    let is_worth_it = terms.ids().any(|id| is_worth_a_case(terms.get(id)));
    let mut found = match is_worth_it {
        true => found(schema, frame, terms),
        false => Vec::new(),
    };
    found.retain(|condition| !terms.splits().contains(&condition.args[0]));
    let most = match numbers {
        0..=MAX_NUMBERS => MAX_FOUND,
        _ => 0,
    };
    let is_cut = found.len() > most;
    found.truncate(most);
    cases.extend(
        found
            .iter()
            .flat_map(|condition| both(terms, condition, false)),
    );
    (cases, is_cut.then(|| LIMIT.to_owned()))
}

/// That a condition is true, and that it is false, as far as both are worth a look: that a term has one of the other values of its
/// enumeration is not.
fn both(terms: &Terms, condition: &Atom, is_named: bool) -> Vec<Case> {
    let is_value = matches!(condition.relation, Relation::Is(_))
        && matches!(terms.get(condition.args[0]).ty(), Type::Enum(_));
    let signs: &[bool] = match is_value {
        true => &[true],
        false => &[true, false],
    };
    let case = |is_true: &bool| Case {
        condition: condition.clone(),
        is_true: *is_true,
        is_named,
    };
    signs.iter().map(case).collect()
}

/// The conditions that nobody named, those of the text first. With two variables only those are taken that relate them.
fn found(schema: &Schema, frame: &Frame, terms: &mut Terms) -> Vec<Atom> {
    let mut found = text::conditions(schema, frame, terms);
    let terms = &*terms;
    let values = terms.ids().flat_map(|id| values(schema, terms, id));
    let related = terms.ids().flat_map(|id| related(terms, id));
    for condition in values.chain(related) {
        if !found.contains(&condition) {
            found.push(condition);
        }
    }
    let is_wanted = |condition: &Atom| {
        condition.guards(terms).is_empty()
            && (frame.binders.len() < 2 || condition.binders(terms) == frame.mask())
    };
    found.retain(is_wanted);
    found
}

/// That a term has one of its few values.
fn values(schema: &Schema, terms: &Terms, id: TermId) -> Vec<Atom> {
    let term = terms.get(id);
    if matches!(
        term.kind,
        Kind::Bound(_) | Kind::Own(_) | Kind::OwnDefined(_)
    ) {
        return Vec::new();
    }
    let tests = tests(schema, term.ty()).into_iter();
    let relations = tests.map(|(counted, _)| match counted {
        Counted::Code(_) if *term.ty() == Type::Bool => Relation::Truth,
        Counted::Code(code) => Relation::Is(code as i64),
        Counted::Present => Relation::IsNil,
    });
    relations
        .map(|relation| Atom::new(relation, [id]))
        .collect()
}

/// That a variable of the frame is what a term is, or is in it.
fn related(terms: &Terms, id: TermId) -> Vec<Atom> {
    let is_bound = |id: TermId| matches!(terms.get(id).kind, Kind::Bound(_));
    let variables = terms
        .ids()
        .filter(|variable| is_bound(*variable) && !is_bound(id));
    let relation = |variable: TermId| {
        let ty = terms.get(variable).ty();
        match terms.get(id).ty() {
            own if own == ty => Some(Atom::new(Relation::Equal, [variable, id])),
            Type::Null(inner) if **inner == *ty => {
                Some(Atom::new(Relation::Embeds, [id, variable]))
            }
            Type::Set(element) if **element == *ty => {
                Some(Atom::new(Relation::Member, [variable, id]))
            }
            _ => None,
        }
    };
    variables.filter_map(relation).collect()
}

fn is_number(term: &Term) -> bool {
    let measure = term.measure.as_ref();
    measure.is_some_and(|measure| *measure != Measure::Indicated)
}

/// Whether a number is worth a case: that of the elements of a set is not, for what it has to do with others is better said about the
/// elements.
fn is_worth_a_case(term: &Term) -> bool {
    let is_size = matches!(term.measure, Some(Measure::Elements(_)));
    is_number(term) && (!is_size || matches!(term.kind, Kind::Len(_)))
}

/// Whether what was found in a case that nobody named is worth saying: an equation of numbers, or a bound. Comparisons are left to
/// clauses.
pub(crate) fn is_told(atom: &Atom, terms: &Terms) -> bool {
    let numbers = || atom.args.iter().map(|id| terms.get(*id));
    let is_fit = matches!(
        atom.relation,
        Relation::Is(_)
            | Relation::Equal
            | Relation::AtMostNumber(_)
            | Relation::AtLeastNumber(_)
            | Relation::Linear { .. }
            | Relation::Remainder { .. }
            | Relation::Plane { .. }
            | Relation::Balance { .. }
            | Relation::IsSum
    );
    is_fit && numbers().all(is_number) && numbers().any(is_worth_a_case)
}
