//! Theories that users declare: vocabularies and traits.

use crate::diagnostic::Code;
use crate::syntax::tree::{Kind, Node};

use super::{Builder, expected, names_and_rest, parts};
use crate::notation::Quantifier;
use crate::syntax::ast::{Binder, Expr, ExprKind, OperatorDecl, VocabularyItem};

impl Builder {
    /// `vocabulary V(T: type) .. end` or `Name(I, J): trait ..`
    pub(super) fn vocabulary(&self, pair: Node<'_>) -> VocabularyItem {
        let start = self.span(&pair);
        let mut parts = parts(pair);
        let name = self.ident(&expected(parts.next()));
        let mut vocabulary = VocabularyItem {
            span: crate::Span {
                end: name.span.end,
                ..start
            },
            name,
            params: Vec::new(),
            types: Vec::new(),
            includes: Vec::new(),
            operators: Vec::new(),
            axioms: Vec::new(),
        };
        for part in parts {
            self.vocabulary_part(part, &mut vocabulary);
        }
        vocabulary
    }

    fn vocabulary_part(&self, part: Node<'_>, vocabulary: &mut VocabularyItem) {
        match part.kind() {
            Kind::parameters => self.type_parameters(part, vocabulary),
            Kind::trait_params => {
                vocabulary.params = parts(part).map(|name| self.ident(&name)).collect();
            }
            Kind::inclusion => vocabulary.includes.extend(self.theories(part)),
            Kind::local_types => {
                let types = parts(part).map(|part| self.type_item(part));
                vocabulary.types.extend(types);
            }
            Kind::operators => {
                let operators = parts(part).flat_map(|part| self.operator_decl(part));
                vocabulary.operators.extend(operators);
            }
            _ => vocabulary.axioms.extend(self.axioms(part)),
        }
    }

    fn type_parameters(&self, part: Node<'_>, vocabulary: &mut VocabularyItem) {
        for parameter in self.parameters(part) {
            if parameter.ty.is_some() {
                self.report(crate::Diagnostic::error(
                    Code::ParameterIsNoType,
                    parameter.name.span,
                    "the parameters of a vocabulary are types",
                ));
            }
            vocabulary.params.push(parameter.name);
        }
    }

    /// `f, g: T, U -> V` as one declaration for each name.
    fn operator_decl(&self, pair: Node<'_>) -> Vec<OperatorDecl> {
        let span = self.span(&pair);
        let (names, types) = names_and_rest(pair);
        let mut params: Vec<_> = types.into_iter().map(|part| self.type_expr(part)).collect();
        let result = expected(params.pop());
        let decl = |name| OperatorDecl {
            name: self.ident(name),
            params: params.clone(),
            result: result.clone(),
            span,
        };
        names.iter().map(decl).collect()
    }

    /// Formulas; those behind `\\forall x: T` or `with x: T` are for all `x`.
    fn axioms(&self, pair: Node<'_>) -> Vec<Expr> {
        let mut given: Vec<Binder> = Vec::new();
        let mut axioms = Vec::new();
        for axiom in parts(pair).filter(|part| part.kind() == Kind::axiom) {
            let part = expected(parts(axiom).next());
            match part.kind() {
                Kind::given => given = self.binders(expected(parts(part).next())),
                _ => axioms.push(for_all(&given, self.expr(part))),
            }
        }
        axioms
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
