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
//! What makes this sound is the choice of the dependence relation. That a step has no result counts as a result here, and
//! the label is enabled then: a *label is disabled* only where its conditions have a value and are false. Two labels are
//! *dependent* if they are equal, or if
//!
//! 1. in some state one of them changes whether the other one is disabled or has a result, or both have one and the two
//!    lead to different states in different orders; or
//! 2. both *decide* about one and the same third label f, in that each of them changes in some state whether f is
//!    disabled, and one of the two *disables* f in some state; or
//! 3. both decide about one and the same formula that is checked, and one of the two *restores* it: takes it from not
//!    being true to being true. A formula stands here for each of its conjuncts with values for the parameters of that.
//!
//! All of this may be taken for so where it is not. Footprints say that neither label writes what the other one reads or
//! writes, or both accumulate in it in the same manner ([`Footprint`](interpreter::Footprint)), and that no third
//! one depends on what both write ([`Watch`](interpreter::Watch)). Where they do not say so, an [`Independence`] is asked.
//!
//! By the first condition, independent labels commute and neither enables or disables the other, in every state. So
//! equivalent executions end in the same state, and a label that sleeps stays enabled and means the same until a
//! dependent one wakes it.
//!
//! The proof of the paper (a source set is explored from each state, theorem 4.6) looks at an execution E.w of which no
//! equivalent one is explored, and at the label q that was explored after E and is independent of the longest prefix w' of
//! w; f is the first step of w after it. Now q and f are dependent. In the paper, f is a step of a process that can still be taken
//! after q. Here there are two cases:
//!
//! - f is enabled after E.q.w'. Then an execution that is equivalent to some continuation of E.q.w'.f was explored. In
//!   it q and f are in a race, and f is enabled after the steps u that do not happen after q: these are w', and others that
//!   are independent of f. So u.f is among the ordinary reversals. In other executions with such a race, f may be
//!   disabled after u, because it was q that enabled it. If q may enable f, it is looked whether f is enabled
//!   there; another step in u may have done the same.
//! - f is disabled after E.q.w'. Then q disables f, and by the second condition all that decide about f depend on q. None
//!   of these is in w' or u. So f was enabled before q, is disabled right after it, and is enabled after u, whatever
//!   execution was explored. These are the reversals that the paper does not need.
//!
//! In both cases what is added to the wakeup tree contradicts the choice of q, as in the paper. For this it must not happen
//! that the label that is taken first instead is independent of q and w' and depends on f. In the second case it might; but then it
//! does not disable f, since otherwise it would depend on q, and the first case applies to it.
//!
//! # What is preserved
//!
//! All states in which executions end, hence deadlocks; every step that has no result; and every violation of an
//! invariant. A step without a result counts as a step, so some execution of its order is explored, unless one that has
//! none was found before.
//!
//! For a formula, let E end in a state in which it is not true, and let F be equivalent to a continuation of E. If no
//! later step restores it, it is not true at the end of F. Otherwise let b be the first one that does. By the third
//! condition all that decide about the formula are ordered with b by happens-before. So the same of them come before b in F,
//! and in an order in which those that depend on each other come as in E: the formula is not true right before b in F
//! either. Steps that make it false need not be ordered with each other. It is enough that those that restore it are.
//!
//! # What is not
//!
//! Executions must end. One that comes back to a state that it has passed is reported, and the search stops there. With a
//! bound on the number of steps, executions are cut, and what follows, or has been put off by what was taken instead, may
//! be left out: the search then is a test.

mod dependence;
mod independence;
mod outcome;
mod reversal;
mod run;
mod search;
mod wakeup;

pub use independence::Independence;
pub use outcome::{Counts, Found, Outcome};
pub use search::Dpor;
