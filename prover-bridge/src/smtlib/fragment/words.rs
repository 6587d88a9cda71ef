//! A script as nested lists.

/// A word of a script, or a list of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word<'s> {
    Name(&'s str),
    List(Vec<Word<'s>>),
}

impl<'s> Word<'s> {
    /// What a list consists of; nothing where it is none.
    pub(super) fn parts(&self) -> &[Word<'s>] {
        match self {
            Self::Name(_) => &[],
            Self::List(parts) => parts,
        }
    }

    /// The name, where it is one.
    pub(super) fn name(&self) -> Option<&'s str> {
        match self {
            Self::Name(name) => Some(name),
            Self::List(_) => None,
        }
    }

    /// As it is written.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Name(name) => (*name).to_owned(),
            Self::List(parts) => {
                let parts: Vec<String> = parts.iter().map(Self::text).collect();
                format!("({})", parts.join(" "))
            }
        }
    }
}

/// The commands of a script.
pub(super) fn read(script: &str) -> Vec<Word<'_>> {
    let mut open: Vec<Vec<Word<'_>>> = vec![Vec::new()];
    let mut rest = script;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            ';' => rest.find('\n').unwrap_or(rest.len()),
            '|' | '"' => rest[1..].find(first).map_or(rest.len(), |end| end + 2),
            '(' | ')' => 1,
            c if c.is_whitespace() => c.len_utf8(),
            _ => {
                let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';');
                rest.find(ends).unwrap_or(rest.len())
            }
        };
        let (word, behind) = rest.split_at(length);
        rest = behind;
        match first {
            '(' => open.push(Vec::new()),
            ')' => {
                // What is closed without having been opened closes nothing.
                if open.len() > 1 {
                    let list = open.pop().unwrap_or_default();
                    open.last_mut()
                        .into_iter()
                        .for_each(|o| o.push(Word::List(list.clone())));
                }
            }
            ';' => {}
            c if c.is_whitespace() => {}
            _ => open
                .last_mut()
                .into_iter()
                .for_each(|o| o.push(Word::Name(word))),
        }
    }
    open.swap_remove(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_names_and_remarks_are_told_apart() {
        let read = read("; a (remark)\n(f |odd name)| (g \"s)\" x))y");
        let [list, Word::Name("y")] = &read[..] else {
            panic!("{read:?}")
        };
        assert_eq!(list.text(), "(f |odd name)| (g \"s)\" x))");
        assert_eq!(list.parts().len(), 3);
    }
}
