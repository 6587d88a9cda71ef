//! Keys in, and what is on the screen then.

use clap::Parser;
use debugger::{Command, HELP};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use session::host::Silent;

use super::Screen;
use super::keys::{Does, KEYS};
use crate::args::SubjectArgs;
use crate::cli::execution::debug::subject::Subject;

/// A door that can be walked through only while it is open.
const DOOR: &str = "\
type Guest
automaton Door
  signature
    input    open
    output   enter(g: Guest)
    internal shut
  states
    isOpen: Bool := false,
    inside: Set[Guest] := {}
  transitions
    input open
      eff isOpen := true
    output enter(g)
      pre isOpen /\\ g \\notin inside
      eff inside := insert(g, inside)
    internal shut
      pre isOpen
      eff isOpen := false
invariant Roomy of Door: size(inside) < 2
";

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    subject: SubjectArgs,
}

/// A model, for three guests where it is about guests.
fn subject(text: &str) -> Subject {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("model.ioa");
    std::fs::write(&path, text).expect("it can be written");
    let path = path.to_str().expect("a path in UTF-8");
    let sizes = ["--sort", "Guest=3"].iter().copied();
    let sizes = sizes.filter(|_| text.contains("type Guest"));
    let flags = Flags::parse_from(["debug", path].into_iter().chain(sizes));
    Subject::of(&flags.subject).unwrap_or_else(|bad| panic!("{}", bad.render(false)))
}

/// Presses keys at the door, and calls `look` with the screen.
fn pressed(keys: &[KeyCode], look: impl FnOnce(&mut Screen<'_>)) {
    pressed_on(DOOR, keys, look);
}

/// Presses keys in a session about a model, and calls `look` with the screen.
fn pressed_on(text: &str, keys: &[KeyCode], look: impl FnOnce(&mut Screen<'_>)) {
    let subject = subject(text);
    let opened = subject.session();
    let (session, opening) = opened.unwrap_or_else(|bad| panic!("{}", bad.render(false)));
    let mut screen = Screen::new(session, &opening);
    for code in keys {
        assert!(press(&mut screen, *code), "{code:?} ended the session");
    }
    look(&mut screen);
}

fn press(screen: &mut Screen<'_>, code: KeyCode) -> bool {
    screen.press(KeyEvent::new(code, KeyModifiers::NONE), &Silent)
}

/// The keys of a text.
fn typed(text: &str) -> Vec<KeyCode> {
    let keys = text.chars().map(|c| match c {
        '\n' => KeyCode::Enter,
        c => KeyCode::Char(c),
    });
    keys.collect()
}

/// What a screen of this size shows.
fn drawn(screen: &mut Screen<'_>, (width, height): (u16, u16)) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
    let drawn = terminal.draw(|frame| screen.draw(frame));
    drawn.expect("it can be drawn");
    terminal.backend().to_string()
}

const USUAL: (u16, u16) = (80, 24);

#[test]
fn the_run_the_choices_and_the_state_are_shown() {
    pressed(&[], |screen| {
        for size in [USUAL, (200, 50)] {
            let shown = drawn(screen, size);
            for text in [
                "Door   step 0 of 0",
                "> 0 the first state",
                ">   1 input open",
                "isOpen = false",
                "? all keys",
            ] {
                let text = text.replace("> 0", ">   0");
                assert!(shown.contains(&text), "{text}\n{shown}");
            }
        }
    });
}

#[test]
fn a_chosen_step_is_taken_and_gone_back() {
    let mut keys = vec![KeyCode::Enter, KeyCode::Down, KeyCode::Enter];
    pressed(&keys, |screen| {
        let shown = drawn(screen, USUAL);
        assert!(shown.contains("step 2 of 2"), "{shown}");
        assert!(shown.contains(">   2 output enter(Guest#0)"), "{shown}");
        assert!(shown.contains("inside = {Guest#0}"), "{shown}");
    });
    keys.extend([KeyCode::Left, KeyCode::Left]);
    pressed(&keys, |screen| {
        let shown = drawn(screen, USUAL);
        assert!(shown.contains("step 0 of 2"), "{shown}");
        assert!(!shown.contains("{Guest#0}"), "{shown}");
    });
}

#[test]
fn what_is_typed_is_a_command_and_a_mistake_is_told() {
    pressed(&typed(":until size(inside) = 2\n"), |screen| {
        let shown = drawn(screen, USUAL);
        assert!(shown.contains("violated: Roomy"), "{shown}");
    });
    pressed(&typed("yenter(Guest#1)\n"), |screen| {
        let shown = drawn(screen, USUAL);
        assert!(shown.contains("false: isOpen"), "{shown}");
    });
    pressed(&typed("ufrog = 1\n"), |screen| {
        assert!(screen.answer.is_mistake);
        let shown = drawn(screen, USUAL);
        assert!(shown.contains("unknown name `frog`"), "{shown}");
    });
}

#[test]
fn a_command_can_be_left_and_corrected() {
    let mut keys = typed(":taken");
    keys.push(KeyCode::Backspace);
    keys.extend(typed(" 1\n"));
    pressed(&keys, |screen| {
        assert!(drawn(screen, USUAL).contains("step 1 of 1"));
    });
    let mut keys = typed(":take 1");
    keys.push(KeyCode::Esc);
    pressed(&keys, |screen| {
        assert!(drawn(screen, USUAL).contains("step 0 of 0"));
    });
}

#[test]
fn long_answers_are_scrolled_and_given_all_the_room() {
    pressed(&typed("?"), |screen| {
        let shown = drawn(screen, USUAL);
        assert!(shown.contains("take the step that is chosen"), "{shown}");
        assert!(shown.contains("PgDn: more"), "{shown}");
        for _ in 0..20 {
            assert!(press(screen, KeyCode::PageDown));
        }
        assert!(drawn(screen, USUAL).contains("or this page"));
        assert!(press(screen, KeyCode::Esc));
        assert!(drawn(screen, USUAL).contains("all variables"));
    });
}

/// As many variables as do not fit, and an invariant that the first step violates.
fn crowded() -> String {
    let variables = (1..=20).map(|n| format!("v{n}: Nat := {n}"));
    let variables: Vec<String> = variables.collect();
    format!(
        "automaton Crowded\n  signature internal go\n  states {}\n  transitions\n    internal go\n      eff v1 := v1 + 1\n\
         invariant Still of Crowded: v1 < 2\n",
        variables.join(", ")
    )
}

#[test]
fn what_is_watched_or_violated_stays_in_sight_and_a_cut_is_marked() {
    let keys = [vec![KeyCode::Enter], typed("wv20 + v19\n")].concat();
    pressed_on(&crowded(), &keys, |screen| {
        let shown = drawn(screen, USUAL);
        for text in [
            "violated: Still",
            "watch: v20 + v19 = 39",
            "v1  = 2",
            "more  ",
            "all variables (j: more)",
        ] {
            assert!(shown.contains(text), "{text}\n{shown}");
        }
        assert!(!shown.contains("v20 = 20"), "{shown}");
        for _ in 0..10 {
            assert!(press(screen, KeyCode::Char('j')));
        }
        let shown = drawn(screen, USUAL);
        for text in ["violated: Still", "watch: v20", "before", "v20 = 20"] {
            assert!(shown.contains(text), "{text}\n{shown}");
        }
        for _ in 0..10 {
            assert!(press(screen, KeyCode::Char('k')));
        }
        assert!(drawn(screen, USUAL).contains("v1  = 2"));
        let shown = drawn(screen, (80, 70));
        assert!(
            shown.contains(" all variables ") && !shown.contains("(j: more)"),
            "{shown}"
        );
    });
}

#[test]
fn no_screen_is_too_small() {
    for size in [(1, 1), (2, 2), (5, 3), (20, 5), (3, 60), (300, 2)] {
        for keys in ["", "?", ":eval size(inside)"] {
            pressed(&typed(keys), |screen| drop(drawn(screen, size)));
        }
    }
}

#[test]
fn a_session_ends_by_a_key_or_by_a_command() {
    pressed(&[], |screen| assert!(!press(screen, KeyCode::Char('q'))));
    pressed(&typed(":quit"), |screen| {
        assert!(!press(screen, KeyCode::Enter));
    });
    pressed(&[], |screen| {
        let interrupt = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert!(!screen.press(interrupt, &Silent));
    });
}

#[test]
fn each_key_has_one_meaning_which_is_a_command() {
    for (at, (code, _)) in KEYS.iter().enumerate() {
        let mut others = KEYS[at + 1..].iter();
        assert!(others.all(|(other, _)| other != code), "{code}");
    }
    for (_, does) in KEYS {
        match does {
            Does::Runs(line) => {
                assert!(matches!(Command::parse(line), Ok(Some(_))), "{line}");
            }
            Does::Begins(line) if !line.is_empty() => {
                let mut known = HELP.iter().map(|entry| entry.name);
                assert!(known.any(|name| name == line.trim_end()), "{line}");
            }
            Does::Begins(_) | Does::Takes | Does::Shows(..) => {}
        }
    }
}
