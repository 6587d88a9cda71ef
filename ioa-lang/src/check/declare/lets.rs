//! `let f(a, b: Nat) = e`: names of expressions, which stand for copies of them.
//!
//! A definition is checked once, by itself, and its mistakes are reported where it stands. One inside an automaton may read
//! the state: the state at the place of its use. Each use is replaced by a copy with the arguments in the place of the
//! parameters. As for other syntactic sugar, the size of all copies together and the depth of each are limited. Definitions
//! may use each other, but not in a cycle.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::automaton::state_scope;
use crate::check::checker::{Checker, Want};
use crate::check::order::Order;
use crate::check::report::{DeclarationId, Report, duplicate, wrong_number};
use crate::check::scope::Scope;
use crate::check::term::{MAX_DEPTH, operator_named};
use crate::check::unused::{self, UseCheck};
use crate::check::widen::is_number;
use crate::check::world::{Namespace, World};
use crate::core::{Expr, Local, LocalId, OpenTerm, Store, TermId, Type, reads_of_expr};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Name, Span};
use crate::syntax::ast::{self, Ident, LetItem};

/// A name of an expression.
pub(in crate::check) struct Let {
    pub(in crate::check) name: Ident,
    declaration: DeclarationId,
    params: Vec<Option<Type>>,
    /// The locals, those of the parameters first, and the expression; `None` if it was not understood.
    definition: Option<(Vec<Local>, Expr)>,
    /// The parts of the expression that were written with their types.
    qualified: BTreeSet<TermId>,
}

impl Let {
    /// Whether the name stands alone, as that of a variable does.
    pub(in crate::check) fn is_plain(&self) -> bool {
        self.params.is_empty()
    }

    /// What it stands for, if it was understood.
    pub(in crate::check) fn as_open_term(&self) -> Option<OpenTerm> {
        let (locals, term) = self.definition.clone()?;
        let open = self.params.len();
        Some(OpenTerm { locals, open, term })
    }
}

/// Declares the names of expressions of a namespace, whose state variables are known.
pub(in crate::check) fn declare<'a>(
    items: impl Iterator<Item = &'a LetItem>,
    namespace: Namespace,
    world: &mut World,
    report: &mut Report,
) {
    let items = distinct(items, namespace, world, report);
    let positions: BTreeMap<&Name, usize> = (0..)
        .zip(&items)
        .map(|(position, item)| (&item.name.name, position))
        .collect();
    let mentioned: Vec<Vec<usize>> = items
        .iter()
        .map(|item| {
            let mut found = BTreeSet::new();
            mentions(&item.body, &mut |name| {
                let is_param = item.params.iter().any(|param| param.name.name == *name);
                found.extend(positions.get(name).filter(|_| !is_param).copied());
            });
            found.into_iter().collect()
        })
        .collect();
    let mut declarations = Vec::new();
    for item in &items {
        let declaration = unused::declare("the expression", &item.name, report);
        declarations.push(declaration);
        let unknown = Let {
            name: item.name.clone(),
            declaration,
            params: vec![None; item.params.len()],
            definition: None,
            qualified: BTreeSet::new(),
        };
        let names = &mut world.namespace(namespace).lets;
        names.insert(item.name.name.clone(), unknown);
    }
    let order = Order::of(&mentioned);
    let mut circular: BTreeSet<usize> = BTreeSet::new();
    for cycle in &order.cycles {
        report_circle(&items, cycle, report);
        circular.extend(cycle);
    }
    for position in order.sequence {
        let item = items[position];
        let checked = define(item, declarations[position], namespace, world, report);
        let definition = checked.definition.filter(|_| !circular.contains(&position));
        let known = Let {
            definition,
            ..checked
        };
        let names = &mut world.namespace(namespace).lets;
        names.insert(item.name.name.clone(), known);
    }
}

fn distinct<'a>(
    items: impl Iterator<Item = &'a LetItem>,
    namespace: Namespace,
    world: &World,
    report: &mut Report,
) -> Vec<&'a LetItem> {
    let mut seen: BTreeMap<&Name, Span> = BTreeMap::new();
    let mut kept = Vec::new();
    for item in items {
        let name = &item.name;
        if is_taken(&name.name, namespace, world) {
            let message = format!("`{}` has a meaning already", name.name);
            report.add(Diagnostic::error(Code::NameTaken, name.span, message));
        } else if let Some(first) = seen.get(&name.name) {
            report.add(duplicate("the expression", name, *first));
        } else {
            seen.insert(&name.name, name.span);
            kept.push(item);
        }
    }
    kept
}

/// Whether a name stands for something else already.
fn is_taken(name: &str, namespace: Namespace, world: &World) -> bool {
    let is_variable = match namespace {
        Namespace::Automaton(id) => world.header(id).variables.find(name).is_some(),
        Namespace::All | Namespace::Vocabulary => false,
    };
    is_variable
        || operator_named(name)
        || world.variants.contains_key(name)
        || world.named_expression(name).is_some()
        || !world.operators(name).is_empty()
        || world.value_named(name).is_some()
        || world.parameter_value(name).is_some()
}

fn report_circle(items: &[&LetItem], cycle: &[usize], report: &mut Report) {
    let name = &items[cycle[0]].name;
    let mut diagnostic = Diagnostic::error(
        Code::DefinedByItself,
        name.span,
        format!("`{}` is defined by means of itself", name.name),
    );
    for position in &cycle[1..] {
        diagnostic = diagnostic.related(items[*position].name.span, "by way of this");
    }
    report.add(diagnostic.help("a `let` names an expression and cannot be recursive"));
}

fn define(
    item: &LetItem,
    declaration: DeclarationId,
    namespace: Namespace,
    world: &World,
    report: &mut Report,
) -> Let {
    let scope = match namespace {
        Namespace::Automaton(id) => state_scope(world.header(id)),
        Namespace::All | Namespace::Vocabulary => Scope::empty(),
    };
    let part = UseCheck::begin("the parameter", report);
    let mut checker = Checker::new(world, report, scope);
    let ids: Vec<Option<LocalId>> = item
        .params
        .iter()
        .map(|param| checker.bind_written(param))
        .collect();
    let body = checker.term(&item.body, Want::Anything);
    part.end(ids.iter().copied().flatten(), &mut checker);
    let (locals, qualified) = (checker.scope.locals, checker.qualified);
    let params = ids
        .iter()
        .map(|id| id.map(|id| locals[id.index()].ty.clone()))
        .collect();
    let understood = ids.iter().all(Option::is_some);
    Let {
        name: item.name.clone(),
        declaration,
        params,
        definition: body.filter(|_| understood).map(|body| (locals, body)),
        qualified,
    }
}

impl Checker<'_, '_> {
    /// A use of a named expression.
    pub(in crate::check) fn expand(
        &mut self,
        name: &Name,
        args: &[ast::Expr],
        span: Span,
        want: Want<'_>,
    ) -> Option<Expr> {
        let found = self.world.named_expression(name)?;
        self.report.mark_used(found.declaration);
        if found.params.len() != args.len() {
            self.refuse_arguments(args);
            let diagnostic = wrong_number(
                span,
                &format!("`{name}`"),
                "argument",
                found.params.len(),
                args.len(),
            );
            self.report
                .add(diagnostic.related(found.name.span, "defined here"));
            return None;
        }
        let reason = (found.name.span, format!("`{name}` is defined here"));
        let checked: Vec<Option<Expr>> = args
            .iter()
            .zip(&found.params)
            .map(|(arg, ty)| self.term(arg, Want::of(ty.as_ref(), Some(&reason))))
            .collect();
        let args = checked.into_iter().collect::<Option<Vec<_>>>()?;
        let (locals, body) = found.definition.as_ref()?;
        self.may_read_state_of(body, &found.name, span)?;
        // A parameter says its type, as a term does that is written with it: `f(n - 1)` of a `Nat` has no value at zero, even
        // where an integer is wanted.
        let numbers = args.iter().filter(|arg| is_number(&arg.ty));
        self.qualified.extend(numbers.map(Expr::id));
        self.qualified.extend(&found.qualified);
        let values = (0..).map(LocalId::at).zip(args);
        let copy = self.instantiate(locals, body, values, span)?;
        if self.depth + height(&copy) > MAX_DEPTH {
            self.report.add(
                Diagnostic::error(
                    Code::TooDeep,
                    span,
                    "this expands to a term that is nested too deeply",
                )
                .label(format!("more than {MAX_DEPTH} levels")),
            );
            return None;
        }
        let ty = copy.ty.clone();
        self.fit(copy.retyped(ty, span), want)
    }
}

impl Checker<'_, '_> {
    /// Reports that what a name stands for reads state that cannot be read here.
    fn may_read_state_of(&mut self, body: &Expr, name: &Ident, span: Span) -> Option<()> {
        let mut reads = false;
        reads_of_expr(body, &mut |_, _| reads = true);
        let mut spaces = self.scope.bare_states();
        let state = spaces.find(|(_, state)| state.store == Store::Pre);
        let allowed = match state {
            _ if !reads => Ok(()),
            Some((_, state)) => state.read,
            None => Err("no automaton's variables have their bare names here"),
        };
        let Err(reason) = allowed else {
            return Some(());
        };
        let message = format!("`{}` reads the state, which cannot be read here", name.name);
        self.report.add(
            Diagnostic::error(Code::NoStateHere, span, message)
                .label(reason)
                .related(name.span, "defined here"),
        );
        None
    }
}

fn height(expr: &Expr) -> usize {
    1 + expr.children().map(height).max().unwrap_or(0)
}

/// Calls `visit` on every name in a term that may be that of an expression.
fn mentions<'a>(e: &'a ast::Expr, visit: &mut impl FnMut(&'a Name)) {
    use ast::ExprKind as Form;
    match &e.kind {
        Form::Name(name) => visit(&name.name),
        Form::Call(name, args) => {
            visit(&name.name);
            args.iter().for_each(|arg| mentions(arg, visit));
        }
        Form::Chain(_, parts) | Form::Braces(parts) | Form::Brackets(parts) => {
            parts.iter().for_each(|part| mentions(part, visit));
        }
        Form::Index(a, b) | Form::Binary(_, _, a, b) => {
            mentions(a, visit);
            mentions(b, visit);
        }
        Form::Field(a, _)
        | Form::Qualified(a, _)
        | Form::Unary(_, a)
        | Form::Quantified(_, _, a)
        | Form::Comprehension(_, a)
        | Form::Entries(_, a) => {
            mentions(a, visit);
        }
        Form::If(a, b, c) => [a, b, c].into_iter().for_each(|part| mentions(part, visit)),
        Form::Bool(_)
        | Form::Number(_)
        | Form::Decimal(_)
        | Form::Char(_)
        | Form::Text(_)
        | Form::Element(..)
        | Form::Error => {}
    }
}
