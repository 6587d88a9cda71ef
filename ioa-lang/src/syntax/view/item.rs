//! Items and the headings of items.

use super::define::{Parts, View};
use super::section::{Instance, ScheduleBody, Uses};
use super::term::{Binders, Name, Term, TypeRef};
use crate::syntax::tree::{Kind, Node};

views! {
    /// `type T = ..`, also in a vocabulary.
    TypeDeclaration = type_piece | local_type { name: first Name, definition: optional TypeDefinition }
    /// `enumeration of a, b`
    Enumeration = enumeration { names: each Name }
    /// `tuple of a: T, b: U`
    Tuple = tuple { fields: first Binders }
    /// `union of a: T, b: U`
    Union = union_of { variants: first Binders }
    /// `let f(a, b: Nat) = e`
    Let = let_piece { name: first Name, params: optional Binders in let_params, body: first Term }

    /// `assumes ..` or `uses ..`, which may list several theories.
    Assumption = theory_piece { theories: each Theory in theories }
    /// `V(T, U)`
    Theory = theory { name: first Name, args: each TypeRef in theory_args }
    /// `vocabulary V(T: type) .. end` or `Name(I, J): trait ..`
    Vocabulary = vocabulary_piece | trait_piece {
        name: first Name, params: each Parameter in parameters, trait_params: each Name in trait_params,
        includes: each Theory in inclusion, types: each TypeDeclaration in local_types,
        operators: each OperatorDeclaration in operators, axioms: each Axioms,
    }
    /// `f, g: T, U -> V`, whose types end with that of the result.
    OperatorDeclaration = signature_of { names: each Name, types: each TypeRef }
    /// `asserts ..`
    Axioms = axioms { axioms: each Axiom }
    /// A formula, or `with x: T` before formulas.
    Axiom = axiom { given: optional Binders in given, formula: optional Term }

    /// The heading of an automaton, or of a monitor with the system that it observes.
    Automaton = automaton_piece | monitor_piece {
        name: first Name, params: each Parameter in parameters, system: optional Instance,
        predicate: optional Term in where_clause, theories: each Theory in theories,
    }
    /// `M, N: type` or `i, j: Int`
    Parameter = parameter { names: each Name, ty: optional TypeRef }

    /// `invariant Name of A uses L: P`
    Invariant = invariant_piece {
        name: first Name, automaton: first Name behind k_of, uses: optional Uses, formula: first Term,
    }
    /// `schedule Name of A ..`
    Schedule = schedule_piece { name: first Name, automaton: first Name behind k_of, body: first ScheduleBody }
    /// `forward simulation from Low to High: P` or `backward simulation ..`, without its proof block.
    Simulation = simulation_piece {
        backward: optional Backward, low: first Name behind k_from, high: first Name behind k_to, relation: first Term,
    }
    /// `backward`
    Backward = k_backward {}
    /// A text that is one formula.
    Formula = formula_piece { formula: first Term }

    /// `liveness Name of A: always eventually P for x: T`, or another temporal formula.
    Liveness = liveness_piece {
        name: first Name, automaton: first Name behind k_of, progress: optional Progress, binders: optional Binders,
    }
    /// `always eventually P`
    AlwaysEventually = always_eventually { formula: first Term }
    /// `eventually always P`
    EventuallyAlways = eventually_always { formula: first Term }
    /// `P leads to Q`
    LeadsTo = leads_to { premise: first Term, goal: first Term behind k_to }
    /// Temporal formulas in parentheses with one sign between them, and `=>` before the last.
    Joined = joined { operands: each Enclosed, or: optional Or, conclusion: optional Joined }
    /// `\/`
    Or = or {}
    /// A temporal formula in parentheses, with as many `~` as there are before it.
    Enclosed = enclosed { signs: each Not, formula: first Progress }
    /// `~`
    Not = not {}
}

choices! {
    /// How a type is defined.
    TypeDefinition = Enumeration | Tuple | Union | TypeRef;
    /// A temporal formula.
    Progress = AlwaysEventually | EventuallyAlways | LeadsTo | Joined | Enclosed;
}
