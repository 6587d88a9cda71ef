//! Options that would have no effect where they are given: they are refused, and left out of help where they never have any.

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command};

/// When an option has no effect.
#[derive(Clone, Copy, Debug)]
enum When {
    /// It never has any.
    Always,
    /// One of these options is needed for it.
    Without(&'static [&'static str]),
    /// This other option leaves nothing to it.
    With(&'static str),
}

use When::{Always, With, Without};

/// That an option has no effect.
#[derive(Clone, Copy, Debug)]
struct Rule {
    command: &'static str,
    option: &'static str,
    when: When,
    why: &'static str,
}

const fn rule(command: &'static str, option: &'static str, when: When, why: &'static str) -> Rule {
    Rule {
        command,
        option,
        when,
        why,
    }
}

/// The options of `check` that make it look at an instance.
const DEEP: &[&str] = &["deep", "interpret", "sorts"];
const PLAIN: &str =
    "a plain check only reads the texts; --deep also looks at what happens at small sizes";
const TEXTS: &str = "the layout depends on nothing but the text of a file";
const TRACED: &str = "a trace file says itself what is repeated";
const WRITTEN: &str = "the run is in a trace file already";
const SHORTENED: &str = "only random runs are shortened";
const BOUNDED_BY_LIVE: &str = "it bounds the search that --live asks for";

/// Commands and options by the names that the parser has for them.
const RULES: &[Rule] = &[
    rule(
        "check",
        "seed",
        Always,
        "nothing is drawn at random when a model is checked; `ioa run` draws",
    ),
    rule(
        "check",
        "automaton",
        Without(DEEP),
        "a plain check is of whole files; with --deep or --interpret, it names what to look at",
    ),
    rule(
        "check",
        "interpretation",
        Without(DEEP),
        "a plain check looks at no sizes; with --deep or --interpret, it chooses what to look at",
    ),
    rule("check", "time", Without(DEEP), PLAIN),
    rule("check", "threads", Without(DEEP), PLAIN),
    rule("fmt", "automaton", Always, TEXTS),
    rule("fmt", "sorts", Always, TEXTS),
    rule("fmt", "interpretation", Always, TEXTS),
    rule("fmt", "seed", Always, TEXTS),
    rule("fmt", "threads", Always, TEXTS),
    rule(
        "fmt",
        "junit",
        Always,
        "formatting makes no findings; --sarif lists the files that have another layout",
    ),
    rule(
        "run",
        "depth",
        Without(&["strategy"]),
        "it is the depth of a --strategy",
    ),
    rule("run", "states", Without(&["live"]), BOUNDED_BY_LIVE),
    rule("run", "walks", Without(&["live"]), BOUNDED_BY_LIVE),
    rule(
        "run",
        "prefixes",
        Without(&["live"]),
        "runs are live only with --live",
    ),
    rule("run", "whole", With("schedule"), SHORTENED),
    rule("pair", "whole", With("schedule"), SHORTENED),
    rule("run", "trace", With("replay"), WRITTEN),
    rule("run", "seed", With("replay"), TRACED),
    rule("run", "automaton", With("replay"), TRACED),
    rule("pair", "seed", With("replay"), TRACED),
    rule("pair", "trace", With("replay"), WRITTEN),
    rule(
        "explore",
        "seed",
        Without(&["swarm"]),
        "all states are visited and none is drawn; --swarm and `ioa run` draw",
    ),
    rule(
        "explore",
        "independence",
        Without(&["dpor", "por"]),
        "all steps are taken; --dpor and --por leave some out",
    ),
    rule(
        "explore",
        "checkpoint_every",
        Without(&["checkpoint"]),
        "there is no --checkpoint to write",
    ),
    rule(
        "explore",
        "dpor",
        With("simulation"),
        "a simulation is followed along all executions of the low automaton",
    ),
    rule(
        "prove",
        "seed",
        Always,
        "nothing is drawn at random in a proof; `ioa run` draws",
    ),
    rule(
        "prove",
        "interpretation",
        Without(&["auto"]),
        "a proof is for every interpretation of the theories; run and explore are in one of them",
    ),
    rule(
        "prove",
        "budget",
        Without(&["auto"]),
        "it bounds the search for lemmas that --auto asks for; --timeout and --time bound proofs",
    ),
    rule(
        "prove",
        "second_solver",
        Without(&["second_opinion"]),
        "no --second-opinion is asked for",
    ),
    rule(
        "prove",
        "second_timeout",
        Without(&["second_opinion"]),
        "no --second-opinion is asked for",
    ),
    rule(
        "verify",
        "automaton",
        Always,
        "a study is verified as a whole; run, explore and prove ask about one automaton",
    ),
    rule(
        "tla",
        "seed",
        Always,
        "nothing is drawn at random when a model is exported",
    ),
    rule(
        "tla",
        "junit",
        Always,
        "an export makes no findings; `ioa verify` writes them",
    ),
    rule(
        "tla",
        "sarif",
        Always,
        "an export makes no findings; `ioa check` and `ioa verify` write them",
    ),
];

/// Leaves out of a command's help what never has an effect there.
pub(super) fn hidden(command: Command) -> Command {
    let is_idle = |rule: &&Rule| matches!(rule.when, Always) && rule.command == command.get_name();
    let options: Vec<&str> = RULES
        .iter()
        .filter(is_idle)
        .map(|rule| rule.option)
        .collect();
    let hide = |command: Command, option: &&str| command.mut_arg(option, |arg| arg.hide(true));
    let command = options.iter().fold(command, hide);
    command.mut_subcommands(hidden)
}

/// That an option which the user gave has no effect, with the reason.
pub(super) fn refusal(command: &mut Command, matches: &ArgMatches) -> Option<clap::Error> {
    let (name, inner) = matches.subcommand()?;
    let subcommand = command.find_subcommand_mut(name)?;
    if inner.subcommand().is_some() {
        return refusal(subcommand, inner);
    }
    let mut rules = RULES.iter();
    let rule = rules.find(|rule| rule.command == name && rule.applies(inner))?;
    let long = |id: &str| {
        let option = subcommand.get_arguments().find(|arg| arg.get_id() == id);
        let long = option.and_then(|option| option.get_long());
        format!("--{}", long.unwrap_or(id))
    };
    let beside = match rule.when {
        With(other) => format!(" beside {}", long(other)),
        _ => String::new(),
    };
    let (option, why) = (long(rule.option), rule.why);
    let message = format!("{option} has no effect on `{name}`{beside}: {why}");
    Some(subcommand.error(ErrorKind::ArgumentConflict, message))
}

impl Rule {
    /// Whether the option is given where it has no effect.
    fn applies(&self, matches: &ArgMatches) -> bool {
        let is_given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
        is_given(self.option)
            && match self.when {
                Always => true,
                Without(others) => !others.iter().any(|other| is_given(other)),
                With(other) => is_given(other),
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{self, Cli};
    use clap::{ArgAction, CommandFactory};

    /// A command by its name, wherever it is, with the words that call it.
    fn called(name: &str) -> (Vec<String>, Command) {
        let all = Cli::command();
        for command in all.get_subcommands() {
            if command.get_name() == name {
                return (vec!["ioa".into(), name.into()], command.clone());
            }
            if let Some(inner) = command.find_subcommand(name) {
                let outer = command.get_name().to_owned();
                return (vec!["ioa".into(), outer, name.into()], inner.clone());
            }
        }
        panic!("there is no command {name}");
    }

    /// An option with some value that it takes.
    fn given(command: &Command, id: &str) -> Vec<String> {
        let option = command.get_arguments().find(|arg| arg.get_id() == id);
        let option = option.unwrap_or_else(|| panic!("{} has no option {id}", command.get_name()));
        let mut words = vec![format!("--{}", option.get_long().expect("a long name"))];
        if matches!(option.get_action(), ArgAction::Set | ArgAction::Append) {
            let values = option.get_possible_values();
            let value = match values.first() {
                Some(value) => value.get_name(),
                None if id == "sorts" => "A=2",
                None => "7",
            };
            words.push(value.to_owned());
        }
        words
    }

    #[test]
    fn each_rule_is_about_an_option_that_is_there_and_refuses_it() {
        for rule in RULES {
            let Rule {
                command: name,
                option,
                when,
                why,
            } = rule;
            let (mut words, command) = called(name);
            words.push("a.ioa".into());
            let plain = args::parse(&words);
            assert!(plain.is_ok(), "{name}: {plain:?}");
            if let With(other) = when {
                words.extend(given(&command, other));
            }
            words.extend(given(&command, option));
            let refused = args::parse(&words).expect_err(&words.join(" ")).to_string();
            let says_why = refused.contains(why);
            let says_which = refused.contains("cannot be used") || refused.contains("required");
            assert!(says_why || says_which, "{words:?}: {refused}");
            if let Without(others) = when {
                words.extend(given(&command, others[0]));
                let accepted = args::parse(&words);
                assert!(accepted.is_ok(), "{words:?}: {accepted:?}");
            }
        }
    }
}
