//! Schedules: programs that resolve the nondeterminism of a run.

use crate::check::automaton::{initial, state_scope};
use crate::check::checker::Checker;
use crate::check::report::Report;
use crate::check::scope::{ProgramRules, StateSpace};
use crate::check::signature::variables;
use crate::check::unused;
use crate::check::world::World;
use crate::core::{AutomatonId, Program, Schedule, Store};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{Choose, Ident, Rhs, ScheduleBody, StateDecl};

const NO_CHOOSE: &str = "a schedule resolves choices: it draws, as in `chooseRandom(s)`";

pub(in crate::check) fn schedule(
    name: &Ident,
    body: &ScheduleBody,
    span: Span,
    automaton: AutomatonId,
    world: &World,
    report: &mut Report,
) -> Option<Schedule> {
    let header = world.header(automaton);
    let taken = |name: &str| {
        let var = header.variables.find(name)?;
        Some(header.variables.get(var).name.span)
    };
    let own = variables(
        &body.states,
        "the schedule's variable",
        taken,
        world,
        report,
    );
    let mut scope = state_scope(header);
    scope.states[0].write = Err("a schedule reads the automaton's state and cannot write it");
    let scope = scope.with_state(StateSpace {
        qualifier: None,
        store: Store::Block,
        variables: &own,
        read: Err("an initial value reads no variables of the schedule"),
        write: Ok(()),
    });
    let mut checker = Checker::new(world, report, scope);
    checker.scope.elements = true;
    checker.scope.random = Ok(());
    checker.scope.enabled = Ok(automaton);
    checker.scope.program = ProgramRules {
        choose: Err(NO_CHOOSE),
        repeat: Ok(()),
        fire: Ok(automaton),
        draw: Ok(()),
        ignore: Err("a schedule takes steps; only a proof block can ignore one"),
        ordered_loops: true,
    };
    let start = checker.own_initials(&body.states, NO_CHOOSE);
    checker.allow_reading();
    let statements = checker.statements(&body.body);
    let locals = checker.take_locals();
    let (mut start, statements) = (start?, statements?);
    start.extend(statements);
    let program = Program {
        locals,
        body: start,
    };
    unused::variables(&own, [&program], [], report);
    Some(Schedule {
        name: name.name.clone(),
        automaton,
        variables: own.to_core()?,
        program,
        span,
    })
}

impl Checker<'_, '_> {
    /// The initial values of own variables of a schedule or proof block: each must have one.
    pub(in crate::check) fn own_initials(
        &mut self,
        states: &[StateDecl],
        no_choose: &'static str,
    ) -> Option<Vec<crate::core::Stmt>> {
        let mut spaces = self.scope.states.iter();
        let own = spaces.find(|space| space.store == Store::Block)?;
        let mut start = Vec::new();
        for (decl, var) in states.iter().zip(&own.variables.declared) {
            let refused = match &decl.init {
                Some(Rhs::Expr(_)) => None,
                Some(Rhs::Choose(Choose { span, .. })) => Some(
                    Diagnostic::error(Code::NoChoose, *span, "`choose` cannot stand here")
                        .label(no_choose),
                ),
                None => Some(
                    Diagnostic::error(
                        Code::NoInitialValue,
                        decl.name.span,
                        format!("`{}` has no initial value", decl.name.name),
                    )
                    .help("write `:=` and a term after its type"),
                ),
            };
            start.push(match refused {
                None => initial(self, (decl, *var), Store::Block),
                Some(diagnostic) => {
                    self.report.add(diagnostic);
                    None
                }
            });
        }
        start.into_iter().collect()
    }
}
