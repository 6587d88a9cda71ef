//! Machine code owns what it points into.

use std::collections::BTreeMap;
use std::sync::Arc;

use finite::Universe;
use interpreter::{ClauseSteps, Instance, StepDetail};
use ioa_lang::core::{AutomatonId, TransitionId};
use ioa_lang::{Sources, load};
use native::ClauseCode;

/// The values of `Four` are too many for a mask, and their codes are not all numbers up to the last: they are listed.
const LISTED: &str = r"
type Color = enumeration of red, green, blue
type Four = tuple of a: Color, b: Color, c: Color, d: Color
automaton Listed
  signature internal pick(f: Four)
  states v: Four := [red, green, blue, red]
  transitions
    internal pick(f)
      pre f.a ~= v.a /\ f.b ~= v.b
      eff v := f
";

/// Words of all sizes that the lists of an instance may have had.
fn other_lists() -> Vec<Vec<u64>> {
    let sizes = (1..400).flat_map(|size| [size; 8]);
    sizes.map(|size| vec![u64::MAX; size]).collect()
}

#[test]
fn machine_code_may_outlive_its_instance() {
    let mut sources = Sources::new();
    sources.add("listed.ioa", LISTED);
    let model = Arc::new(load(&sources).model);
    let universe = Universe::new(&model, model.every_setting(), &BTreeMap::new())
        .expect("no sizes are asked for");
    let instance = Instance::new(model, universe);
    let mut code = ClauseCode::new(&instance, AutomatonId::at(0));
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let steps = |code: &mut ClauseCode, found: &mut Vec<u64>| {
        code.steps_by(&[0], TransitionId::at(0), found)
    };
    assert_eq!(steps(&mut code, &mut before), Some(StepDetail::Steps));
    assert_eq!(before.len(), 2 * 36);
    drop(instance);
    let others = other_lists();
    assert_eq!(steps(&mut code, &mut after), Some(StepDetail::Steps));
    assert_eq!(before, after);
    drop(others);
}
