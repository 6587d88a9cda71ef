//! The interpreter, tested from outside: texts of models in, outcomes out.

mod cases;
mod common;
mod paxos;
mod reference;
mod traces;
