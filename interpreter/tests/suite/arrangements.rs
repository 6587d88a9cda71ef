//! The natural meaning of rings and lines, against their axioms.

use std::collections::BTreeMap;
use std::sync::Arc;

use finite::Universe;
use interpreter::Instance;
use ioa_lang::Value;

use crate::common;

/// How many axioms the natural meaning satisfies at a size, and how many of them something else in its place does.
fn satisfied(text: &str, size: u64, spoil: impl Fn(&mut Vec<Vec<Value>>)) -> (usize, usize) {
    let model = common::model(&[text]);
    let automaton = model.automaton_named("A").expect("it is there");
    let setting = model.setting([automaton]);
    let sizes = BTreeMap::from([("N".to_owned(), size)]);
    let universe = Universe::sized(&model, setting.clone(), &sizes).expect("it fits");
    let natural = universe.of_arrangements_alone(&model).expect("no others");
    let mut tables: Vec<Vec<Value>> = natural.tables.values().cloned().collect();
    spoil(&mut tables);
    let mut wrong = natural.clone();
    wrong.tables = natural.tables.keys().copied().zip(tables).collect();
    let count = |tables| {
        let universe = universe.clone().interpreted(&model, tables);
        let instance = Instance::new(Arc::new(model.clone()), universe.expect("all of it"));
        let axioms = model.axioms_in(&setting);
        axioms
            .filter(|(_, axiom)| instance.satisfies(axiom))
            .count()
    };
    (count(natural), count(wrong))
}

#[test]
fn numbered_rings_satisfy_the_axioms_of_rings_and_others_do_not() {
    let text = "type N
assumes Ring(N)
automaton A signature internal go states n: N transitions internal go eff n := next(n)
";
    for size in 1..=6 {
        let (natural, wrong) = satisfied(text, size, |tables| tables[0].reverse());
        assert_eq!(natural, 9, "{size}");
        assert_eq!(wrong < 9, size > 1, "{size}");
    }
}

#[test]
fn numbered_lines_satisfy_the_axioms_of_lines_and_others_do_not() {
    let text = "type N
assumes Successor(N)
automaton A signature internal go states n: N := first transitions internal go eff n := successor(n)
";
    for size in 1..=6 {
        // Three of the axioms are those of the order.
        for table in 0..2 {
            // Everything leads to what the first element, or the last one, leads to in the other direction.
            let (natural, wrong) = satisfied(text, size, |tables| {
                let other = &tables[1 - table];
                let end = [other.first(), other.last()][table].cloned();
                tables[table].fill(end.expect("a line has an element"));
            });
            assert_eq!(natural, 10, "{size}");
            assert_eq!(wrong < 10, size > 1, "{size}, table {table}");
        }
        let last = |tables: &mut Vec<Vec<Value>>| {
            let last = tables[0].last().cloned();
            tables[2] = last.into_iter().collect();
        };
        let (_, wrong) = satisfied(text, size, last);
        assert_eq!(wrong < 10, size > 1, "{size}, the last element first");
    }
}
