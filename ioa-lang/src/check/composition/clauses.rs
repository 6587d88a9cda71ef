//! The transition clauses of a joined action: every clause of who controls it with every clause of who receives it.

use super::build::{Build, ROW_LIMIT};
use super::component::for_all;
use super::role::{Role, some_role};
use super::shared::{complement, evidently, follows};
use super::start::nested;
use crate::check::instance::term_of;
use crate::check::loops;
use crate::check::report::Report;
use crate::core::{
    Expr, ExprKind, Local, LocalId, Op, Requirement, Stmt, StmtKind, Substitution, Transition,
    Type, fresh_copy,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// How many clauses an action of a composition may have: they multiply.
const CLAUSE_LIMIT: usize = 1024;

/// The result of joining an action.
pub(super) struct Clauses {
    pub(super) builds: Vec<(Build, Span)>,
    pub(super) requirements: Vec<Requirement>,
}

/// The clauses of an action with these parameters.
pub(super) fn join(
    heads: &[Local],
    params: &[Expr],
    outputs: &[Role<'_, '_>],
    inputs: &[Role<'_, '_>],
    report: &mut Report,
) -> Option<Clauses> {
    let mut joined = Clauses {
        builds: Vec::new(),
        requirements: Vec::new(),
    };
    for role in outputs {
        for clause in role.clauses() {
            let mut build = Build::new(heads.to_vec(), heads.len());
            let condition = role.condition_in(&mut build.locals);
            build.sort_out(condition);
            build.take(role.part, clause, &role.indices, params);
            build.name_as(clause);
            joined.builds.push((build, clause.span));
        }
    }
    if outputs.is_empty() {
        let mut build = Build::new(heads.to_vec(), heads.len());
        let condition = some_role(inputs, &mut build.locals);
        build.sort_out(condition);
        joined.builds.push((build, inputs[0].action.span));
    }
    for role in inputs {
        match role.open.is_empty() {
            true => joined.receive(role, params),
            false => joined.receive_all(role, params, report)?,
        }
        if joined.builds.len() > CLAUSE_LIMIT {
            let message = format!(
                "`{}` has too many clauses in this composition",
                role.action.name
            );
            report.add(
                Diagnostic::error(Code::ManyClauses, role.part.span, message).label(format!(
                    "more than {CLAUSE_LIMIT}: those of the components multiply"
                )),
            );
            return None;
        }
    }
    let apart = joined.builds.iter().find_map(|(build, _)| build.apart);
    match apart {
        Some(clauses) => {
            report.add(undetermined(outputs.first().unwrap_or(&inputs[0]), clauses));
            None
        }
        None => Some(joined),
    }
}

fn undetermined(role: &Role<'_, '_>, (first, second): (Span, Span)) -> Diagnostic {
    let message = format!(
        "the determinators of `{}` cannot be joined",
        role.action.name
    );
    Diagnostic::error(Code::ChoicesJoined, role.part.span, message)
        .label("components share this action, and more than one chooses in it")
        .related(first, "this clause has hidden parameters")
        .related(second, "and so has this one")
        .help(format!(
            "give both a determinator or neither; together they may have at most {ROW_LIMIT} rows"
        ))
}

impl<'a> Role<'a, '_> {
    fn clauses(&self) -> impl Iterator<Item = &'a Transition> {
        let id = self.id;
        self.part.clauses.iter().filter(move |c| c.action == id)
    }

    /// The clauses that take an input.
    fn takers(&self) -> Vec<&'a Transition> {
        self.clauses().filter(|c| c.refused.is_none()).collect()
    }

    /// A clause for the parameters for which the action is in the signature, but which no clause accepts; `None` if there
    /// are evidently none.
    fn refusal(&self, build: &Build, params: &[Expr]) -> Option<Build> {
        let mut refused = build.clone();
        let condition = self.condition_in(&mut refused.locals);
        refused.sort_out(condition);
        let asked = refused.applies.len();
        let mut cases = Vec::new();
        for clause in self.takers() {
            let mut one = Build::new(std::mem::take(&mut refused.locals), refused.arity);
            one.applies.clone_from(&refused.applies);
            one.take(self.part, clause, &self.indices, params);
            cases.push(Expr::conjunction(one.applies.split_off(asked), clause.span));
            refused.locals = one.locals;
        }
        let is_rest = |(at, case): (usize, &Expr)| {
            let before = cases[..at].iter();
            before.into_iter().any(|other| complement(other, case))
        };
        if cases.iter().enumerate().any(is_rest) {
            return None;
        }
        let span = self.part.span;
        let covered = Expr::disjunction(cases, span);
        let uncovered = Expr::apply(Op::Not, vec![covered], Type::Bool, span);
        if evidently(&uncovered) == Some(false) {
            return None;
        }
        refused.sort_out(uncovered);
        Some(refused.refuse(self))
    }

    /// The condition, among other locals that start with the same parameters; `open` indices become new locals there.
    fn condition_in(&self, target: &mut Vec<Local>) -> Expr {
        self.carried(target).1
    }

    /// The indices and the condition, among other locals that start with the same parameters.
    fn carried(&self, target: &mut Vec<Local>) -> (Vec<Expr>, Expr) {
        let heads = self.action.params.len();
        let values = (0..heads).map(|position| {
            let id = LocalId::at(position);
            (id, term_of(id, &self.locals[position]))
        });
        let mut copy = Substitution::new(&self.locals, target, values);
        for open in &self.open {
            if let ExprKind::Local(id) = open.kind {
                let _ = copy.rebind(id);
            }
        }
        let indices = self.indices.iter().map(|index| copy.copy(index)).collect();
        let condition = copy.copy(&self.condition);
        (indices, condition)
    }
}

impl Clauses {
    /// The component that the parameters determine takes part, where the action is in its signature.
    fn receive(&mut self, role: &Role<'_, '_>, params: &[Expr]) {
        let clauses = role.takers();
        let before = std::mem::take(&mut self.builds);
        for (mut build, span) in before {
            if build.refused.is_some() {
                self.builds.push((build, span));
                continue;
            }
            let condition = role.condition_in(&mut build.locals);
            let always = follows(&condition, &build.applies);
            if let [only] = clauses[..] {
                let mut with = build.clone();
                with.sort_out(condition.clone());
                let asked = with.applies.len();
                with.take(role.part, only, &role.indices, params);
                let whole = with.applies.len() == asked;
                if whole && always {
                    self.builds.push((with, span));
                    continue;
                }
                if whole && is_plain(only) {
                    let mut inside = build.clone();
                    let done = inside.effect.len();
                    inside.take(role.part, only, &role.indices, params);
                    let body = inside.effect.split_off(done);
                    inside.ask_only(build.applies.len());
                    if !body.is_empty() {
                        inside.effect.push(guarded(condition, body, only.span));
                    }
                    self.builds.push((inside, span));
                    continue;
                }
            }
            for clause in &clauses {
                let mut with = build.clone();
                let condition = fresh_copy(&condition, &mut with.locals);
                with.sort_out(condition);
                with.take(role.part, clause, &role.indices, params);
                self.builds.push((with, span));
            }
            let refused = role.refusal(&build, params);
            self.builds.extend(refused.map(|refused| (refused, span)));
            if !always {
                let not = Expr::apply(Op::Not, vec![condition], Type::Bool, role.part.span);
                if evidently(&not) != Some(false) {
                    build.sort_out(not);
                    self.builds.push((build, span));
                }
            }
        }
    }

    /// All components for which the action is in the signature take part, one after the other: each writes only its own
    /// elements, so the order does not matter.
    fn receive_all(
        &mut self,
        role: &Role<'_, '_>,
        params: &[Expr],
        report: &mut Report,
    ) -> Option<()> {
        let clauses = role.takers();
        if let Some(clause) = clauses.iter().find(|clause| !is_plain(clause)) {
            report.add(cannot_loop(role, clause.span));
            return None;
        }
        self.unambiguous(role, &clauses, params);
        let taken = self.builds.iter_mut().filter(|(b, _)| b.refused.is_none());
        for (build, _) in taken {
            let (indices, condition) = role.carried(&mut build.locals);
            let open: Vec<Expr> = role
                .indices
                .iter()
                .zip(&indices)
                .filter(|(original, _)| role.open.iter().any(|open| open.kind == original.kind))
                .map(|(_, index)| index.clone())
                .collect();
            let mut branches = Vec::new();
            for clause in &clauses {
                let mut one = Build::new(std::mem::take(&mut build.locals), build.arity);
                one.applies = vec![condition.clone()];
                one.take(role.part, clause, &indices, params);
                let applies = Expr::conjunction(one.applies.split_off(1), clause.span);
                branches.push((applies, one.effect));
                build.locals = one.locals;
            }
            let body = branches_of(branches, role.part.span);
            if body.is_empty() {
                continue;
            }
            let each = nested(&open, condition, body, role.action.span);
            if let Err(dependence) = commutes(&each) {
                let variable = &role.part.automaton.variables;
                let first = variable.first().map(|v| v.name.clone()).unwrap_or_default();
                report.add(
                    dependence
                        .explain(role.part.span, &first)
                        .related(role.action.span, "all these components take part in it"),
                );
                return None;
            }
            build.effect.push(each);
        }
        Some(())
    }

    /// Exactly one clause is for each of the parameters, so that the loop does what the component would.
    fn unambiguous(&mut self, role: &Role<'_, '_>, clauses: &[&Transition], params: &[Expr]) {
        let heads = params.len();
        let (name, part) = (&role.action.name, &role.part.name.name);
        let mut locals = role.locals[..heads].to_vec();
        let (indices, condition) = role.carried(&mut locals);
        let binders: Vec<Expr> = params
            .iter()
            .chain(indices.iter().filter(|index| match index.kind {
                ExprKind::Local(id) => id.index() >= heads,
                _ => false,
            }))
            .cloned()
            .collect();
        let mut cases: Vec<Expr> = Vec::new();
        for clause in clauses {
            let mut build = Build::new(std::mem::take(&mut locals), heads);
            build.applies = vec![condition.clone()];
            build.take(role.part, clause, &indices, params);
            cases.push(Expr::conjunction(build.applies.split_off(1), clause.span));
            locals = build.locals;
        }
        let mut require = |otherwise: String, holds: Expr| {
            let span = role.part.span;
            let body = Expr::apply(
                Op::Implies,
                vec![condition.clone(), holds],
                Type::Bool,
                span,
            );
            self.requirements.push(Requirement {
                otherwise,
                locals: locals.clone(),
                formula: for_all(&binders, body),
                span,
            });
        };
        if cases.iter().any(Expr::is_true) && cases.len() == 1 {
            return;
        }
        let covered = match cases.len() {
            0 => Expr::falsehood(role.part.span),
            1 => cases[0].clone(),
            _ => Expr::apply(Op::Or, cases.clone(), Type::Bool, role.part.span),
        };
        require(
            format!("no clause of `{name}` of `{part}` is for some parameters"),
            covered,
        );
        for (position, first) in cases.iter().enumerate() {
            for second in &cases[position + 1..] {
                let both = Expr::conjunction([first.clone(), second.clone()], role.part.span);
                let not = Expr::apply(Op::Not, vec![both], Type::Bool, role.part.span);
                require(
                    format!("two clauses of `{name}` of `{part}` are for the same parameters"),
                    not,
                );
            }
        }
    }
}

/// Whether a clause is an effect and nothing else.
fn is_plain(clause: &Transition) -> bool {
    clause.hidden.is_empty() && clause.ensuring.is_true() && clause.pre.is_true()
}

fn cannot_loop(role: &Role<'_, '_>, clause: Span) -> Diagnostic {
    let message = format!(
        "all of `{}` receive `{}`, which makes a choice or ensures something",
        role.part.name.name, role.action.name
    );
    Diagnostic::error(Code::ChoicesJoined, role.part.span, message)
        .label("what many components do in one step is a plain effect")
        .related(clause, "this clause")
        .help("use assignments, or give the action a parameter that says whose it is (`const i`)")
}

fn guarded(condition: Expr, body: Vec<Stmt>, span: Span) -> Stmt {
    let kind = StmtKind::If {
        branches: vec![(condition, body)],
        otherwise: Vec::new(),
    };
    Stmt::made(kind, span)
}

/// The effect of the one clause that applies.
fn branches_of(branches: Vec<(Expr, Vec<Stmt>)>, span: Span) -> Vec<Stmt> {
    if branches.iter().all(|(_, body)| body.is_empty()) {
        return Vec::new();
    }
    match <[_; 1]>::try_from(branches) {
        Ok([(applies, body)]) if applies.is_true() => body,
        Ok(one) => vec![guarded(one[0].0.clone(), one[0].1.clone(), span)],
        Err(branches) => {
            let kind = StmtKind::If {
                branches,
                otherwise: Vec::new(),
            };
            vec![Stmt::made(kind, span)]
        }
    }
}

/// Whether the iterations of a loop, and of the loops inside it, commute.
fn commutes(stmt: &Stmt) -> Result<(), loops::Dependence> {
    let StmtKind::For {
        binder,
        range,
        body,
    } = &stmt.kind
    else {
        return Ok(());
    };
    loops::check(*binder, range, body)?;
    body.iter().try_for_each(commutes)
}
