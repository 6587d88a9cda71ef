//! Optimal dynamic partial order reduction: one execution for each partial order of steps.
//!
//! Two executions are *equivalent* if one becomes the other by exchanging neighbouring steps that are independent. They
//! consist of the same steps and end in the same state. A class of equivalent executions is a Mazurkiewicz trace; here it
//! is called an *order*, since the word trace has other meanings in this project. A [`Dpor`] takes one execution of each
//! order of maximal length, and keeps no state that it has left.
//!
//! The algorithm is that of Abdulla, Aronsson, Jonsson and Sagonas, Optimal Dynamic Partial Order Reduction (POPL 2014,
//! extended as Source Sets, JACM 2017), with sleep sets and wakeup trees (section 6). When an execution has ended, its
//! races are reversed: for a step b, the steps that do not happen after b are kept, and a step that is in a race with b
//! follows them without b. That sequence is inserted into the wakeup tree of the state in which b was taken, unless one of
//! its weak initials sleeps there, for then an equivalent execution has been taken already.
//!
//! # What plays the part of a process
//!
//! The paper's processes are deterministic, and do not disable each other. The labels of an I/O automaton do: what is
//! enabled in one state may be disabled by any other step. So each label (a clause, the values of its parameters and what
//! its choices took) is a process of its own, whose only step may be enabled and disabled at any time.
//!
//! What makes this sound is the choice of the dependence relation. Two labels are *dependent* if they are equal, or if
//!
//! 1. one of them writes what the other one reads or writes, and not both accumulate in it in the same manner: their
//!    [footprints](interpreter::Footprint) are not independent; or
//! 2. both write what says whether one and the same third label is enabled, or whether one and the same formula that is
//!    checked holds: a [`Watch`](interpreter::Watch) depends on both.
//!
//! By the first condition, independent labels commute and neither enables or disables the other, in every state. So
//! equivalent executions end in the same state, and a label that sleeps stays enabled and means the same until a
//! dependent one wakes it. By the second condition, the steps of one execution that decide whether a label f is enabled
//! are totally ordered by happens-before. Hence if f is enabled after some of the steps of an execution E (closed under
//! happens-before) and the execution goes on without it, then either
//!
//! - the first later step b that decides about f disables it. Then f was enabled in the state in which b was taken, and
//!   stays enabled when the steps follow that do not happen after b: none of them decides about f. So it is enough to look
//!   at the labels that were enabled before b. These are the reversals that the paper does not need; or
//! - no later step decides about f. Then f stays enabled until it is taken, and what it has after other steps than
//!   before is found by reversing ordinary races between steps that were taken.
//!
//! So the executions that differ from E by one order are reached by the two kinds of reversal, and the proof of the paper
//! (a source set is explored from each state, theorem 4.6) goes through: where it says that some process can still take
//! its step, the case distinction above takes its place.
//!
//! # What is preserved
//!
//! All states in which executions end, hence deadlocks; every step that has no result; and every violation of an
//! invariant. The last two hold because the states in which a fault occurs, or a formula is false, are decided by totally
//! ordered steps too, so each execution of the order passes through a state that shows it. That is what the second
//! condition asks of formulas: invariants that look at many variables cost reduction.
//!
//! # What is not
//!
//! Executions must end. One that comes back to a state that it has passed is reported, and the search stops there. With a
//! bound on the number of steps, executions are cut, and what follows, or has been put off by what was taken instead, may
//! be left out: the search then is a test.

mod dependence;
mod reversal;
mod run;
mod search;
mod wakeup;

pub use search::{Counts, Dpor, Found, Outcome};
