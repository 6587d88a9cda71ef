//! Copies of what was checked for open parameters, with actual parameters in their place: theories and components.

use std::collections::BTreeMap;

use crate::core::{
    CopyParts, CopyPlaces, Expr, ExprKind, FunctionId, Local, LocalId, Op, Place, Projection,
    SortId, StateRef, Stmt, Substitution, Type, VarId, Variable, copy_of_parts, copy_of_path,
    copy_of_stmts, fresh_copy,
};

/// What an operator of the original stands for.
#[derive(Clone, Debug)]
pub(super) enum Denotation {
    /// Another operator of a theory.
    Function(FunctionId),
    /// An operator of the language: the order of a type that has one of its own.
    Op(Op),
    /// A term, for an operator without arguments: the actual parameter. Its locals are those of the [`Embedding`].
    Term(Expr),
}

/// The actual parameters for the open ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Instance {
    pub(super) sorts: BTreeMap<SortId, Type>,
    pub(super) functions: BTreeMap<FunctionId, Denotation>,
}

impl Instance {
    /// The type with the actual types in it.
    pub(super) fn ty(&self, ty: &Type) -> Type {
        match ty {
            Type::Sort(sort) => self.sorts.get(sort).unwrap_or(ty).clone(),
            other => other.with_args(|part| self.ty(part)),
        }
    }

    pub(super) fn local(&self, local: &Local) -> Local {
        Local {
            ty: self.ty(&local.ty),
            ..local.clone()
        }
    }
}

/// Where the copy is to stand: which part of which state it is about.
#[derive(Clone, Copy)]
pub(super) struct Embedding<'a> {
    pub(super) instance: &'a Instance,
    /// The bound variables of the terms in `instance`: the component's indices first.
    pub(super) locals: &'a [Local],
    /// The terms for the component's indices.
    pub(super) indices: &'a [Expr],
    /// The variables of the component's automaton.
    pub(super) variables: &'a [Variable],
    /// Where the component's variables start among those of the composition.
    pub(super) first_variable: usize,
}

impl<'a> Embedding<'a> {
    /// The embedding of what reads no state.
    pub(super) fn stateless(instance: &'a Instance) -> Self {
        Self {
            instance,
            locals: &[],
            indices: &[],
            variables: &[],
            first_variable: 0,
        }
    }
}

/// A copy of expressions and statements of one item into another.
pub(super) struct Copier<'a, 't> {
    pub(super) embedding: Embedding<'a>,
    /// The locals of the original.
    pub(super) source: &'a [Local],
    /// The locals of the item that contains the copy.
    pub(super) target: &'t mut Vec<Local>,
    /// What stands for locals of the original.
    pub(super) values: BTreeMap<LocalId, Expr>,
}

impl CopyParts for Copier<'_, '_> {
    fn part(&mut self, part: &Expr) -> Expr {
        self.expr(part)
    }

    fn binder(&mut self, binder: LocalId) -> LocalId {
        self.rebind(binder)
    }
}

impl Copier<'_, '_> {
    pub(super) fn expr(&mut self, expr: &Expr) -> Expr {
        let span = expr.span;
        let kind = match &expr.kind {
            ExprKind::Local(id) => return self.local(*id, expr),
            ExprKind::State(state) => return self.state(*state, expr),
            ExprKind::Theory(function, args) => return self.theory(*function, args, expr),
            kind => copy_of_parts(kind, self),
        };
        let ty = self.embedding.instance.ty(&expr.ty);
        Expr::new(kind, ty, span)
    }

    pub(super) fn exprs(&mut self, exprs: &[Expr]) -> Vec<Expr> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    /// Gives a local of the original a new local of the target, and returns that.
    pub(super) fn rebind(&mut self, binder: LocalId) -> LocalId {
        let local = self.embedding.instance.local(&self.source[binder.index()]);
        let id = LocalId::at(self.target.len());
        self.values.insert(binder, term_of(id, &local));
        self.target.push(local);
        id
    }

    fn local(&mut self, id: LocalId, original: &Expr) -> Expr {
        match self.values.get(&id) {
            Some(value) => {
                let copy = fresh_copy(&value.clone(), self.target);
                let ty = copy.ty.clone();
                copy.retyped(ty, original.span)
            }
            None => {
                let ty = self.embedding.instance.ty(&original.ty);
                original.clone().retyped(ty, original.span)
            }
        }
    }

    /// `x` of the component is `P.x[i]` of the composition. The type of `x` as a term may be a wider one than that of the
    /// variable, if it was written with its type.
    fn state(&mut self, state: StateRef, original: &Expr) -> Expr {
        let Embedding {
            instance,
            indices,
            variables,
            ..
        } = self.embedding;
        let span = original.span;
        let types: Vec<Type> = indices.iter().map(|i| i.ty.clone()).collect();
        let element = instance.ty(&variables[state.var.index()].ty);
        let mut part = Expr::new(
            ExprKind::State(self.variable(state)),
            array_over(&types, element),
            span,
        );
        for index in indices {
            let Type::Array(_, element) = part.ty.clone() else {
                return part;
            };
            let index = fresh_copy(index, self.target);
            part = Expr::apply(Op::Select, vec![part, index], *element, span);
        }
        part.ty = instance.ty(&original.ty);
        part
    }

    fn variable(&self, state: StateRef) -> StateRef {
        StateRef {
            var: VarId::at(self.embedding.first_variable + state.var.index()),
            ..state
        }
    }

    fn theory(&mut self, function: FunctionId, args: &[Expr], original: &Expr) -> Expr {
        let args = self.exprs(args);
        let kind = match self.embedding.instance.functions.get(&function) {
            None => ExprKind::Theory(function, args),
            Some(Denotation::Function(other)) => ExprKind::Theory(*other, args),
            Some(Denotation::Op(op)) => ExprKind::Apply(*op, args),
            Some(Denotation::Term(term)) => {
                let indices = (0..)
                    .map(LocalId)
                    .zip(self.embedding.indices.iter().cloned());
                let mut copy = Substitution::new(self.embedding.locals, self.target, indices);
                let copy = copy.copy(term);
                let ty = copy.ty.clone();
                return copy.retyped(ty, original.span);
            }
        };
        Expr::new(
            kind,
            self.embedding.instance.ty(&original.ty),
            original.span,
        )
    }

    pub(super) fn stmts(&mut self, body: &[Stmt]) -> Vec<Stmt> {
        copy_of_stmts(body, self)
    }
}

impl CopyPlaces for Copier<'_, '_> {
    fn place(&mut self, place: &Place) -> Place {
        let mut path: Vec<Projection> = Vec::new();
        for index in self.embedding.indices {
            path.push(Projection::Index(fresh_copy(index, self.target)));
        }
        path.extend(copy_of_path(&place.path, self));
        Place {
            root: self.variable(place.root),
            path,
            ty: self.embedding.instance.ty(&place.ty),
            span: place.span,
        }
    }
}

/// A bound variable as a term.
pub(super) fn term_of(id: LocalId, local: &Local) -> Expr {
    Expr::new(ExprKind::Local(id), local.ty.clone(), local.span)
}

/// `Array[T, Array[U, element]]` for the index types `T` and `U`.
pub(super) fn array_over(indices: &[Type], element: Type) -> Type {
    indices.iter().rev().fold(element, |element, index| {
        Type::array(index.clone(), element)
    })
}
