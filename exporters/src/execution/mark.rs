//! Events that a reader looks for first: lost messages and crashes. A trace does not say what an action means, so its name is
//! what tells them.

/// The words in the name of an action by which a message is lost.
const LOSSES: [&str; 10] = [
    "lose",
    "loses",
    "lost",
    "drop",
    "drops",
    "dropped",
    "discard",
    "discards",
    "discarded",
    "loss",
];

/// The words in the name of an action by which a component fails.
const CRASHES: [&str; 6] = ["crash", "crashes", "crashed", "fail", "fails", "failed"];

/// What makes an event stand out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// A message is lost.
    Loss,
    /// A component fails.
    Crash,
}

impl Mark {
    /// That of an action, by the words of its name; the names of components in front of it do not count.
    pub(super) fn of(action: &str) -> Option<Self> {
        let name = action.rsplit('.').next().unwrap_or(action);
        let words = words(name);
        let has_one_of = |known: &[&str]| words.iter().any(|word| known.contains(&&**word));
        match () {
            () if has_one_of(&LOSSES) => Some(Self::Loss),
            () if has_one_of(&CRASHES) => Some(Self::Crash),
            () => None,
        }
    }

    /// The character that stands for it in text.
    pub(super) fn character(self) -> char {
        match self {
            Self::Loss => 'x',
            Self::Crash => '!',
        }
    }
}

/// The words of a name in small letters: `dropOldest`, `drop_oldest` and `DROPOldest` have two.
fn words(name: &str) -> Vec<String> {
    let characters: Vec<char> = name.chars().collect();
    let mut words = vec![String::new()];
    for (at, c) in characters.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| characters[before]);
        let follows_small = before.is_some_and(|before| !before.is_uppercase());
        let is_before_small = characters
            .get(at + 1)
            .is_some_and(|next| next.is_lowercase());
        if !c.is_alphabetic() || (c.is_uppercase() && (follows_small || is_before_small)) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphabetic()) {
            word.extend(c.to_lowercase());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::Mark;

    #[test]
    fn names_tell_losses_and_crashes() {
        for (action, mark) in [
            ("lose", Some(Mark::Loss)),
            ("Channel.dropOldest", Some(Mark::Loss)),
            ("channel_lose", Some(Mark::Loss)),
            ("DROPOldest", Some(Mark::Loss)),
            ("lose2", Some(Mark::Loss)),
            ("messageLost", Some(Mark::Loss)),
            ("crash", Some(Mark::Crash)),
            ("Fail", Some(Mark::Crash)),
            ("crash_node", Some(Mark::Crash)),
            ("close", None),
            ("recover", None),
            ("drops.send", None),
            ("discardable", None),
            ("failover", None),
            ("dropbox", None),
            ("closer", None),
        ] {
            assert_eq!(Mark::of(action), mark, "{action}");
        }
    }
}
