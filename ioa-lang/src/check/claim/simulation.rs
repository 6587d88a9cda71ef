//! Simulations, forward and backward: the relation, and the proof block that is its witness.

use super::uses;
use crate::check::checker::Checker;
use crate::check::report::{Report, duplicate};
use crate::check::scope::{Permission, ProgramRules, Scope, StateSpace};
use crate::check::signature::variables;
use crate::check::traces;
use crate::check::unused;
use crate::check::world::{Header, Variables, World};
use crate::core::{
    AutomatonId, Direction, LocalId, Program, ProofBlock, ProofEntry, Simulation, Stmt, StmtKind,
    Store,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{self, Formal, ProofEntryItem, ProofItem, SimulationItem};

const NO_CHOOSE: &str = "a proof block is a witness: it leaves nothing open";
const FIRE_INSTEAD: &str = "the high automaton changes its state by its actions: `fire` one";
const SCRATCH: &str =
    "in a backward simulation a block's variables last no longer than the entry that uses them";
const LOW_IS_GIVEN: &str =
    "the low automaton's steps are given: a proof block only reads its state";

/// The two automata of a simulation.
#[derive(Clone, Copy)]
struct Sides<'w> {
    world: &'w World,
    direction: Direction,
    low: AutomatonId,
    high: AutomatonId,
}

/// What a part of a simulation may do with its state.
struct Access {
    write_high: Permission,
    write_own: Permission,
}

pub(in crate::check) fn simulation(
    item: &SimulationItem,
    low: AutomatonId,
    high: AutomatonId,
    world: &World,
    report: &mut Report,
) -> Option<Simulation> {
    if low == high {
        report.add(
            Diagnostic::error(
                Code::SimulationOfItself,
                item.high.span,
                "a simulation is between two automata",
            )
            .label("its terms could not tell the two states apart"),
        );
        return None;
    }
    let comparable = traces::comparable(low, high, item.span, world, report);
    let sides = Sides {
        world,
        direction: item.direction,
        low,
        high,
    };
    let states = item.proof.as_ref().map_or(&[][..], |proof| &proof.states);
    let taken = |name: &str| {
        let mut sides = [low, high].into_iter().map(|id| &world.header(id).name);
        sides.find(|side| *side.name == *name).map(|side| side.span)
    };
    let own = variables(states, "the block's variable", taken, world, report);
    let mut checker = sides.relation_checker(&own, report);
    let relation = checker.formula(&item.relation);
    let locals = checker.scope.locals;
    let proof = item.proof.as_ref();
    let proof = proof.map(|proof| sides.proof(proof, &own, report));
    let relation = relation?;
    let proof = match proof {
        Some(understood) => Some(understood?),
        None => None,
    };
    if let Some(proof) = &proof {
        let programs = proof.entries.iter().map(|entry| &entry.program);
        unused::variables(
            &own,
            programs.chain([&proof.initially]),
            [&relation],
            report,
        );
    }
    comparable.then_some(Simulation {
        direction: item.direction,
        low,
        high,
        locals,
        relation,
        proof,
        span: item.span,
    })
}

impl<'w> Sides<'w> {
    fn relation_checker<'r>(self, own: &'w Variables, report: &'r mut Report) -> Checker<'w, 'r> {
        const FORMULA: Permission = Err("a relation assigns nothing");
        let access = Access {
            write_high: FORMULA,
            write_own: FORMULA,
        };
        let mut scope = self.scope(own, &access);
        if self.direction == Direction::Backward {
            let blocks = scope.states.iter_mut().filter(|s| s.store == Store::Block);
            blocks.for_each(|state| state.read = Err(SCRATCH));
        }
        Checker::new(self.world, report, scope)
    }

    /// The scope of a part of the simulation.
    fn scope(self, own: &'w Variables, access: &Access) -> Scope<'w> {
        let side = |id, store, write| {
            let header: &Header = self.world.header(id);
            StateSpace {
                qualifier: Some(header.name.clone()),
                store,
                variables: &header.variables,
                read: Ok(()),
                write,
            }
        };
        let mut scope = Scope::empty()
            .with_state(side(self.low, Store::Low, Err(LOW_IS_GIVEN)))
            .with_state(side(self.high, Store::High, access.write_high))
            .with_state(StateSpace {
                qualifier: None,
                store: Store::Block,
                variables: own,
                read: Ok(()),
                write: access.write_own,
            });
        scope.program = ProgramRules {
            choose: Err(NO_CHOOSE),
            repeat: Ok(()),
            fire: Ok(self.high),
            ignore: Ok(()),
            draw: Err("a proof block says which actions the high automaton takes: `fire` them"),
            ordered_loops: true,
        };
        scope
    }

    fn proof(
        self,
        item: &ProofItem,
        own: &'w Variables,
        report: &mut Report,
    ) -> Option<ProofBlock> {
        let initially = self.initially(item, own, report);
        let low = self.world.header(self.low);
        let mut entries: Vec<Option<ProofEntry>> = low.actions.iter().map(|_| None).collect();
        let mut written: Vec<Option<Span>> = vec![None; low.actions.len()];
        for entry in &item.entries {
            let checked = self.entry(entry, own, report);
            let Some(action) = low.find_action_of_kind(&entry.name, Some(entry.kind), report)
            else {
                continue;
            };
            if let Some(first) = written[action.index()].replace(entry.name.span) {
                report.add(duplicate("the entry for", &entry.name, first));
                entries[action.index()] = None;
            } else {
                entries[action.index()] = checked;
            }
        }
        for (action, written) in low.actions.iter().zip(&written) {
            if written.is_none() {
                report.add_absence(
                    &action.name.name,
                    Diagnostic::error(
                        Code::NoEntry,
                        item.span,
                        format!(
                            "the proof block has no entry for the action `{}` of {}",
                            action.name.name, low.name.name
                        ),
                    )
                    .related(action.span, "its signature")
                    .help(format!(
                        "write `for {} {}(..) ignore` if {} does nothing then",
                        action.kind.keyword(),
                        action.name.name,
                        self.world.header(self.high).name.name
                    )),
                );
            }
        }
        Some(ProofBlock {
            variables: own.to_core()?,
            initially: initially?,
            entries: entries.into_iter().collect::<Option<_>>()?,
            span: item.span,
        })
    }

    fn initially(
        self,
        item: &ProofItem,
        own: &'w Variables,
        report: &mut Report,
    ) -> Option<Program> {
        let access = Access {
            write_high: Ok(()),
            write_own: Ok(()),
        };
        let mut checker = Checker::new(self.world, report, self.scope(own, &access));
        checker.scope.program.fire = Err("no action happens before the first step");
        for state in &mut checker.scope.states {
            if state.store != Store::Low {
                state.read = Err("an initial value reads the low start state only");
            }
        }
        let start = checker.own_initials(&item.states, NO_CHOOSE);
        checker.allow_reading();
        let statements = checker.statements(&item.initially);
        let mut body = start?;
        body.extend(statements?);
        Some(Program {
            locals: checker.scope.locals,
            body,
        })
    }

    /// Checks an entry. Where its action is unknown, its body is checked all the same.
    fn entry(
        self,
        entry: &ProofEntryItem,
        own: &'w Variables,
        report: &mut Report,
    ) -> Option<ProofEntry> {
        let access = Access {
            write_high: match self.direction {
                Direction::Forward => Err(FIRE_INSTEAD),
                Direction::Backward => Ok(()),
            },
            write_own: Ok(()),
        };
        let mut checker = Checker::new(self.world, report, self.scope(own, &access));
        let low = self.world.header(self.low);
        let action = low.action_of_kind(&entry.name, Some(entry.kind));
        let declared = action.map(|id| low.action(id));
        let (name, report) = (&entry.name, &mut *checker.report);
        let has_kind = declared.is_none_or(|d| d.has_kind(name, entry.kind, report));
        let agrees = declared.is_none_or(|d| d.has_parameters(name, entry.formals.len(), report));
        let mut params = Vec::new();
        for (position, formal) in entry.formals.iter().enumerate() {
            let param = declared.and_then(|d| d.params.get(position));
            params.push(checker.entry_formal(formal, param.filter(|_| agrees)));
        }
        let body = checker.statements(&entry.body);
        if let Some(late) = body
            .as_deref()
            .and_then(|body| late_write(body, &mut false))
        {
            checker.report.add(
                Diagnostic::error(Code::LateState, late, FIRE_INSTEAD)
                    .label("after a `fire`")
                    .help("say what the earlier high state is before the first `fire`"),
            );
            return None;
        }
        (agrees && has_kind).then_some(())?;
        Some(ProofEntry {
            action: action?,
            params: params.into_iter().collect::<Option<_>>()?,
            program: Program {
                locals: checker.scope.locals,
                body: body?,
            },
            uses: uses::names(entry.uses.as_deref()),
            span: entry.span,
        })
    }
}

/// An assignment to the high state where a `fire` may have come before it.
fn late_write(body: &[Stmt], fired: &mut bool) -> Option<Span> {
    body.iter().find_map(|stmt| match &stmt.kind {
        StmtKind::Assign(place, _) | StmtKind::Choose { place, .. } => {
            (*fired && place.root.store == Store::High).then_some(place.span)
        }
        StmtKind::If {
            branches,
            otherwise,
        } => {
            let before = *fired;
            let bodies = branches.iter().map(|(_, body)| body).chain([otherwise]);
            let mut found = None;
            for body in bodies {
                let mut here = before;
                found = found.or(late_write(body, &mut here));
                *fired |= here;
            }
            found
        }
        StmtKind::For { body, .. } | StmtKind::While(_, body) => {
            let first = late_write(body, fired);
            // A second iteration comes after the `fire`s of the first.
            first.or_else(|| late_write(body, fired))
        }
        StmtKind::Fire(_) | StmtKind::FireAny(_) => {
            *fired = true;
            None
        }
    })
}

impl Checker<'_, '_> {
    /// A formal of an entry: a name, for the entry is for all parameters.
    fn entry_formal(
        &mut self,
        formal: &Formal,
        param: Option<&crate::check::world::DeclaredParam>,
    ) -> Option<LocalId> {
        match formal {
            Formal::Typed(_)
            | Formal::Term(ast::Expr {
                kind: ast::ExprKind::Name(_),
                ..
            }) => {
                let ty = param.and_then(|param| param.ty.clone());
                self.binding_formal(formal, ty, param)
            }
            Formal::Term(term) | Formal::Const(term) => {
                self.report.add(
                    Diagnostic::error(
                        Code::EntryNotGeneral,
                        term.span,
                        "a parameter of an entry must be a name",
                    )
                    .label("an entry is for all parameters of its action")
                    .help("tell the cases apart by `if` in the entry"),
                );
                None
            }
        }
    }
}
