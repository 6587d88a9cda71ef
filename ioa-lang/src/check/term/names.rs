//! Names in terms: bound variables, state variables, values of enumerations, fields, elements of sorts.

use super::operators;
use crate::check::checker::{Checker, Want};
use crate::check::scope::Meaning;
use crate::core::{EnumId, Expr, ExprKind, Op, StateRef, Store, Type, VarId};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{self, Ident};

/// A variable of a component as it is written: `P[i].status`.
pub(in crate::check) struct ComponentPath<'e> {
    pub(in crate::check) space: usize,
    pub(in crate::check) var: VarId,
    primed: bool,
    /// Without the indices: `P.status`.
    name: crate::source::Name,
    pub(in crate::check) indices: Vec<&'e ast::Expr>,
}

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
                    .help("only `ensuring` can read it"),
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
    fn reports_unknown_path(&mut self, base: &ast::Expr, field: &Ident) -> bool {
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
    fn elements(&mut self, array: Expr, indices: &[&ast::Expr], span: Span) -> Option<Expr> {
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
    fn named_parameter(&self, base: &ast::Expr, field: &Ident) -> Option<crate::core::FunctionId> {
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
