//! The draws from the random generator of a run.

use super::row::{Pattern, Typing};

/// What is known about a draw.
#[derive(Clone, Copy, Debug)]
pub struct Draw {
    /// How it is written, as a function.
    pub name: &'static str,
    /// Its types.
    pub typings: &'static [Typing],
}

const fn draw(name: &'static str, typings: &'static [Typing]) -> Draw {
    Draw { name, typings }
}

table! {
    /// The random helpers of schedules.
    pub enum RandomDraw: Draw {
        /// `randomInt(lo, hi)`: uniform in `lo..=hi`.
        Int = draw("randomInt", types!(
            [Pattern::Nat, Pattern::Nat] -> Pattern::Nat,
            [Pattern::Int, Pattern::Int] -> Pattern::Int,
        ));
        /// `randomBool`
        Bool = draw("randomBool", types!([] -> Pattern::Bool));
        /// `chooseRandom(s)`: uniform in a set that is not empty.
        Element = draw("chooseRandom", types!([Pattern::SET] -> Pattern::ELEMENT));
    }
}
