//! The search for a counterexample: finite sizes from the smallest up, then as few facts as possible.

use ioa_lang::core::{Direction, Model};
use rustc_hash::FxHashSet;
use z3::ast::{Ast, Bool, Dynamic, Int, Real};

use super::instances::{Search, first_found, instances};
use super::value::{Facts, bounded, leaves};
use super::{Counterexample, read, reasons};
use crate::logic::{Encoded, Logic, State, Sym, and, sort_symbol};
use crate::obligations::{Background, Case, Kind, Moment, Piece, Target, Unit, View, all_facts};
use crate::options::{Allowance, Options};
use crate::reason::Reason;
use crate::solver::{Answer, Solver, denial};

/// If there are more facts than this, the others are left as the solver chose them.
const MAX_FACTS: usize = 400;

/// What says of a step that it is taken.
const OF_STEPS: [&str; 3] = ["applies", "pre", "ensuring"];

/// For each counterexample that is wanted, so many are looked at whose reason is like that of another one, at most.
const ALIKE: usize = 4;

/// How much work it may take to make a counterexample small, in Z3's own unit: that of some seconds.
const MINIMISATION: u64 = 5_000_000;

/// Counterexamples to one obligation.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) first: Counterexample,
    /// Others, in each of which the obligation fails for another reason than in those before it.
    pub(crate) others: Vec<Counterexample>,
}

/// Looks for small counterexamples to one obligation: at the smallest sizes that have any, as many as the options say, each for a
/// reason of its own. That is done in the present context, where `copy` tells it from other such searches; what
/// was asked there before may decide which are found.
pub(crate) fn find(
    (target, copy): (&Target<'_>, usize),
    (unit, kind): (Unit, Kind),
    assumable: &[bool],
    sizes: Option<&[u32]>,
    (options, allowance): (&Options<'_>, Allowance<'_>),
) -> Search<Found> {
    let sorts = Background::of(target, unit).sorts(target);
    let sizes = instances(&sorts, sizes, options.shrink);
    let nothing = "no finite counterexample was found";
    first_found((target, copy), &sizes, nothing, |target, logic| {
        let mut attempt = Try {
            target,
            logic,
            background: Background::of(target, unit),
            new_solver: &|| Solver::new(options).allowed(&allowance),
            wanted: options.counterexamples,
            found: Vec::new(),
            shapes: FxHashSet::default(),
            alike: 0,
            facts: Vec::new(),
            excluded: Vec::new(),
            queries: 0,
        };
        let result = attempt.cases((unit, kind), assumable);
        let mut found = attempt.found.into_iter();
        let found = match (found.next(), result.unwrap_or_else(|e| Err(e.into()))) {
            (Some(first), _) => Ok(Some(Found {
                first,
                others: found.collect(),
            })),
            (None, Ok(())) => Ok(None),
            (None, Err(reason)) => Err(reason),
        };
        (found, attempt.queries)
    })
}

/// A search at some sizes.
struct Try<'t, 'l, 'o> {
    target: &'t Target<'l>,
    logic: &'l Logic<'l>,
    background: Background,
    new_solver: &'t dyn Fn() -> Solver<'o>,
    /// At most so many counterexamples are looked for.
    wanted: usize,
    found: Vec<Counterexample>,
    /// The shapes of the reasons for these.
    shapes: FxHashSet<Vec<String>>,
    /// How many were looked at whose reason is like that of one of these.
    alike: usize,
    /// What was recorded of the terms that were made so far: each is recorded once.
    facts: Vec<Bool>,
    /// That a counterexample fails for another reason than those that were looked at.
    excluded: Vec<Bool>,
    queries: u32,
}

impl<'l> Try<'_, 'l, '_> {
    fn most_alike(&self) -> usize {
        ALIKE * self.wanted
    }

    /// Looks for counterexamples in all cases of an obligation, until there are enough.
    fn cases(
        &mut self,
        (unit, kind): (Unit, Kind),
        assumable: &[bool],
    ) -> Encoded<Result<(), Reason>> {
        let (target, logic) = (self.target, self.logic);
        let ground = logic.ground(target, self.background, assumable)?;
        let groups = logic.groups(target, &ground, unit, &[kind], assumable)?;
        let facts = all_facts(&groups);
        for group in groups {
            for (_, cases) in group.members {
                for case in cases? {
                    let shared = [&ground.assume, &facts, &group.assume]
                        .into_iter()
                        .flatten();
                    let assumed: Vec<Piece> = shared.chain(case.assumed()).cloned().collect();
                    while self.found.len() < self.wanted && self.alike < self.most_alike() {
                        match self.refute(&assumed, &case)? {
                            Ok(true) => {}
                            Ok(false) => break,
                            Err(reason) => return Ok(Err(reason)),
                        }
                    }
                }
            }
        }
        Ok(Ok(()))
    }

    /// Looks for one more instance of this size in which a case fails; whether there is one.
    fn refute(&mut self, assumed: &[Piece], case: &Case<'l>) -> Encoded<Result<bool, Reason>> {
        let (target, logic) = (self.target, self.logic);
        let values = Facts::of(logic);
        let shown = Shown::of(target, &values, &case.view)?;
        // That the step is taken is a part of why something fails.
        let is_of_step = |piece: &&Piece| OF_STEPS.contains(&&*piece.label);
        let (taken, assumed): (Vec<&Piece>, Vec<&Piece>) = assumed.iter().partition(is_of_step);
        let formulas = |pieces: &[&Piece]| -> Vec<Bool> {
            pieces.iter().map(|piece| piece.formula.clone()).collect()
        };
        let mut known = formulas(&assumed);
        known.extend(shown.bounds.iter().cloned());
        self.facts.extend(logic.take_facts());
        known.extend(self.facts.iter().cloned());
        let mut fails = formulas(&taken);
        fails.push(denial(&case.goals));
        let failing = [&known, &fails, &self.excluded].into_iter().flatten();
        let failing: Vec<Bool> = failing.cloned().collect();
        let mut solver = (self.new_solver)();
        failing.iter().for_each(|f| solver.assert(f.clone()));
        let before = name_all(&mut solver, "before", &shown.before);
        name_all(&mut solver, "after", &shown.after);
        let model = small_model(&mut solver, logic, &failing, before)?;
        self.queries += solver.queries();
        let model = match model {
            Ok(Some(model)) => model,
            Ok(None) => return Ok(Ok(false)),
            Err(reason) => return Ok(Err(reason)),
        };
        let reader = read::Reader {
            target,
            facts: &values,
            model: &model,
            setting: self.background.setting(target),
            sorts: self.background.sorts(target),
        };
        if self.wanted == 1 {
            self.found.push(reader.counterexample(case)?);
            return Ok(Ok(true));
        }
        let mut solver = (self.new_solver)();
        known.push(and(&fails).not());
        known.into_iter().for_each(|f| solver.assert(f));
        let facts = [shown.before, logic.theory_facts()?].concat();
        let reason = reasons::reason(logic, &mut solver, &facts, &model);
        self.queries += solver.queries();
        self.excluded.extend(reason.another(logic));
        match self.shapes.insert(reason.shape(logic)) {
            true => self.found.push(reader.counterexample(case)?),
            false => self.alike += 1,
        }
        Ok(Ok(true))
    }
}

/// The parts of a view as terms.
struct Shown {
    /// What the state before and the parameters consist of.
    before: Vec<Dynamic>,
    /// What the state after consists of.
    after: Vec<Dynamic>,
    /// What makes these terms determine their values.
    bounds: Vec<Bool>,
}

impl Shown {
    fn of<'l>(target: &Target<'l>, facts: &Facts<'l>, view: &View<'l>) -> Encoded<Self> {
        let mut shown = Self {
            before: Vec::new(),
            after: Vec::new(),
            bounds: Vec::new(),
        };
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for (moment, out) in [(&view.before, &mut before), (&view.after, &mut after)] {
            if let Some(moment) = moment {
                shown.moment(target, facts, view, moment, out)?;
            }
        }
        if let Some(step) = &view.step {
            for (value, ty) in step.params.iter().zip(read::param_types(target, step)) {
                shown.value(facts, value, ty, &mut before)?;
            }
        }
        let is_backward = |(_, s): (_, usize)| target.direction(s) == Direction::Backward;
        if view.high.is_some_and(is_backward) {
            // The later high state is the one that is given.
            before.append(&mut after);
        }
        shown.before = before;
        shown.after = after;
        Ok(shown)
    }

    fn moment<'l>(
        &mut self,
        target: &Target<'l>,
        facts: &Facts<'l>,
        view: &View<'l>,
        moment: &Moment<'l>,
        out: &mut Vec<Dynamic>,
    ) -> Encoded<()> {
        for (state, variables) in read::states(target, view, moment) {
            self.state(facts, state, variables, out)?;
        }
        Ok(())
    }

    fn state<'l>(
        &mut self,
        facts: &Facts<'l>,
        state: &State<'l>,
        variables: &'l [ioa_lang::core::Variable],
        out: &mut Vec<Dynamic>,
    ) -> Encoded<()> {
        let mut each = state.iter().zip(variables);
        each.try_for_each(|(value, variable)| self.value(facts, value, &variable.ty, out))
    }

    fn value<'l>(
        &mut self,
        facts: &Facts<'l>,
        value: &Sym<'l>,
        ty: &'l ioa_lang::core::Type,
        out: &mut Vec<Dynamic>,
    ) -> Encoded<()> {
        self.bounds.push(bounded(facts, value, ty)?);
        leaves(facts, value, ty, out)
    }
}

/// Gives each term a name, once: assumptions of the solver must be constants.
fn name_all(solver: &mut Solver<'_>, prefix: &str, terms: &[Dynamic]) -> Vec<Dynamic> {
    let name = |(i, term): (usize, &Dynamic)| {
        let constant = Dynamic::new_const(format!("{prefix}!{i}"), &term.get_sort());
        solver.assert(constant.eq(term));
        constant
    };
    let mut known = FxHashSet::default();
    let new = terms.iter().filter(|term| known.insert(*term));
    new.enumerate().map(name).collect()
}

/// A model of some formulas, which the solver has been told, in which first these facts and then those about the theories have
/// values as simple as possible. There may be no model.
pub(super) fn small_model<'l>(
    solver: &mut Solver<'_>,
    logic: &'l Logic<'l>,
    formulas: &[Bool],
    facts: Vec<Dynamic>,
) -> Encoded<Result<Option<z3::Model>, Reason>> {
    match solver.check_assuming(&[]) {
        Answer::Unsat => return Ok(Ok(None)),
        Answer::Unknown(reason) => return Ok(Err(reason)),
        Answer::Sat => {}
    }
    let mut model = solver.model();
    if solver.shrinks() {
        for facts in [facts, logic.theory_facts()?] {
            model = minimise(solver, logic, &facts, MINIMISATION).or(model);
        }
    }
    let Some(model) = model else {
        return Ok(Err(unreadable()));
    };
    Ok(match read::disagreement(&model, formulas) {
        Some(why) => Err(Reason::Incomplete(why)),
        None => Ok(Some(model)),
    })
}

/// Why there is no counterexample although the solver has a model.
pub(super) fn unreadable() -> Reason {
    Reason::Incomplete("a countermodel could not be read".into())
}

/// Gives each fact the first of its values that the assertions allow, in the order of the facts: false, the number nearest to
/// zero, the first element. Each step asks whether there is such an instance, so the result does not depend on which one
/// the solver happens to have found. Returns the last instance that was found, which satisfies all soft constraints that
/// could be satisfied; nothing if none was. The remaining facts are left as they are when so much work has been done.
pub(crate) fn minimise<'l>(
    solver: &mut Solver<'_>,
    logic: &'l Logic<'l>,
    facts: &[Dynamic],
    work: u64,
) -> Option<z3::Model> {
    let mut least = None;
    let end = solver.resources().saturating_add(work);
    for fact in facts.iter().take(MAX_FACTS) {
        for wish in soft_constraints(logic, fact) {
            let left = end.saturating_sub(solver.resources());
            if left == 0 {
                return least;
            }
            let literal = Bool::fresh_const("wish");
            solver.assert(literal.implies(&wish));
            let wished = std::slice::from_ref(&literal);
            let left = u32::try_from(left).unwrap_or(u32::MAX);
            if solver.limited(left, |solver| solver.check_assuming(wished)) == Answer::Sat {
                least = solver.model();
                solver.assert(literal);
                break;
            }
        }
    }
    least
}

/// Which values a fact should have, the best first.
fn soft_constraints<'l>(logic: &'l Logic<'l>, fact: &Dynamic) -> Vec<Bool> {
    if let Some(b) = fact.as_bool() {
        return vec![b.not()];
    }
    if let Some(n) = fact.as_int() {
        return [0, 1, -1, 2, -2, 3, -3]
            .map(|k| n.eq(Int::from_i64(k)))
            .to_vec();
    }
    if let Some(n) = fact.as_real() {
        let nearest = [0, 1, -1, 2, -2].map(|k| n.eq(Real::from_rational(k, 1)));
        return nearest.to_vec();
    }
    if let Some(text) = fact.as_string() {
        return ["", "a", "b"].map(|s| text.eq(s)).to_vec();
    }
    let atoms = logic.atoms().filter_map(|instance| match instance.sym {
        Sym::Atom(atom) if atom.get_sort() == fact.get_sort() => Some(fact.eq(atom)),
        _ => None,
    });
    atoms.collect()
}

/// How many elements the solver's countermodel has in each sort.
pub(crate) fn universe_sizes(solver: &Solver<'_>, model: &Model) -> Option<Vec<u32>> {
    let found = solver.model()?;
    let sizes = model.sorts.iter().map(|declared| {
        let name = sort_symbol(&declared.name);
        let universe = found
            .sort_universes()
            .find(|(sort, _)| sort.to_string() == name);
        universe.map_or(1, |(_, elements)| elements.len() as u32)
    });
    Some(sizes.collect())
}
