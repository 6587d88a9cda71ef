//! Tools to state a theory of the language: its types, its operators, and its axioms.

use crate::check::world::{Namespace, Origin, TheoryKey, World};
use crate::core::{
    Assumed, Axiom, Expr, ExprKind, Function, FunctionId, Local, LocalId, Meaning, Op, Quantifier,
    SortId, Type,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Name, Span};

/// A theory that is asked for.
pub(in crate::check) struct Asked {
    pub(in crate::check) key: TheoryKey,
    /// The namespace in which it will be known.
    pub(in crate::check) namespace: Namespace,
    pub(in crate::check) span: Span,
}

impl Asked {
    /// `TotalOrder(Ballot)`
    pub(in crate::check) fn written(&self, world: &World) -> String {
        written(&self.key, world)
    }

    /// What its operators and axioms belong to.
    pub(in crate::check) fn origin(&self) -> Origin {
        Origin::Theory(self.key.clone())
    }
}

/// A theory as it is written: `TotalOrder(Ballot)`.
pub(in crate::check) fn written((name, types): &TheoryKey, world: &World) -> String {
    let types: Vec<String> = types.iter().map(|ty| world.model.type_name(ty)).collect();
    match types.is_empty() {
        true => name.to_string(),
        false => format!("{name}({})", types.join(", ")),
    }
}

/// The sorts that a theory is about; none if their number is wrong.
pub(super) fn sorts<const N: usize>(asked: &Asked) -> Option<[SortId; N]> {
    let sorts: Vec<SortId> = asked
        .key
        .1
        .iter()
        .filter_map(|ty| match ty {
            Type::Sort(sort) => Some(*sort),
            _ => None,
        })
        .collect();
    sorts.try_into().ok()
}

/// The error that a theory is assumed of types that are not all sorts.
pub(super) fn no_sorts(asked: &Asked, world: &World) -> Diagnostic {
    let message = format!("`{}` is not about sorts", asked.written(world));
    Diagnostic::error(Code::NoSort, asked.span, message)
}

/// Adds an operator to the model.
pub(in crate::check) fn declare(
    world: &mut World,
    origin: Origin,
    function: Function,
) -> FunctionId {
    let id = FunctionId::at(world.model.functions.len());
    world.model.functions.push(function);
    world.function_origins.push(origin);
    id
}

/// Adds an operator on the elements of one type to the model; only the axioms of its theory say what it means.
pub(super) fn by_axioms(
    (asked, world): (&Asked, &mut World),
    name: &str,
    (arity, ty): (usize, &Type),
    result: &Type,
) -> FunctionId {
    let function = Function {
        name: name.into(),
        params: vec![ty.clone(); arity],
        result: result.clone(),
        meaning: Meaning::Axioms,
        assumed: Assumed::default(),
        span: asked.span,
    };
    declare(world, asked.origin(), function)
}

/// Adds an axiom to the model.
pub(in crate::check) fn state(world: &mut World, origin: Origin, axiom: Axiom) {
    world.model.axioms.push(axiom);
    world.axiom_origins.push(origin);
}

/// Tools to write the axioms of one theory.
pub(super) struct Axioms {
    span: Span,
    /// `TotalOrder(Ballot)`
    theory: String,
    locals: Vec<Local>,
    /// The operator that they describe, in a theory that has a natural meaning.
    describes: Option<FunctionId>,
}

impl Axioms {
    pub(super) fn new(asked: &Asked, world: &World) -> Self {
        Self {
            span: asked.span,
            theory: asked.written(world),
            locals: Vec::new(),
            describes: None,
        }
    }

    /// Axioms that the natural meaning of an operator makes true.
    pub(super) fn describing(self, operator: FunctionId) -> Self {
        Self {
            describes: Some(operator),
            ..self
        }
    }

    pub(super) fn local(&mut self, name: &str, ty: &Type) -> Expr {
        let id = LocalId::at(self.locals.len());
        self.locals.push(Local {
            name: name.into(),
            ty: ty.clone(),
            span: self.span,
        });
        Expr::new(ExprKind::Local(id), ty.clone(), self.span)
    }

    pub(super) fn apply(&self, op: Op, args: Vec<Expr>) -> Expr {
        Expr::apply(op, args, Type::Bool, self.span)
    }

    /// The application of an operator of the theory to some terms.
    pub(super) fn relate(&self, function: FunctionId, args: &[&Expr]) -> Expr {
        self.call(function, args, &Type::Bool)
    }

    /// An operator of the theory, with a result of this type, applied to some terms.
    pub(super) fn call(&self, function: FunctionId, args: &[&Expr], result: &Type) -> Expr {
        let args = args.iter().copied().cloned().collect();
        Expr::new(ExprKind::Theory(function, args), result.clone(), self.span)
    }

    pub(super) fn quantified(
        &self,
        quantifier: Quantifier,
        binders: Vec<LocalId>,
        body: Expr,
    ) -> Expr {
        Expr::new(
            ExprKind::Quantified(quantifier, binders, Box::new(body)),
            Type::Bool,
            self.span,
        )
    }

    /// The axiom that `fact` holds for all values of the first `binders` locals.
    pub(super) fn state(&self, name: &str, binders: usize, fact: Expr) -> Axiom {
        let binders = (0..binders).map(LocalId::at).collect();
        Axiom {
            name: Name::from(format!("{}.{name}", self.theory)),
            assumed: Assumed::default(),
            locals: self.locals.clone(),
            formula: self.quantified(Quantifier::ForAll, binders, fact),
            describes: self.describes,
            span: self.span,
        }
    }
}
