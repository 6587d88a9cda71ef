//! Instances for tests.

use std::collections::BTreeMap;
use std::sync::Arc;

use finite::{Interpretation, Universe};
use interpreter::Instance;
use ioa_lang::core::Type;
use ioa_lang::{Severity, Sources, Value, load};

/// The model of some correct files, with the given number of elements of each sort.
pub(crate) fn instance(sources: &Sources, sizes: &[(&str, u64)]) -> Instance {
    let loaded = load(sources);
    if let Some(diagnostic) = loaded
        .diagnostics
        .iter()
        .find(|d| d.severity == Severity::Error)
    {
        panic!(
            "{}: {}",
            sources.location(diagnostic.span),
            diagnostic.message
        );
    }
    let sizes: BTreeMap<String, u64> = sizes.iter().map(|(s, n)| ((*s).to_owned(), *n)).collect();
    let universe = Universe::sized(&loaded.model, loaded.model.every_setting(), &sizes);
    let universe = universe.expect("the sizes fit");
    let open = universe.open_to_interpretation(&loaded.model);
    // Operators that name elements name the first one.
    let first = open.filter_map(|(id, function)| match &function.result {
        Type::Sort(sort) if function.params.is_empty() => {
            Some((id, vec![Value::Element(*sort, 0)]))
        }
        _ => None,
    });
    let tables = first.collect();
    let universe = universe.interpreted(&loaded.model, Interpretation { tables });
    let universe = universe.expect("there are no other operators");
    Instance::new(Arc::new(loaded.model), universe)
}
