//! All that the files declare, as the check of each item sees it.

use std::collections::{BTreeMap, BTreeSet};

use super::instance::Denotation;
use super::lets::Let;
use super::parameters::Open;
use super::report::{DeclarationId, Report};
use super::vocabularies::Vocabulary;
use crate::core::{
    ActionId, ActionKind, Assumed, Automaton, AutomatonId, EnumId, Expr, FunctionId, Liveness,
    Local, Model, SortId, Transition, Type, UnionId, VarId,
};
use crate::source::{Name, Span};
use crate::syntax::ast::Ident;

/// What the items of a model have declared. Types, theories and the headings of automata are complete before the first
/// term is checked; the transitions are there before properties and schedules are.
#[derive(Default)]
pub(super) struct World {
    /// The model under construction. Its types and theories are final; automata and claims about them are added last.
    pub(super) model: Model,
    /// Declared types; `None` if the declaration was not understood.
    pub(super) types: BTreeMap<Name, Option<Type>>,
    /// Constructors and names in each tuple type, once its fields' types are replaced by what they stand for.
    pub(super) tuple_sizes: Vec<usize>,
    /// The same of each union type.
    pub(super) union_sizes: Vec<usize>,
    /// The values of all enumerations, and the tags of unions: those of one name in the order of their declarations.
    pub(super) enumerators: BTreeMap<Name, Vec<Enumerator>>,
    /// The unions that have a variant of this name, with its position.
    pub(super) variants: BTreeMap<Name, Vec<(UnionId, u32)>>,
    /// The enumeration of the tags of each union.
    pub(super) tags: BTreeMap<Name, EnumId>,
    /// The origins of the model's operators and axioms, by their positions there.
    pub(super) function_origins: Vec<Origin>,
    pub(super) axiom_origins: Vec<Origin>,
    /// The declarations of sorts that stand for parameters, and of operators that users declare.
    pub(super) sort_declarations: BTreeMap<SortId, DeclarationId>,
    pub(super) function_declarations: BTreeMap<FunctionId, DeclarationId>,
    /// For each sort of quorums, the sort of their members and the membership operator, in all namespaces.
    pub(super) groups: BTreeMap<SortId, (SortId, FunctionId)>,
    /// The names in each namespace.
    pub(super) namespaces: BTreeMap<Namespace, NamespaceEntries>,
    /// The namespaces whose names are visible now, in addition to the global one.
    pub(super) entered: Vec<Namespace>,
    /// The theories in use, with what their operators are.
    pub(super) theories: BTreeMap<TheoryKey, Vec<Denotation>>,
    /// The theories that the user declares; `None` if one was not understood.
    pub(super) vocabularies: BTreeMap<Name, Option<Vocabulary>>,
    /// What each automaton leaves open.
    pub(super) open: Vec<Open>,
    /// The automata as far as they were understood, without their transitions; each is there once it was checked.
    pub(super) cores: Vec<Option<Automaton>>,
    /// The headings of the automata.
    pub(super) headers: Vec<Header>,
    /// The automata by name.
    pub(super) automata: BTreeMap<Name, AutomatonId>,
    /// The transition clauses of each automaton, once they are known.
    pub(super) clauses: Vec<Clauses>,
    /// The liveness properties that monitors state about the executions they observe.
    pub(super) temperatures: Vec<Liveness>,
}

/// A theory and what it is about.
pub(super) type TheoryKey = (Name, Vec<Type>);

/// What an operator or an axiom belongs to.
#[derive(Clone)]
pub(super) enum Origin {
    /// A theory: it is assumed wherever that is.
    Theory(TheoryKey),
    /// The parameters of an automaton.
    Parameters(AutomatonId),
    /// The vocabulary that is being checked; it is gone from the model afterwards.
    Vocabulary,
}

/// A namespace: the region in which names are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Namespace {
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
pub(super) struct NamespaceEntries {
    /// The names of expressions.
    pub(super) lets: BTreeMap<Name, Let>,
    /// Parameters that are types.
    pub(super) types: BTreeMap<Name, (SortId, Span)>,
    /// Parameters that are values.
    pub(super) values: BTreeMap<Name, (FunctionId, Span)>,
    /// The operators of the theories that are assumed here.
    pub(super) operators: BTreeMap<Name, Vec<FunctionId>>,
    /// The theories that are assumed here.
    pub(super) theories: BTreeSet<TheoryKey>,
    /// The order of each sort that is totally ordered here.
    pub(super) orders: BTreeMap<SortId, FunctionId>,
    /// For each sort of quorums, the sort of their members and the membership.
    pub(super) groups: BTreeMap<SortId, (SortId, FunctionId)>,
}

/// A value of an enumeration.
pub(super) struct Enumerator {
    pub(super) of: EnumId,
    pub(super) position: u32,
    pub(super) span: Span,
    /// Whether it is the tag of a union: its name hides nothing and may be taken by a bound variable.
    pub(super) is_tag: bool,
}

/// The interface of an automaton: its state and its signature.
pub(super) struct Header {
    pub(super) name: Ident,
    /// Whether the interface is known; it is not for a composition that was not understood.
    pub(super) known: bool,
    pub(super) variables: Variables,
    pub(super) actions: Vec<DeclaredAction>,
    pub(super) action_ids: BTreeMap<Name, ActionId>,
}

/// The transition clauses of one automaton.
#[derive(Clone, Default)]
pub(super) struct Clauses {
    pub(super) understood: Vec<Transition>,
    /// For each action, whether one of its clauses was not understood.
    pub(super) incomplete: Vec<bool>,
}

/// The state variables of an automaton, a schedule or a proof block.
pub(super) struct Variables {
    pub(super) list: Vec<DeclaredVariable>,
    /// Whether all declarations are in the list.
    pub(super) complete: bool,
    /// For each declaration the variable that it declares; none if it was refused. (A composition has no declarations.)
    pub(super) declared: Vec<Option<VarId>>,
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
pub(super) struct DeclaredVariable {
    pub(super) name: Ident,
    /// `None` if the type was not understood.
    pub(super) ty: Option<Type>,
    /// Its declaration; that of a composition's variable is in the component. `None` in a schedule or a proof block, of
    /// which it is known otherwise what they read.
    pub(super) declaration: Option<DeclarationId>,
}

/// An action of a signature.
pub(super) struct DeclaredAction {
    pub(super) name: Ident,
    pub(super) kind: ActionKind,
    pub(super) params: Vec<DeclaredParam>,
    /// The signature's condition on the parameters; `None` if it was not understood.
    pub(super) condition: Option<Condition>,
    pub(super) span: Span,
}

/// A parameter of an action.
pub(super) struct DeclaredParam {
    pub(super) name: Ident,
    /// `None` if the type was not understood.
    pub(super) ty: Option<Type>,
    /// Whether the signature fixes it to a term, or mentions it in a condition.
    pub(super) is_restricted: bool,
}

/// The `where` and the `const`s of a signature entry.
pub(super) struct Condition {
    /// One local for each parameter, then the bound variables of the formula.
    pub(super) locals: Vec<Local>,
    pub(super) formula: Expr,
}

impl World {
    /// The declaration of a value that a variable of this name would be confused with: an enumeration's, or an
    /// expression's with a name.
    pub(super) fn value_named(&self, name: &str) -> Option<Span> {
        let mut values = self.enumerators.get(name).into_iter().flatten();
        let value = values.find(|value| !value.is_tag).map(|value| value.span);
        let named = self.named_expression(name).filter(|named| named.is_plain());
        value.or_else(|| named.map(|named| named.name.span))
    }

    pub(super) fn header(&self, id: AutomatonId) -> &Header {
        &self.headers[id.index()]
    }

    /// Remembers that an operator is used.
    pub(super) fn mark_function_used(&self, function: FunctionId, report: &mut Report) {
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
    pub(super) fn named_expression(&self, name: &str) -> Option<&Let> {
        self.known().find_map(|known| known.lets.get(name))
    }

    /// The names of expressions that are known now.
    pub(super) fn named_expressions(&self) -> impl Iterator<Item = &str> {
        self.known()
            .flat_map(|known| known.lets.keys().map(|name| &**name))
    }

    /// The sort that stands for a parameter, by its name in its automaton or by its full one.
    pub(super) fn parameter_sort(&self, name: &str) -> Option<SortId> {
        let short = self.known().find_map(|known| known.types.get(name));
        short.map(|(sort, _)| *sort).or_else(|| {
            let (automaton, parameter) = name.split_once('.')?;
            let namespace = Namespace::Automaton(*self.automata.get(automaton)?);
            Some(self.namespaces.get(&namespace)?.types.get(parameter)?.0)
        })
    }

    /// The operator that stands for a parameter of an automaton.
    pub(super) fn parameter_value(&self, name: &str) -> Option<(FunctionId, Span)> {
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
    pub(super) fn known_types(&self) -> impl Iterator<Item = &str> {
        self.known()
            .flat_map(|known| known.types.keys().map(|name| &**name))
    }

    pub(super) fn known_operators(&self) -> impl Iterator<Item = &str> {
        self.known().flat_map(|known| {
            let values = known.values.keys();
            known.operators.keys().chain(values).map(|name| &**name)
        })
    }

    /// The order of a sort, if it has one here.
    pub(super) fn order(&self, sort: SortId) -> Option<FunctionId> {
        self.known()
            .find_map(|known| known.orders.get(&sort).copied())
    }

    /// The sort of the members of a sort of quorums and the membership, if it is one here.
    pub(super) fn group(&self, sort: SortId) -> Option<(SortId, FunctionId)> {
        self.known()
            .find_map(|known| known.groups.get(&sort).copied())
    }

    /// The operators of this name that the theories at hand declare, each once.
    pub(super) fn operators(&self, name: &str) -> Vec<FunctionId> {
        let found: BTreeSet<FunctionId> = self
            .known()
            .filter_map(|known| known.operators.get(name))
            .flatten()
            .copied()
            .collect();
        found.into_iter().collect()
    }

    /// Whether a theory is assumed here.
    pub(super) fn is_assumed(&self, key: &TheoryKey) -> bool {
        self.known().any(|known| known.theories.contains(key))
    }

    /// Where an operator or an axiom may be supposed.
    pub(super) fn assumed(&self, origin: &Origin) -> Assumed {
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

    pub(super) fn namespace(&mut self, namespace: Namespace) -> &mut NamespaceEntries {
        self.namespaces.entry(namespace).or_default()
    }
}

impl Header {
    /// The heading of an automaton of which nothing else is known.
    pub(super) fn unknown(name: Ident) -> Self {
        Self {
            name,
            known: false,
            variables: Variables::default(),
            actions: Vec::new(),
            action_ids: BTreeMap::new(),
        }
    }

    pub(super) fn action(&self, id: ActionId) -> &DeclaredAction {
        &self.actions[id.index()]
    }
}

impl Variables {
    /// Adds a variable, or returns where one with this name was already declared.
    pub(super) fn add(&mut self, variable: DeclaredVariable) -> Result<VarId, Span> {
        let id = VarId::at(self.list.len());
        if let Some(first) = self.find(&variable.name.name) {
            return Err(self.list[first.index()].name.span);
        }
        self.ids.insert(variable.name.name.clone(), id);
        self.list.push(variable);
        Ok(id)
    }

    pub(super) fn find(&self, name: &str) -> Option<VarId> {
        self.ids.get(name).copied()
    }

    pub(super) fn get(&self, id: VarId) -> &DeclaredVariable {
        &self.list[id.index()]
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.ids.keys().map(|name| &**name)
    }

    /// The variables as the core has them, if all were understood.
    pub(super) fn to_core(&self) -> Option<Vec<crate::core::Variable>> {
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
