//! The same question in other words: what must not matter to an answer, changed by chance.
//!
//! A solver that searches breaks ties by the names of symbols and by the order in which formulas come, which mean nothing.
//! Whether a proof is found by merit or by luck shows when these are changed and the question is asked again: *mutations*
//! of the query, as in "Mariposa: Measuring SMT Instability in Automated Program Verification" (Zhou et al.,
//! FMCAD 2023).

use std::hash::{BuildHasher, BuildHasherDefault};

use ioa_lang::Name;
use ioa_lang::core::{Model, Variable};
use rustc_hash::FxHasher;

/// The model with other names of sorts, enumerations, operators and variables, as `seed` says. Nothing else differs, so each
/// obligation of one is the obligation of the same kind of the other.
///
/// ```
/// # use ioa_lang::{Sources, load};
/// let mut sources = Sources::new();
/// sources.add("a.ioa", "automaton A signature internal go states hit: Bool := false transitions internal go eff hit := true");
/// let model = load(&sources).model;
/// let renamed = prover_bridge::renamed(&model, 7);
/// assert_ne!(renamed.automata[0].variables[0].name, model.automata[0].variables[0].name);
/// ```
#[must_use]
pub fn renamed(model: &Model, seed: u32) -> Model {
    let mut model = model.clone();
    let rename = |name: &mut Name| *name = other_name(name, seed);
    model.sorts.iter_mut().for_each(|s| rename(&mut s.name));
    for enumeration in &mut model.enumerations {
        rename(&mut enumeration.name);
        enumeration.values.iter_mut().for_each(rename);
    }
    model.functions.iter_mut().for_each(|f| rename(&mut f.name));
    let rename_all = |variables: &mut Vec<Variable>| {
        let variables = variables.iter_mut();
        variables.for_each(|variable| rename(&mut variable.name));
    };
    for automaton in &mut model.automata {
        rename_all(&mut automaton.variables);
    }
    let proofs = model.simulations.iter_mut();
    for proof in proofs.filter_map(|simulation| simulation.proof.as_mut()) {
        rename_all(&mut proof.variables);
    }
    model
}

/// A name that begins otherwise. It ends with the old one, so that different names stay different.
fn other_name(name: &str, seed: u32) -> Name {
    format!("{:016x}.{name}", mixed(&(seed, name))).into()
}

/// The items in an order that `seed` chooses; in their own order where it is 0.
pub(crate) fn shuffled<T>(items: &[T], seed: u32) -> Vec<&T> {
    let mut order: Vec<(usize, &T)> = items.iter().enumerate().collect();
    if seed != 0 {
        order.sort_by_key(|(place, _)| mixed(&(seed, *place)));
    }
    order.into_iter().map(|(_, item)| item).collect()
}

fn mixed(what: &impl std::hash::Hash) -> u64 {
    BuildHasherDefault::<FxHasher>::default().hash_one(what)
}

#[cfg(test)]
mod tests {
    use super::shuffled;

    #[test]
    fn a_shuffle_keeps_all_items_and_differs_from_seed_to_seed() {
        let items: Vec<u32> = (0..40).collect();
        let order = |seed| {
            shuffled(&items, seed)
                .into_iter()
                .copied()
                .collect::<Vec<_>>()
        };
        assert_eq!(order(0), items);
        assert_ne!(order(1), items);
        assert_ne!(order(1), order(2));
        assert_eq!(order(3), order(3));
        let mut sorted = order(1);
        sorted.sort_unstable();
        assert_eq!(sorted, items);
    }
}
