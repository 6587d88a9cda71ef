//! Prints the random model with a number, all of whose types are finite: `random_model 17`. `exporters/tests/tlc-random.sh`
//! compares what TLC and `ioa explore` count of such models.

use test_support::generate;

fn main() {
    let seed = std::env::args().nth(1).and_then(|n| n.parse().ok());
    match seed {
        // TLC stops at an invariant that is undefined somewhere, or nowhere true: what is compared are counts of states.
        Some(seed) => {
            let text = generate::automaton(seed, true);
            let lines = text.lines().filter(|line| !line.starts_with("invariant"));
            lines.for_each(|line| println!("{line}"));
        }
        None => eprintln!("random_model NUMBER"),
    }
}
