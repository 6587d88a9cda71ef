//! Paths in terms, such as `P[i].x`: variables of components, and what belongs to an automaton that is named.

use crate::check::checker::{Checker, Want};
use crate::check::scope::Meaning;
use crate::core::{Expr, Op, Type, VarId};
use crate::diagnostic::Code;
use crate::source::Span;
use crate::syntax::ast::{self, Ident};

/// A variable of a component as it is written: `P[i].status`.
pub(in crate::check) struct ComponentPath<'e> {
    pub(in crate::check) space: usize,
    pub(in crate::check) var: VarId,
    pub(super) primed: bool,
    /// Without the indices: `P.status`.
    pub(super) name: crate::source::Name,
    pub(in crate::check) indices: Vec<&'e ast::Expr>,
}

impl Checker<'_, '_> {
    /// The variable of a component that `base.field` names, with the indices that are written on the way.
    pub(in crate::check) fn component_path<'e>(
        &self,
        base: &'e ast::Expr,
        field: &'e Ident,
    ) -> Option<ComponentPath<'e>> {
        let (names, indices) = self.written_path(base, field)?;
        let Meaning::State { space, var, primed } = self.scope.component_variable(&names)? else {
            return None;
        };
        Some(ComponentPath {
            space,
            var,
            primed,
            name: names.join(".").into(),
            indices,
        })
    }

    /// The names and the indices of what is written like a path, if its first name has no meaning by itself.
    fn written_path<'e>(
        &self,
        base: &'e ast::Expr,
        field: &'e Ident,
    ) -> Option<(Vec<&'e str>, Vec<&'e ast::Expr>)> {
        let (mut names, mut indices) = (vec![&*field.name], Vec::new());
        let mut at = base;
        loop {
            match &at.kind {
                ast::ExprKind::Index(inner, index) => {
                    indices.push(&**index);
                    at = inner;
                }
                ast::ExprKind::Field(inner, name) => {
                    names.push(&*name.name);
                    at = inner;
                }
                ast::ExprKind::Name(root) if self.scope.find(&root.name).is_none() => {
                    names.push(&*root.name);
                    break;
                }
                _ => return None,
            }
        }
        names.reverse();
        indices.reverse();
        Some((names, indices))
    }

    /// Reports a path that begins at a component and leads to none of its variables; whether it is one.
    pub(super) fn reports_unknown_path(&mut self, base: &ast::Expr, field: &Ident) -> bool {
        let Some((names, _)) = self.written_path(base, field) else {
            return false;
        };
        let automaton = self.scope.qualified(names[0]).map(|_| names[0]);
        let path = &names[usize::from(automaton.is_some())..];
        let known: Vec<&str> = self.scope.component_paths(automaton).collect();
        let begins = |known: &&str| known.split('.').next() == path.first().copied();
        // What stands before `.f` may be a variable with a field `f`.
        let is_variable = |length: usize| {
            let prefix = path[..length].join(".");
            known.contains(&prefix.trim_end_matches('\''))
        };
        if !known.iter().any(begins) || (1..path.len()).any(is_variable) {
            return false;
        }
        let written = Ident {
            name: path.join(".").into(),
            span: field.span,
        };
        let diagnostic = self
            .report
            .unknown("variable of a component", &written, known);
        self.report.add_absence(&written.name, diagnostic);
        true
    }

    /// `a[i][j]` for an array and index terms.
    pub(super) fn elements(
        &mut self,
        array: Expr,
        indices: &[&ast::Expr],
        span: Span,
    ) -> Option<Expr> {
        let mut part = array;
        for index in indices {
            let Type::Array(domain, element) = part.ty.clone() else {
                let message = "this names more indices than the component has";
                self.error(Code::WrongIndices, index.span, message);
                return None;
            };
            let reason = (span, "the component's index".to_owned());
            let index = self.term(index, Want::Type(&domain, Some(&reason)))?;
            part = Expr::apply(Op::Select, vec![part, index], *element, span);
        }
        Some(part)
    }

    /// The parameter of an automaton that is meant by its full name, such as `Cell.i`.
    pub(super) fn named_parameter(
        &self,
        base: &ast::Expr,
        field: &Ident,
    ) -> Option<crate::core::FunctionId> {
        match &base.kind {
            ast::ExprKind::Name(name) if self.scope.find(&name.name).is_none() => {
                let full = format!("{}.{}", name.name, field.name);
                let parameter = self.world.parameter_value(&full);
                parameter.map(|(function, _)| function)
            }
            _ => None,
        }
    }

    /// The state space that a term names, if it is the name of an automaton.
    pub(in crate::check) fn named_space(&self, base: &ast::Expr) -> Option<usize> {
        match &base.kind {
            ast::ExprKind::Name(name) if self.scope.find(&name.name).is_none() => {
                self.scope.qualified(&name.name)
            }
            _ => None,
        }
    }

    /// A variable of the automaton whose state space it is.
    pub(in crate::check) fn qualified_variable(
        &mut self,
        space: usize,
        name: &Ident,
    ) -> Option<VarId> {
        let state = &self.scope.states[space];
        let found = state.variables.find(&name.name);
        if found.is_none() {
            let what = match &state.qualifier {
                Some(automaton) => format!("state variable of {}", automaton.name),
                None => "state variable".to_owned(),
            };
            let diagnostic = self.report.unknown(&what, name, state.variables.names());
            self.report.add_absence(&name.name, diagnostic);
        }
        found
    }
}
