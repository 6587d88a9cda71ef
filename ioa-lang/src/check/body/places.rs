//! Places: what an assignment may change.

use crate::check::checker::{Checker, Reason, Want};
use crate::check::scope::Meaning;
use crate::core::{Expr, Place, Projection, StateRef, Type};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Name, Span};
use crate::syntax::ast::{self, Ident};

impl Checker<'_, '_> {
    pub(in crate::check) fn variable_name(&self, state: StateRef) -> Name {
        self.variable(state).name.name.clone()
    }

    pub(super) fn variable_span(&self, state: StateRef) -> Span {
        self.variable(state).name.span
    }

    pub(super) fn variable(&self, state: StateRef) -> &crate::check::world::DeclaredVariable {
        let mut spaces = self.scope.states.iter();
        let space = spaces
            .find(|space| space.store == state.store)
            .expect("a place was found in one of the state spaces");
        space.variables.get(state.var)
    }

    /// Where an assignment writes.
    pub(super) fn place(&mut self, written: &ast::Expr) -> Option<Place> {
        match &written.kind {
            ast::ExprKind::Name(name) => self.variable_place(name),
            ast::ExprKind::Field(base, field)
                if let Some(path) = self.component_path(base, field) =>
            {
                let whole = self.root_place(path.space, path.var, written.span)?;
                self.element_of_component(whole, &path.indices)
            }
            ast::ExprKind::Field(base, field) => match self.named_space(base) {
                Some(space) => {
                    let var = self.qualified_variable(space, field)?;
                    self.root_place(space, var, written.span)
                }
                None => self.field_place(base, field, written.span),
            },
            ast::ExprKind::Index(base, index) => self.element_place(base, index, written.span),
            // Nothing else is a place in the grammar; what is none was reported there.
            _ => None,
        }
    }

    fn variable_place(&mut self, name: &Ident) -> Option<Place> {
        match self.scope.find(&name.name) {
            Some(Meaning::State {
                space,
                var,
                primed: false,
            }) => self.root_place(space, var, name.span),
            Some(Meaning::State { primed: true, .. }) => {
                self.report.add(
                    Diagnostic::error(
                        Code::CannotBeAssigned,
                        name.span,
                        format!("`{}` cannot be assigned", name.name),
                    )
                    .help("an assignment is to the variable without the prime"),
                );
                None
            }
            Some(Meaning::Local(_)) => {
                self.report.add(
                    Diagnostic::error(
                        Code::CannotBeAssigned,
                        name.span,
                        format!("`{}` cannot be assigned", name.name),
                    )
                    .label("a parameter or bound variable; only state variables are assigned"),
                );
                None
            }
            None if self.world.value_named(&name.name).is_some() => {
                self.error(
                    Code::CannotBeAssigned,
                    name.span,
                    format!("`{}` is a value and cannot be assigned", name.name),
                );
                None
            }
            None => {
                self.report_unknown_name(name);
                None
            }
        }
    }

    fn root_place(&mut self, space: usize, var: crate::core::VarId, span: Span) -> Option<Place> {
        let state = &self.scope.states[space];
        let variable = state.variables.get(var);
        if let Err(reason) = state.write {
            self.report.add(
                Diagnostic::error(
                    Code::CannotBeAssigned,
                    span,
                    format!("`{}` cannot be assigned here", state.written(var)),
                )
                .label(reason)
                .related(variable.name.span, "the state variable"),
            );
            return None;
        }
        Some(Place {
            root: StateRef {
                store: state.store,
                var,
            },
            path: Vec::new(),
            ty: variable.ty.clone()?,
            span,
        })
    }

    fn field_place(&mut self, base: &ast::Expr, field: &Ident, span: Span) -> Option<Place> {
        let mut place = self.place(base)?;
        if matches!(place.ty, Type::Null(_)) && &*field.name == "val" {
            self.report.add(
                Diagnostic::error(
                    Code::PartAssigned,
                    span,
                    "the value inside a Null cannot be assigned alone",
                )
                .help("assign `embed(..)` to the whole"),
            );
            return None;
        }
        if let Type::Union(_) = place.ty {
            self.report.add(
                Diagnostic::error(
                    Code::PartAssigned,
                    span,
                    "what a union carries cannot be assigned alone",
                )
                .help(format!("assign `{}(..)` to the whole", field.name)),
            );
            return None;
        }
        let whole = Expr::truth(place.span).retyped(place.ty.clone(), place.span);
        let (position, ty) = self.field_of(&whole, field)?;
        place.path.push(Projection::Field(position));
        Some(Place { ty, span, ..place })
    }

    fn element_place(&mut self, base: &ast::Expr, index: &ast::Expr, span: Span) -> Option<Place> {
        let place = self.place(base);
        let Some(mut place) = place else {
            let _ = self.term(index, Want::Unknown);
            return None;
        };
        let (Type::Array(index_type, element_type) | Type::Map(index_type, element_type)) =
            place.ty.clone()
        else {
            let name = self.model().type_name(&place.ty);
            let _ = self.term(index, Want::Unknown);
            self.report.add(
                Diagnostic::error(
                    Code::PartAssigned,
                    span,
                    format!("an element of a {name} cannot be assigned"),
                )
                .help("elements of arrays and entries of maps can"),
            );
            return None;
        };
        let is_map = matches!(place.ty, Type::Map(..));
        let what = if is_map { "the map" } else { "the array" };
        let reason: Reason = (place.span, what.to_owned());
        let index = self.term(index, Want::Type(&index_type, Some(&reason)))?;
        place.path.push(match is_map {
            true => Projection::Entry(index),
            false => Projection::Index(index),
        });
        Some(Place {
            ty: *element_type,
            span,
            ..place
        })
    }

    /// The part of an array that a component's indices name.
    fn element_of_component(&mut self, whole: Place, indices: &[&ast::Expr]) -> Option<Place> {
        let mut place = whole;
        for index in indices {
            let Type::Array(domain, element) = place.ty.clone() else {
                self.error(
                    Code::WrongIndices,
                    index.span,
                    "this names more indices than the component has",
                );
                return None;
            };
            let reason: Reason = (place.span, "the component's index".to_owned());
            let index = self.term(index, Want::Type(&domain, Some(&reason)))?;
            place.path.push(Projection::Index(index));
            place.ty = *element;
        }
        Some(place)
    }
}
