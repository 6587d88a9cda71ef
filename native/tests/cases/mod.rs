//! How many random automata a campaign is about.

/// The number of cases that `AGREEMENT_CASES` requests, or the usual number.
pub(crate) fn cases(usual: u64) -> u64 {
    let asked = std::env::var("AGREEMENT_CASES").ok();
    asked.and_then(|n| n.parse().ok()).unwrap_or(usual)
}
