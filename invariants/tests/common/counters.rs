//! A producer and a consumer with counters: linear relations, sums, bounds, a queue.

use invariants::Samples;
use ioa_lang::core::ActionId;
use ioa_lang::value::Value;

use super::{Dice, samples};

const TEXT: &str = "
automaton Counters
  signature
    internal make, take(n: Nat)
  states
    made, taken, stock: Nat,
    cost, debt: Int,
    queue: Seq[Nat]
";

/// Samples of random runs. `made` counts what was produced, `taken` what was consumed, the `queue` holds what lies
/// between, at most 3; `cost` is 2 for each product and 5 to begin with; `debt` is negative.
pub(crate) fn run(runs: u64, steps: u64, seed: u64) -> Samples {
    let mut samples = samples(TEXT, &[]);
    let mut dice = Dice::new(seed);
    for _ in 0..runs {
        let (mut made, mut taken) = (0_i64, 0_i64);
        let mut before = encode(&mut samples, made, taken);
        samples.add_state(&before).expect("a state");
        for _ in 0..steps {
            let stock = made - taken;
            let takes = stock == 3 || (stock > 0 && dice.flip());
            let params = if takes {
                vec![taken as u64]
            } else {
                Vec::new()
            };
            if takes {
                taken += 1;
            } else {
                made += 1;
            }
            let after = encode(&mut samples, made, taken);
            super::record(&mut samples, usize::from(takes), &before, &after, &params);
            before = after;
        }
    }
    samples
}

fn encode(samples: &mut Samples, made: i64, taken: i64) -> Vec<u64> {
    let numbers = [made, taken, made - taken, 2 * made + 5, -made];
    let mut values: Vec<Value> = numbers.into_iter().map(Value::int).collect();
    values.push(Value::Seq((taken..made).map(Value::int).collect()));
    samples
        .encode_state(&values)
        .expect("values of their types")
}

/// The index of `take`.
pub(crate) const TAKE: ActionId = ActionId(1);
