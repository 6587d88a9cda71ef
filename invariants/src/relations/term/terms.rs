//! Terms over a frame: variables, array elements under quantified indices, parts, sizes.

use std::collections::BTreeSet;

use ioa_lang::Span;
use ioa_lang::core::{ActionId, Expr, Local, Model, Op, Store, Type};

use super::counts::totals;
use super::indicators::indicators;
use super::kind::{Kind, Measure, Place, Term, TermId, leaf};
use crate::build::{after, enumerator, equal};
use crate::focus::{placed, places};
use crate::names::{fresh, visible};
use crate::relations::frame::Frame;
use crate::samples::{Own, Samples, Schema};

/// No frame has more terms than this, where the automaton does not have more variables: each takes up to half a
/// megabyte while evidence is weighed.
const MAX_TERMS: usize = 400;

/// All terms of a frame; a term stands after its parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Terms {
    nodes: Vec<Term>,
    /// The variables of the frame, or the parameters of an action, and then what is bound in terms.
    locals: Vec<Local>,
    /// Those of the terms that tell apart what holds.
    splits: Vec<TermId>,
    is_truncated: bool,
}

/// What terms are made of.
pub(crate) struct Readable<'s> {
    /// Terms with the columns that they stand for.
    pub(crate) columns: Vec<(usize, Expr)>,
    /// Terms that somebody gave, with the first of the columns of all of them, and the state on which they are read.
    pub(crate) own: Vec<(&'s Own, usize, Store)>,
    /// Variables that are bound outside of the terms.
    pub(crate) locals: Vec<Local>,
}

impl<'s> Readable<'s> {
    /// What there is of a state.
    pub(crate) fn of_states(samples: &'s Samples, frame: &Frame) -> Self {
        let schema = samples.schema();
        let first = schema.variables().len();
        let columns = schema.state_as_terms(Store::Pre);
        let is_known = |own: &&Own| own.columns().all(|at| !samples.is_left_out(first + at));
        let own = schema.own().iter().filter(is_known);
        Self {
            columns: columns
                .filter(|(at, _)| !samples.is_left_out(*at))
                .collect(),
            own: own.map(|own| (own, first, Store::Pre)).collect(),
            locals: frame.locals(),
        }
    }

    /// What there is of a step by an action: the state before, the state after, and the parameters. Of the terms that somebody gave,
    /// those that leave nothing open, on both states.
    pub(crate) fn of_steps(samples: &'s Samples, action: ActionId) -> Self {
        let before = Self::of_states(samples, &Frame::empty());
        let schema = samples.schema();
        let width = schema.state_columns().len();
        let after = schema.state_as_terms(Store::Post);
        let is_known = |at: &usize| !samples.is_left_out(*at);
        let after = after.filter(|(at, _)| is_known(at));
        let after = after.map(|(at, term)| (at + width, term));
        let params = schema.params_as_terms(action);
        let locals = &schema.model().automaton(schema.automaton()).actions[action.index()].locals;
        Self {
            columns: before
                .columns
                .into_iter()
                .chain(after)
                .chain(params)
                .collect(),
            own: [(0, Store::Pre), (width, Store::Post)]
                .into_iter()
                .flat_map(|(beyond, store)| {
                    let own = before.own.iter();
                    own.map(move |(own, first, _)| (*own, first + beyond, store))
                })
                .collect(),
            locals: locals.clone(),
        }
    }
}

impl Terms {
    /// The terms over what can be read.
    pub(crate) fn of(schema: &Schema, frame: &Frame, readable: Readable<'_>) -> Self {
        let model = schema.model();
        let mut terms = Self {
            locals: readable.locals,
            ..Self::default()
        };
        for (at, variable) in frame.variables().enumerate() {
            terms.push(Term {
                binders: 1 << at,
                ..leaf(Kind::Bound(at), variable)
            });
        }
        for (at, column) in readable.columns {
            terms.push(Term {
                columns: BTreeSet::from([at]),
                ..leaf(Kind::Column(at), column)
            });
        }
        for (own, first, store) in readable.own {
            terms.take(model, frame, own, (first, store));
        }
        terms.derive(schema);
        terms
    }

    /// The terms, and the indicators of variables.
    pub(crate) fn with_indicators(mut self, schema: &Schema) -> Self {
        for id in self.ids() {
            let term = self.get(id).clone();
            let made = indicators(schema, (id, &term));
            if matches!(term.kind, Kind::Column(_)) && self.len() + made.len() <= MAX_TERMS {
                self.nodes.extend(made);
            }
        }
        self
    }

    /// Adds a term that somebody gave, with variables of the frame in place of those that it leaves open, in all ways.
    fn take(&mut self, model: &Model, frame: &Frame, own: &Own, (first, store): (usize, Store)) {
        let types: Vec<&Type> = frame.binders.iter().map(|binder| &binder.ty).collect();
        let open = own.open().iter().map(|local| &local.ty);
        for way in places(open, &types) {
            let mut placed = placed(model, &own.term, &way, &mut self.locals);
            if store == Store::Post {
                placed.expr = after(&placed.expr);
                placed.guards = placed.guards.iter().map(after).collect();
            }
            let args = way.iter().copied().zip(own.strides.iter().copied());
            let place = Place {
                first: first + own.first,
                args: args.collect(),
            };
            let value = Term {
                binders: way.iter().fold(0, |mask, at| mask | 1 << at),
                columns: own.columns().map(|at| first + at).collect(),
                ..leaf(Kind::Own(place.clone()), placed.expr)
            };
            if own.is_split {
                self.splits.push(self.len() + usize::from(own.is_partial));
            }
            if !own.is_partial {
                self.push(value);
                continue;
            }
            let guard = self.len();
            self.push(Term {
                kind: Kind::OwnDefined(place.clone()),
                expr: Expr::conjunction(placed.guards, Span::default()),
                measure: None,
                ..value.clone()
            });
            let first = place.first + 1;
            self.push(Term {
                kind: Kind::Own(Place { first, ..place }),
                guards: vec![guard],
                ..value
            });
        }
    }

    /// The terms that tell apart what holds.
    pub(crate) fn splits(&self) -> &[TermId] {
        &self.splits
    }

    /// The locals of all terms.
    pub(crate) fn locals(&self) -> &[Local] {
        &self.locals
    }

    pub(crate) fn get(&self, id: TermId) -> &Term {
        &self.nodes[id]
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn ids(&self) -> std::ops::Range<TermId> {
        0..self.nodes.len()
    }

    /// The terms that satisfy a condition.
    pub(crate) fn select(&self, wanted: impl Fn(&Term) -> bool) -> Vec<TermId> {
        self.ids().filter(|id| wanted(self.get(*id))).collect()
    }

    /// Whether terms were left out because there are too many.
    pub(crate) fn is_truncated(&self) -> bool {
        self.is_truncated
    }

    pub(super) fn push(&mut self, term: Term) {
        self.nodes.push(term);
    }

    /// Adds the parts of terms, and the parts of those, up to a limit.
    fn derive(&mut self, schema: &Schema) {
        let mut taken = visible(schema.model(), schema.automaton());
        taken.extend(self.locals.iter().map(|local| local.name.to_string()));
        let leaves = self.nodes.len();
        let indices: Vec<TermId> = (0..leaves).collect();
        let bound = self.select(|term| matches!(term.kind, Kind::Bound(_)));
        let counted: Vec<(TermId, Term)> = match bound[..] {
            [only] => vec![(only, self.get(only).clone())],
            _ => Vec::new(),
        };
        let mut at = 0;
        while at < self.nodes.len() {
            let array = self.get(at).clone();
            let name = match array.ty() {
                Type::Array(index, _) => fresh(schema.model().initial(index), &taken),
                _ => String::new(),
            };
            let totals = totals(schema, (at, &array), &counted, (&mut self.locals, &name));
            let parts = self.parts(schema.model(), at, &indices).into_iter();
            for term in parts.chain(totals) {
                if self.nodes.len() >= MAX_TERMS {
                    self.is_truncated = true;
                    return;
                }
                self.push(term);
            }
            at += 1;
        }
    }

    /// What can be taken from a term; arrays are read at leaves (quantified variables and plain columns).
    fn parts(&self, model: &Model, id: TermId, leaves: &[TermId]) -> Vec<Term> {
        let whole = self.get(id);
        let part = |kind, op: Op, ty: &Type| whole.part(kind, op, ty);
        let count = |kind, op, element: &Type| Term {
            measure: Some(Measure::Elements(element.clone())),
            ..part(kind, op, &Type::Nat)
        };
        match whole.ty() {
            Type::Seq(element) => vec![count(Kind::Len(id), Op::Len, element)],
            Type::Set(element) => vec![count(Kind::Size(id), Op::Size, element)],
            Type::Mset(element) => vec![count(Kind::Size(id), Op::MsetSize, element)],
            Type::Null(inner) => {
                let mut val = part(Kind::Val(id), Op::Val, inner);
                val.guards.push(id);
                vec![val]
            }
            Type::Tuple(tuple) => {
                let fields = model.tuples[tuple.index()].fields.iter().zip(0..);
                fields
                    .map(|((_, ty), at)| part(Kind::Field(id, at), Op::Field(at), ty))
                    .collect()
            }
            Type::Array(index, element) => self
                .of_type(leaves, index)
                .map(|at| whole.at(self.get(at), Kind::Select(id, at), Op::Select, element))
                .collect(),
            Type::Map(domain, range) => {
                let entries = self.of_type(leaves, domain).zip((self.len()..).step_by(2));
                let entry = |(at, guard)| {
                    let index = self.get(at);
                    let is = Kind::Defined(id, at);
                    let defined = whole.at(index, is, Op::Defined, &Type::Bool);
                    let mut entry = whole.at(index, Kind::Entry(id, at), Op::Lookup, range);
                    entry.guards.push(guard);
                    [defined, entry]
                };
                entries.flat_map(entry).collect()
            }
            Type::Union(union) => {
                let union = &model.unions[union.index()];
                let tag = part(Kind::Tag(id), Op::Tag, &Type::Enum(union.tags));
                let mut terms = vec![tag.clone()];
                for ((_, ty), at) in union.variants.iter().zip(0..) {
                    let mut payload = part(Kind::Payload(id, at), Op::Payload(at), ty);
                    payload.guards.push(self.len() + terms.len());
                    terms.push(Term {
                        kind: Kind::IsVariant(id, at),
                        expr: equal(tag.expr.clone(), enumerator(union.tags, at)),
                        ..tag.clone()
                    });
                    terms.push(payload);
                }
                terms
            }
            _ => Vec::new(),
        }
    }

    /// The terms of a type among those given.
    fn of_type<'t>(
        &'t self,
        among: &'t [TermId],
        ty: &'t Type,
    ) -> impl Iterator<Item = TermId> + 't {
        among
            .iter()
            .copied()
            .filter(move |at| self.get(*at).ty() == ty)
    }
}
