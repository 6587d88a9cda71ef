//! The search for a counterexample: finite sizes from the smallest up, then as few facts as possible.

use ioa_lang::core::{Direction, Model};
use rustc_hash::FxHashSet;
use z3::ast::{Ast, Bool, Dynamic, Int, Real};

use super::instances::{Attempt, Search, first_found, instances};
use super::value::{Facts, bounded, leaves};
use super::{Counterexample, read};
use crate::logic::{Encoded, Logic, State, Sym, sort_symbol};
use crate::obligations::{Background, Case, Kind, Moment, Piece, Target, Unit, View, all_facts};
use crate::options::{Deadline, Options};
use crate::reason::Reason;
use crate::solver::{Answer, Solver};

/// If there are more facts than this, the others are left as the solver chose them.
const MAX_FACTS: usize = 400;

/// How much work it may take to make a counterexample small, in Z3's own unit: that of some seconds.
const MINIMISATION: u64 = 5_000_000;

/// Looks for a small counterexample to one obligation.
pub(crate) fn find(
    target: &Target<'_>,
    (unit, kind): (Unit, Kind),
    assumable: &[bool],
    sizes: Option<&[u32]>,
    (options, deadline): (&Options<'_>, Deadline<'_>),
) -> Search<Counterexample> {
    let sorts = Background::of(target, unit).sorts(target);
    let sizes = instances(&sorts, sizes, options.shrink);
    let nothing = "no finite counterexample was found";
    first_found((target, options), &sizes, nothing, |target, logic| {
        let new_solver = || Solver::new(options).until(deadline);
        attempt(target, logic, (unit, kind), assumable, &new_solver)
    })
}

fn attempt<'l, 'o>(
    target: &Target<'l>,
    logic: &'l Logic<'l>,
    (unit, kind): (Unit, Kind),
    assumable: &[bool],
    new_solver: &dyn Fn() -> Solver<'o>,
) -> Attempt<Counterexample> {
    let background = Background::of(target, unit);
    let mut queries = 0;
    let result = logic
        .ground(target, background, assumable)
        .and_then(|ground| {
            let groups = logic.groups(target, &ground, unit, &[kind], assumable)?;
            let facts = all_facts(&groups);
            for group in groups {
                for (_, cases) in group.members {
                    for case in cases? {
                        let assumed = [&ground.assume, &facts, &group.assume]
                            .into_iter()
                            .flatten();
                        let assumed: Vec<Piece> = assumed.chain(case.assumed()).cloned().collect();
                        let mut solver = new_solver();
                        let outcome =
                            refute(target, logic, &mut solver, &assumed, (&case, background));
                        queries += solver.queries();
                        let outcome = outcome?;
                        if !matches!(outcome, Ok(None)) {
                            return Ok(outcome);
                        }
                    }
                }
            }
            Ok(Ok(None))
        });
    let result = result.unwrap_or_else(|e| Err(Reason::from(e)));
    (result, queries)
}

/// Looks for an instance of this size in which a case fails.
fn refute<'l>(
    target: &Target<'l>,
    logic: &'l Logic<'l>,
    solver: &mut Solver<'_>,
    assumed: &[Piece],
    (case, background): (&Case<'l>, Background),
) -> Encoded<Result<Option<Counterexample>, Reason>> {
    let values = Facts::of(logic);
    let shown = Shown::of(target, &values, &case.view)?;
    let mut formulas: Vec<Bool> = assumed.iter().map(|p| p.formula.clone()).collect();
    formulas.push(crate::solver::denial(&case.goals));
    formulas.extend(shown.bounds.iter().cloned());
    formulas.extend(logic.take_facts());
    formulas.iter().for_each(|f| solver.assert(f.clone()));
    let before = name_all(solver, "before", &shown.before);
    name_all(solver, "after", &shown.after);
    let model = match small_model(solver, logic, &formulas, before)? {
        Ok(Some(model)) => model,
        Ok(None) => return Ok(Ok(None)),
        Err(reason) => return Ok(Err(reason)),
    };
    let reader = read::Reader {
        target,
        facts: &values,
        model: &model,
        setting: background.setting(target),
        sorts: background.sorts(target),
    };
    reader.counterexample(case).map(|c| Ok(Some(c)))
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
