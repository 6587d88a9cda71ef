//! The commands, and what is said about each.

/// What a debugger is asked to do. [`Command::parse`] reads it from a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Go so many steps forward.
    Forward(usize),
    /// Go so many steps back.
    Back(usize),
    /// Go to the state after so many steps.
    Go(usize),
    /// Go to the last state.
    End,
    /// Tell where the cursor is: the last step and what it changed.
    Here,
    /// Show all variables.
    State,
    /// List the steps of the path, all of them or those in a range.
    Path(Option<(usize, usize)>),
    /// List the steps that can be taken here: all, or those that have to do with a name.
    Enabled(Option<String>),
    /// Take the step with this number in that list.
    Take(usize),
    /// Take a step by an action with these parameters.
    Fire(Given),
    /// Take so many steps, each drawn from those that can be taken.
    Random(usize),
    /// Take so many steps, each drawn from those that have to do with a name.
    Only(String, usize),
    /// Go forward to the next state in which a formula holds, and past the end by steps that are drawn.
    Until(Given),
    /// Go back to the last state before this one in which a formula holds.
    Rewind(Given),
    /// Go forward to the next state in which a breakpoint's formula holds or an invariant is violated.
    Continue,
    /// Take a shortest way to a state in which a formula holds.
    Find(Given),
    /// Take the run that leaves this path as late as possible and reaches a state in which a formula holds.
    Sibling(Given),
    /// List the start states.
    Starts,
    /// Begin again from the start state with this number.
    Start(usize),
    /// Evaluate a term.
    Eval(Given),
    /// Evaluate a term in every state from now on.
    Watch(Given),
    /// Forget a watched term.
    Unwatch(usize),
    /// Stop `continue` where a formula holds.
    Break(Given),
    /// Forget a breakpoint.
    Unbreak(usize),
    /// Say why an action is disabled.
    Why(Given),
    /// Say which invariants hold here.
    Invariants,
    /// Say in what two states of the path differ.
    Diff(usize, usize),
    /// Say where two paths part, and in what their ends differ.
    Compare(usize),
    /// List the paths.
    Branches,
    /// Go on with another path.
    Switch(usize),
    /// Show only steps that have to do with one of these names; with none, all.
    Filter(Vec<String>),
    /// Draw the path with the components across and the steps down.
    Graph,
    /// Write the path as a trace file.
    Save(String),
    /// Explain the commands, or one.
    Help(Option<String>),
    /// End the session.
    Quit,
}

/// A text in a command line that is read as a part of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The whole line, so that a mistake is shown in it.
    pub(crate) line: String,
    /// Where in the line the text begins, in bytes.
    pub(crate) from: usize,
}

impl Given {
    /// The text itself.
    #[must_use]
    pub fn text(&self) -> &str {
        self.line[self.from..].trim_end()
    }
}

/// What is said about a command.
#[derive(Clone, Copy, Debug)]
pub struct Help {
    /// Its name.
    pub name: &'static str,
    /// A shorter name.
    pub short: Option<&'static str>,
    /// What follows the name.
    pub usage: &'static str,
    /// What it does.
    pub does: &'static str,
}

const fn entry(
    name: &'static str,
    short: Option<&'static str>,
    usage: &'static str,
    does: &'static str,
) -> Help {
    Help {
        name,
        short,
        usage,
        does,
    }
}

/// All commands, in the order in which they are explained.
pub const HELP: &[Help] = &[
    entry(
        "forward",
        Some("f"),
        "[N]",
        "go N steps forward (1 if no number is given)",
    ),
    entry("back", Some("b"), "[N]", "go N steps back"),
    entry(
        "go",
        Some("g"),
        "N",
        "go to the state after N steps; `go 0` is the start",
    ),
    entry("end", None, "", "go to the last state of the run"),
    entry(
        "here",
        Some("h"),
        "",
        "show the last step, and what it changed",
    ),
    entry("state", Some("s"), "", "show all variables"),
    entry("path", Some("p"), "[FROM TO]", "list the steps of the run"),
    entry(
        "enabled",
        Some("e"),
        "[NAME]",
        "list the steps that can be taken here: all, or those of an action or a component",
    ),
    entry(
        "take",
        Some("t"),
        "N",
        "take step N of that list; from the middle of a run, this begins a branch",
    ),
    entry("fire", None, "ACTION(VALUES)", "take a step by an action"),
    entry(
        "random",
        Some("r"),
        "[N]",
        "take N steps, each drawn from those that can be taken",
    ),
    entry(
        "only",
        Some("o"),
        "NAME [N]",
        "take N steps of one component, action or element alone, each drawn",
    ),
    entry(
        "until",
        Some("u"),
        "FORMULA",
        "go forward to the next state in which the formula holds; past the end, by steps that are drawn",
    ),
    entry(
        "rewind",
        None,
        "FORMULA",
        "go back to the last earlier state in which the formula holds",
    ),
    entry(
        "continue",
        Some("c"),
        "",
        "go forward to a breakpoint, a violated invariant, or the end",
    ),
    entry(
        "find",
        None,
        "FORMULA",
        "take a shortest way from here to a state in which the formula holds",
    ),
    entry(
        "sibling",
        None,
        "FORMULA",
        "take the run that leaves this one as late as possible and reaches a state in which the formula holds",
    ),
    entry("starts", None, "", "list the start states"),
    entry("start", None, "N", "begin again from start state N"),
    entry(
        "eval",
        Some("="),
        "TERM",
        "evaluate a term or formula in this state",
    ),
    entry(
        "watch",
        Some("w"),
        "TERM",
        "show the value of a term in every state",
    ),
    entry("unwatch", None, "N", "forget watched term N"),
    entry(
        "break",
        None,
        "FORMULA",
        "let `continue` stop where the formula holds",
    ),
    entry("unbreak", None, "N", "forget breakpoint N"),
    entry(
        "why",
        Some("y"),
        "ACTION[(VALUES)]",
        "say why an action is disabled, and since when",
    ),
    entry(
        "invariants",
        Some("i"),
        "",
        "say which invariants hold here",
    ),
    entry(
        "diff",
        Some("d"),
        "I J",
        "say in what the states after I and after J steps differ",
    ),
    entry(
        "compare",
        None,
        "N",
        "say where this run and run N part, and in what their ends differ",
    ),
    entry("branches", None, "", "list the runs of this session"),
    entry("switch", None, "N", "go on with run N"),
    entry(
        "filter",
        None,
        "[NAMES]",
        "list only steps of these actions, components or elements; without names, all",
    ),
    entry(
        "graph",
        None,
        "",
        "draw the run: components across, steps down",
    ),
    entry("save", None, "FILE", "write the run as a trace file"),
    entry("help", Some("?"), "[COMMAND]", "explain the commands"),
    entry("quit", Some("q"), "", "end the session"),
];

/// What is said about the command with a name, or about all commands.
#[must_use]
pub fn help(name: Option<&str>) -> String {
    let is_meant =
        |help: &&Help| name.is_none_or(|name| help.name == name || help.short == Some(name));
    let lines = HELP.iter().filter(is_meant).map(|help| {
        let short = help.short.map(|short| format!(", {short}"));
        let call = format!("{}{} {}", help.name, short.unwrap_or_default(), help.usage);
        format!("  {call:<24} {}\n", help.does)
    });
    lines.collect()
}
