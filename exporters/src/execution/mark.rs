//! Events that a reader looks for first: lost messages and crashes. A trace does not say what an action means, so its name is
//! what tells them.

/// How the names of actions begin by which a message is lost.
const LOSSES: [&str; 3] = ["lose", "drop", "discard"];

/// How the names of actions begin by which a component fails.
const CRASHES: [&str; 2] = ["crash", "fail"];

/// What makes an event stand out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// A message is lost.
    Loss,
    /// A component fails.
    Crash,
}

impl Mark {
    /// That of an action, by its name; the names of components in front of it do not count.
    pub(super) fn of(action: &str) -> Option<Self> {
        let name = action.rsplit('.').next().unwrap_or(action);
        let name = name.to_ascii_lowercase();
        let begins = |words: &[&str]| words.iter().any(|word| name.starts_with(word));
        match () {
            () if begins(&LOSSES) => Some(Self::Loss),
            () if begins(&CRASHES) => Some(Self::Crash),
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

#[cfg(test)]
mod tests {
    use super::Mark;

    #[test]
    fn names_tell_losses_and_crashes() {
        for (action, mark) in [
            ("lose", Some(Mark::Loss)),
            ("Channel.dropOldest", Some(Mark::Loss)),
            ("crash", Some(Mark::Crash)),
            ("Fail", Some(Mark::Crash)),
            ("close", None),
            ("recover", None),
            ("drops.send", None),
        ] {
            assert_eq!(Mark::of(action), mark, "{action}");
        }
    }
}
