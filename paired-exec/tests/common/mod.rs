//! Instances for tests.

use std::collections::BTreeMap;
use std::sync::Arc;

use finite::Universe;
use interpreter::Instance;
use ioa_lang::{Severity, Sources, load};

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
    let universe =
        Universe::new(&loaded.model, loaded.model.every_setting(), &sizes).expect("the sizes fit");
    Instance::new(Arc::new(loaded.model), universe)
}
