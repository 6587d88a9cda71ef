//! The code of each kind of diagnostic: it stays when the words of a message change.
//!
//! Codes are grouped by area, and a new one is added at the end of its area; the number of a code that is no longer used is
//! not reused. The guide has a section with an example for each, which `ioa explain` shows.

use std::fmt;

/// Declares the codes with their names and titles.
macro_rules! codes {
    ($($variant:ident = $name:literal, $title:literal;)*) => {
        /// What kind of diagnostic it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $title] $variant,)*
        }

        impl Code {
            /// All codes, by area.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name, such as `E201`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// What is wrong, in a few words.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self {
                    $(Self::$variant => $title,)*
                }
            }
        }
    };
}

codes! {
    // Text.
    Unexpected = "E101", "something else is expected here";
    NoSeparator = "E102", "a separator is missing";
    NoDeclaration = "E103", "no declaration, action or entry starts here";
    Deceptive = "E104", "a character is misleading";
    TooDeep = "E105", "nested too deep";
    MixedJunctions = "E106", "`/\\` and `\\/` are mixed without parentheses";
    ChainedComparison = "E107", "comparisons are chained";
    LooseNot = "E108", "`~` binds looser than the operator before it";
    LongNumber = "E109", "a number has too many digits";
    NotOneCharacter = "E110", "a character literal needs exactly one character";
    BadEscape = "E111", "an escape is unknown";
    LargeElement = "E112", "the index of an element is too large";
    LongSet = "E113", "a set literal is too long";

    // Names.
    UnknownName = "E201", "an unknown name";
    DeclaredTwice = "E202", "something is declared twice";
    NameTaken = "E203", "a name has a meaning already";
    NameOfTheLanguage = "E204", "a name belongs to the language";
    PrimedName = "E205", "a name with a prime is declared";
    DefinedByItself = "E206", "something is defined in terms of itself";
    WrongNumber = "E207", "not the right number of arguments";
    LargeType = "E208", "a type is too large";
    LargeFormula = "E209", "expansions make a formula too large";
    NoStateHere = "E210", "a named expression reads the state where there is none";

    // Types and terms.
    WrongType = "E301", "a term is of another type";
    NotDefinedFor = "E302", "an operator is not defined for these types";
    NoOrder = "E303", "what is compared has no order";
    NoType = "E304", "nothing determines the type of a term";
    Ambiguous = "E305", "a name could mean several things";
    NoField = "E306", "there is no such field";
    NotHere = "E307", "an operator cannot be used here";
    UnreadableHere = "E308", "a variable or parameter cannot be read here";
    NoTerm = "E309", "an action stands where a term is expected";
    NoAction = "E310", "`enabled` without an action";
    NoComponent = "E311", "an action is named of something that is not a component";
    ElementNamed = "E312", "an element of a sort is named outside of a schedule";
    NoElements = "E313", "a type has no numbered elements";
    WrongIndices = "E314", "a component is given the wrong number of indices";

    // Automata.
    CannotBeAssigned = "E401", "this cannot be assigned";
    PartAssigned = "E402", "a part is assigned that has to be assigned as a whole";
    OrderMatters = "E403", "a loop depends on the order of its elements";
    NoChoose = "E404", "`choose` cannot stand here";
    NoWhile = "E405", "`while` cannot stand here";
    NoFire = "E406", "`fire` cannot stand here";
    YieldsNothing = "E407", "a determinator yields nothing";
    InputRestricted = "E408", "an input has a precondition";
    InputInTask = "E409", "an input belongs to a task";
    WrongKind = "E410", "an action is of another kind";
    NoIgnore = "E411", "`ignore` cannot stand here";
    NoLoop = "E412", "`for` cannot stand here";

    // Theories.
    NoSort = "E501", "a theory applies only to sorts";
    AssumedTwice = "E502", "a theory is assumed twice";
    LargeTheory = "E503", "too many theories build on each other";
    GroupOfItself = "E504", "a group is a group of itself";
    ParameterIsNoType = "E505", "a parameter of a vocabulary is not a type";
    TypesInTheory = "E506", "a theory with parameters declares types";

    // Compositions.
    ComposedOfNothing = "E601", "a composition of nothing";
    ManyComponents = "E602", "a composition of too many components";
    NotOnlyComposed = "E603", "a composition has state or actions of its own";
    ComponentNeeds = "E604", "a component assumes a theory that its sort lacks";
    ComponentRefused = "E605", "a component's arguments violate its condition";
    NotPrivate = "E606", "an internal action is shared";
    ControlledTwice = "E607", "two components control one action";
    DifferentParameters = "E608", "components disagree on the parameters of an action";
    ManyClauses = "E609", "an action has too many clauses";
    ChoicesJoined = "E610", "choices of several components cannot be joined";
    InputHidden = "E611", "an input is hidden";
    NotOnlyObserved = "E612", "a monitor does more than observe";

    // Properties, schedules, simulations.
    StatedTwice = "E701", "a simulation is stated twice";
    SimulationOfItself = "E702", "a simulation is between two automata";
    ActionAbsent = "E703", "the high automaton has no such external action";
    ActionDiffers = "E704", "an external action differs in the two automata";
    NoEntry = "E705", "a proof block has no entry for an action";
    EntryNotGeneral = "E706", "a parameter of an entry is not a name";
    LateState = "E707", "the high state is described after a `fire`";
    NoInitialValue = "E708", "a variable of a schedule has no initial value";
    ChoiceOpen = "E709", "`using` leaves a choice open";
    ChoiceUnknown = "E710", "`using` names no choice, or more than one";
    ChoicesDiffer = "E711", "choices cannot be given by `using`";
    WeightOutOfRange = "E712", "a weight is out of range";
    UsesForeign = "E713", "a proof uses an invariant of another automaton";

    // What cannot be done with a model.
    CannotRun = "E801", "the model cannot be run at these sizes";
    CannotFollow = "E802", "a simulation cannot be followed along this run";
    CannotExport = "E803", "something cannot be exported";
    BadManifest = "E804", "`ioa.toml` is wrong";

    // Warnings.
    NeverUsed = "W101", "something is never used";
    NeverRead = "W102", "something is never read";
    NoTransition = "W103", "an action has no transition";
    NeverHappens = "W104", "a clause never happens";
    AddsNothing = "W105", "a clause adds nothing";
    NeverTaken = "W106", "a branch is never taken";
    Vacuous = "W107", "something never happens or holds vacuously";
}

impl Code {
    /// The code of this name, in small or capital letters.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let mut codes = Self::ALL.iter().copied();
        codes.find(|code| code.name().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn codes_are_sorted_and_no_two_are_the_same() {
        let names: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
        assert!(names.is_sorted_by(|one, next| one < next), "{names:?}");
        for code in Code::ALL {
            assert_eq!(Code::named(&code.name().to_lowercase()), Some(*code));
        }
    }
}
