//! When an exploration is reduced by symmetry, and what is said of that.

use explorer::symmetry::{MAX_ELEMENTS, Obstacle, SortSymmetry, Symmetry};
use finite::Universe;
use ioa_lang::core::Model;

/// When one state only is visited of those that differ in the names of interchangeable elements alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BySymmetry {
    /// Never.
    #[default]
    Never,
    /// Where there turn out to be many states, each of them stands for many others, and nothing that is asked forbids it.
    IfItPays,
    /// Wherever elements are interchangeable.
    Always,
}

impl BySymmetry {
    /// As somebody has asked for, or has not.
    #[must_use]
    pub fn asked(symmetry: Option<bool>) -> Self {
        match symmetry {
            None => Self::IfItPays,
            Some(true) => Self::Always,
            Some(false) => Self::Never,
        }
    }
}

/// Which sorts are reduced and why others are not, one a line.
#[must_use]
pub fn account(model: &Model, universe: &Universe, symmetry: &Symmetry) -> String {
    let sorts = symmetry.sorts().iter();
    let mut out: String = sorts.map(|s| line(model, universe, s)).collect();
    if symmetry.order() == 1 {
        out.push_str("symmetry: nothing to reduce\n");
    }
    out
}

/// The names of the sorts that are reduced, for a summary.
#[must_use]
pub(super) fn reduced(model: &Model, symmetry: &Symmetry) -> String {
    let sorts = symmetry.sorts().iter().filter(|s| !s.classes.is_empty());
    let names: Vec<&str> = sorts.map(|s| &*model.sorts[s.sort.index()].name).collect();
    names.join(", ")
}

/// What stands for a row.
pub(super) fn canonicalise(symmetry: Option<&Symmetry>, row: &mut [u64]) {
    if let Some(symmetry) = symmetry {
        symmetry.canonicalise(row);
    }
}

fn line(model: &Model, universe: &Universe, of: &SortSymmetry) -> String {
    let name = &model.sorts[of.sort.index()].name;
    let size = universe.size(of.sort);
    let why = of.obstacle.as_ref().map(why).unwrap_or_default();
    let what = match &of.classes[..] {
        [] => "is left as it is".into(),
        [class] if class.len() as u64 == size => format!("all {size} elements are interchangeable"),
        classes => {
            let count: usize = classes.iter().map(Vec::len).sum();
            let within = match classes.len() {
                1 => String::new(),
                n => format!(", in {n} classes"),
            };
            format!("{count} of {size} elements are interchangeable{within}")
        }
    };
    format!("symmetry: {name}: {what}{why}\n")
}

fn why(obstacle: &Obstacle) -> String {
    match obstacle {
        Obstacle::Single => ": it has one element".into(),
        Obstacle::TooMany => format!(": it has more than {MAX_ELEMENTS} elements"),
        Obstacle::General(variable) => {
            format!(": {variable} holds elements in values that are not packed")
        }
        Obstacle::Operator(name) => format!(": {name} tells its elements apart"),
        Obstacle::Named => ": its elements are named one by one".into(),
    }
}
