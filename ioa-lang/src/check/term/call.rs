//! Calls: what a name before parentheses means.

use super::super::checker::{Checker, Want};
use super::super::report::wrong_number;
use super::super::world::Enumerator;
use super::operators;
use crate::core::{Expr, Op, Type};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{self, Ident};

impl Checker<'_, '_> {
    /// `f(a, b)`: an operator by its name, `set_f(p, x)`, or `enabled(act(x))`.
    pub(super) fn call(
        &mut self,
        name: &Ident,
        args: &[ast::Expr],
        span: Span,
        want: Want<'_>,
    ) -> Option<Expr> {
        if &*name.name == "enabled" {
            return self.enabled(args, span, want);
        }
        if name.name.contains('.') {
            return self.not_a_term(name, args);
        }
        if self.is_of_theory(name, args) {
            return self.theory_operator(name, args, span, want);
        }
        if let Some(overloads) = operators::function(&name.name) {
            let args: Vec<&ast::Expr> = args.iter().collect();
            return self.operator(&name.name, overloads, &args, span, want);
        }
        if &*name.name == "tag" {
            return self.tag(args, span, want);
        }
        if self.world.named_expression(&name.name).is_some() {
            return self.expand(&name.name, args, span, want);
        }
        if let Some(field) = self.updated_field(name) {
            return self.set_field(name, field, args, span, want);
        }
        if self.world.variants.contains_key(&name.name) {
            return self.variant(name, args, span, want);
        }
        self.refuse_arguments(args);
        let is_tag = |values: &Vec<Enumerator>| values.iter().any(|value| value.is_tag);
        if self.world.enumerators.get(&name.name).is_some_and(is_tag) {
            return None; // The union was not understood, which was reported.
        }
        let updates = self.update_names();
        let mut known: Vec<&str> = operators::function_names().collect();
        known.extend(["enabled", "tag"]);
        known.extend(self.world.named_expressions());
        known.extend(self.world.variants.keys().map(|name| &**name));
        known.extend(updates.iter().map(String::as_str));
        known.extend(self.world.known_operators());
        let diagnostic = self.report.unknown("operator", name, known);
        self.report.add_absence(&name.name, diagnostic);
        None
    }

    /// An action of a component where a term should stand.
    fn not_a_term(&mut self, name: &Ident, args: &[ast::Expr]) -> Option<Expr> {
        self.refuse_arguments(args);
        let message = format!("`{}` is applied like an action of a component", name.name);
        let last = name.name.rsplit('.').next().unwrap_or_default();
        let help = match operators::function(last) {
            Some(_) => operators::written_before(last),
            None => "an action stands in `enabled(P[i].act(x))` and behind `fire`; an operator has no `.` in its name".into(),
        };
        self.report.add(
            Diagnostic::error(Code::NoTerm, name.span, message)
                .label("this is no term")
                .help(help),
        );
        None
    }

    /// The field's name if the operator is the update of a field that some tuple type has.
    pub(super) fn updated_field<'n>(&self, name: &'n Ident) -> Option<&'n str> {
        let field = name.name.strip_prefix("set_")?;
        let mut tuples = self.world.model.tuples.iter();
        tuples
            .any(|tuple| tuple.fields.iter().any(|(known, _)| **known == *field))
            .then_some(field)
    }

    fn update_names(&self) -> Vec<String> {
        let tuples = self.world.model.tuples.iter();
        tuples
            .flat_map(|tuple| tuple.fields.iter().map(|(name, _)| format!("set_{name}")))
            .collect()
    }

    fn set_field(
        &mut self,
        name: &Ident,
        field: &str,
        args: &[ast::Expr],
        span: Span,
        want: Want<'_>,
    ) -> Option<Expr> {
        let [tuple, value] = args else {
            let what = format!("`{}`", name.name);
            self.report
                .add(wrong_number(span, &what, "argument", 2, args.len()));
            return None;
        };
        let base_want = match want {
            Want::Type(Type::Tuple(_), _) => want,
            _ => Want::Anything,
        };
        let Some(tuple) = self.term(tuple, base_want) else {
            let _ = self.term(value, Want::Unknown);
            return None;
        };
        let place = Ident {
            name: field.into(),
            span: name.span,
        };
        let Some((position, ty)) = self.field_of(&tuple, &place) else {
            let _ = self.term(value, Want::Unknown);
            return None;
        };
        let reason = (tuple.span, format!("`{field}` is a field of this"));
        let value = self.term(value, Want::Type(&ty, Some(&reason)))?;
        let ty = tuple.ty.clone();
        let update = Expr::apply(Op::SetField(position), vec![tuple, value], ty, span);
        self.fit(update, want)
    }
}
