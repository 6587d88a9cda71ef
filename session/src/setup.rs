//! What every question is put with.

/// Sizes, interpretation, seed and threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Which automaton, where there are several.
    pub automaton: Option<String>,
    /// The number of elements of sorts, which win over those of the study.
    pub sorts: Vec<(String, u64)>,
    /// Which interpretation of uninterpreted operators, from 1; wins over that of the study.
    pub interpretation: Option<u64>,
    /// Where all random draws come from; run k of several uses the seed + k.
    pub seed: u64,
    /// At most how many threads to use; no result depends on it.
    pub threads: usize,
}

impl Setup {
    /// The same with these numbers of elements, by sort, in place of its own.
    #[must_use]
    pub fn at_sizes(&self, sizes: impl IntoIterator<Item = (String, u64)>) -> Self {
        Self {
            sorts: sizes.into_iter().collect(),
            ..self.clone()
        }
    }

    /// The same in the interpretation with this number, if one is named.
    #[must_use]
    pub fn in_interpretation(&self, number: Option<u64>) -> Self {
        Self {
            interpretation: number.or(self.interpretation),
            ..self.clone()
        }
    }
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            automaton: None,
            sorts: Vec::new(),
            interpretation: None,
            seed: 1,
            threads: 1,
        }
    }
}
