//! How many random automata a campaign is about.

/// So many as are asked for by `AGREEMENT_CASES`, else as many as usual.
pub(crate) fn cases(usual: u64) -> u64 {
    let asked = std::env::var("AGREEMENT_CASES").ok();
    asked.and_then(|n| n.parse().ok()).unwrap_or(usual)
}
