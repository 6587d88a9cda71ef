//! Rings whose elements are numbered, against the axioms of rings.

use std::collections::BTreeMap;
use std::sync::Arc;

use finite::Universe;
use interpreter::Instance;

use crate::common;

const RING: &str = "type N
assumes Ring(N)
automaton A signature internal go states n: N transitions internal go eff n := next(n)
";

#[test]
fn numbered_rings_satisfy_the_axioms_of_rings_and_others_do_not() {
    let model = common::model(&[RING]);
    let automaton = model.automaton_named("A").expect("it is there");
    let setting = model.setting([automaton]);
    for size in 1..=6 {
        let sizes = BTreeMap::from([("N".to_owned(), size)]);
        let universe = Universe::sized(&model, setting.clone(), &sizes).expect("it fits");
        let natural = universe.of_rings_alone(&model).expect("rings alone");
        let mut wrong = natural.clone();
        let next = wrong.tables.values_mut().next().expect("a table");
        next.reverse();
        let satisfied = |tables| {
            let universe = universe.clone().interpreted(&model, tables);
            let instance = Instance::new(Arc::new(model.clone()), universe.expect("all of it"));
            let axioms = model.axioms_in(&setting);
            axioms
                .filter(|(_, axiom)| instance.satisfies(axiom))
                .count()
        };
        assert_eq!(satisfied(natural), 9, "{size}");
        assert_eq!(satisfied(wrong) < 9, size > 1, "{size}");
    }
}
