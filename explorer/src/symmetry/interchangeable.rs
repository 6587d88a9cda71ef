//! Which elements of the sorts are interchangeable: those that an automaton and what is asked of it cannot tell apart.

use finite::{Packing, Universe};
use interpreter::{Instance, Location};
use ioa_lang::Name;
use ioa_lang::core::{
    Automaton, AutomatonId, Expr, ExprKind, Function, FunctionId, Meaning, Model, SortId, SortSize,
    Type, exprs_of_clause, exprs_of_stmts,
};

use super::renaming::{Groups, Renaming};
use super::structure::Structure;

/// Larger sorts are left as they are: states exist of which the canonical form takes a time exponential in their size.
pub const MAX_ELEMENTS: u64 = 12;

/// No table of an operator with more arguments than this is looked through.
const MAX_ROWS: u64 = 1 << 16;

/// What is known about one sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortSymmetry {
    /// The sort.
    pub sort: SortId,
    /// The sets of two or more elements that may change places among each other, each ascending.
    pub classes: Vec<Vec<u64>>,
    /// Why not all of its elements are in one of them.
    pub obstacle: Option<Obstacle>,
}

/// What keeps elements from being interchangeable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// There is but one.
    Single,
    /// There are more than [`MAX_ELEMENTS`].
    TooMany,
    /// This state variable holds elements in values that are not packed.
    General(Name),
    /// This operator tells elements apart.
    Operator(Name),
    /// Elements are named one by one.
    Named,
}

/// What is known about each sort whose elements, or groups of them, are in the automaton's states.
pub(super) fn of(
    instance: &Instance,
    automaton: AutomatonId,
    invariants: &[usize],
) -> Vec<SortSymmetry> {
    let model: &Model = instance.model();
    let uses = Uses::of(model, automaton, invariants);
    let variables = &model.automaton(automaton).variables;
    let types: Vec<&Type> = variables.iter().map(|v| &v.ty).collect();
    let sorts = (0..model.sorts.len()).map(SortId::at);
    sorts
        .filter(|s| model.sorts[s.index()].size == SortSize::Given)
        .filter(|s| types.iter().any(|ty| mentions(model, ty, *s)))
        .filter(|s| !has_other_groups(model, instance.universe(), *s))
        .map(|sort| uses.of_sort(instance, automaton, sort))
        .collect()
}

/// Whether values of a type have elements of a sort in them, or groups of these.
fn mentions(model: &Model, ty: &Type, sort: SortId) -> bool {
    match ty {
        Type::Sort(id) => *id == sort || stands_for(model, *id, sort),
        _ => model
            .parts_of(ty)
            .iter()
            .any(|part| mentions(model, part, sort)),
    }
}

/// Whether other names for the elements of a sort may turn one of its groups into a set that is no group.
fn has_other_groups(model: &Model, universe: &Universe, sort: SortId) -> bool {
    let mut groups = (0..model.sorts.len()).map(SortId::at);
    groups.any(|group| stands_for(model, group, sort) && universe.has_other_groups(model, group))
}

/// Whether the elements of a sort stand for groups of those of another, or for groups of such groups.
fn stands_for(model: &Model, group: SortId, sort: SortId) -> bool {
    match model.sorts[group.index()].size {
        SortSize::GroupsOf(_, member) => member == sort || stands_for(model, member, sort),
        SortSize::Given => false,
    }
}

/// All by which an automaton and what is asked of it could tell elements apart.
struct Uses {
    functions: Vec<FunctionId>,
    elements: Vec<(Type, u32)>,
}

impl Uses {
    fn of(model: &Model, automaton: AutomatonId, invariants: &[usize]) -> Self {
        let mut uses = Self {
            functions: Vec::new(),
            elements: Vec::new(),
        };
        exprs_of(model.automaton(automaton), &mut |expr| uses.note(expr));
        for invariant in invariants {
            uses.note(&model.invariants[*invariant].formula);
        }
        uses.functions.sort_unstable();
        uses.functions.dedup();
        uses
    }

    fn note(&mut self, expr: &Expr) {
        expr.walk(&mut |e| match e.kind {
            ExprKind::Theory(function, _) => self.functions.push(function),
            ExprKind::Element(element) => self.elements.push((e.ty.clone(), element)),
            _ => {}
        });
    }

    fn of_sort(&self, instance: &Instance, automaton: AutomatonId, sort: SortId) -> SortSymmetry {
        let (model, size) = (instance.model(), instance.universe().size(sort));
        let layout = instance.layout(automaton);
        let mut variables = layout.ids();
        let general = variables.find(|v| {
            let is_general = matches!(layout.location(*v), Location::Cell(_));
            is_general && mentions(model, layout.ty(*v), sort)
        });
        let obstacle = match general {
            _ if size == 1 => Some(Obstacle::Single),
            _ if size > MAX_ELEMENTS => Some(Obstacle::TooMany),
            Some(variable) => Some(Obstacle::General(layout.name(variable).clone())),
            None => None,
        };
        if obstacle.is_some() {
            return SortSymmetry {
                sort,
                classes: Vec::new(),
                obstacle,
            };
        }
        self.classes(model, instance.universe(), sort)
    }

    /// Two elements are interchangeable if everything stays as it is when they change places. That is an equivalence:
    /// where a and b, and b and c can, so can a and c, in three such steps. Within its classes all permutations follow.
    fn classes(&self, model: &Model, universe: &Universe, sort: SortId) -> SortSymmetry {
        let groups = Groups::over(model, universe, sort);
        let identity = Renaming::identity(model, universe);
        let mut classes: Vec<Vec<u64>> = Vec::new();
        let mut obstacle = None;
        for element in 0..universe.size(sort) {
            let joined = classes.iter_mut().find(|class| {
                let swap = identity.clone().swap(sort, (class[0], element), &groups);
                let found = self.obstacle(model, universe, &swap);
                let is_free = found.is_none();
                obstacle = obstacle.take().or(found);
                is_free
            });
            match joined {
                Some(class) => class.push(element),
                None => classes.push(vec![element]),
            }
        }
        classes.retain(|class| class.len() > 1);
        SortSymmetry {
            sort,
            classes,
            obstacle,
        }
    }

    /// What does not stay as it is when elements are renamed.
    fn obstacle(&self, model: &Model, universe: &Universe, swap: &Renaming) -> Option<Obstacle> {
        let named = self.elements.iter().any(|(ty, element)| match ty {
            Type::Sort(sort) => swap.image(*sort, u64::from(*element)) != u64::from(*element),
            _ => false,
        });
        if named {
            return Some(Obstacle::Named);
        }
        let functions = self.functions.iter();
        let mut changed = functions.filter(|f| !is_invariant(model, universe, **f, swap));
        let function = &model.functions[changed.next()?.index()];
        Some(Obstacle::Operator(function.name.clone()))
    }
}

/// Calls `visit` on every expression on which the steps depend. (A determinator's terms are among them, although an
/// exploration does not read them: they may only keep a sort from being reduced.)
fn exprs_of<'a>(automaton: &'a Automaton, visit: &mut impl FnMut(&'a Expr)) {
    exprs_of_stmts(&automaton.start.program.body, visit);
    visit(&automaton.start.so_that);
    automaton.actions.iter().for_each(|a| visit(&a.predicate));
    for clause in &automaton.transitions {
        exprs_of_clause(clause, visit);
    }
}

/// Whether an operator means the same when elements are renamed: `f(x') = f(x)'` for all `x`.
fn is_invariant(model: &Model, universe: &Universe, function: FunctionId, swap: &Renaming) -> bool {
    match model.functions[function.index()].meaning {
        Meaning::Less(sort) => {
            (0..universe.size(sort)).all(|element| swap.image(sort, element) == element)
        }
        // Groups are renamed as their members are.
        Meaning::InGroup { .. } => true,
        Meaning::Axioms => is_table_invariant(model, universe, function, swap).unwrap_or(false),
    }
}

/// Whether a table is the same when elements are renamed, or `None` where it is too large to be looked through.
fn is_table_invariant(
    model: &Model,
    universe: &Universe,
    id: FunctionId,
    swap: &Renaming,
) -> Option<bool> {
    let Function { params, result, .. } = &model.functions[id.index()];
    let table = universe.interpretation().tables.get(&id)?;
    if table.len() as u64 > MAX_ROWS {
        return None;
    }
    let packings = params.iter().map(|ty| Packing::of(model, universe, ty));
    let params: Vec<Renamed> = packings
        .map(|packing| Renamed::of(&packing?, swap))
        .collect::<Option<_>>()?;
    let Some(result) = Packing::of(model, universe, result) else {
        // Results that no word holds are numbers and the like, or it is not worth the trouble to rename them.
        let plain = (0..model.sorts.len()).all(|s| !mentions(model, result, SortId::at(s)));
        let same = (0..table.len()).all(|row| table[row] == table[renamed_row(row, &params)]);
        return Some(plain && same);
    };
    let part = Structure::of(&result, &|_| true);
    let code = |row: usize| result.encode(&table[row]);
    Some((0..table.len()).all(|row| {
        let renamed = code(row).map(|code| part.renamed(code, swap));
        renamed.is_some() && renamed == code(renamed_row(row, &params))
    }))
}

/// For each value of a parameter, in the order of the codes, the position of what it becomes.
struct Renamed(Vec<usize>);

impl Renamed {
    fn of(packing: &Packing, swap: &Renaming) -> Option<Self> {
        let codes = packing.codes(MAX_ROWS)?;
        let part = Structure::of(packing, &|_| true);
        let images = codes.iter().map(|code| part.renamed(*code, swap));
        let places = images.map(|image| codes.binary_search(&image).ok());
        Some(Self(places.collect::<Option<_>>()?))
    }
}

/// The row of a table for the renamed arguments of a row; the last argument changes fastest.
fn renamed_row(mut row: usize, params: &[Renamed]) -> usize {
    let (mut renamed, mut stride) = (0, 1);
    for Renamed(places) in params.iter().rev() {
        renamed += places[row % places.len()] * stride;
        row /= places.len();
        stride *= places.len();
    }
    renamed
}
