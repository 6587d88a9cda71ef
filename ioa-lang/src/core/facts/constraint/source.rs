//! Values that conditions give to a variable indirectly: in one of several cases, or as a part of a value.
//!
//! `u \in queue \/ last = embed(u)` leaves the elements of `queue` and, if there is one, the value in `last`; `[ask, k] \in sent`
//! leaves the second fields of the elements of `sent`, `\E q: Proc (n = number[q] + 1)` a value for each process, and
//! `m.seq = next /\ m.who = head(line)` one tuple. These may be more values than satisfy the condition, so the condition is still to
//! be checked.
//!
//! A term that may lack a value can be a source if what stands before it shows that it has one, as `q ~= {}` does in
//! `m > x /\ q ~= {} /\ m = head(q)`. Then the source says what has to be true before the term is computed.

use super::super::known::Known;
use super::Constraint;
use crate::core::expr::{Expr, ExprKind, LocalId};
use crate::core::operator::Op;
use crate::core::types::Type;
use crate::notation::Quantifier;

/// Where values of a variable are: in the value of a term, or in each of its elements, at a path.
#[derive(Clone, Debug)]
pub struct Source<'e> {
    /// A term without the variable.
    pub root: &'e Expr,
    /// The type of the elements, if the values are in these.
    pub element: Option<Type>,
    /// The patterns around the variable, the outermost first, each with the position of its argument.
    pub path: Vec<(&'e Expr, usize)>,
    /// The variable of a quantifier that the term mentions: there is a value for each of its values.
    pub each: Option<LocalId>,
    /// Formulas without the variable, which always have a value. The term need have one only where they are true, and there
    /// are no values where they are not.
    pub given: Vec<&'e Expr>,
    /// The same of formulas about the variable of the quantifier: there is no value for those of its values of which one is false.
    pub guards: Vec<&'e Expr>,
}

/// Where a condition stands.
#[derive(Clone, Copy)]
struct Place<'p, 'e> {
    /// Whether it is evaluated whatever the value of the variable: then its terms are evaluated in any case, also if that fails.
    always: bool,
    /// The variables that are bound around it.
    within: &'p [LocalId],
    /// Formulas without these variables that are true wherever it is evaluated,
    given: &'p [&'e Expr],
    /// and formulas with some of them.
    guards: &'p [&'e Expr],
}

/// Who looks for sources: what a reader of the core can do with terms.
#[derive(Clone, Copy)]
pub struct SourceFinder<'f> {
    /// Whether a term has a value wherever it is looked at.
    pub is_total: &'f dyn Fn(&Expr) -> bool,
    /// Whether all values of a variable can be tried.
    pub is_tried: &'f dyn Fn(LocalId) -> bool,
    /// Whether a term can be computed, but for variables of quantifiers around it.
    pub is_known: &'f dyn Fn(&Expr, &[LocalId]) -> bool,
}

impl SourceFinder<'_> {
    /// The sources of values for `x` that some condition names, if all values that satisfy the condition are among these.
    #[must_use]
    pub fn of<'e>(&self, x: LocalId, conditions: &[&'e Expr]) -> Option<Vec<Source<'e>>> {
        let nowhere = Place {
            always: true,
            within: &[],
            given: &[],
            guards: &[],
        };
        self.of_conjuncts(x, conditions, nowhere)
    }

    /// The sources that one of some conjuncts names. Its terms are evaluated before all of them, so those in front of it must
    /// not be able to fault.
    fn of_conjuncts<'e>(
        &self,
        x: LocalId,
        conjuncts: &[&'e Expr],
        place: Place<'_, 'e>,
    ) -> Option<Vec<Source<'e>>> {
        let (mut given, mut guards) = (place.given.to_vec(), place.guards.to_vec());
        for (at, conjunct) in conjuncts.iter().enumerate() {
            let place = Place {
                always: place.always && at == 0,
                given: &given,
                guards: &guards,
                ..place
            };
            let found = self.of_condition(x, conjunct, place);
            if found.is_some() || !(self.is_total)(conjunct) {
                return found;
            }
            let is_bound = place.within.iter().any(|x| conjunct.mentions(*x));
            match is_bound {
                _ if conjunct.mentions(x) => {}
                false if (self.is_known)(conjunct, &[]) => given.push(conjunct),
                true if (self.is_known)(conjunct, place.within) => guards.push(conjunct),
                _ => {}
            }
        }
        None
    }

    /// The sources that a condition names.
    fn of_condition<'e>(
        &self,
        x: LocalId,
        condition: &'e Expr,
        place: Place<'_, 'e>,
    ) -> Option<Vec<Source<'e>>> {
        match &condition.kind {
            ExprKind::Apply(Op::Or, cases) => {
                // There are infinitely many values, of which only finitely many satisfy an equation or a membership: so each case
                // is evaluated.
                let each = cases.iter().map(|case| self.of_condition(x, case, place));
                let each: Option<Vec<_>> = each.collect();
                each.map(|sources| sources.concat())
            }
            ExprKind::Apply(Op::And, parts) => {
                let parts: Vec<&Expr> = parts.iter().collect();
                self.of_conjuncts(x, &parts, place)
            }
            ExprKind::Quantified(Quantifier::Exists, binders, body) => {
                let within = [place.within, binders].concat();
                let inside = Place {
                    always: false,
                    within: &within,
                    ..place
                };
                self.of_condition(x, body, inside)
            }
            ExprKind::Apply(op, args) => {
                let source = source(x, condition, op, args)?;
                let usable = self.usable(source, condition, place);
                usable.map(|one| vec![one])
            }
            _ => None,
        }
    }

    /// A source if the term in it can be computed, which may mention the variable of one quantifier.
    fn usable<'e>(
        &self,
        mut source: Source<'e>,
        condition: &Expr,
        place: Place<'_, 'e>,
    ) -> Option<Source<'e>> {
        if !(self.is_known)(source.root, place.within) {
            return None;
        }
        // A term that may fault must be evaluated even if there are no values, and must not be evaluated where the condition
        // is not.
        let is_whole = source.path.is_empty();
        let has_value = (self.is_total)(condition) || place.always && is_whole;
        let mentioned = |local: &&LocalId| source.root.mentions(**local);
        let mut bound = place.within.iter().filter(mentioned);
        match (bound.next(), bound.next()) {
            (None, _) if has_value => Some(source),
            (None, _) => {
                let known = Known::of(place.given.iter().copied());
                source.given = place.given.to_vec();
                known.defines(condition).then_some(source)
            }
            (Some(one), None) if source.element.is_none() && (self.is_tried)(*one) => {
                source.each = Some(*one);
                // The term is computed for values, too, for which what guards it in the text is false.
                if !has_value || !source.root.is_total() {
                    source.guards = guards(condition, *one, place)?;
                    source.given = place.given.to_vec();
                }
                Some(source)
            }
            _ => None,
        }
    }

    /// What each field of `x`, which have these types, equals, if conditions say so one by one.
    ///
    /// The terms are computed before all conditions. One may fault only where each condition in front of it is one of these
    /// equations: then some value satisfies those, and for it the term would be computed in any case.
    #[must_use]
    pub fn fields<'e, 't>(
        &self,
        x: LocalId,
        types: impl IntoIterator<Item = &'t Type>,
        conditions: &[&'e Expr],
    ) -> Option<Vec<&'e Expr>> {
        let types: Vec<&Type> = types.into_iter().collect();
        let mut given: Vec<Option<&Expr>> = vec![None; types.len()];
        let (mut only_fields, mut total) = (true, true);
        for condition in conditions {
            let is_new = |(at, term): &(usize, &Expr)| {
                given[*at].is_none() && term.ty == *types[*at] && (self.is_known)(term, &[])
            };
            match field(x, condition).filter(is_new) {
                Some((at, term)) if only_fields || (total && (self.is_total)(term)) => {
                    given[at] = Some(term);
                }
                _ => only_fields = false,
            }
            total &= (self.is_total)(condition);
        }
        given.into_iter().collect()
    }
}

/// The guards without which a condition on the variable of a quantifier may have no value; nothing where these do not show that it has
/// one, or speak of other variables too.
fn guards<'e>(condition: &Expr, variable: LocalId, place: Place<'_, 'e>) -> Option<Vec<&'e Expr>> {
    let others = || place.within.iter().filter(|x| **x != variable);
    let is_own = |guard: &&&Expr| !others().any(|x| guard.mentions(*x));
    let guards: Vec<&Expr> = place.guards.iter().filter(is_own).copied().collect();
    let known = Known::of(place.given.iter().chain(&guards).copied());
    known.defines(condition).then_some(guards)
}

/// The field of `x` that a condition says something equal of, and what.
fn field(x: LocalId, condition: &Expr) -> Option<(usize, &Expr)> {
    let ExprKind::Apply(Op::Eq, args) = &condition.kind else {
        return None;
    };
    let [left, right] = &args[..] else {
        return None;
    };
    let of = |side: &Expr| match &side.kind {
        ExprKind::Apply(Op::Field(at), args) if args[0].is_local(x) => Some(*at as usize),
        _ => None,
    };
    let (at, term) = match (of(left), of(right)) {
        (Some(at), _) => (at, right),
        (None, Some(at)) => (at, left),
        (None, None) => return None,
    };
    (!term.mentions(x)).then_some((at, term))
}

/// The source of values for `x` that an equation or a membership names.
fn source<'e>(x: LocalId, condition: &'e Expr, op: &Op, args: &'e [Expr]) -> Option<Source<'e>> {
    let own = match condition.constraint(x) {
        Some(Constraint::Equal(root)) => Some((root, false)),
        Some(Constraint::Element(root)) => Some((root, true)),
        _ => None,
    };
    let (root, path, in_elements) = match (own, args) {
        (Some((root, each)), _) => (root, Vec::new(), each),
        (None, [left, right]) if *op == Op::Eq => match path(left, x) {
            Some(path) => (right, path, false),
            None => (left, path(right, x)?, false),
        },
        _ => {
            let (pattern, root) = condition.membership()?;
            (root, path(pattern, x)?, true)
        }
    };
    let element = match (in_elements, &root.ty) {
        (false, _) => None,
        (true, Type::Set(of) | Type::Seq(of) | Type::Mset(of) | Type::Map(of, _)) => {
            Some((**of).clone())
        }
        _ => return None,
    };
    (!root.mentions(x)).then_some(Source {
        root,
        element,
        path,
        each: None,
        given: Vec::new(),
        guards: Vec::new(),
    })
}

/// The patterns around a variable in a term that is made of them, the outermost first.
#[must_use]
pub fn path(pattern: &Expr, x: LocalId) -> Option<Vec<(&Expr, usize)>> {
    if pattern.is_local(x) {
        return Some(Vec::new());
    }
    let ExprKind::Apply(Op::Embed | Op::Tuple | Op::Variant(_), args) = &pattern.kind else {
        return None;
    };
    args.iter().enumerate().find_map(|(at, arg)| {
        let mut inner = path(arg, x)?;
        inner.insert(0, (pattern, at));
        Some(inner)
    })
}
