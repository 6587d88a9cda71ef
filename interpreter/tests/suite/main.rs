//! The interpreter, tested from outside: texts of models in, outcomes out.

mod arrangements;
mod beside;
mod cases;
mod common;
mod footprints;
mod later;
mod layouts;
mod nesting;
mod paxos;
mod provided;
mod random;
mod reachable;
mod reference;
mod rows;
mod shortening;
mod solved;
mod strategies;
mod traces;
