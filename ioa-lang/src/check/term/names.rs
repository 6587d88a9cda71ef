//! Names in terms: bound variables, state variables, values of enumerations, fields, elements of sorts.

use super::operators;
use crate::check::checker::{Checker, Want};
use crate::check::scope::Meaning;
use crate::core::{Expr, ExprKind, Op, StateRef, Store, Type, VarId};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{self, Ident};

impl Checker<'_, '_> {
    pub(super) fn name(&mut self, name: &Ident, want: Want<'_>) -> Option<Expr> {
        match self.scope.find(&name.name) {
            Some(Meaning::Local(id)) => {
                let local = self.local(id?, name.span);
                self.fit(local, want)
            }
            Some(Meaning::State { space, var, primed }) => {
                let state = self.read_state(space, var, primed, name)?;
                self.fit(state, want)
            }
            None => {
                if let Some(value) = self.world.enumerators.get(&name.name) {
                    let kind = ExprKind::Enumerator(value.position);
                    return self.constant(kind, Type::Enum(value.of), name.span, want);
                }
                if &*name.name == "nil" {
                    return self.operator("nil", operators::NIL, &[], name.span, want);
                }
                if let Some((function, _)) = self.world.parameter_value(&name.name) {
                    let ty = self.model().functions[function.index()].result.clone();
                    let value = crate::check::parameters::value(function, ty, name.span);
                    return self.fit(value, want);
                }
                if !self.world.operators(&name.name).is_empty() {
                    return self.theory_operator(name, &[], name.span, want);
                }
                self.report_unknown_name(name);
                None
            }
        }
    }

    fn read_state(&mut self, space: usize, var: VarId, primed: bool, name: &Ident) -> Option<Expr> {
        let state = &self.scope.states[space];
        if let Err(reason) = state.read {
            let variable = state.variables.get(var).name.span;
            self.report.add(
                Diagnostic::error(name.span, format!("`{}` cannot be read here", name.name))
                    .label(reason)
                    .related(variable, "the state variable"),
            );
            return None;
        }
        let store = match (primed, self.scope.primes && state.store == Store::Pre) {
            (false, _) => state.store,
            (true, true) => Store::Post,
            (true, false) => {
                self.report.add(
                    Diagnostic::error(
                        name.span,
                        format!("`{}` is the value after a step", name.name),
                    )
                    .help("only `ensuring` can read it"),
                );
                return None;
            }
        };
        Some(Expr {
            kind: ExprKind::State(StateRef { store, var }),
            ty: state.variables.get(var).ty.clone()?,
            span: name.span,
        })
    }

    /// Reports a name that stands for nothing here.
    pub(in crate::check) fn report_unknown_name(&mut self, name: &Ident) {
        let enumerators = self.world.enumerators.keys().map(|name| &**name);
        let known = self.scope.names().chain(enumerators).chain(["nil"]);
        let known = known.chain(self.world.known_operators());
        let mut diagnostic = self.report.unknown("name", name, known);
        for state in &self.scope.states {
            if let Some(qualifier) = &state.qualifier
                && state.variables.find(&name.name).is_some()
            {
                diagnostic = diagnostic.help(format!("write `{}.{}`", qualifier.name, name.name));
            }
        }
        self.report.add_absence(&name.name, diagnostic);
    }

    /// `t.f`: a field, the value of a `Null`, or a variable of a named automaton.
    pub(super) fn field(
        &mut self,
        base: &ast::Expr,
        field: &Ident,
        span: Span,
        want: Want<'_>,
    ) -> Option<Expr> {
        if let Some((function, _)) = self.named_parameter(base, field) {
            let ty = self.model().functions[function.index()].result.clone();
            let value = crate::check::parameters::value(function, ty, span);
            return self.fit(value, want);
        }
        if let Some(space) = self.named_space(base) {
            let var = self.qualified_variable(space, field)?;
            let variable = Ident {
                name: self.scope.states[space].written(var).into(),
                span,
            };
            let state = self.read_state(space, var, false, &variable)?;
            return self.fit(state, want);
        }
        let base = self.term(base, Want::Anything)?;
        let part = if let (Type::Null(inner), "val") = (&base.ty, &*field.name) {
            let ty = (**inner).clone();
            Expr::apply(Op::Val, vec![base], ty, span)
        } else {
            let (position, ty) = self.field_of(&base, field)?;
            Expr::apply(Op::Field(position), vec![base], ty, span)
        };
        self.fit(part, want)
    }

    /// The parameter of an automaton that is meant by its full name, such as `Cell.i`.
    fn named_parameter(
        &self,
        base: &ast::Expr,
        field: &Ident,
    ) -> Option<(crate::core::FunctionId, Span)> {
        match &base.kind {
            ast::ExprKind::Name(name) if self.scope.find(&name.name).is_none() => {
                let full = format!("{}.{}", name.name, field.name);
                self.world.parameter_value(&full)
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

    /// The position and the type of a field of a tuple.
    pub(in crate::check) fn field_of(&mut self, base: &Expr, field: &Ident) -> Option<(u32, Type)> {
        let model = self.model();
        let Type::Tuple(id) = base.ty else {
            self.report.add(
                Diagnostic::error(
                    field.span,
                    format!(
                        "{} has no field `{}`",
                        model.type_name(&base.ty),
                        field.name
                    ),
                )
                .related(
                    base.span,
                    format!("this is of type {}", model.type_name(&base.ty)),
                ),
            );
            return None;
        };
        let tuple = &model.tuples[id.index()];
        let position = tuple
            .fields
            .iter()
            .position(|(name, _)| *name == field.name);
        let Some(position) = position else {
            let known = tuple.fields.iter().map(|(name, _)| &**name);
            let what = format!("field of {}", tuple.name);
            let diagnostic = self
                .report
                .unknown(&what, field, known)
                .related(tuple.span, "declared here");
            self.report.add_absence(&field.name, diagnostic);
            return None;
        };
        let position_id = u32::try_from(position).ok()?;
        Some((position_id, tuple.fields[position].1.clone()))
    }

    /// `Node#2`.
    pub(super) fn element(
        &mut self,
        sort: &Ident,
        index: u32,
        span: Span,
        want: Want<'_>,
    ) -> Option<Expr> {
        if !self.scope.elements {
            self.report.add(
                Diagnostic::error(
                    span,
                    format!("`{}#{index}` can be named in a schedule only", sort.name),
                )
                .label("an element of a sort in a run of finite size"),
            );
            return None;
        }
        let written = ast::TypeExpr {
            name: sort.clone(),
            args: Vec::new(),
            span: sort.span,
        };
        let ty = self.world.resolve(&written, self.report)?;
        if !matches!(ty, Type::Sort(_)) {
            let name = self.model().type_name(&ty);
            self.error(
                sort.span,
                format!("{name} is not a sort: its values have notations of their own"),
            );
            return None;
        }
        self.constant(ExprKind::Element(index), ty, span, want)
    }
}
