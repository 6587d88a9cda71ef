//! Frames: the quantified variables of a clause, and the values that they take in a finite instance.

mod range;

use std::collections::BTreeSet;

use finite::Universe;
use ioa_lang::Span;
use ioa_lang::core::{AutomatonId, Expr, ExprKind, FunctionId, Local, LocalId, Model, Op, Type};
use num_bigint::BigInt;

use super::evidence::Evidence;
use crate::build::{equal, formula, mask, not, order, variable, with_variables};
use crate::focus::About;
use crate::names::{fresh, visible};
use range::{Collection, Range, collections};

/// A clause has no more variables than this.
const MAX_BINDERS: usize = 3;
/// A type with more values than this in an instance is not quantified over.
const MAX_VALUES: u64 = 256;
/// Variables range over so many elements of collections at most.
const MAX_ELEMENTS: usize = 64;
/// Variables range over so many positions of a sequence, the first ones: where sequences grow, those of a run may be much longer.
const MAX_POSITIONS: usize = 8;
/// Frames with more assignments than this in an instance are left out. Where a variable ranges over the elements of a collection, fewer
/// of these are taken, evenly chosen: messages that nobody takes away may become very many.
const MAX_ASSIGNMENTS: usize = 1200;

/// Quantified variables. Those of one type differ pairwise, and ascend where the type has an order.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) binders: Vec<Local>,
    /// The operator that orders the type of each of them, if a theory has one.
    pub(crate) orders: Vec<Option<FunctionId>>,
    /// What each of them ranges over.
    ranges: Vec<Range>,
    /// Which of the variables differ from each other; the others may have any values.
    distinct: std::ops::Range<usize>,
    /// Whether little is said of the variables: nothing of neighbours but which variable they are, no counts of elements, and no
    /// comparisons of what the state says, but for numbers and elements of sorts.
    pub(crate) is_lean: bool,
}

/// The closed terms that stand for the values of the variables, for each assignment.
pub(crate) type Assignments = Vec<Vec<Expr>>;

impl Frame {
    /// All frames over the types that the states of an automaton are made of and, if that is wanted, over what its collections
    /// hold; those with fewer variables first.
    pub(crate) fn all(about: About<'_>, evidence: &dyn Evidence, is_ranged: bool) -> Vec<Self> {
        let (model, automaton) = (about.model, about.automaton);
        let universes = evidence.universes();
        let Some(universe) = universes.first() else {
            return Vec::new();
        };
        let mut types = quantified(about, universe);
        if is_ranged {
            // Positions tell more of what sequences hold than their elements do.
            let (mut elements_of_sets, sequences) = (BTreeSet::new(), false);
            for ty in about.types() {
                elements(model, (&ty, sequences), &mut elements_of_sets);
            }
            let open = about.focus.own().flat_map(|own| &own.locals[..own.open]);
            elements_of_sets.extend(open.map(|local| local.ty.clone()));
            types.retain(|ty| elements_of_sets.contains(ty));
        }
        let mut chosen = vec![Vec::new()];
        let mut last: Vec<Vec<usize>> = vec![Vec::new()];
        for _ in 0..MAX_BINDERS {
            let longer = last.iter().flat_map(|frame| {
                let least = frame.last().copied().unwrap_or(0);
                (least..types.len()).map(|next| [&frame[..], &[next]].concat())
            });
            last = longer.collect();
            chosen.extend(last.iter().cloned());
        }
        let typed = chosen.into_iter().map(|chosen| {
            let chosen = chosen.into_iter().map(|at| types[at].clone());
            Self::of(model, automaton, &chosen.collect::<Vec<_>>())
        });
        let mut frames: Vec<Self> = typed.collect();
        if is_ranged {
            let collections = collections(about);
            let sorts = types.iter().filter(|ty| matches!(ty, Type::Sort(_)));
            let sorts: Vec<Type> = sorts.cloned().collect();
            let over = collections
                .iter()
                .map(|c| Self::over((model, automaton), (universe, &sorts), c));
            frames.extend(over.flatten());
        }
        frames.retain(|frame| {
            // A parameter may leave no room for two elements in some instance.
            let mut counts = (0..universes.len()).map(|block| {
                let assigned = frame.assignments(model, evidence, block);
                assigned.map_or(0, |assigned| assigned.len())
            });
            let is_ranged = frame.is_ranged();
            let count = counts.find(|count| *count > 0 || !is_ranged).unwrap_or(0);
            frame.binders.is_empty() || 0 < count && count <= MAX_ASSIGNMENTS
        });
        frames.sort_by_key(|frame| (frame.binders.len(), frame.is_ranged()));
        frames
    }

    /// Whether some frame ranges over a collection.
    pub(crate) fn any_ranged(about: About<'_>, universe: &Universe) -> bool {
        let collections = collections(about);
        let about = (about.model, about.automaton);
        collections
            .iter()
            .any(|collection| !Self::over(about, (universe, &[]), collection).is_empty())
    }

    /// The frames of one variable and of two that range over a collection, after its indices if it has some; of two that range over the
    /// collections of two different indices; and those of an element of a sort beside one of a set: a message, and somebody whom it need
    /// not name. A set whose elements have a type of few values needs none: that type is quantified over.
    fn over(
        about: (&Model, AutomatonId),
        (universe, sorts): (&Universe, &[Type]),
        collection: &Collection,
    ) -> Vec<Self> {
        let term = collection.term.clone();
        let (ty, range) = match &term.ty {
            Type::Seq(_) => (Type::Nat, Range::Positions as fn(Expr) -> Range),
            Type::Set(element) | Type::Mset(element)
                if values(about.0, universe, element).is_none() =>
            {
                ((**element).clone(), Range::Elements as fn(Expr) -> Range)
            }
            _ => return Vec::new(),
        };
        let frame = |before: &[Type], ranges: &[Range]| {
            let own = ranges.iter().map(|_| ty.clone());
            let types: Vec<Type> = before.iter().cloned().chain(own).collect();
            let mut frame = Self::of(about.0, about.1, &types);
            frame.ranges[before.len()..].clone_from_slice(ranges);
            frame
        };
        let of_one = range(term.clone());
        let pair = [of_one.clone(), of_one.clone()];
        match &collection.indices[..] {
            [] => {
                let is_set = matches!(of_one, Range::Elements(_));
                let beside = sorts.iter().filter(|_| is_set);
                let beside = beside.map(|sort| frame(std::slice::from_ref(sort), &pair[..1]));
                let one = [frame(&[], &pair[..1])].into_iter();
                one.chain(beside).chain([frame(&[], &pair)]).collect()
            }
            [index] => {
                let other = with_variables(&term, &|_| LocalId::at(1));
                let two = [index.clone(), index.clone()];
                let of_two = Self {
                    distinct: 0..2,
                    ..frame(&two, &[of_one, range(other)])
                };
                let own = std::slice::from_ref(index);
                vec![frame(own, &pair[..1]), frame(own, &pair), of_two]
            }
            indices => {
                let any = |ranges: &[Range]| Self {
                    distinct: indices.len()..indices.len() + ranges.len(),
                    ..frame(indices, ranges)
                };
                vec![any(&pair[..1]), any(&pair)]
            }
        }
    }

    /// How many variables there are beside those that only say which collections the others range over.
    pub(crate) fn described(&self) -> usize {
        let count = self.binders.len();
        let terms = self.ranges.iter().filter_map(Range::collection);
        let indices = terms.fold(0, |all, term| all | mask(term, count));
        count - indices.count_ones() as usize
    }

    /// Whether two variables differ.
    fn differ(&self, one: usize, other: usize) -> bool {
        self.distinct.contains(&one) && self.distinct.contains(&other)
    }

    /// The sequence whose positions a variable ranges over.
    pub(crate) fn sequence(&self, variable: &Expr) -> Option<&Expr> {
        let own = self
            .variables()
            .zip(&self.ranges)
            .find(|(v, _)| v == variable);
        match own?.1 {
            Range::Positions(sequence) => Some(sequence),
            _ => None,
        }
    }

    /// The frame with variables of these types.
    pub(crate) fn of(model: &Model, automaton: AutomatonId, types: &[Type]) -> Self {
        let mut taken = visible(model, automaton);
        let binder = |ty: &Type| {
            let name = fresh(model.initial(ty), &taken);
            taken.insert(name.clone());
            Local {
                name: name.into(),
                ty: ty.clone(),
                span: Span::default(),
            }
        };
        Self {
            binders: types.iter().map(binder).collect(),
            orders: types.iter().map(|ty| order(model, automaton, ty)).collect(),
            ranges: vec![Range::All; types.len()],
            distinct: 0..types.len(),
            is_lean: false,
        }
    }

    /// The frame with more variables, which may have any values.
    pub(crate) fn extended(&self, model: &Model, automaton: AutomatonId, more: &[Type]) -> Self {
        let own = self.binders.iter().map(|b| b.ty.clone());
        let types: Vec<Type> = own.chain(more.iter().cloned()).collect();
        Self {
            distinct: self.distinct.clone(),
            ..Self::of(model, automaton, &types)
        }
    }

    /// The frame with one more variable, an element of a set or multiset that each state has and whose type has too many values to be
    /// quantified over by itself; one for each of these collections, as far as no block has more elements than are looked at.
    pub(crate) fn with_elements(&self, about: About<'_>, evidence: &dyn Evidence) -> Vec<Self> {
        let (model, universes) = (about.model, evidence.universes());
        let mut frames = Vec::new();
        for Collection { indices, term } in collections(about) {
            let (Type::Set(element) | Type::Mset(element)) = &term.ty else {
                continue;
            };
            let is_infinite = |universe: &&Universe| values(model, universe, element).is_none();
            if !indices.is_empty() || !universes.iter().all(is_infinite) {
                continue;
            }
            let mut frame = self.extended(model, about.automaton, &[(**element).clone()]);
            frame.ranges[self.binders.len()] = Range::Elements(term);
            let mut blocks = 0..universes.len();
            if blocks.all(|block| !frame.is_cut(model, evidence, block)) {
                frames.push(frame);
            }
        }
        frames
    }

    /// The same variables, of which little is said.
    pub(crate) fn lean(self) -> Self {
        Self {
            is_lean: true,
            ..self
        }
    }

    /// Whether some variable ranges over a collection.
    pub(crate) fn is_ranged(&self) -> bool {
        self.ranges.iter().any(|range| *range != Range::All)
    }

    /// Whether some variable ranges over the positions of a sequence.
    pub(crate) fn has_positions(&self) -> bool {
        let mut ranges = self.ranges.iter();
        ranges.any(|range| matches!(range, Range::Positions(_)))
    }

    /// What is true of the values that some variables take, given as a mask, if not all values of their types are meant.
    pub(crate) fn premises(&self, binders: u8) -> Vec<Expr> {
        let own = self.variables().zip(&self.ranges).enumerate();
        let own = own.filter(|(at, _)| binders >> at & 1 == 1);
        own.filter_map(|(_, (variable, range))| range.premise(&variable))
            .collect()
    }

    /// The variables as terms.
    pub(crate) fn variables(&self) -> impl Iterator<Item = Expr> + '_ {
        let each = self.binders.iter().enumerate();
        each.map(|(at, local)| variable(LocalId::at(at), &local.ty))
    }

    /// The values that the variables take together in the states of a block; none where there are too many.
    pub(crate) fn assignments(
        &self,
        model: &Model,
        evidence: &dyn Evidence,
        block: usize,
    ) -> Option<Assignments> {
        let universe = evidence.universes()[block];
        let mut out: Vec<Vec<(usize, Expr)>> = vec![Vec::new()];
        for (at, (binder, range)) in self.binders.iter().zip(&self.ranges).enumerate() {
            let values = match range {
                Range::All => values(model, universe, &binder.ty)?,
                Range::Elements(_) => evenly(
                    evidence.held(block, &binder.ty),
                    self.most_held(model, universe),
                ),
                Range::Positions(sequence) => {
                    let longest = evidence.longest(block, &sequence.ty);
                    (0..longest.min(MAX_POSITIONS)).map(position).collect()
                }
            };
            if values.len() as u64 > MAX_VALUES {
                return None;
            }
            let is_ordered = binder.ty.is_integer() || self.orders[at].is_some();
            let alike: Vec<usize> = (0..at)
                .filter(|before| self.differ(*before, at) && self.binders[*before].ty == binder.ty)
                .collect();
            let fits = |row: &Vec<(usize, Expr)>, value: usize| {
                alike.iter().all(|before| match is_ordered {
                    true => row[*before].0 < value,
                    false => row[*before].0 != value,
                })
            };
            let mut longer = Vec::new();
            for row in &out {
                for (position, value) in values.iter().enumerate() {
                    if fits(row, position) {
                        let mut next = row.clone();
                        next.push((position, value.clone()));
                        longer.push(next);
                    }
                }
            }
            if longer.len() > MAX_ASSIGNMENTS * 4 {
                return None;
            }
            out = longer;
        }
        let plain = |row: Vec<(usize, Expr)>| row.into_iter().map(|(_, value)| value).collect();
        Some(out.into_iter().map(plain).collect())
    }

    /// Over how many elements of collections a variable ranges at most.
    fn most_held(&self, model: &Model, universe: &Universe) -> usize {
        let is_held = |range: &Range| matches!(range, Range::Elements(_));
        let both = || self.ranges.iter().zip(&self.binders);
        let beside = both().filter(|(range, _)| !is_held(range));
        let count = |binder: &Local| values(model, universe, &binder.ty).map_or(1, |v| v.len());
        let beside: usize = beside.map(|(_, binder)| count(binder)).product();
        let room = MAX_ASSIGNMENTS / beside.max(1);
        match both().filter(|(range, _)| is_held(range)).count() {
            0 | 1 => room,
            _ => room.isqrt(),
        }
        .min(MAX_ELEMENTS)
    }

    /// Whether collections in a block have more elements, or sequences more positions, than the variables range over.
    pub(crate) fn is_cut(&self, model: &Model, evidence: &dyn Evidence, block: usize) -> bool {
        let most = || self.most_held(model, evidence.universes()[block]);
        let mut each = self.ranges.iter().zip(&self.binders);
        each.any(|(range, binder)| match range {
            Range::Positions(sequence) => evidence.longest(block, &sequence.ty) > MAX_POSITIONS,
            Range::Elements(_) => evidence.held(block, &binder.ty).len() > most(),
            Range::All => false,
        })
    }

    /// What is supposed of some variables, given as a mask: that those of one type differ, or ascend.
    pub(crate) fn shape(&self, used: u8) -> Vec<Expr> {
        let variables = self.variables().enumerate();
        let is_meant = |at: &usize| used >> at & 1 == 1 && self.distinct.contains(at);
        let variables = variables.filter(|(at, _)| is_meant(at));
        let variables: Vec<(usize, Expr)> = variables.collect();
        let mut out = Vec::new();
        for (after, (at, second)) in variables.iter().enumerate() {
            let before = variables[..after].iter().map(|(_, variable)| variable);
            let alike: Vec<&Expr> = before.filter(|v| v.ty == second.ty).collect();
            let Some(last) = alike.last() else {
                continue;
            };
            let ascending = vec![(*last).clone(), second.clone()];
            match self.orders[*at] {
                Some(less) => out.push(formula(ExprKind::Theory(less, ascending))),
                None if second.ty.is_integer() => {
                    out.push(formula(ExprKind::Apply(Op::Lt, ascending)));
                }
                None => {
                    let differs = |first: &&Expr| not(equal((*first).clone(), second.clone()));
                    out.extend(alike.iter().map(differs));
                }
            }
        }
        out
    }
}

/// At most so many of some values.
fn evenly(values: Vec<Expr>, most: usize) -> Vec<Expr> {
    let step = values.len().div_ceil(most).max(1);
    values.into_iter().step_by(step).collect()
}

/// A position in a sequence.
fn position(at: usize) -> Expr {
    let number = ExprKind::Int(BigInt::from(at));
    Expr::new(number, Type::Nat, Span::default())
}

/// The values of a type in an instance, as closed terms; none where there are too many.
pub(crate) fn values(model: &Model, universe: &Universe, ty: &Type) -> Option<Vec<Expr>> {
    finite::closed_values((model, universe), ty, MAX_VALUES)
}

/// The types of elements and indices that quantification is tried over: of few values, those of sorts first.
pub(crate) fn quantified(about: About<'_>, universe: &Universe) -> Vec<Type> {
    let mut types = of_elements(about);
    types.retain(|ty| values(about.model, universe, ty).is_some_and(|v| v.len() > 1));
    types.sort_by_key(|ty| !matches!(ty, Type::Sort(_)));
    types
}

/// The types of the elements and indices in what is looked at.
pub(crate) fn of_elements(about: About<'_>) -> Vec<Type> {
    let mut found = BTreeSet::new();
    for ty in about.types() {
        elements(about.model, (&ty, true), &mut found);
    }
    let open = about.focus.own().flat_map(|own| &own.locals[..own.open]);
    found.extend(open.map(|local| local.ty.clone()));
    found.into_iter().collect()
}

/// Notes the sorts in a type, the types of what its collections hold, sequences only if that is wanted, and what its arrays are
/// indexed by.
fn elements(model: &Model, (ty, sequences): (&Type, bool), found: &mut BTreeSet<Type>) {
    match ty {
        Type::Sort(_) => {
            found.insert(ty.clone());
        }
        Type::Set(part) | Type::Mset(part) if !part.is_integer() => {
            found.insert((**part).clone());
        }
        Type::Seq(part) if sequences && !part.is_integer() => {
            found.insert((**part).clone());
        }
        Type::Array(index, _) | Type::Map(index, _) if !index.is_integer() => {
            found.insert((**index).clone());
        }
        _ => {}
    }
    for part in model.parts_of(ty) {
        elements(model, (part, sequences), found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::atom::atoms;
    use ioa_lang::Sources;
    use ioa_lang::print::{self, Context};
    use std::collections::BTreeMap;

    const TEXT: &str = "
type Node
automaton Net
  signature internal idle
  states
    channel: Array[Node, Node, Seq[Nat]] := constant(constant({})),
    queue: Array[Node, Seq[Nat]] := constant({}),
    log: Seq[Nat] := {}
  transitions internal idle
";

    #[test]
    fn variables_range_over_the_positions_of_one_sequence_or_of_two_below_their_indices() {
        let mut sources = Sources::default();
        sources.add("net.ioa", TEXT);
        let model = ioa_lang::load(&sources).model;
        let sizes: BTreeMap<String, u64> = BTreeMap::from([("Node".to_owned(), 2)]);
        let universe = Universe::new(&model, model.every_setting(), &sizes).expect("a size");
        let automaton = AutomatonId::at(0);
        let about = About::whole((&model, automaton));
        let all = collections(about);
        let frames = all
            .iter()
            .flat_map(|own| Frame::over((&model, automaton), (&universe, &[]), own));
        let said = frames.map(|frame| {
            let context = Context::automaton(&model, automaton, &frame.binders);
            let every = u8::MAX;
            let all = [frame.premises(every), frame.shape(every)].concat();
            let all = all.iter().map(|term| print::expr(&model, &context, term));
            (frame.described(), all.collect::<Vec<_>>().join(", "))
        });
        let said: Vec<(usize, String)> = said.collect();
        let expected = [
            (1, "q < len(channel[n][p])"),
            (2, "q < len(channel[n][p]), r < len(channel[n][p]), q < r"),
            (1, "p < len(queue[n])"),
            (2, "p < len(queue[n]), q < len(queue[n]), p < q"),
            (2, "q < len(queue[n]), r < len(queue[p]), n ~= p"),
            (1, "n < len(log)"),
            (2, "n < len(log), p < len(log), n < p"),
        ];
        let expected = expected.map(|(count, text)| (count, text.to_owned()));
        assert_eq!(said, expected);
    }

    const NUMBERED: &str = "
type Packet = tuple of num: Nat, body: Bool
automaton Numbered
  signature internal idle
  states net: Set[Packet] := {}, log: Seq[Bool] := {}
  transitions internal idle
";

    /// How far the positions of a sequence go says only how long it is. The number of a packet may say which one is sent.
    #[test]
    fn numbers_of_elements_are_compared_with_lengths_and_positions_are_not() {
        let mut sources = Sources::default();
        sources.add("numbered.ioa", NUMBERED);
        let model = ioa_lang::load(&sources).model;
        let universe = Universe::new(&model, model.every_setting(), &BTreeMap::new());
        let (automaton, universe) = (AutomatonId::at(0), universe.expect("no sorts"));
        let about = About::whole((&model, automaton));
        let all = collections(about);
        let frames = all
            .iter()
            .flat_map(|own| Frame::over((&model, automaton), (&universe, &[]), own));
        let single: Vec<Frame> = frames.filter(|frame| frame.binders.len() == 1).collect();
        let compared = single.iter().map(|frame| {
            let (atoms, locals) = atoms(about, frame);
            let context = Context::automaton(&model, automaton, &locals);
            let said = atoms.iter();
            let said = said.map(|atom| print::expr(&model, &context, &atom.expr));
            let lengths = said.filter(|atom| atom.starts_with("len(log) <="));
            lengths.collect::<Vec<_>>()
        });
        let compared: Vec<Vec<String>> = compared.collect();
        assert_eq!(compared, [vec!["len(log) <= p.num".to_owned()], vec![]]);
    }
}
