//! The temporal formulas of liveness properties: what is written the same way in the syntax tree and in the core.

/// A temporal formula over formulas `F` about states.
///
/// It is about infinite executions; a finite one that cannot or need not go on stays in its last state forever.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Temporal<F> {
    /// `always eventually P`: again and again there is a state with `P`.
    AlwaysEventually(F),
    /// `eventually always P`: from some state on, `P` holds in all states.
    EventuallyAlways(F),
    /// `P leads to Q`: each state with `P` has `Q`, or a later one has it.
    LeadsTo(F, F),
    /// `~(p)`
    Not(Box<Self>),
    /// Two formulas with a connective between them.
    Joined(Connective, Box<[Self; 2]>),
}

/// What joins temporal formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Connective {
    /// `/\`
    And,
    /// `\/`
    Or,
    /// `=>`
    Implies,
}

impl Connective {
    /// The sign.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Self::And => "/\\",
            Self::Or => "\\/",
            Self::Implies => "=>",
        }
    }
}

impl<F> Temporal<F> {
    /// Two formulas, joined.
    #[must_use]
    pub fn joined(connective: Connective, left: Self, right: Self) -> Self {
        Self::Joined(connective, Box::new([left, right]))
    }

    /// The formulas about states in it, from left to right.
    #[must_use]
    pub fn formulas(&self) -> Vec<&F> {
        match self {
            Self::AlwaysEventually(p) | Self::EventuallyAlways(p) => vec![p],
            Self::LeadsTo(p, q) => vec![p, q],
            Self::Not(inner) => inner.formulas(),
            Self::Joined(_, sides) => sides.iter().flat_map(Self::formulas).collect(),
        }
    }

    /// The formulas P and Q of `(always eventually P) => (always eventually Q)`, as which a monitor states that it cools down:
    /// which states are hot, and which are cold.
    #[must_use]
    pub fn heat(&self) -> Option<(&F, &F)> {
        match self {
            Self::Joined(Connective::Implies, sides) => match &**sides {
                [Self::AlwaysEventually(hot), Self::AlwaysEventually(cold)] => Some((hot, cold)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The same over other formulas about states, which are made from left to right.
    pub fn map<G>(&self, each: &mut impl FnMut(&F) -> G) -> Temporal<G> {
        match self {
            Self::AlwaysEventually(p) => Temporal::AlwaysEventually(each(p)),
            Self::EventuallyAlways(p) => Temporal::EventuallyAlways(each(p)),
            Self::LeadsTo(p, q) => Temporal::LeadsTo(each(p), each(q)),
            Self::Not(inner) => Temporal::Not(Box::new(inner.map(each))),
            Self::Joined(connective, sides) => {
                let [left, right] = &**sides;
                let left = left.map(each);
                Temporal::joined(*connective, left, right.map(each))
            }
        }
    }
}

impl<F> Temporal<Option<F>> {
    /// The formula, if all formulas about states in it are there.
    #[must_use]
    pub fn all(self) -> Option<Temporal<F>> {
        Some(match self {
            Self::AlwaysEventually(p) => Temporal::AlwaysEventually(p?),
            Self::EventuallyAlways(p) => Temporal::EventuallyAlways(p?),
            Self::LeadsTo(p, q) => Temporal::LeadsTo(p?, q?),
            Self::Not(inner) => Temporal::Not(Box::new(inner.all()?)),
            Self::Joined(connective, sides) => {
                let [left, right] = *sides;
                Temporal::joined(connective, left.all()?, right.all()?)
            }
        })
    }
}
