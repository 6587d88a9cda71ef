//! Theories that users declare: vocabularies and traits.

use super::Builder;
use crate::diagnostic::Code;
use crate::notation::Quantifier;
use crate::syntax::ast::{Binder, Expr, ExprKind, Ident, OperatorDecl, VocabularyItem};
use crate::syntax::view;

impl Builder {
    /// `vocabulary V(T: type) .. end` or `Name(I, J): trait ..`
    pub(super) fn vocabulary(&self, vocabulary: view::Vocabulary<'_>) -> VocabularyItem {
        let name = self.ident(vocabulary.name());
        let mut params = self.type_parameters(vocabulary);
        params.extend(self.idents(vocabulary.trait_params()));
        let operators = vocabulary.operators();
        VocabularyItem {
            span: crate::Span {
                end: name.span.end,
                ..self.span(vocabulary)
            },
            name,
            params,
            types: vocabulary.types().map(|ty| self.type_item(ty)).collect(),
            includes: self.theories(vocabulary.includes()),
            operators: operators
                .flat_map(|decl| self.operator_decl(decl))
                .collect(),
            axioms: vocabulary
                .axioms()
                .flat_map(|part| self.axioms(part))
                .collect(),
        }
    }

    fn type_parameters(&self, vocabulary: view::Vocabulary<'_>) -> Vec<Ident> {
        let mut params = Vec::new();
        for parameter in self.parameters(vocabulary.params()) {
            if parameter.ty.is_some() {
                self.report(crate::Diagnostic::error(
                    Code::ParameterIsNoType,
                    parameter.name.span,
                    "the parameters of a vocabulary are types",
                ));
            }
            params.push(parameter.name);
        }
        params
    }

    /// `f, g: T, U -> V` as one declaration for each name.
    fn operator_decl(&self, operator: view::OperatorDeclaration<'_>) -> Vec<OperatorDecl> {
        let mut params = self.type_exprs(operator.types());
        let result = params.pop().expect("the grammar requires a result");
        let decl = |name| OperatorDecl {
            name: self.ident(name),
            params: params.clone(),
            result: result.clone(),
            span: self.span(operator),
        };
        operator.names().map(decl).collect()
    }

    /// Formulas; those after `\\forall x: T` or `with x: T` are for all `x`.
    fn axioms(&self, axioms: view::Axioms<'_>) -> Vec<Expr> {
        let mut given: Vec<Binder> = Vec::new();
        let mut formulas = Vec::new();
        for axiom in axioms.axioms() {
            match axiom.formula() {
                Some(formula) => formulas.push(for_all(&given, self.expr(formula))),
                None => given = self.binders(axiom.given()),
            }
        }
        formulas
    }
}

fn for_all(given: &[Binder], formula: Expr) -> Expr {
    if given.is_empty() {
        return formula;
    }
    let span = formula.span;
    let kind = ExprKind::Quantified(Quantifier::ForAll, given.to_vec(), Box::new(formula));
    Expr { kind, span }
}
