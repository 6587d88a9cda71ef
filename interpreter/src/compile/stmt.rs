//! Statements.

use std::sync::Arc;

use ioa_lang::Span;
use ioa_lang::core::{
    Expr, ExprKind, LocalId, Op, Place, Range, StateRef, Stmt as CoreStmt, StmtKind as CoreKind,
    Type,
};

use super::Compiler;
use crate::code::{Choose, Fire, Stmt, StmtKind, Target, Term};

impl Compiler<'_> {
    /// Statements, run in order.
    pub(crate) fn block(&mut self, statements: &[CoreStmt]) -> Box<[Stmt]> {
        let mut block = Vec::new();
        for statement in statements {
            let kind = self.deeper(statement.span, None, |c| Some(c.statement(statement)));
            block.extend(kind.map(|kind| Stmt {
                kind,
                span: statement.span,
                id: statement.id(),
            }));
        }
        block.into()
    }

    fn statement(&mut self, statement: &CoreStmt) -> StmtKind {
        match &statement.kind {
            CoreKind::Assign(place, value) => {
                let value = self.assigned(place, value.clone());
                StmtKind::Set(self.target(place.root), value)
            }
            CoreKind::Choose {
                place,
                binder,
                predicate,
                det,
            } => {
                let mut choice = self.choice(*binder, predicate, det, statement.span);
                if self.reads_places {
                    let place = self.parts_to(place).pop();
                    choice.place = place.map(|place| self.term(&place));
                }
                StmtKind::Choose {
                    choice,
                    target: self.target(place.root),
                    value: self.chosen(place, *binder, statement.span),
                }
            }
            CoreKind::If {
                branches,
                otherwise,
            } => {
                let branches = branches
                    .iter()
                    .map(|(c, body)| (self.formula(c), self.block(body)));
                let branches = branches.collect();
                StmtKind::If(branches, self.block(otherwise))
            }
            CoreKind::For {
                binder,
                range,
                body,
            } => self.for_loop(*binder, range, body),
            CoreKind::While(condition, body) => {
                StmtKind::While(self.formula(condition), self.block(body))
            }
            CoreKind::Fire(fire) => StmtKind::Fire(Box::new(Fire {
                action: fire.action,
                args: fire.args.iter().map(|a| self.term(a)).collect(),
                using: fire.using.iter().map(|u| self.term(u)).collect(),
            })),
            CoreKind::FireAny(any) => {
                let weights = any.weights.iter();
                StmtKind::FireAny(weights.map(|(a, w)| (*a, w.value())).collect())
            }
        }
    }

    fn choice(&mut self, binder: LocalId, predicate: &Expr, det: &[Expr], span: Span) -> Choose {
        let plan = self.attempt(|c| c.plan(&[binder], asked(predicate), span));
        let plan = plan.map_err(|errors| {
            // A run that follows the determinator need not enumerate all values.
            if det.is_empty() {
                errors.into_iter().for_each(|e| self.error(e));
            }
        });
        Choose {
            binder: self.binder(binder),
            plan: plan.ok(),
            predicate: self.formula(predicate),
            det: self.det(binder, det.iter().map(std::slice::from_ref)),
            place: None,
        }
    }

    fn chosen(&mut self, place: &Place, binder: LocalId, span: Span) -> Term {
        let ty = self.local_type(binder).clone();
        let kind = ExprKind::Local(binder);
        self.assigned(place, Expr::new(kind, ty, span))
    }

    fn for_loop(&mut self, binder: LocalId, range: &Range, body: &[CoreStmt]) -> StmtKind {
        let plan = match range {
            Range::Where(predicate) => self.plan(&[binder], asked(predicate), predicate.span),
            Range::In(set) => {
                let ty = self.local_type(binder).clone();
                let element = Expr::new(ExprKind::Local(binder), ty, set.span);
                let member =
                    Expr::apply(Op::Member, vec![element, set.clone()], Type::Bool, set.span);
                self.plan(&[binder], vec![&member], set.span)
            }
        };
        StmtKind::For {
            plan,
            binder: self.binder(binder),
            body: self.block(body),
        }
    }

    fn target(&self, root: StateRef) -> Target {
        Target {
            store: root.store,
            location: self.location(root).clone(),
        }
    }

    /// The value that the whole variable gets when a part of it is set.
    fn assigned(&mut self, place: &Place, value: Expr) -> Term {
        let layout = self.layout(place.root);
        let location = layout.location(place.root.var).clone();
        let shape = Arc::clone(layout.shape(place.root.var));
        let whole = place.updated(self.scope.model, self.root(place), value);
        self.stored(&location, shape.packing(), &whole)
    }

    /// From the outside in: the value of each enclosing part before an assignment, the place's own the last.
    fn parts_to(&self, place: &Place) -> Vec<Expr> {
        place.parts(self.scope.model, self.root(place))
    }

    /// The variable to which a place belongs.
    fn root(&self, place: &Place) -> Expr {
        let kind = ExprKind::State(place.root);
        Expr::new(kind, self.root_type(place), place.span)
    }

    fn root_type(&self, place: &Place) -> Type {
        self.layout(place.root).ty(place.root.var).clone()
    }
}

/// The conjuncts of a predicate; none for the literal `true`.
pub(crate) fn asked(predicate: &Expr) -> Vec<&Expr> {
    let mut conjuncts = predicate.conjuncts();
    conjuncts.retain(|c| !c.is_true());
    conjuncts
}
