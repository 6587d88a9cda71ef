//! The application of an operator: which of its meanings is meant, and what its type variables stand for.

use super::literals::{has_multiset, is_literal};
use super::operators::Overload;
use super::pattern::{Bindings, Pattern};
use crate::check::checker::{Checker, Reason, Want};
use crate::check::report::{mismatch, wrong_number};
use crate::core::{Expr, Type};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast;

/// An application as written.
pub(super) struct Call<'a> {
    /// The operator as the user knows it.
    pub(super) name: &'a str,
    pub(super) overloads: &'static [Overload],
    pub(super) args: &'a [&'a ast::Expr],
    pub(super) span: Span,
}

impl Checker<'_, '_> {
    pub(super) fn apply(&mut self, call: &Call<'_>, want: Want<'_>) -> Option<Expr> {
        let arity = call.overloads[0].params.len();
        if call.args.len() != arity {
            for arg in call.args {
                let _ = self.term(arg, Want::Unknown);
            }
            let what = format!("`{}`", call.name);
            let found = call.args.len();
            self.report
                .add(wrong_number(call.span, &what, "argument", arity, found));
            return None;
        }
        let given = self.arguments_with_types(call, want)?;
        let overload = self.meaning(call, &given, want)?;
        let mut bindings = bind(overload, &given, want);
        let args = self.arguments(call, overload, &mut bindings, given)?;
        let result = self.result_type(call, overload, &bindings, want)?;
        let applied = self.lower(call, overload.lowering, args, result)?;
        self.fit(applied, want)
    }

    /// The arguments that have a type of their own; `None` in the place of the others.
    ///
    /// A literal with braces is checked after the other arguments: if these show that it is a multiset, it has no type of
    /// its own.
    fn arguments_with_types(
        &mut self,
        call: &Call<'_>,
        want: Want<'_>,
    ) -> Option<Vec<Option<Expr>>> {
        let own: Vec<bool> = call.args.iter().map(|arg| self.has_own_type(arg)).collect();
        let mut mistaken = false;
        let mut given: Vec<Option<Expr>> = own.iter().map(|_| None).collect();
        for flexible in [false, true] {
            let expected = match flexible {
                true if !mistaken => self.expected_multisets(call, &given, want),
                _ => vec![false; own.len()],
            };
            for (position, arg) in call.args.iter().enumerate() {
                let now = own[position] && is_literal(arg) == flexible && !expected[position];
                if now {
                    given[position] = self.term(arg, Want::Anything);
                    mistaken |= given[position].is_none();
                }
            }
        }
        if mistaken {
            for (arg, own) in call.args.iter().zip(own) {
                if !own {
                    let _ = self.term(arg, Want::Unknown);
                }
            }
            return None;
        }
        Some(given)
    }

    /// For each argument, whether the other arguments and the context require a type with multisets.
    fn expected_multisets(
        &self,
        call: &Call<'_>,
        given: &[Option<Expr>],
        want: Want<'_>,
    ) -> Vec<bool> {
        let Some(overload) = likeliest(call, given, want) else {
            return vec![false; given.len()];
        };
        let bindings = bind(overload, given, want);
        let expected = |param| bindings.apply(param).is_some_and(|ty| has_multiset(&ty));
        overload.params.iter().map(expected).collect()
    }

    /// The meaning of an application; that there is none is reported.
    fn meaning(
        &mut self,
        call: &Call<'_>,
        given: &[Option<Expr>],
        want: Want<'_>,
    ) -> Option<&'static Overload> {
        let meaning = likeliest(call, given, want);
        if meaning.is_none() {
            self.report_no_meaning(call, given);
        }
        meaning
    }

    fn report_no_meaning(&mut self, call: &Call<'_>, given: &[Option<Expr>]) {
        if let Some(diagnostic) = self.swapped(call, given) {
            self.report.add(diagnostic);
            return;
        }
        if let Some(meant) = nearly(call.overloads, given) {
            self.report_wrong_arguments(meant, given);
            return;
        }
        let types: Vec<String> = given
            .iter()
            .zip(call.args)
            .map(|(arg, written)| match arg {
                Some(arg) => self.model().type_name(&arg.ty),
                None => outline(written).into(),
            })
            .collect();
        let mut diagnostic = Diagnostic::error(
            Code::NotDefinedFor,
            call.span,
            format!("`{}` is not defined for {}", call.name, types.join(" and ")),
        );
        for (arg, ty) in given.iter().zip(types) {
            if let Some(arg) = arg {
                diagnostic = diagnostic.related(arg.span, format!("this is of type {ty}"));
            }
        }
        let first = given.first().and_then(Option::as_ref);
        if let Some(other) = first.and_then(|arg| of_other_name(call.name, &arg.ty)) {
            diagnostic = diagnostic.help(other);
        }
        self.report.add(diagnostic);
    }

    /// The diagnostic for two arguments, an element and a collection, that would fit in the other order.
    fn swapped(&self, call: &Call<'_>, given: &[Option<Expr>]) -> Option<Diagnostic> {
        let [Some(first), Some(second)] = given else {
            return None;
        };
        let mut overloads = call.overloads.iter();
        let meant = overloads.find(|overload| {
            overload.params[0].accepts(&second.ty) && overload.params[1].accepts(&first.ty)
        })?;
        let mut params = meant.params.iter().zip([first, second]);
        let (param, arg) = params.find(|(param, arg)| !param.accepts(&arg.ty))?;
        param.is_collection().then_some(())?;
        let (found, expected) = (self.model().type_name(&arg.ty), param.outline());
        let message = format!("this is of type {found}, but {expected} is expected here");
        let diagnostic = Diagnostic::error(Code::WrongType, arg.span, message)
            .label(format!("expected {expected}, found {found}"));
        Some(diagnostic.help(format!(
            "`{}` takes these two in the other order",
            call.name
        )))
    }

    fn report_wrong_arguments(&mut self, overload: &Overload, given: &[Option<Expr>]) {
        let mut bindings = Bindings::default();
        for (param, arg) in overload.params.iter().zip(given) {
            if let Some(arg) = arg {
                bindings.bind(param, &arg.ty, None);
            }
        }
        for (param, arg) in overload.params.iter().zip(given) {
            let Some(arg) = arg.as_ref().filter(|arg| !param.accepts(&arg.ty)) else {
                continue;
            };
            let diagnostic = match bindings.apply(param) {
                Some(expected) => mismatch(self.model(), arg.span, &expected, &arg.ty),
                None => {
                    let found = self.model().type_name(&arg.ty);
                    let expected = param.outline();
                    Diagnostic::error(
                        Code::WrongType,
                        arg.span,
                        format!("this is of type {found}, but {expected} is expected here"),
                    )
                    .label(format!("expected {expected}, found {found}"))
                }
            };
            self.report.add(diagnostic);
        }
    }

    /// All arguments, each as of its parameter's type.
    fn arguments(
        &mut self,
        call: &Call<'_>,
        overload: &Overload,
        bindings: &mut Bindings,
        given: Vec<Option<Expr>>,
    ) -> Option<Vec<Expr>> {
        let mut checked = Vec::new();
        let mut mistaken = false;
        for ((param, arg), written) in overload.params.iter().zip(given).zip(call.args) {
            let expected = bindings.apply(param);
            let reason = self.reason(bindings, param, written.span);
            let arg = match (arg, &expected) {
                (Some(arg), Some(ty)) => self.coerce(arg, ty, reason.as_ref()),
                (None, Some(ty)) => self.term(written, Want::Type(ty, reason.as_ref())),
                (arg, None) if mistaken => arg,
                (Some(arg), None) => Some(arg),
                (None, None) => self.term(written, Want::Anything),
            };
            mistaken |= arg.is_none();
            checked.push(arg);
        }
        checked.into_iter().collect()
    }

    /// Why a parameter has the type it has: another argument says so.
    fn reason(&self, bindings: &Bindings, param: &Pattern, arg: Span) -> Option<Reason> {
        let span = bindings.origin(param)?;
        let text = "the type follows from this".to_owned();
        (span != arg).then_some((span, text))
    }

    fn result_type(
        &mut self,
        call: &Call<'_>,
        overload: &Overload,
        bindings: &Bindings,
        want: Want<'_>,
    ) -> Option<Type> {
        let result = bindings.apply(&overload.result);
        if result.is_none() {
            match want {
                Want::Unknown => {}
                Want::Anything => self.report_no_type(call.name, call.span),
                Want::Type(ty, reason) => {
                    let found = overload.result.outline();
                    self.report_unexpected(call.span, ty, found, reason);
                }
            }
        }
        result
    }

    /// A term whose type only the context could say, and the context does not.
    pub(super) fn report_no_type(&mut self, name: &str, span: Span) {
        self.report.add(
            Diagnostic::error(Code::NoType, span, format!("nothing here says of what type `{name}` is"))
                .help("its type comes from where it stands: from an assignment, a comparison or an operator's other argument"),
        );
    }

    /// A term whose form does not match the expected type.
    pub(super) fn report_unexpected(
        &mut self,
        span: Span,
        wanted: &Type,
        found: &str,
        reason: Option<&Reason>,
    ) {
        let expected = self.model().type_name(wanted);
        let mut diagnostic = Diagnostic::error(
            Code::WrongType,
            span,
            format!("this is {found}, but {expected} is expected here"),
        )
        .label(format!("expected {expected}, found {found}"));
        if let Some((span, text)) = reason {
            diagnostic = diagnostic.related(*span, text.clone());
        }
        self.report.add(diagnostic);
    }
}

/// The first meaning that fits the arguments and, if several do, the expected type of the result.
fn likeliest(call: &Call<'_>, given: &[Option<Expr>], want: Want<'_>) -> Option<&'static Overload> {
    let fits = |overload: &&Overload| {
        let mut params = overload.params.iter().zip(given);
        params.all(|(param, arg)| arg.as_ref().is_none_or(|arg| param.accepts(&arg.ty)))
    };
    let takes_rest = |overload: &Overload| {
        let mut params = overload.params.iter().zip(call.args).zip(given);
        params.all(|((param, arg), given)| given.is_some() || could_be(arg, param))
    };
    let gives_wanted = |overload: &Overload| match want {
        Want::Type(ty, _) => overload.result.gives(ty),
        Want::Anything | Want::Unknown => true,
    };
    let fitting = call.overloads.iter().filter(fits);
    fitting.min_by_key(|overload| (!takes_rest(overload), !gives_wanted(overload)))
}

/// The one meaning that some arguments fit and no other meaning's, if there is one.
fn nearly(overloads: &'static [Overload], given: &[Option<Expr>]) -> Option<&'static Overload> {
    let fitting = |overload: &Overload| {
        let params = overload.params.iter().zip(given);
        let fits = |(param, arg): &(&Pattern, &Option<Expr>)| {
            !param.is_variable() && arg.as_ref().is_some_and(|arg| param.accepts(&arg.ty))
        };
        params.filter(fits).count()
    };
    match overloads {
        [only] => Some(only),
        several => {
            let mut some = several.iter().filter(|overload| fitting(overload) > 0);
            some.next().filter(|_| some.next().is_none())
        }
    }
}

/// Binds type variables: first from collections, then from the expected type of the result, then from plain elements.
fn bind(overload: &Overload, given: &[Option<Expr>], want: Want<'_>) -> Bindings {
    let mut bindings = Bindings::default();
    let typed = || {
        let pairs = overload.params.iter().zip(given);
        pairs.filter_map(|(param, arg)| Some((param, arg.as_ref()?)))
    };
    for (param, arg) in typed().filter(|(param, _)| !param.is_variable()) {
        bindings.bind(param, &arg.ty, Some(arg.span));
    }
    if let Want::Type(ty, _) = want
        && !overload.result.is_variable()
        && overload.result.gives(ty)
    {
        bindings.bind(&overload.result, ty, None);
    }
    for (param, arg) in typed().filter(|(param, _)| param.is_variable()) {
        bindings.bind(param, &arg.ty, Some(arg.span));
    }
    if let Want::Type(ty, _) = want {
        bindings.bind(&overload.result, ty, None);
    }
    bindings
}

/// Whether a term without a type of its own can be one of the parameter's types.
fn could_be(arg: &ast::Expr, param: &Pattern) -> bool {
    match (&arg.kind, param) {
        (_, Pattern::Var(_)) => true,
        (ast::ExprKind::Braces(elements), Pattern::Seq(_)) => elements.is_empty(),
        (ast::ExprKind::Name(name), Pattern::Map(..)) => &*name.name == "empty",
        (ast::ExprKind::Name(name), Pattern::Null(_)) => &*name.name == "nil",
        (ast::ExprKind::Braces(_), param) => matches!(param, Pattern::Set(_) | Pattern::Mset(_)),
        _ => !matches!(param, Pattern::Sort(_)),
    }
}

/// What is known about a term without a type of its own.
fn outline(arg: &ast::Expr) -> &'static str {
    match &arg.kind {
        ast::ExprKind::Braces(_) => "a set",
        ast::ExprKind::Brackets(_) => "a tuple",
        ast::ExprKind::Name(name) if &*name.name == "nil" => "nil",
        ast::ExprKind::Name(name) if &*name.name == "empty" => "a map",
        _ => "a value",
    }
}

/// What an operator is called for values of a type that other languages use the same sign for.
fn of_other_name(operator: &str, ty: &Type) -> Option<&'static str> {
    Some(match (operator, ty) {
        ("size", Type::Seq(_)) => "the length of a sequence is its `len`",
        ("+", Type::Set(_) | Type::Mset(_)) => r"the union of sets is written `\U`",
        ("*", Type::Set(_) | Type::Mset(_)) => r"the intersection of sets is written `\I`",
        ("+", Type::Seq(_)) => "sequences are joined by `||`, and `|-` appends an element",
        _ => return None,
    })
}
