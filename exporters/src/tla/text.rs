//! TLA+ text: terms that know how tightly they hold together, and formulas laid out over lines.

/// How tightly a term holds together, loosest first. TLA+ gives its operators ranges of precedence; between the levels
/// here they never overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// Reaches as far to the right as it can: a quantifier, `IF`, `LET`, `CHOOSE`.
    Open,
    /// `=>` and `<=>`
    Implies,
    /// `/\` and `\/`
    Junction,
    /// `~`
    Not,
    /// `=`, `<`, `\in` and the like
    Comparison,
    /// Operators between terms
    Infix,
    /// Needs no parentheses anywhere
    Atom,
}

/// A term.
#[derive(Clone, Debug)]
pub(super) struct Text {
    text: String,
    level: Level,
    /// The operator that may stand beside itself without parentheses.
    chain: &'static str,
}

impl Text {
    pub(super) fn new(level: Level, text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            level,
            chain: "",
        }
    }

    pub(super) fn atom(text: impl Into<String>) -> Self {
        Self::new(Level::Atom, text)
    }

    /// `name(args)`
    pub(super) fn call(name: &str, args: &[Text]) -> Self {
        let args: Vec<&str> = args.iter().map(|arg| &*arg.text).collect();
        Self::atom(format!("{name}({})", args.join(", ")))
    }

    /// Terms with a sign between them.
    pub(super) fn infix(level: Level, sign: &'static str, args: &[Text]) -> Self {
        let repeats = matches!(sign, "/\\" | "\\/" | "+" | "*" | "\\cup" | "\\cap" | "\\o");
        let each = args.iter().enumerate().map(|(position, arg)| {
            if repeats && position == 0 && arg.chain == sign {
                return arg.text.clone();
            }
            arg.above(level)
        });
        let text = each.collect::<Vec<_>>().join(&format!(" {sign} "));
        let chain = if repeats { sign } else { "" };
        Self { text, level, chain }
    }

    /// The term where one of a tighter level is wanted.
    fn above(&self, level: Level) -> String {
        if self.level > level {
            self.text.clone()
        } else {
            format!("({})", self.text)
        }
    }

    /// The term where one of at least this level is wanted.
    pub(super) fn at(&self, level: Level) -> String {
        if self.level >= level {
            self.text.clone()
        } else {
            format!("({})", self.text)
        }
    }

    /// The term where anything may stand.
    pub(super) fn plain(&self) -> &str {
        &self.text
    }
}

/// A formula over several lines.
#[derive(Clone, Debug)]
pub(super) enum Doc {
    /// One line.
    Line(String),
    /// A conjunction, one bullet a line.
    All(Vec<Doc>),
    /// A disjunction, one bullet a line.
    Any(Vec<Doc>),
    /// Something like `\E x \in S :` before a formula.
    Under(String, Box<Doc>),
    /// Definitions before a formula.
    Let(Vec<String>, Box<Doc>),
}

impl Doc {
    /// The lines.
    pub(super) fn lines(&self) -> Vec<String> {
        match self {
            Self::Line(line) => vec![line.clone()],
            Self::All(parts) => bullets("/\\ ", parts),
            Self::Any(parts) => bullets("\\/ ", parts),
            Self::Under(head, body) => {
                let mut lines = vec![head.clone()];
                lines.extend(indented("  ", &body.lines()));
                lines
            }
            Self::Let(definitions, body) => {
                let mut lines = Vec::new();
                for definition in definitions {
                    let first = if lines.is_empty() { "LET " } else { "    " };
                    let parts: Vec<String> = definition.lines().map(str::to_owned).collect();
                    lines.extend(hanging(first, "    ", &parts));
                }
                lines.extend(hanging("IN  ", "    ", &body.lines()));
                lines
            }
        }
    }

    /// A definition of a name, which may have formal parameters.
    pub(super) fn definition(&self, heading: &str) -> String {
        let lines = self.lines();
        match &lines[..] {
            [line] if heading.len() + line.len() < 100 => format!("{heading} == {line}\n"),
            _ => format!("{heading} ==\n{}\n", indented("  ", &lines).join("\n")),
        }
    }
}

fn bullets(bullet: &str, parts: &[Doc]) -> Vec<String> {
    if let [only] = parts {
        return only.lines();
    }
    let each = parts
        .iter()
        .map(|part| hanging(bullet, "   ", &part.lines()));
    each.flatten().collect()
}

fn hanging(first: &str, rest: &str, lines: &[String]) -> Vec<String> {
    let prefix = |at: usize| if at == 0 { first } else { rest };
    let lines = lines.iter().enumerate();
    lines
        .map(|(at, line)| format!("{}{line}", prefix(at)))
        .collect()
}

fn indented(by: &str, lines: &[String]) -> Vec<String> {
    hanging(by, by, lines)
}
