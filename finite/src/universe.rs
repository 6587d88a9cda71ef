//! The sizes of the sorts and the meaning of the theories' operators in a finite instance.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::groups::{Groups, group_sorts};
use super::size_error::SizeError;
use super::{Ranges, mentioned, open};
use ioa_lang::Value;
use ioa_lang::core::{Function, FunctionId, Meaning, Model, Setting, Sort, SortId, SortSize};

/// No sort may have more elements than this in a finite instance.
pub const MAX_SORT_SIZE: u64 = 4096;

/// Maximum number of members of a sort of groups; more members could make more than [`MAX_SORT_SIZE`] groups.
const MAX_MEMBERS: u64 = 12;

/// A table for each uninterpreted operator: one that axioms alone describe.
///
/// A model with such operators needs tables. Their author is responsible for their satisfying the axioms.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Interpretation {
    /// By operator: its results for all arguments, in the order of the arguments' codes, the last argument changing
    /// fastest. An operator without arguments has one result.
    pub tables: BTreeMap<FunctionId, Vec<Value>>,
}

/// A finite instance of a model's sorts and of the theories that hold in a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Universe {
    /// The setting: which assumptions hold.
    setting: Setting,
    /// Number of elements by sort.
    sizes: Vec<u64>,
    /// The sorts without a size: type parameters of automata that are not run, and sorts that nothing uses.
    open: BTreeSet<SortId>,
    /// For each sort of groups: its elements as masks of member indices. Empty for other sorts.
    groups: Vec<Vec<u64>>,
    /// The uninterpreted operators.
    interpretation: Arc<Interpretation>,
    /// Where integers are packed; none if they are not packed.
    ranges: Option<Arc<Ranges>>,
}

/// Equality ignores how integers are packed: a run belongs to the same instance either way.
impl Hash for Universe {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self {
            setting,
            sizes,
            open,
            groups,
            interpretation,
            ranges: _,
        } = self;
        (setting, sizes, open, groups, interpretation).hash(state);
    }
}

impl Universe {
    /// The same instance with these tables, whatever they hold.
    pub(super) fn with_tables(mut self, interpretation: Interpretation) -> Self {
        self.interpretation = Arc::new(interpretation);
        self
    }

    /// The same instance with integers packed where they have ranges, or nowhere.
    #[must_use]
    pub fn with_ranges(mut self, ranges: Option<Ranges>) -> Self {
        self.ranges = ranges.map(Arc::new);
        self
    }

    /// The setting, that is, which assumptions hold here: what other automata assume has no meaning in this instance.
    #[must_use]
    pub fn setting(&self) -> &Setting {
        &self.setting
    }

    /// Where integers are packed; none if they are not packed.
    #[must_use]
    pub fn ranges(&self) -> Option<&Ranges> {
        self.ranges.as_deref()
    }

    /// The tables of the uninterpreted operators.
    #[must_use]
    pub fn interpretation(&self) -> &Interpretation {
        &self.interpretation
    }

    /// The instance with these sizes, by sort name, but without an interpretation of the uninterpreted operators: one can be
    /// searched for on this basis. What holds only in other settings is ignored.
    ///
    /// A type parameter `I` of an automaton `A` is the sort `A.I`, or `I` if that is unambiguous. It needs a size only if
    /// `A` is run, and a sort that nothing uses needs none; see [`is_open`](Self::is_open).
    ///
    /// # Errors
    /// Every reason why the sizes do not fit the model: unknown, missing, zero, too large, or derived sorts.
    pub fn sized(
        model: &Model,
        setting: Setting,
        sizes: &BTreeMap<String, u64>,
    ) -> Result<Self, Vec<SizeError>> {
        let (sizes, mut errors) = open::by_sort(model, sizes);
        let may_be_open = may_be_open(model);
        let sorts = (0..).map(SortId).zip(&model.sorts);
        for (id, sort) in sorts {
            let size = sizes.get(&id).copied();
            if size.is_some() || !may_be_open.contains(&id) {
                errors.extend(size_error(model, sort, size));
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let is_open = |id: &SortId| !sizes.contains_key(id);
        let open: BTreeSet<SortId> = may_be_open.into_iter().filter(is_open).collect();
        let size = |id| match sizes.get(&id) {
            Some(size) => *size,
            None => u64::from(open.contains(&id)),
        };
        let mut universe = Self {
            setting,
            sizes: (0..model.sorts.len()).map(SortId::at).map(size).collect(),
            open,
            groups: vec![Vec::new(); model.sorts.len()],
            interpretation: Arc::default(),
            ranges: None,
        };
        for i in 0..model.sorts.len() {
            universe.derive(model, SortId::at(i))?;
        }
        Ok(universe)
    }

    /// Fills in the sizes that follow from the sizes of other sorts, which are computed first. (The front end guarantees
    /// that no size follows from itself.)
    fn derive(&mut self, model: &Model, sort: SortId) -> Result<(), Vec<SizeError>> {
        let Sort { name, size, .. } = &model.sorts[sort.index()];
        let SortSize::GroupsOf(family, member) = *size else {
            return Ok(());
        };
        self.derive(model, member)?;
        let members = self.size(member);
        if members > MAX_MEMBERS {
            return Err(vec![SizeError::TooLarge {
                name: name.to_string(),
                size: members,
                limit: MAX_MEMBERS,
            }]);
        }
        self.groups[sort.index()] = Groups::Natural.masks(family, members);
        self.sizes[sort.index()] = self.groups[sort.index()].len() as u64;
        Ok(())
    }

    /// The number of elements of a sort; never 0.
    #[must_use]
    pub fn size(&self, sort: SortId) -> u64 {
        self.sizes[sort.index()]
    }

    /// Whether a sort has no size, because it is a type parameter of an automaton that is not run, or because nothing uses
    /// it. It has one element here, so that its values have a representation; nothing that uses them may be run.
    #[must_use]
    pub fn is_open(&self, sort: SortId) -> bool {
        self.open.contains(&sort)
    }

    /// Whether an operator uses a sort without a size, and so has no meaning here.
    #[must_use]
    pub fn is_open_operator(&self, model: &Model, id: FunctionId) -> bool {
        open::is_about(&model.functions[id.index()], &self.open)
    }

    /// The model with only those axioms that have a meaning here: those of the setting that use only sorts with sizes.
    #[must_use]
    pub fn restricted(&self, model: &Model) -> Model {
        model.with_axioms_among(&self.setting, |axiom| {
            !open::is_axiom_about(model, axiom, &self.open)
        })
    }

    /// The uninterpreted operators in this setting.
    pub fn open_to_interpretation<'m>(
        &self,
        model: &'m Model,
    ) -> impl Iterator<Item = (FunctionId, &'m Function)> {
        let known = model.known_operators(&self.setting);
        known.filter(|(_, function)| function.meaning == Meaning::Axioms)
    }

    /// The sizes by sort name, including the derived ones.
    #[must_use]
    pub fn sizes(&self, model: &Model) -> BTreeMap<String, u64> {
        let sorts = (0..).map(SortId).zip(&model.sorts);
        sorts
            .filter(|(id, _)| !self.is_open(*id))
            .map(|(id, sort)| (sort.name.to_string(), self.size(id)))
            .collect()
    }

    /// The members of a group given by sort and index, as a mask of member indices.
    #[must_use]
    pub fn members(&self, sort: SortId, group: u64) -> u64 {
        self.groups[sort.index()][usize::try_from(group).expect("a group's index")]
    }

    /// The same instance in which a sort of groups has these groups, as masks of member indices. (A theory of quorums promises only that
    /// any two of them meet, so a solver may find others than majorities.)
    #[must_use]
    pub fn with_groups(mut self, sort: SortId, groups: Vec<u64>) -> Self {
        self.sizes[sort.index()] = groups.len() as u64;
        self.groups[sort.index()] = groups;
        self
    }

    /// The same instance with such groups; nothing where there are no groups, or where these are the same, or where there are groups of
    /// groups.
    #[must_use]
    pub fn with_such_groups(&self, model: &Model, groups: Groups) -> Option<Self> {
        let sorts: Vec<_> = group_sorts(model, self.setting()).collect();
        let is_group = |sort: SortId| sorts.iter().any(|(group, ..)| *group == sort);
        if sorts.iter().any(|(.., member)| is_group(*member)) {
            return None;
        }
        let mut universe = self.clone();
        for (group, family, member) in sorts {
            let masks = groups.masks(family, self.size(member));
            universe = universe.with_groups(group, masks);
        }
        universe.is_regrouped(model).then_some(universe)
    }

    /// Whether some sort has other groups than those of its family.
    #[must_use]
    pub fn is_regrouped(&self, model: &Model) -> bool {
        let mut sorts = (0..model.sorts.len()).map(SortId::at);
        sorts.any(|sort| self.has_other_groups(model, sort))
    }

    /// Whether a sort has other groups than those of its family.
    #[must_use]
    pub fn has_other_groups(&self, model: &Model, sort: SortId) -> bool {
        match model.sorts[sort.index()].size {
            SortSize::GroupsOf(family, member) => {
                let members = self.size(member);
                let natural = || Groups::Natural.masks(family, members);
                members > MAX_MEMBERS || self.groups[sort.index()] != natural()
            }
            SortSize::Given => false,
        }
    }

    /// A built-in theory's relation between elements given by index.
    ///
    /// # Panics
    /// If the operator is uninterpreted, for then its meaning is a table.
    #[must_use]
    pub fn holds(&self, meaning: Meaning, args: &[u64]) -> bool {
        match meaning {
            Meaning::Less(_) => args[0] < args[1],
            Meaning::Axioms => unreachable!("an operator with a table"),
            Meaning::InGroup { group, .. } => self.members(group, args[1]) >> args[0] & 1 == 1,
        }
    }
}

/// The sorts that may go without a size. (That of a sort of groups follows from another's.)
fn may_be_open(model: &Model) -> BTreeSet<SortId> {
    let mentioned = mentioned::sorts(model);
    let sorts = (0..).map(SortId).zip(&model.sorts);
    let unused = sorts
        .filter(|(id, sort)| sort.size == SortSize::Given && !mentioned.contains(id))
        .map(|(id, _)| id);
    open::parameters(model).into_iter().chain(unused).collect()
}

fn size_error(model: &Model, sort: &Sort, given: Option<u64>) -> Option<SizeError> {
    let name = sort.name.to_string();
    match (sort.size, given) {
        (SortSize::Given, None) => Some(SizeError::Missing(name)),
        (SortSize::Given, Some(0)) => Some(SizeError::Zero(name)),
        (SortSize::Given, Some(size)) => {
            let has_groups = model
                .sorts
                .iter()
                .any(|s| matches!(s.size, SortSize::GroupsOf(_, m) if model.sorts[m.index()].name == sort.name));
            let limit = if has_groups {
                MAX_MEMBERS
            } else {
                MAX_SORT_SIZE
            };
            (size > limit).then_some(SizeError::TooLarge { name, size, limit })
        }
        (SortSize::GroupsOf(..), None) => None,
        (SortSize::GroupsOf(_, member), Some(_)) => Some(SizeError::Derived {
            name,
            from: model.sorts[member.index()].name.to_string(),
        }),
    }
}
