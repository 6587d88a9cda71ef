//! All that the files declare, as the check of each item sees it.

use std::collections::{BTreeMap, BTreeSet};

use super::report::{DeclarationId, Report};
use crate::check::instance::Denotation;
use crate::check::lets::Let;
use crate::check::parameters::Open;
use crate::check::vocabularies::Vocabulary;
use crate::core::{
    ActionId, ActionKind, Assumed, Automaton, AutomatonId, EnumId, Expr, FunctionId, Liveness,
    Local, Model, SortId, Transition, Type, UnionId, VarId,
};
use crate::source::{Name, Span};
use crate::syntax::ast::Ident;

/// What the items of a model have declared. Types, theories and the headings of automata are complete before the first
/// term is checked; the transitions are there before properties and schedules are.
#[derive(Default)]
pub(in crate::check) struct World {
    /// The model under construction. Its types and theories are final; automata and claims about them are added last.
    pub(in crate::check) model: Model,
    /// Declared types; `None` if the declaration was not understood.
    pub(in crate::check) types: BTreeMap<Name, Option<Type>>,
    /// Constructors and names in each tuple type, once its fields' types are replaced by what they stand for.
    pub(in crate::check) tuple_sizes: Vec<usize>,
    /// The same of each union type.
    pub(in crate::check) union_sizes: Vec<usize>,
    /// The values of all enumerations, and the tags of unions: those of one name in the order of their declarations.
    pub(in crate::check) enumerators: BTreeMap<Name, Vec<Enumerator>>,
    /// The unions that have a variant of this name, with its position.
    pub(in crate::check) variants: BTreeMap<Name, Vec<(UnionId, u32)>>,
    /// The enumeration of the tags of each union.
    pub(in crate::check) tags: BTreeMap<Name, EnumId>,
    /// The origins of the model's operators and axioms, by their positions there.
    pub(in crate::check) function_origins: Vec<Origin>,
    pub(in crate::check) axiom_origins: Vec<Origin>,
    /// The declarations of sorts that stand for parameters, and of operators that users declare.
    pub(in crate::check) sort_declarations: BTreeMap<SortId, DeclarationId>,
    pub(in crate::check) function_declarations: BTreeMap<FunctionId, DeclarationId>,
    /// For each sort of quorums, the sort of their members and the membership operator, in all namespaces.
    pub(in crate::check) groups: BTreeMap<SortId, (SortId, FunctionId)>,
    /// The names in each namespace.
    pub(in crate::check) namespaces: BTreeMap<Namespace, NamespaceEntries>,
    /// The namespaces whose names are visible now, in addition to the global one.
    pub(in crate::check) entered: Vec<Namespace>,
    /// The theories in use, with what their operators are.
    pub(in crate::check) theories: BTreeMap<TheoryKey, Vec<Denotation>>,
    /// The theories that the user declares; `None` if one was not understood.
    pub(in crate::check) vocabularies: BTreeMap<Name, Option<Vocabulary>>,
    /// What each automaton leaves open.
    pub(in crate::check) open: Vec<Open>,
    /// The automata as far as they were understood, without their transitions; each is there once it was checked.
    pub(in crate::check) cores: Vec<Option<Automaton>>,
    /// The headings of the automata.
    pub(in crate::check) headers: Vec<Header>,
    /// The automata by name.
    pub(in crate::check) automata: BTreeMap<Name, AutomatonId>,
    /// The transition clauses of each automaton, once they are known.
    pub(in crate::check) clauses: Vec<Clauses>,
    /// The liveness properties that monitors state about the executions they observe.
    pub(in crate::check) temperatures: Vec<Liveness>,
}

/// A theory and what it is about.
pub(in crate::check) type TheoryKey = (Name, Vec<Type>);

/// What an operator or an axiom belongs to.
#[derive(Clone)]
pub(in crate::check) enum Origin {
    /// A theory: it is assumed wherever that is.
    Theory(TheoryKey),
    /// The parameters of an automaton.
    Parameters(AutomatonId),
    /// The vocabulary that is being checked; it is gone from the model afterwards.
    Vocabulary,
}

/// A namespace: the region in which names are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::check) enum Namespace {
    /// Everywhere.
    #[default]
    All,
    /// In one automaton and in claims about it.
    Automaton(AutomatonId),
    /// In the vocabulary that is being checked.
    Vocabulary,
}

/// The names of a namespace.
#[derive(Default)]
pub(in crate::check) struct NamespaceEntries {
    /// The names of expressions.
    pub(in crate::check) lets: BTreeMap<Name, Let>,
    /// Parameters that are types.
    pub(in crate::check) types: BTreeMap<Name, (SortId, Span)>,
    /// Parameters that are values.
    pub(in crate::check) values: BTreeMap<Name, (FunctionId, Span)>,
    /// The operators of the theories that are assumed here.
    pub(in crate::check) operators: BTreeMap<Name, Vec<FunctionId>>,
    /// The theories that are assumed here.
    pub(in crate::check) theories: BTreeSet<TheoryKey>,
    /// The order of each sort that is totally ordered here.
    pub(in crate::check) orders: BTreeMap<SortId, FunctionId>,
    /// For each sort of quorums, the sort of their members and the membership.
    pub(in crate::check) groups: BTreeMap<SortId, (SortId, FunctionId)>,
}

/// A value of an enumeration.
pub(in crate::check) struct Enumerator {
    pub(in crate::check) of: EnumId,
    pub(in crate::check) position: u32,
    pub(in crate::check) span: Span,
    /// Whether it is the tag of a union: its name hides nothing and may be taken by a bound variable.
    pub(in crate::check) is_tag: bool,
}

/// The interface of an automaton: its state and its signature.
pub(in crate::check) struct Header {
    pub(in crate::check) name: Ident,
    /// Whether the interface is known; it is not for a composition that was not understood.
    pub(in crate::check) known: bool,
    pub(in crate::check) variables: Variables,
    pub(in crate::check) actions: Vec<DeclaredAction>,
    pub(in crate::check) action_ids: BTreeMap<Name, ActionId>,
}

/// The transition clauses of one automaton.
#[derive(Clone, Default)]
pub(in crate::check) struct Clauses {
    pub(in crate::check) understood: Vec<Transition>,
    /// For each action, whether one of its clauses was not understood.
    pub(in crate::check) incomplete: Vec<bool>,
}

/// The state variables of an automaton, a schedule or a proof block.
pub(in crate::check) struct Variables {
    pub(in crate::check) list: Vec<DeclaredVariable>,
    /// Whether all declarations are in the list.
    pub(in crate::check) complete: bool,
    /// For each declaration the variable that it declares; none if it was refused. (A composition has no declarations.)
    pub(in crate::check) declared: Vec<Option<VarId>>,
    ids: BTreeMap<Name, VarId>,
}

impl Default for Variables {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            complete: true,
            declared: Vec::new(),
            ids: BTreeMap::new(),
        }
    }
}

/// A state variable.
pub(in crate::check) struct DeclaredVariable {
    pub(in crate::check) name: Ident,
    /// `None` if the type was not understood.
    pub(in crate::check) ty: Option<Type>,
    /// Its declaration; that of a composition's variable is in the component. `None` in a schedule or a proof block, of
    /// which it is known otherwise what they read.
    pub(in crate::check) declaration: Option<DeclarationId>,
}

/// An action of a signature.
pub(in crate::check) struct DeclaredAction {
    pub(in crate::check) name: Ident,
    pub(in crate::check) kind: ActionKind,
    pub(in crate::check) params: Vec<DeclaredParam>,
    /// The signature's condition on the parameters; `None` if it was not understood.
    pub(in crate::check) condition: Option<Condition>,
    pub(in crate::check) span: Span,
}

/// A parameter of an action.
pub(in crate::check) struct DeclaredParam {
    pub(in crate::check) name: Ident,
    /// `None` if the type was not understood.
    pub(in crate::check) ty: Option<Type>,
    /// Whether the signature fixes it to a term, or mentions it in a condition.
    pub(in crate::check) is_restricted: bool,
}

/// The `where` and the `const`s of a signature entry.
pub(in crate::check) struct Condition {
    /// One local for each parameter, then the bound variables of the formula.
    pub(in crate::check) locals: Vec<Local>,
    pub(in crate::check) formula: Expr,
}

impl World {
    /// The declaration of a value that a variable of this name would be confused with: an enumeration's, or an
    /// expression's with a name.
    pub(in crate::check) fn value_named(&self, name: &str) -> Option<Span> {
        let mut values = self.enumerators.get(name).into_iter().flatten();
        let value = values.find(|value| !value.is_tag).map(|value| value.span);
        let named = self.named_expression(name).filter(|named| named.is_plain());
        value.or_else(|| named.map(|named| named.name.span))
    }

    pub(in crate::check) fn header(&self, id: AutomatonId) -> &Header {
        &self.headers[id.index()]
    }

    /// The automaton with this name. A missing automaton is reported, but not one that was not understood.
    pub(in crate::check) fn automaton_named(
        &self,
        name: &Ident,
        report: &mut Report,
    ) -> Option<AutomatonId> {
        let found = self.automata.get(&name.name).copied();
        if found.is_none() {
            let known = self.automata.keys().map(|name| &**name);
            let diagnostic = report.unknown("automaton", name, known);
            report.add_absence(&name.name, diagnostic);
        }
        found.filter(|id| self.header(*id).known)
    }

    /// Remembers that an operator is used.
    pub(in crate::check) fn mark_function_used(&self, function: FunctionId, report: &mut Report) {
        if let Some(declaration) = self.function_declarations.get(&function) {
            report.mark_used(*declaration);
        }
    }
}

impl World {
    /// The names that are known now, those known everywhere first.
    fn known(&self) -> impl Iterator<Item = &NamespaceEntries> {
        let namespaces = [Namespace::All]
            .into_iter()
            .chain(self.entered.iter().copied());
        namespaces.filter_map(|namespace| self.namespaces.get(&namespace))
    }

    /// The expression of this name.
    pub(in crate::check) fn named_expression(&self, name: &str) -> Option<&Let> {
        self.known().find_map(|known| known.lets.get(name))
    }

    /// The names of expressions that are known now.
    pub(in crate::check) fn named_expressions(&self) -> impl Iterator<Item = &str> {
        self.known()
            .flat_map(|known| known.lets.keys().map(|name| &**name))
    }

    /// The sort that stands for a parameter, by its name in its automaton or by its full one.
    pub(in crate::check) fn parameter_sort(&self, name: &str) -> Option<SortId> {
        let short = self.known().find_map(|known| known.types.get(name));
        short.map(|(sort, _)| *sort).or_else(|| {
            let (automaton, parameter) = name.split_once('.')?;
            let namespace = Namespace::Automaton(*self.automata.get(automaton)?);
            Some(self.namespaces.get(&namespace)?.types.get(parameter)?.0)
        })
    }

    /// The operator that stands for a parameter of an automaton.
    pub(in crate::check) fn parameter_value(&self, name: &str) -> Option<(FunctionId, Span)> {
        let short = self.known().find_map(|known| known.values.get(name));
        short.copied().or_else(|| {
            let (automaton, parameter) = name.split_once('.')?;
            let namespace = Namespace::Automaton(*self.automata.get(automaton)?);
            // The meaning of another automaton's parameter depends on the assumptions of that automaton.
            let entered = self.entered.contains(&namespace).then_some(namespace);
            self.namespaces
                .get(&entered?)?
                .values
                .get(parameter)
                .copied()
        })
    }

    /// The names of types and of operators that are known now.
    pub(in crate::check) fn known_types(&self) -> impl Iterator<Item = &str> {
        self.known()
            .flat_map(|known| known.types.keys().map(|name| &**name))
    }

    pub(in crate::check) fn known_operators(&self) -> impl Iterator<Item = &str> {
        self.known().flat_map(|known| {
            let values = known.values.keys();
            known.operators.keys().chain(values).map(|name| &**name)
        })
    }

    /// The order of a sort, if it has one here.
    pub(in crate::check) fn order(&self, sort: SortId) -> Option<FunctionId> {
        self.known()
            .find_map(|known| known.orders.get(&sort).copied())
    }

    /// The sort of the members of a sort of quorums and the membership, if it is one here.
    pub(in crate::check) fn group(&self, sort: SortId) -> Option<(SortId, FunctionId)> {
        self.known()
            .find_map(|known| known.groups.get(&sort).copied())
    }

    /// The operators of this name that the theories at hand declare, each once.
    pub(in crate::check) fn operators(&self, name: &str) -> Vec<FunctionId> {
        let found: BTreeSet<FunctionId> = self
            .known()
            .filter_map(|known| known.operators.get(name))
            .flatten()
            .copied()
            .collect();
        found.into_iter().collect()
    }

    /// Whether a theory is assumed here.
    pub(in crate::check) fn is_assumed(&self, key: &TheoryKey) -> bool {
        self.known().any(|known| known.theories.contains(key))
    }

    /// Where an operator or an axiom may be supposed.
    pub(in crate::check) fn assumed(&self, origin: &Origin) -> Assumed {
        let key = match origin {
            Origin::Theory(key) => key,
            Origin::Parameters(automaton) => return Assumed::by(*automaton),
            Origin::Vocabulary => return Assumed::By(BTreeSet::new()),
        };
        let mut automata = BTreeSet::new();
        for (namespace, known) in &self.namespaces {
            match namespace {
                _ if !known.theories.contains(key) => {}
                Namespace::All => return Assumed::Everywhere,
                Namespace::Automaton(id) => drop(automata.insert(*id)),
                Namespace::Vocabulary => {}
            }
        }
        Assumed::By(automata)
    }

    pub(in crate::check) fn namespace(&mut self, namespace: Namespace) -> &mut NamespaceEntries {
        self.namespaces.entry(namespace).or_default()
    }
}

impl Header {
    /// The heading of an automaton of which nothing else is known.
    pub(in crate::check) fn unknown(name: Ident) -> Self {
        Self {
            name,
            known: false,
            variables: Variables::default(),
            actions: Vec::new(),
            action_ids: BTreeMap::new(),
        }
    }

    pub(in crate::check) fn action(&self, id: ActionId) -> &DeclaredAction {
        &self.actions[id.index()]
    }
}

impl Variables {
    /// Adds a variable, or returns where one with this name was already declared.
    pub(in crate::check) fn add(&mut self, variable: DeclaredVariable) -> Result<VarId, Span> {
        let id = VarId::at(self.list.len());
        if let Some(first) = self.find(&variable.name.name) {
            return Err(self.list[first.index()].name.span);
        }
        self.ids.insert(variable.name.name.clone(), id);
        self.list.push(variable);
        Ok(id)
    }

    pub(in crate::check) fn find(&self, name: &str) -> Option<VarId> {
        self.ids.get(name).copied()
    }

    pub(in crate::check) fn get(&self, id: VarId) -> &DeclaredVariable {
        &self.list[id.index()]
    }

    pub(in crate::check) fn names(&self) -> impl Iterator<Item = &str> {
        self.ids.keys().map(|name| &**name)
    }

    /// The variables as the core has them, if all were understood.
    pub(in crate::check) fn to_core(&self) -> Option<Vec<crate::core::Variable>> {
        self.complete.then_some(())?;
        self.list
            .iter()
            .map(|variable| {
                Some(crate::core::Variable {
                    name: variable.name.name.clone(),
                    ty: variable.ty.clone()?,
                    component: None,
                    span: variable.name.span,
                })
            })
            .collect()
    }
}
