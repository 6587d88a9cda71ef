//! `ioa.toml`: which files a study consists of, at which sizes it runs, and what is asked of it.

pub mod library;

use std::collections::BTreeMap;
use std::fmt::{self, Formatter};

use ioa_lang::diagnostic::Code;
use ioa_lang::{Diagnostic, FileId, Span};
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use crate::numbers::parse_bytes;
use crate::verdict::Verdict;

/// The name of the file in a study's folder.
pub const MANIFEST_NAME: &str = "ioa.toml";

/// A study's manifest.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// `[study]`
    pub study: StudySection,
    /// `[sizes]`: elements by sort, for whatever is run.
    #[serde(default)]
    pub sizes: BTreeMap<String, u64>,
    /// `[[run]]`
    #[serde(default, rename = "run")]
    pub runs: Vec<RunSection>,
    /// `[[pair]]`
    #[serde(default, rename = "pair")]
    pub pairs: Vec<PairSection>,
    /// `[[explore]]`
    #[serde(default, rename = "explore")]
    pub explores: Vec<ExploreSection>,
    /// `[infer]`
    pub infer: Option<InferSection>,
    /// `[prove]`
    pub prove: Option<ProveSection>,
    /// `[expect]`: what differs from "all holds", by name.
    #[serde(default)]
    pub expect: BTreeMap<String, Verdict>,
}

/// `[study]`
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudySection {
    /// The study's name.
    pub name: String,
    /// Its files, relative to the manifest, and the parts of the library that it uses ([`library`]).
    pub sources: Vec<Spanned<String>>,
    /// Which interpretation of its theories is run, from 1.
    #[serde(default)]
    pub interpretation: Option<u64>,
}

/// `[[run]]`: runs of one automaton, under a schedule or at random.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSection {
    /// The schedule's name; absent for random runs.
    pub schedule: Option<String>,
    /// The automaton of random runs.
    pub automaton: Option<String>,
    /// Whether the scheduler draws the actions.
    #[serde(default)]
    pub random: bool,
    /// How many runs, each with a seed of its own; by default, one in each interpretation of the theories.
    #[serde(default, deserialize_with = "positive_if_given")]
    pub runs: Option<u64>,
    /// At most how many steps a run takes.
    #[serde(default = "default_steps", deserialize_with = "positive")]
    pub steps: u64,
    /// How readily the random scheduler takes steps by some actions, relative to 1 for all others.
    #[serde(default, deserialize_with = "weights")]
    pub weight: BTreeMap<String, f64>,
    /// What chooses among the enabled steps of random runs: `random`, `pct`, `delays`, `preemptions`, `portfolio`, `divergences`,
    /// or `depth-first`.
    #[serde(default)]
    pub strategy: Option<String>,
    /// The depth of the strategy.
    #[serde(default)]
    pub depth: Option<u32>,
    /// The temperature of a monitor that is taken for infinite.
    #[serde(default, deserialize_with = "positive_if_given")]
    pub temperature: Option<u64>,
}

/// `[[pair]]`: runs of the low automaton with the high one in lockstep.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairSection {
    /// `"Low to High"`
    pub simulation: String,
    /// The low automaton's schedule; absent for random runs.
    pub schedule: Option<String>,
    /// Whether the scheduler draws the low actions.
    #[serde(default)]
    pub random: bool,
    /// Whether all states are visited instead.
    #[serde(default)]
    pub exhaustive: bool,
    /// How many pairs of states are visited then at most.
    #[serde(default, deserialize_with = "positive_if_given")]
    pub states: Option<u64>,
    /// Formulas about the low automaton: from states in which one is false no steps are followed then.
    #[serde(default, deserialize_with = "texts")]
    pub within: Vec<String>,
    /// Conditions `action(x): P` under which steps of the low automaton are followed then.
    #[serde(default, deserialize_with = "texts")]
    pub when: Vec<String>,
    /// How many runs, each with a seed of its own; by default, one in each interpretation of the theories.
    #[serde(default, deserialize_with = "positive_if_given")]
    pub runs: Option<u64>,
    /// At most how many low steps a run takes.
    #[serde(default = "default_steps", deserialize_with = "positive")]
    pub steps: u64,
    /// How readily the random scheduler takes steps by some actions, relative to 1 for all others.
    #[serde(default, deserialize_with = "weights")]
    pub weight: BTreeMap<String, f64>,
    /// What chooses among the enabled low steps of random runs, as in `[[run]]`.
    #[serde(default)]
    pub strategy: Option<String>,
    /// The depth of the strategy.
    #[serde(default)]
    pub depth: Option<u32>,
}

/// `[[explore]]`: a visit to all reachable states of one automaton.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExploreSection {
    /// The automaton.
    pub automaton: String,
    /// Elements by sort, where they are not those of `[sizes]`.
    #[serde(default)]
    pub sizes: BTreeMap<String, u64>,
    /// How many states there must be.
    pub distinct: Option<u64>,
    /// Whether it is fine that no action is enabled.
    #[serde(default)]
    pub allow_deadlock: bool,
    /// Whether the search goes on after the first finding.
    #[serde(default)]
    pub keep_going: bool,
    /// Formulas of which each is to be reachable from every state.
    #[serde(default, deserialize_with = "texts")]
    pub possible: Vec<String>,
    /// Formulas within which the search is to stay: from states in which one is false no steps are taken.
    #[serde(default, deserialize_with = "texts")]
    pub within: Vec<String>,
    /// Conditions `action(x): P` under which steps by an action are taken.
    #[serde(default, deserialize_with = "texts")]
    pub when: Vec<String>,
    /// Variables that are ignored: states that differ only in their values are treated as one.
    #[serde(default, deserialize_with = "texts")]
    pub ignore: Vec<String>,
    /// How many steps from a start state the search goes at most.
    #[serde(default, deserialize_with = "positive_if_given")]
    pub depth: Option<u64>,
    /// About how many states it visits at most.
    #[serde(default, deserialize_with = "positive_if_given")]
    pub states: Option<u64>,
    /// How many seconds it takes at most.
    #[serde(default, deserialize_with = "positive_if_given")]
    pub time: Option<u64>,
    /// How many bytes it uses at most, such as `"500M"`.
    #[serde(default, deserialize_with = "bytes_if_given")]
    pub memory: Option<u64>,
    /// Whether only one of all states is visited that differ only in the names of interchangeable elements; by default, if it
    /// pays.
    #[serde(default)]
    pub symmetry: Option<bool>,
    /// Whether states are left out that differ from visited ones in the order of independent steps alone.
    #[serde(default)]
    pub por: bool,
}

/// `[infer]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InferSection {
    /// The automaton whose runs are looked at.
    pub automaton: String,
    /// The schedule of these runs; where neither it nor `random` is said, they are the study's runs.
    pub schedule: Option<String>,
    /// Whether the scheduler draws the actions.
    #[serde(default)]
    pub random: bool,
    /// How many runs, each with a seed of its own.
    #[serde(default, deserialize_with = "positive_if_given")]
    pub runs: Option<u64>,
    /// At most how many steps a run takes.
    #[serde(default, deserialize_with = "positive_if_given")]
    pub steps: Option<u64>,
    /// Variables and actions to which everything is restricted.
    #[serde(default, rename = "look-at", deserialize_with = "texts")]
    pub look_at: Vec<String>,
    /// Variables and actions that are left out.
    #[serde(default, rename = "leave-out", deserialize_with = "texts")]
    pub leave_out: Vec<String>,
    /// Terms that are looked at as if they were variables.
    #[serde(default, deserialize_with = "texts")]
    pub terms: Vec<String>,
    /// Conditions that tell cases apart.
    #[serde(default, deserialize_with = "texts")]
    pub splits: Vec<String>,
}

/// `[prove]`
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProveSection {
    /// Names of invariants and simulations; everything where none is named.
    #[serde(default, deserialize_with = "texts")]
    pub only: Vec<String>,
    /// Whether the lemmas are found too, and those that are stated are not used.
    #[serde(default)]
    pub auto: bool,
    /// Whether it is found out which invariants each proof needs, for the report to show.
    #[serde(default)]
    pub cores: bool,
    /// Whether it is said about each obligation in which fragment of logic it lies, for the report to show.
    #[serde(default)]
    pub fragments: bool,
    /// Executions of at most how many steps are checked, in place of proofs.
    #[serde(default, deserialize_with = "unrolled")]
    pub bmc: Option<u32>,
    /// Over how many steps the induction goes.
    #[serde(default, rename = "k-induction", deserialize_with = "unrolled")]
    pub k_induction: Option<u32>,
}

/// The most steps that a bounded check or k-induction is asked for.
pub const MOST_UNROLLED: u32 = 1_000;

fn unrolled<'de, D: Deserializer<'de>>(input: D) -> Result<Option<u32>, D::Error> {
    match u32::deserialize(input)? {
        steps if steps <= MOST_UNROLLED => Ok(Some(steps)),
        _ => Err(D::Error::custom(format!(
            "invalid value: expected at most {MOST_UNROLLED} steps, each of which is one more copy of the model for the solver"
        ))),
    }
}

/// The step limit where a study gives none.
pub const DEFAULT_STEPS: u64 = 10_000;

/// A number that is not 0: no runs, or runs without steps, would show nothing.
fn positive<'de, D: Deserializer<'de>>(input: D) -> Result<u64, D::Error> {
    match u64::deserialize(input)? {
        0 => Err(D::Error::custom(
            "invalid value: 0 shows nothing; expected 1 or more",
        )),
        n => Ok(n),
    }
}

fn positive_if_given<'de, D: Deserializer<'de>>(input: D) -> Result<Option<u64>, D::Error> {
    positive(input).map(Some)
}

fn bytes_if_given<'de, D: Deserializer<'de>>(input: D) -> Result<Option<u64>, D::Error> {
    let text = String::deserialize(input)?;
    let invalid = |expected| D::Error::custom(format!("invalid value: {expected}"));
    parse_bytes(&text).map(Some).map_err(invalid)
}

fn weights<'de, D: Deserializer<'de>>(input: D) -> Result<BTreeMap<String, f64>, D::Error> {
    let weights = BTreeMap::<String, f64>::deserialize(input)?;
    match weights.values().all(|weight| is_weight(*weight)) {
        true => Ok(weights),
        false => Err(D::Error::custom(
            "invalid value: a weight is 0 or a positive number",
        )),
    }
}

/// A list of texts, or a single one.
fn texts<'de, D: Deserializer<'de>>(input: D) -> Result<Vec<String>, D::Error> {
    struct Texts;
    impl<'de> Visitor<'de> for Texts {
        type Value = Vec<String>;

        fn expecting(&self, to: &mut Formatter<'_>) -> fmt::Result {
            to.write_str("a text, or a list of texts")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
            Ok(vec![text.to_owned()])
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let mut texts = Vec::new();
            while let Some(text) = list.next_element()? {
                texts.push(text);
            }
            Ok(texts)
        }
    }
    input.deserialize_any(Texts)
}

/// Whether an action may have this weight.
#[must_use]
pub fn is_weight(weight: f64) -> bool {
    weight.is_finite() && weight >= 0.0
}

fn default_steps() -> u64 {
    DEFAULT_STEPS
}

/// Reads a manifest.
///
/// # Errors
/// The mistake, at its place in the manifest.
pub fn parse(file: FileId, text: &str) -> Result<Manifest, Box<Diagnostic>> {
    toml::from_str(text).map_err(|e| {
        let range = e.span().unwrap_or(0..text.len().min(1));
        let message = e.message().lines().next().unwrap_or("not valid TOML");
        let error = Diagnostic::error(
            Code::BadManifest,
            Span::new(file, range.start, range.end),
            format!("{MANIFEST_NAME}: {message}"),
        );
        Box::new(error)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        parse(FileId(0), text).unwrap_err().message
    }

    #[test]
    fn a_misspelt_key_a_wrong_type_and_broken_toml_are_refused() {
        let study = "[study]\nname = \"x\"\nsources = []\n";
        assert!(parse(FileId(0), study).is_ok());
        assert!(error(&format!("{study}[[rum]]\n")).contains("unknown field `rum`"));
        assert!(error(&format!("{study}[sizes]\nNode = -1\n")).contains("invalid value"));
        assert!(error(&format!("{study}[expect]\nInv1 = \"perfect\"\n")).contains("perfect"));
        assert!(
            error(&format!("{study}[[run]]\nrandom = true\nruns = 0\n")).contains("shows nothing")
        );
        assert!(error("[study").starts_with("ioa.toml: "));
        assert!(error("").contains("study"));
    }
}
