//! Bounds for the integer variables of an automaton, derived from its text alone.
//!
//! Abstract interpretation with intervals (Cousot and Cousot, "Abstract interpretation", 1977): each place has one interval
//! for all values that contain it; start states and effects enlarge it, and conditions on the way to an assignment restrict
//! what is assigned. An interval that keeps growing is widened to the next number in the text, and in the end to infinity.
//!
//! Correctness does not depend on the intervals: they only serve as initial [ranges](super::Ranges), and every range is checked.

mod conditions;
mod statements;
mod terms;

use std::collections::{BTreeMap, BTreeSet};

use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use super::{Place, Range};
use ioa_lang::core::{
    AutomatonId, Expr, ExprKind, LocalId, Model, Transition, VarId, exprs_of_stmts,
};

/// The number of rounds after which a growing interval is widened.
const PLAIN_ROUNDS: usize = 4;

/// Maximum number of rounds.
const MAX_ROUNDS: usize = 200;

/// Numbers farther from zero than this are treated as infinite.
const FAR: i64 = 1 << 31;

/// All integers; its ends stand for infinity.
const ALL: Range = Range {
    low: i64::MIN,
    high: i64::MAX,
};

/// The places in which an automaton stores integers, with the finite intervals that were found.
#[must_use]
pub fn intervals(model: &Model, automaton: AutomatonId) -> BTreeMap<Place, Range> {
    let mut analysis = Analysis {
        model,
        automaton,
        found: BTreeMap::new(),
        steps: steps(model, automaton),
        round: 0,
        changed: true,
    };
    while analysis.changed {
        if analysis.round == MAX_ROUNDS {
            return BTreeMap::new();
        }
        analysis.pass();
    }
    let is_finite = |range: &Range| range.low > -FAR && range.high < FAR;
    analysis.found.retain(|_, range| is_finite(range));
    analysis.found
}

/// The numbers in the text of an automaton and their neighbours: the thresholds for widening.
fn steps(model: &Model, automaton: AutomatonId) -> BTreeSet<i64> {
    let mut found = BTreeSet::from([0]);
    let mut note = |e: &Expr| {
        if let ExprKind::Int(n) = &e.kind
            && let Some(n) = n.to_i64()
        {
            let around = [n.saturating_sub(1), n, n.saturating_add(1)];
            found.extend(around.iter().flat_map(|n| [*n, n.saturating_neg()]));
        }
    };
    let core = model.automaton(automaton);
    for clause in &core.transitions {
        clause.pre.walk(&mut note);
        clause.applies.walk(&mut note);
        exprs_of_stmts(&clause.effect, &mut |term| term.walk(&mut note));
    }
    exprs_of_stmts(&core.start.program.body, &mut |term| term.walk(&mut note));
    found
}

/// What is known at one point of a clause.
#[derive(Clone, Default)]
struct Scene {
    /// Bound variables.
    locals: BTreeMap<LocalId, Range>,
    /// Terms that name a part of the state, with the variables they mention.
    terms: FxHashMap<Expr, (BTreeSet<VarId>, Range)>,
    /// Whether the point cannot be reached.
    dead: bool,
}

impl Scene {
    /// Forgets what was known about a variable.
    fn forget(&mut self, variable: VarId) {
        self.terms
            .retain(|_, (mentioned, _)| !mentioned.contains(&variable));
    }

    /// Keeps only what is also known in another scene.
    fn meet(&mut self, other: &Self) {
        if !other.dead {
            self.terms
                .retain(|term, known| other.terms.get(term) == Some(known));
        }
    }
}

struct Analysis<'m> {
    model: &'m Model,
    automaton: AutomatonId,
    /// The intervals so far; a place without an integer yet has no entry.
    found: BTreeMap<Place, Range>,
    steps: BTreeSet<i64>,
    round: usize,
    changed: bool,
}

impl<'m> Analysis<'m> {
    /// Makes one pass over the automaton.
    fn pass(&mut self) {
        self.round += 1;
        self.changed = false;
        let core = self.model.automaton(self.automaton);
        self.block(&core.start.program.body, &mut Scene::default());
        for clause in &core.transitions {
            self.clause(clause);
        }
    }

    fn clause(&mut self, clause: &'m Transition) {
        let mut scene = Scene::default();
        // Twice, since a condition may restrict a term that an earlier condition uses.
        for condition in [&clause.applies, &clause.pre, &clause.applies, &clause.pre] {
            self.assume(condition, &mut scene);
        }
        self.walk(&clause.applies, &scene);
        self.walk(&clause.pre, &scene);
        self.block(&clause.effect, &mut scene);
        self.walk(&clause.ensuring, &scene);
    }

    /// Enlarges the interval of a place to include another one.
    fn join(&mut self, place: Place, range: Option<Range>) {
        let Some(range) = range else { return };
        let Some(old) = self.found.get(&place).copied() else {
            self.changed = true;
            self.found.insert(place, range);
            return;
        };
        let mut new = old.hull(range);
        if new == old {
            return;
        }
        if self.round > PLAIN_ROUNDS {
            if new.high > old.high {
                let next = self.steps.range(new.high..).next();
                new.high = next.copied().unwrap_or(ALL.high);
            }
            if new.low < old.low {
                let next = self.steps.range(..=new.low).next_back();
                new.low = next.copied().unwrap_or(ALL.low);
            }
        }
        self.changed = true;
        self.found.insert(place, new);
    }
}
