//! What is visible at a place of an item: its bound variables, and the state that may be read or written there.

use crate::core::{AutomatonId, Local, LocalId, Store, VarId};
use crate::source::{Name, Span};

use super::world::Variables;
use crate::syntax::ast::Ident;

/// Whether something may be done, and if not, why.
pub(in crate::check) type Permission = Result<(), &'static str>;

/// A valuation of state variables that an item can name.
pub(in crate::check) struct StateSpace<'w> {
    /// The automaton's name where it must be written (`Low.x`).
    pub(in crate::check) qualifier: Option<Ident>,
    pub(in crate::check) store: Store,
    pub(in crate::check) variables: &'w Variables,
    pub(in crate::check) read: Permission,
    pub(in crate::check) write: Permission,
}

impl StateSpace<'_> {
    /// How a variable is written here.
    pub(in crate::check) fn written(&self, var: VarId) -> String {
        let name = &self.variables.get(var).name.name;
        match &self.qualifier {
            Some(automaton) => format!("{}.{name}", automaton.name),
            None => name.to_string(),
        }
    }
}

/// A bound variable that can be named.
pub(in crate::check) struct Visible {
    pub(in crate::check) name: Name,
    pub(in crate::check) span: Span,
    /// `None` if the type was not understood.
    pub(in crate::check) id: Option<LocalId>,
}

/// The scope of one item while it is checked.
pub(in crate::check) struct Scope<'w> {
    /// All bound variables of the item, in the order of their occurrence.
    pub(in crate::check) locals: Vec<Local>,
    /// Those that are visible now, innermost last.
    pub(in crate::check) visible: Vec<Visible>,
    pub(in crate::check) states: Vec<StateSpace<'w>>,
    /// The hidden parameters that are bound only after this place, with advice on what to do.
    pub(in crate::check) later: (Vec<Ident>, &'static str),
    /// Whether `x'` names the state after the step here.
    pub(in crate::check) primes: bool,
    /// Whether elements of sorts can be named (`Node#0`).
    pub(in crate::check) elements: bool,
    /// Whether values can be drawn at random.
    pub(in crate::check) random: Permission,
    /// The automaton of which `enabled(..)` speaks here.
    pub(in crate::check) enabled: Result<AutomatonId, &'static str>,
    /// What statements are allowed.
    pub(in crate::check) program: ProgramRules,
}

/// What the statements of a program may do.
#[derive(Clone, Copy)]
pub(in crate::check) struct ProgramRules {
    pub(in crate::check) choose: Permission,
    pub(in crate::check) repeat: Permission,
    /// The automaton whose actions are fired.
    pub(in crate::check) fire: Result<AutomatonId, &'static str>,
    /// Whether `fire any` may leave it to the random scheduler what is fired.
    pub(in crate::check) draw: Permission,
    /// Whether `ignore` may say that nothing is done.
    pub(in crate::check) ignore: Permission,
    /// Whether the order in which a loop takes its elements is fixed.
    pub(in crate::check) ordered_loops: bool,
}

/// What a name stands for.
pub(in crate::check) enum Meaning {
    Local(Option<LocalId>),
    /// A variable of the state space at this position; read after the step if the flag is set.
    State {
        space: usize,
        var: VarId,
        primed: bool,
    },
}

impl<'w> Scope<'w> {
    /// A scope in which nothing is visible.
    pub(in crate::check) fn empty() -> Self {
        const NOT_HERE: &str = "no statement can stand here";
        Self {
            locals: Vec::new(),
            visible: Vec::new(),
            states: Vec::new(),
            later: (Vec::new(), ""),
            primes: false,
            elements: false,
            random: Err("only a schedule draws at random"),
            enabled: Err(
                "`enabled` can be used in invariants, liveness properties and schedules only",
            ),
            program: ProgramRules {
                choose: Err(NOT_HERE),
                repeat: Err(NOT_HERE),
                fire: Err(NOT_HERE),
                draw: Ok(()),
                ignore: Err(NOT_HERE),
                ordered_loops: false,
            },
        }
    }

    pub(in crate::check) fn with_state(mut self, space: StateSpace<'w>) -> Self {
        self.states.push(space);
        self
    }

    /// What a bare name stands for. If it names several bound variables, which was reported as an error, it denotes the
    /// innermost.
    pub(in crate::check) fn find(&self, name: &str) -> Option<Meaning> {
        if let Some(found) = self.visible.iter().rev().find(|v| *v.name == *name) {
            return Some(Meaning::Local(found.id));
        }
        let bare = |name: &str, primed| {
            self.bare_states().find_map(|(space, state)| {
                let var = state.variables.find(name)?;
                Some(Meaning::State { space, var, primed })
            })
        };
        bare(name, false).or_else(|| bare(name.strip_suffix('\'')?, true))
    }

    /// The visible thing that a new binder of this name would be confused with, by the place of its declaration.
    pub(in crate::check) fn clash(&self, name: &str) -> Option<Span> {
        match self.find(name) {
            Some(Meaning::Local(_)) => {
                let found = self.visible.iter().rev().find(|v| *v.name == *name)?;
                Some(found.span)
            }
            Some(Meaning::State { space, var, .. }) => {
                Some(self.states[space].variables.get(var).name.span)
            }
            None => {
                let automaton = self.states[self.qualified(name)?].qualifier.as_ref();
                automaton.map(|automaton| automaton.span)
            }
        }
    }

    /// The variable of a component that a path such as `P[i].Q.x` names: its state space, the variable, and whether it is
    /// read after the step. The path is preceded by the name of an automaton where that is required.
    pub(in crate::check) fn component_variable(&self, path: &[&str]) -> Option<Meaning> {
        let (first, rest) = path.split_first()?;
        let named = self.qualified(first).filter(|_| rest.len() > 1);
        let dotted = match named {
            Some(_) => rest.join("."),
            None => path.join("."),
        };
        let spaces: Vec<usize> = match named {
            Some(space) => vec![space],
            None => self.bare_states().map(|(space, _)| space).collect(),
        };
        let find = |name: &str, primed| {
            spaces.iter().find_map(|&space| {
                let var = self.states[space].variables.find(name)?;
                Some(Meaning::State { space, var, primed })
            })
        };
        find(&dotted, false).or_else(|| find(dotted.strip_suffix('\'')?, true))
    }

    /// The variables of components as paths without indices, such as `P.Q.x`: those of the automaton with this name, or of
    /// those that need not be named.
    pub(in crate::check) fn component_paths(
        &self,
        automaton: Option<&str>,
    ) -> impl Iterator<Item = &str> {
        let named = automaton.and_then(|name| self.qualified(name));
        let spaces = match named {
            Some(space) => vec![&self.states[space]],
            None => self.bare_states().map(|(_, state)| state).collect(),
        };
        let names = spaces.into_iter().flat_map(|s| s.variables.names());
        names.filter(|name| name.contains('.'))
    }

    /// The state space that is named by an automaton's name here.
    pub(in crate::check) fn qualified(&self, name: &str) -> Option<usize> {
        self.states
            .iter()
            .position(|state| state.qualifier.as_ref().is_some_and(|q| *q.name == *name))
    }

    /// The state spaces whose variables are named without an automaton.
    pub(in crate::check) fn bare_states(&self) -> impl Iterator<Item = (usize, &StateSpace<'w>)> {
        self.states
            .iter()
            .enumerate()
            .filter(|(_, state)| state.qualifier.is_none())
    }

    /// The names of all that a bare name can stand for here.
    pub(in crate::check) fn names(&self) -> impl Iterator<Item = &str> {
        let locals = self.visible.iter().map(|v| &*v.name);
        let states = self
            .bare_states()
            .flat_map(|(_, state)| state.variables.names());
        locals.chain(states)
    }
}
