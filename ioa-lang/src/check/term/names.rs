//! Names in terms: bound variables, state variables, values of enumerations, fields, elements of sorts.

use super::operators;
use crate::check::checker::{Checker, Want};
use crate::check::scope::Meaning;
use crate::core::{EnumId, Expr, ExprKind, Op, StateRef, Store, Type, VarId};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{self, Ident};

impl Checker<'_, '_> {
    pub(super) fn name(&mut self, name: &Ident, want: Want<'_>) -> Option<Expr> {
        match self.scope.find(&name.name) {
            Some(Meaning::Local(id)) => {
                let local = self.local(id?, name.span);
                self.used.insert(id?);
                self.fit(local, want)
            }
            Some(Meaning::State { space, var, primed }) => {
                let state = self.read_state(space, var, primed, name)?;
                self.fit(state, want)
            }
            None => {
                if self.world.enumerators.contains_key(&name.name) {
                    return self.enumerator(name, want);
                }
                // Both with and without parentheses, since no variable has this name.
                if &*name.name == "randomBool" {
                    return self.call(name, &[], name.span, want);
                }
                if let Some((function, _)) = self.world.parameter_value(&name.name) {
                    self.world.mark_function_used(function, self.report);
                    let ty = self.model().functions[function.index()].result.clone();
                    let value = crate::check::parameters::value(function, ty, name.span);
                    return self.fit(value, want);
                }
                if !self.world.operators(&name.name).is_empty() {
                    return self.theory_operator(name, &[], name.span, want);
                }
                if self.world.named_expression(&name.name).is_some() {
                    return self.expand(&name.name, &[], name.span, want);
                }
                match &*name.name {
                    "nil" => self.operator("nil", operators::literal("nil"), &[], name.span, want),
                    "empty" => self.call(name, &[], name.span, want),
                    _ => {
                        self.report_unknown_name(name);
                        None
                    }
                }
            }
        }
    }

    /// A value of an enumeration. If several have this name, it is the one of the expected type.
    fn enumerator(&mut self, name: &Ident, want: Want<'_>) -> Option<Expr> {
        let values = &self.world.enumerators[&name.name];
        let wanted = values
            .iter()
            .find(|value| matches!(want, Want::Type(Type::Enum(of), _) if *of == value.of));
        let value = match (wanted, &values[..]) {
            (Some(value), _) | (None, [value]) => value,
            (None, several) => {
                let enumerations = several.iter().map(|value| Type::Enum(value.of));
                let enumerations: Vec<Type> = enumerations.collect();
                self.report_ambiguous(name, &enumerations, want);
                return None;
            }
        };
        let of = &self.model().enumerations[value.of.index()].name;
        self.report.mark_type_used(of);
        let kind = ExprKind::Enumerator(value.position);
        self.constant(kind, Type::Enum(value.of), name.span, want)
    }

    /// A name that has a meaning in several types, none of which is expected.
    pub(super) fn report_ambiguous(&mut self, name: &Ident, types: &[Type], want: Want<'_>) {
        let model = self.model();
        let names: Vec<String> = types.iter().map(|ty| model.type_name(ty)).collect();
        let all = names.join(" and of ");
        let shown = &name.name;
        match want {
            Want::Unknown => {}
            Want::Type(ty, reason) => {
                self.report_unexpected(name.span, ty, &format!("a value of {all}"), reason);
            }
            Want::Anything => self.report.add(
                Diagnostic::error(
                    Code::Ambiguous,
                    name.span,
                    format!("`{shown}` is a value of {all}"),
                )
                .label("nothing here says which is meant")
                .help(format!("write `{}.{shown}`", names[0])),
            ),
        }
    }

    /// The enumeration that a term names, if it is its name and no variable's.
    pub(super) fn named_enumeration(&self, base: &ast::Expr) -> Option<EnumId> {
        let ast::ExprKind::Name(name) = &base.kind else {
            return None;
        };
        if self.scope.find(&name.name).is_some() {
            return None;
        }
        match self.world.types.get(&name.name) {
            Some(Some(Type::Enum(id))) => Some(*id),
            _ => None,
        }
    }

    /// `Phase.idle`
    fn qualified_enumerator(&mut self, of: EnumId, name: &Ident, want: Want<'_>) -> Option<Expr> {
        let enumeration = &self.model().enumerations[of.index()];
        self.report.mark_type_used(&enumeration.name);
        let position = enumeration.values.iter().position(|v| *v == name.name);
        let Some(position) = position else {
            let known = enumeration.values.iter().map(|value| &**value);
            let what = format!("value of {}", enumeration.name);
            let diagnostic = self.report.unknown(&what, name, known);
            let diagnostic = diagnostic.related(enumeration.span, "declared here");
            self.report.add_absence(&name.name, diagnostic);
            return None;
        };
        let kind = ExprKind::Enumerator(u32::try_from(position).ok()?);
        self.constant(kind, Type::Enum(of), name.span, want)
    }

    fn read_state(&mut self, space: usize, var: VarId, primed: bool, name: &Ident) -> Option<Expr> {
        let state = &self.scope.states[space];
        if let Err(reason) = state.read {
            let variable = state.variables.get(var).name.span;
            self.report.add(
                Diagnostic::error(
                    Code::UnreadableHere,
                    name.span,
                    format!("`{}` cannot be read here", name.name),
                )
                .label(reason)
                .related(variable, "the state variable"),
            );
            return None;
        }
        if let Some(declaration) = state.variables.get(var).declaration {
            self.report.mark_used(declaration);
        }
        let store = match (primed, self.scope.primes && state.store == Store::Pre) {
            (false, _) => state.store,
            (true, true) => Store::Post,
            (true, false) => {
                self.report.add(
                    Diagnostic::error(
                        Code::UnreadableHere,
                        name.span,
                        format!("`{}` is the value after a step", name.name),
                    )
                    .help("only `ensuring` and `provided` can read it"),
                );
                return None;
            }
        };
        Some(Expr::new(
            ExprKind::State(StateRef { store, var }),
            state.variables.get(var).ty.clone()?,
            name.span,
        ))
    }

    /// Reports a name that stands for nothing here.
    pub(in crate::check) fn report_unknown_name(&mut self, name: &Ident) {
        let (later, help) = &self.scope.later;
        if let Some(hidden) = later.iter().find(|hidden| hidden.name == name.name) {
            self.report.add(
                Diagnostic::error(
                    Code::UnreadableHere,
                    name.span,
                    format!("`{}` cannot be read here", name.name),
                )
                .label("its value is chosen only once the clause is known to be meant")
                .related(hidden.span, "the hidden parameter")
                .help(*help),
            );
            return;
        }
        let enumerators = self.world.enumerators.keys().map(|name| &**name);
        let lets = self.world.named_expressions();
        let paths = self.scope.component_paths(None);
        let components = paths.filter_map(|path| path.split('.').next());
        let known = self
            .scope
            .names()
            .chain(components)
            .chain(enumerators)
            .chain(["nil", "empty", "randomBool"])
            .chain(lets)
            .chain(self.world.known_operators());
        let mut diagnostic = self.report.unknown("name", name, known);
        self.report.note_unknown(name, !diagnostic.help.is_empty());
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
        if let Some(path) = self.component_path(base, field) {
            let variable = Ident {
                name: path.name,
                span,
            };
            let state = self.read_state(path.space, path.var, path.primed, &variable)?;
            let part = self.elements(state, &path.indices, span)?;
            return self.fit(part, want);
        }
        if let Some(function) = self.named_parameter(base, field) {
            self.world.mark_function_used(function, self.report);
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
        if let Some(of) = self.named_enumeration(base) {
            return self.qualified_enumerator(of, field, want);
        }
        if self.reports_unknown_path(base, field) {
            return None;
        }
        let base = self.term(base, Want::Anything)?;
        let (op, ty) = match (&base.ty, &*field.name) {
            (Type::Null(inner), "val") => (Op::Val, (**inner).clone()),
            (Type::Union(id), _) => {
                let (position, ty) = self.variant_of(*id, field)?;
                (Op::Payload(position), ty)
            }
            _ => {
                let (position, ty) = self.field_of(&base, field)?;
                (Op::Field(position), ty)
            }
        };
        self.fit(Expr::apply(op, vec![base], ty, span), want)
    }

    /// The position and the type of a field of a tuple.
    pub(in crate::check) fn field_of(&mut self, base: &Expr, field: &Ident) -> Option<(u32, Type)> {
        let model = self.model();
        let Type::Tuple(id) = base.ty else {
            let (found, name) = (model.type_name(&base.ty), &field.name);
            let diagnostic = Diagnostic::error(
                Code::NoField,
                field.span,
                format!("{found} has no field `{name}`"),
            )
            .related(base.span, format!("this is of type {found}"));
            self.report.add(match operators::function(name) {
                Some(_) => diagnostic.help(operators::written_before(name)),
                None => diagnostic,
            });
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
                    Code::ElementNamed,
                    span,
                    format!(
                        "`{}#{index}` can be named only in a schedule, or in a question about given sizes",
                        sort.name
                    ),
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
                Code::NoElements,
                sort.span,
                format!("{name} is not a sort: its values have notations of their own"),
            );
            return None;
        }
        self.constant(ExprKind::Element(index), ty, span, want)
    }
}
