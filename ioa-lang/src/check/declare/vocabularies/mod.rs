//! Theories that users declare: each is checked once for its parameters, and copied for what it is assumed of.

mod copies;

use std::collections::{BTreeMap, BTreeSet};

use super::axioms::{self};
use crate::check::checker::Checker;
use crate::check::instance::Denotation;
use crate::check::report::{DeclarationId, Report, duplicate};
use crate::check::scope::Scope;
use crate::check::theories::{self, add_operator};
use crate::check::unused;
use crate::check::world::{Namespace, Origin, TheoryKey, World};
use crate::core::{
    Assumed, Axiom, Function, FunctionId, LocalId, Meaning, Sort, SortId, SortSize, Type,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Name;
use crate::syntax::ast::{self, OperatorDecl, VocabularyItem};

pub(in crate::check) use self::copies::{instantiate, make_known};

/// A theory as it was checked: its sorts and operators are numbered as they were then, and are gone from the model.
pub(in crate::check) struct Vocabulary {
    /// The sorts that stood for its parameters.
    pub(in crate::check) params: Vec<SortId>,
    /// The theories that it builds on, with what their operators were.
    includes: Vec<(TheoryKey, Vec<Denotation>)>,
    operators: Vec<Operator>,
    axioms: Vec<Axiom>,
    /// What it declares.
    pub(in crate::check) declarations: Vec<DeclarationId>,
}

/// An operator that a theory declares.
struct Operator {
    id: FunctionId,
    function: Function,
    declaration: DeclarationId,
}

/// Declares the theories of the files, each after those it builds on.
pub(in crate::check) fn declare(items: &[&VocabularyItem], world: &mut World, report: &mut Report) {
    let mut seen: BTreeMap<&Name, &VocabularyItem> = BTreeMap::new();
    for item in items {
        if theories::is_reserved(&item.name.name) {
            let message = format!("`{}` is a theory of the language", item.name.name);
            report.add(Diagnostic::error(
                Code::NameOfTheLanguage,
                item.name.span,
                message,
            ));
        } else if let Some(first) = seen.get(&item.name.name) {
            report.add(duplicate("the theory", &item.name, first.name.span));
        } else {
            seen.insert(&item.name.name, item);
            world.vocabularies.insert(item.name.name.clone(), None);
        }
    }
    let mut order = Order {
        items: &seen,
        open: BTreeSet::new(),
        done: BTreeSet::new(),
        sorted: Vec::new(),
    };
    for item in seen.values() {
        order.visit(item, report);
    }
    for item in order.sorted {
        let vocabulary = check(item, world, report);
        if vocabulary.is_none() {
            // Imports of the theory use these; a mistake in its declaration is reported only once, where it is.
            let operators = item.operators.iter().map(|decl| decl.name.name.clone());
            operators.for_each(|name| report.miss(name));
        }
        world
            .vocabularies
            .insert(item.name.name.clone(), vocabulary);
    }
}

/// The search for an order in which each theory stands after those it builds on.
struct Order<'a> {
    items: &'a BTreeMap<&'a Name, &'a VocabularyItem>,
    open: BTreeSet<&'a Name>,
    done: BTreeSet<&'a Name>,
    sorted: Vec<&'a VocabularyItem>,
}

/// A chain of theories that build on each other is not longer than this: the search calls itself.
const LONGEST_CHAIN: usize = 200;

impl<'a> Order<'a> {
    fn visit(&mut self, item: &'a VocabularyItem, report: &mut Report) {
        let name = &item.name.name;
        if self.done.contains(name) {
            return;
        }
        if self.open.len() >= LONGEST_CHAIN || !self.open.insert(name) {
            let (code, message) = match self.open.contains(name) {
                true => (
                    Code::DefinedByItself,
                    format!("the theory `{name}` builds on itself"),
                ),
                false => (
                    Code::LargeTheory,
                    "too many theories build on each other".to_owned(),
                ),
            };
            report.add(Diagnostic::error(code, item.name.span, message));
            return;
        }
        for included in &item.includes {
            if let Some(included) = self.items.get(&included.name.name) {
                self.visit(included, report);
            }
        }
        self.open.remove(name);
        if self.done.insert(name) {
            self.sorted.push(item);
        }
    }
}

/// How much of the model there was before a vocabulary was checked.
struct Mark {
    sorts: usize,
    functions: usize,
    axioms: usize,
    arrangements: usize,
}

impl Mark {
    fn of(world: &World) -> Self {
        Self {
            sorts: world.model.sorts.len(),
            functions: world.model.functions.len(),
            axioms: world.model.axioms.len(),
            arrangements: world.model.arrangements.len(),
        }
    }

    /// Takes out of the model again what came later.
    fn restore(&self, world: &mut World) {
        let is_old = |function: &FunctionId| function.index() < self.functions;
        for (group, (_, function)) in &world.groups {
            if !is_old(function) {
                world.model.sorts[group.index()].size = SortSize::Given;
            }
        }
        world.groups.retain(|_, (_, function)| is_old(function));
        world.theories.retain(|_, meant| {
            meant.iter().all(|meant| match meant {
                Denotation::Function(function) => is_old(function),
                Denotation::Op(_) | Denotation::Term(_) => true,
            })
        });
        world.namespaces.remove(&Namespace::Vocabulary);
        world.entered.clear();
        world.model.sorts.truncate(self.sorts);
        world.model.functions.truncate(self.functions);
        world.function_origins.truncate(self.functions);
        let is_kept = |sort: &SortId| sort.index() < self.sorts;
        world.sort_declarations.retain(|sort, _| is_kept(sort));
        world
            .function_declarations
            .retain(|function, _| is_old(function));
        world.model.axioms.truncate(self.axioms);
        world.model.arrangements.truncate(self.arrangements);
        world.axiom_origins.truncate(self.axioms);
    }
}

fn check(item: &VocabularyItem, world: &mut World, report: &mut Report) -> Option<Vocabulary> {
    let mark = Mark::of(world);
    world.entered = vec![Namespace::Vocabulary];
    let mut declarations = Vec::new();
    let params = parameters(item, world, &mut declarations, report);
    let includes: Vec<_> = item
        .includes
        .iter()
        .map(|included| {
            let key = theories::assume(included, Namespace::Vocabulary, world, report)?;
            let meant = world.theories.get(&key)?.clone();
            Some((key, meant))
        })
        .collect();
    let operators: Vec<_> = item
        .operators
        .iter()
        .map(|decl| operator(decl, world, report))
        .collect();
    let axioms: Vec<_> = item
        .axioms
        .iter()
        .enumerate()
        .map(|(position, formula)| {
            let mut checker = Checker::new(world, report, Scope::empty());
            use_what_is_given(formula, &mut checker);
            let formula = checker.formula(formula)?;
            Some(Axiom {
                name: Name::from((position + 1).to_string()),
                assumed: Assumed::default(),
                locals: checker.scope.locals,
                span: formula.span,
                formula,
                describes: None,
            })
        })
        .collect();
    mark.restore(world);
    let operators = operators.into_iter().collect::<Option<Vec<Operator>>>()?;
    declarations.extend(operators.iter().map(|operator| operator.declaration));
    Some(Vocabulary {
        params: params?,
        includes: includes.into_iter().collect::<Option<_>>()?,
        operators,
        axioms: axioms.into_iter().collect::<Option<_>>()?,
        declarations,
    })
}

/// Variables that are given for several axioms need not occur in each of them. They come before the axiom, unlike those that
/// the axiom itself binds; either are the first that the check of the axiom binds.
fn use_what_is_given(axiom: &ast::Expr, checker: &mut Checker<'_, '_>) {
    if let ast::ExprKind::Quantified(_, binders, _) = &axiom.kind {
        let binders = (0..).map(LocalId).zip(binders);
        let given = binders.filter(|(_, binder)| binder.name.span.end <= axiom.span.start);
        checker.used.extend(given.map(|(id, _)| id));
    }
}

/// The sorts that stand for the parameters of a theory while it is checked.
fn parameters(
    item: &VocabularyItem,
    world: &mut World,
    declarations: &mut Vec<DeclarationId>,
    report: &mut Report,
) -> Option<Vec<SortId>> {
    let mut sorts = Some(Vec::new());
    for param in &item.params {
        let taken = world
            .namespace(Namespace::Vocabulary)
            .types
            .get(&param.name);
        if let Some((_, first)) = taken {
            report.add(duplicate("the parameter", param, *first));
            sorts = None;
            continue;
        }
        let sort = SortId::at(world.model.sorts.len());
        world.model.sorts.push(Sort {
            name: param.name.clone(),
            size: SortSize::Given,
            span: param.span,
        });
        let declaration = unused::declare("the parameter", param, report);
        world.sort_declarations.insert(sort, declaration);
        declarations.push(declaration);
        let known = world.namespace(Namespace::Vocabulary);
        known.types.insert(param.name.clone(), (sort, param.span));
        sorts.iter_mut().for_each(|sorts| sorts.push(sort));
    }
    if !item.params.is_empty()
        && let Some(ty) = item.types.first()
    {
        report.add(
            Diagnostic::error(
                Code::TypesInTheory,
                ty.span,
                "a theory with parameters declares no types",
            )
            .help("declare the type outside, or make it a parameter"),
        );
        return None;
    }
    sorts
}

fn operator(decl: &OperatorDecl, world: &mut World, report: &mut Report) -> Option<Operator> {
    let params: Vec<_> = decl
        .params
        .iter()
        .map(|ty| world.resolve(ty, report))
        .collect();
    let result = world.resolve(&decl.result, report);
    let function = Function {
        name: decl.name.name.clone(),
        params: params.into_iter().collect::<Option<Vec<Type>>>()?,
        result: result?,
        meaning: Meaning::Axioms,
        assumed: Assumed::default(),
        span: decl.name.span,
    };
    let enumerator = world.value_named(&decl.name.name);
    let same = world
        .operators(&decl.name.name)
        .into_iter()
        .find(|id| world.model.functions[id.index()].params == function.params);
    let same = same.map(|id| world.model.functions[id.index()].span);
    if let Some(first) = enumerator.or(same) {
        report.add(duplicate("the operator", &decl.name, first));
        return None;
    }
    let id = axioms::declare(world, Origin::Vocabulary, function.clone());
    add_operator(id, Namespace::Vocabulary, world);
    let declaration = unused::declare("the operator", &decl.name, report);
    world.function_declarations.insert(id, declaration);
    Some(Operator {
        id,
        function,
        declaration,
    })
}
