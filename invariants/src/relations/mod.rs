//! Relations of what samples show, and the effects of actions: what holds on all rows, with fitted constants.
//!
//! ```text
//! frame       quantified variables: rows are samples times their values
//! term        what can be read: variables, elements, parts, sizes
//! atom        relations between terms that compare like with like               sets, order, numbers
//! cases       conditions under which other relations may hold
//! space       the literals of a frame, or of a case there
//! evaluate    where atoms are true, by blocks of rows                           values, valuations
//! search      what holds on all rows
//! confidence  could it hold by chance?
//! constant    the constants of theories in place of numbers
//! effect      what the steps of each action do
//! detect      all of it, for samples
//! ```

mod atom;
mod cases;
mod confidence;
mod constant;
mod detect;
mod effect;
mod evaluate;
mod frame;
mod search;
mod space;
mod term;
mod valuations;

pub use constant::{tightened, with_constant, with_count};
pub use detect::{detect, detect_until};
