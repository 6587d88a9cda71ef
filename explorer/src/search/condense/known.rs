//! What a search knows of condensing its states.

/// What is known of when to condense states.
#[derive(Debug, Default)]
pub(crate) struct Condensing {
    /// Whether it was considered.
    pub(crate) is_considered: bool,
    /// How often a state was beyond.
    pub(crate) times: u64,
    /// What was counted when the level began, but for the states.
    pub(crate) begin: Begin,
}

/// The counts of a search when a level began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Begin {
    pub(crate) fired: Vec<u64>,
    pub(crate) quiescent: u64,
}
