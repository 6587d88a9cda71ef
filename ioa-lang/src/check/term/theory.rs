//! Applications of the operators of theories that users declare.

use crate::check::checker::{Checker, Reason, Want};
use crate::check::report::wrong_number;
use crate::check::widen::widens;
use crate::core::{Expr, ExprKind, Function, FunctionId, Type};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{self, Ident};

impl Checker<'_, '_> {
    /// Whether a call refers to a theory's operator: the language has no operator with this name, or none that fits.
    pub(super) fn is_of_theory(&mut self, name: &Ident, args: &[ast::Expr]) -> bool {
        let candidates = self.world.operators(&name.name);
        if candidates.is_empty() || super::operators::function(&name.name).is_none() {
            return !candidates.is_empty();
        }
        let types = self.own_types(args);
        candidates
            .iter()
            .any(|id| takes(&self.model().functions[id.index()], &types))
    }

    /// The types of the arguments that have one of their own.
    fn own_types(&mut self, args: &[ast::Expr]) -> Vec<Option<Type>> {
        args.iter()
            .map(|arg| {
                let own = self.has_own_type(arg);
                let checked = own.then(|| self.term(arg, Want::Anything)).flatten();
                checked.map(|arg| arg.ty)
            })
            .collect()
    }

    /// `f(a, b)` for an operator of a theory: the one whose parameters take the arguments.
    pub(super) fn theory_operator(
        &mut self,
        name: &Ident,
        args: &[ast::Expr],
        span: Span,
        want: Want<'_>,
    ) -> Option<Expr> {
        let candidates = self.world.operators(&name.name);
        let function = match candidates[..] {
            [only] => only,
            _ => self.meant(name, &candidates, args, span, want)?,
        };
        let declared: &Function = &self.world.model.functions[function.index()];
        self.world.mark_function_used(function, self.report);
        if declared.params.len() != args.len() {
            for arg in args {
                let _ = self.term(arg, Want::Unknown);
            }
            let what = format!("`{}`", name.name);
            let (expected, found) = (declared.params.len(), args.len());
            let diagnostic = wrong_number(span, &what, "argument", expected, found);
            self.report
                .add(diagnostic.related(declared.span, "declared here"));
            return None;
        }
        let reason: Reason = (declared.span, "the operator is declared here".to_owned());
        let args: Vec<Option<Expr>> = args
            .iter()
            .zip(&declared.params)
            .map(|(arg, ty)| self.term(arg, Want::Type(ty, Some(&reason))))
            .collect();
        let args = args.into_iter().collect::<Option<Vec<Expr>>>()?;
        let kind = ExprKind::Theory(function, args);
        let ty = declared.result.clone();
        self.fit(Expr::new(kind, ty, span), want)
    }

    /// Chooses among operators with the same name: first by the arguments, then by the expected type of the result.
    fn meant(
        &mut self,
        name: &Ident,
        candidates: &[FunctionId],
        args: &[ast::Expr],
        span: Span,
        want: Want<'_>,
    ) -> Option<FunctionId> {
        let types = self.own_types(args);
        let functions = &self.model().functions;
        let mut fitting: Vec<FunctionId> = candidates.to_vec();
        fitting.retain(|id| takes(&functions[id.index()], &types));
        if let (Want::Type(wanted, _), true) = (want, fitting.len() > 1) {
            fitting.retain(|id| {
                let result = &functions[id.index()].result;
                result == wanted || widens(result, wanted)
            });
        }
        if let [only] = fitting[..] {
            return Some(only);
        }
        let (code, message) = match fitting.is_empty() {
            true => (
                Code::NotDefinedFor,
                format!("no operator `{}` takes these arguments", name.name),
            ),
            false => (
                Code::Ambiguous,
                format!("`{}` could be more than one operator", name.name),
            ),
        };
        let shown = if fitting.is_empty() {
            candidates
        } else {
            &fitting
        };
        let mut diagnostic = Diagnostic::error(code, span, message);
        for id in shown.iter().take(4) {
            let text = self.signature(*id);
            diagnostic = diagnostic.related(functions[id.index()].span, text);
        }
        self.report.add(diagnostic);
        None
    }

    /// `right: Node -> Node`
    fn signature(&self, id: FunctionId) -> String {
        let function = &self.model().functions[id.index()];
        let types = function.params.iter().map(|ty| self.model().type_name(ty));
        let params: Vec<String> = types.collect();
        let result = self.model().type_name(&function.result);
        format!("{}: {} -> {result}", function.name, params.join(", "))
    }
}

/// Whether arguments of these types can be given to an operator, as far as they are known.
fn takes(function: &Function, types: &[Option<Type>]) -> bool {
    function.params.len() == types.len()
        && function.params.iter().zip(types).all(|(param, ty)| {
            ty.as_ref()
                .is_none_or(|ty| ty == param || widens(ty, param))
        })
}
