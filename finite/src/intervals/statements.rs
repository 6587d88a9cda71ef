//! What statements store in the places of the state, and what is known after them.

use std::collections::BTreeSet;

use super::super::{Place, Range};
use super::terms::{element_position, every};
use super::{Analysis, Scene};
use ioa_lang::core::{self, Expr, ExprKind, Op, Pattern, Projection, Stmt, StmtKind, Type};

impl<'m> Analysis<'m> {
    pub(super) fn block(&mut self, block: &'m [Stmt], scene: &mut Scene) {
        for statement in block {
            if !scene.dead {
                self.statement(statement, scene);
            }
        }
    }

    fn statement(&mut self, statement: &'m Stmt, scene: &mut Scene) {
        match &statement.kind {
            StmtKind::Assign(place, value) => {
                self.walk(value, scene);
                let range = value.ty.is_integer().then(|| self.interval(value, scene));
                self.assign(place, range.flatten(), scene);
            }
            StmtKind::Choose {
                place,
                binder,
                predicate,
                det,
            } => {
                self.assume(predicate, scene);
                det.iter().for_each(|term| self.walk(term, scene));
                let known = scene.locals.get(binder).copied();
                self.assign(place, known.or(Some(every(&place.ty))), scene);
            }
            StmtKind::If {
                branches,
                otherwise,
            } => self.branch(branches, otherwise, scene),
            StmtKind::For {
                binder,
                range,
                body,
            } => {
                scene.terms.clear();
                // There may be no iteration, and nothing that is known inside one is known after the loop.
                let mut inside = scene.clone();
                match range {
                    core::Range::In(set) => {
                        self.walk(set, scene);
                        let elements = self.elements(set);
                        inside.locals.extend(elements.map(|range| (*binder, range)));
                    }
                    core::Range::Where(predicate) => self.assume(predicate, &mut inside),
                }
                self.block(body, &mut inside);
            }
            StmtKind::While(condition, body) => {
                scene.terms.clear();
                let mut inside = scene.clone();
                self.assume(condition, &mut inside);
                self.block(body, &mut inside);
            }
            StmtKind::Fire(_) | StmtKind::FireAny(_) => {}
        }
    }

    fn branch(
        &mut self,
        branches: &'m [(Expr, Vec<Stmt>)],
        otherwise: &'m [Stmt],
        scene: &mut Scene,
    ) {
        let (mut after, mut rest): (Option<Scene>, Scene) = (None, scene.clone());
        let mut ends = Vec::new();
        for (condition, body) in branches {
            self.walk(condition, scene);
            let mut inside = rest.clone();
            self.assume(condition, &mut inside);
            self.block(body, &mut inside);
            ends.push(inside);
            self.assume_not(condition, &mut rest);
        }
        self.block(otherwise, &mut rest);
        ends.push(rest);
        for end in ends.into_iter().filter(|end| !end.dead) {
            match &mut after {
                None => after = Some(end),
                Some(after) => after.meet(&end),
            }
        }
        match after {
            Some(after) => scene.terms = after.terms,
            None => scene.dead = true,
        }
    }

    /// Notes that an integer (if the type is one of integers) is stored in a place of the state.
    fn assign(&mut self, target: &core::Place, range: Option<Range>, scene: &mut Scene) {
        let variable = target.root.var;
        let core = self.model.automaton(self.automaton);
        let mut ty = core.variables[variable.index()].ty.clone();
        let mut place = Place::Variable(self.automaton, variable);
        for projection in &target.path {
            let (position, inner) = match (projection, &ty) {
                (Projection::Index(_), Type::Array(_, inner)) => (1, (**inner).clone()),
                (Projection::Entry(key), Type::Map(_, inner)) => {
                    if key.ty.is_integer() {
                        let keys = self.interval(key, scene);
                        self.join(Place::Part(ty.clone(), 0), keys);
                    }
                    (1, (**inner).clone())
                }
                (Projection::Field(field), Type::Tuple(id)) => {
                    let fields = &self.model.tuples[id.index()].fields;
                    (*field, fields[*field as usize].1.clone())
                }
                _ => return,
            };
            place = Place::Part(ty, position);
            ty = inner;
        }
        scene.forget(variable);
        if !ty.is_integer() {
            return;
        }
        self.join(place, range);
        if let (true, Some(range)) = (target.path.is_empty(), range) {
            let kind = ExprKind::State(target.root);
            let span = target.span;
            let term = Expr::new(kind, ty, span);
            scene
                .terms
                .insert(term, (BTreeSet::from([variable]), range));
        }
    }

    /// Notes the integers that a term stores in composite values.
    pub(super) fn walk(&mut self, expr: &Expr, scene: &Scene) {
        match &expr.kind {
            ExprKind::Apply(op, args) => self.constructed(expr, *op, args, scene),
            ExprKind::Comprehension(binder, body) => {
                let inside = self.inside(body, scene);
                if let Type::Set(element) = &expr.ty
                    && element.is_integer()
                {
                    let known = inside.locals.get(binder).copied();
                    let range = known.or(Some(every(element)));
                    self.join(Place::Part(expr.ty.clone(), 0), range);
                }
                return self.walk_children(expr, &inside);
            }
            ExprKind::Entries(_, entry) if entry.ty.is_integer() => {
                let range = self.interval(entry, scene);
                self.join(Place::Part(expr.ty.clone(), 1), range);
            }
            ExprKind::Quantified(_, _, body) => {
                let assumed = match &body.kind {
                    ExprKind::Apply(Op::Implies, args) => &args[0],
                    _ => body,
                };
                let inside = self.inside(assumed, scene);
                return self.walk_children(expr, &inside);
            }
            _ => {}
        }
        self.walk_children(expr, scene);
    }

    fn walk_children(&mut self, expr: &Expr, scene: &Scene) {
        expr.children().for_each(|child| self.walk(child, scene));
    }

    /// What is known in the scope of a binder where a condition is true. It need not hold outside of it.
    fn inside(&self, condition: &Expr, scene: &Scene) -> Scene {
        let mut inside = scene.clone();
        self.assume(condition, &mut inside);
        inside
    }

    fn constructed(&mut self, expr: &Expr, op: Op, args: &[Expr], scene: &Scene) {
        let parts: Vec<(u32, &Expr)> = match op {
            Op::Tuple => (0..).zip(args).collect(),
            Op::SetField(field) => vec![(field, &args[1])],
            Op::Variant(variant) => vec![(variant, &args[0])],
            op if op.row().builds => built(op, args, &expr.ty),
            _ => return,
        };
        for (position, part) in parts {
            if part.ty.is_integer() {
                let range = self.interval(part, scene);
                self.join(Place::Part(expr.ty.clone(), position), range);
            }
        }
    }
}

/// The elements and keys among the arguments of an operator that builds a collection, with their positions in it.
fn built<'e>(op: Op, args: &'e [Expr], ty: &Type) -> Vec<(u32, &'e Expr)> {
    let params = op.row().typings.iter().flat_map(|typing| typing.params);
    let position = |param: &Pattern| match (*param, ty) {
        (Pattern::ELEMENT, _) => element_position(ty),
        (Pattern::INDEX, Type::Map(..)) => Some(0),
        _ => None,
    };
    let parts = params.zip(args);
    parts
        .filter_map(|(param, arg)| Some((position(param)?, arg)))
        .collect()
}
