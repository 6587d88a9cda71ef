//! The pages that `ioa` writes: what is in them, and how they behave in a real browser if one is installed.

use std::fs;
use std::path::PathBuf;

use crate::browser::{Browser, Light};
use crate::sandbox::Sandbox;
use serde_json::{Value as Json, json};

/// Two pairs of a talker and an ear, each on a side of its own; what the invariant says is false after three steps.
const ROOM: &str = "\
type Side = enumeration of left, right

automaton Talker(side: Side)
  signature
    output say(const side)
  states
    said: Nat := 0
  transitions
    output say(side)
      pre said < 2
      eff said := said + 1

automaton Ear(side: Side)
  signature
    input say(const side)
  states
    heard: Nat := 0
  transitions
    input say(side)
      eff heard := heard + 1

automaton Room
  components
    A: Talker(left);
    B: Talker(right);
    C: Ear(left);
    D: Ear(right)

invariant Quiet of Room: C.heard < 2 \\/ D.heard < 1
";

const STUDY: &str = "\
[study]
name = \"room\"
sources = [\"room.ioa\"]

[[explore]]
automaton = \"Room\"
";

/// The report on the room.
fn report() -> (Sandbox, PathBuf) {
    let s = Sandbox::new();
    s.write("room/room.ioa", ROOM);
    s.write("room/ioa.toml", STUDY);
    let answer = s.ioa(&["verify", "room", "--report", "out"]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    let page = s.path("out/report.html");
    (s, page)
}

/// A run of the room of four steps, as a page of its own.
fn steps() -> (Sandbox, PathBuf) {
    let s = Sandbox::new();
    let talkers = ROOM.split("\ninvariant").next().expect("the automata");
    s.write("room.ioa", talkers);
    let run = "run room.ioa --automaton Room --random --trace run.itf.json";
    let run = s.ioa(&run.split(' ').collect::<Vec<_>>());
    assert_eq!(run.code, Some(0), "{run:?}");
    let export = s.ioa(&["export", "html", "run.itf.json", "--out", "run.html"]);
    assert_eq!(export.code, Some(0), "{export:?}");
    let page = s.path("run.html");
    (s, page)
}

/// What stands between two texts, wherever they occur.
fn between<'t>(text: &'t str, before: &str, after: &str) -> Vec<&'t str> {
    let parts = text.split(before).skip(1);
    parts.filter_map(|part| part.split(after).next()).collect()
}

/// The arrows of a picture: the names of the lanes from which and to which they lead.
fn arrows(page: &str) -> Vec<(&str, &str)> {
    let lanes = between(page, "<text class=\"host\" x=\"", "</text>");
    let lanes: Vec<(&str, &str)> = lanes
        .into_iter()
        .map(|lane| {
            (
                between_quotes(lane),
                lane.rsplit('>').next().expect("a name"),
            )
        })
        .collect();
    let name = |x: &str| {
        let lane = lanes.iter().find(|(at, _)| *at == x);
        lane.expect("an arrow ends at lanes").1
    };
    let ends = between(page, "<line class=\"arrow\" ", "/>");
    ends.into_iter()
        .map(|line| {
            let end = |which: &str| name(between(line, which, "\"")[0]);
            (end("x1=\""), end("x2=\""))
        })
        .collect()
}

/// What stands before the next quotation mark.
fn between_quotes(text: &str) -> &str {
    text.split('"').next().unwrap_or_default()
}

#[test]
fn a_failure_is_drawn_with_its_messages_and_a_state_for_each_step() {
    let (_s, page) = report();
    let text = fs::read_to_string(page).expect("the page");
    assert_eq!(arrows(&text), [("A", "C"), ("A", "C"), ("B", "D")]);
    assert_eq!(between(&text, "data-at=\"", "\""), ["0", "1", "2", "3"]);
    assert!(text.find("What went wrong") < text.find("What is known"));
    // Places are links to lines that are there, and nothing is fetched.
    let link = between(&text, "<a href=\"#", "\"")[0];
    assert!(link.ends_with("room.ioa:29"), "{link}");
    assert!(text.contains(&format!("id=\"{link}\"")), "{link}");
    for outside in ["https://", "src=", "@import", "fetch("] {
        assert!(!text.contains(outside), "{outside}");
    }
    // Verdicts are words, not only colours, and all are explained.
    let legend = between(&text, "<p class=\"legend\">", "</p>")[0];
    for word in [
        "proved", "explored", "bounded", "tested", "violated", "refuted",
    ]
    .iter()
    .chain(&["conditional", "unknown", "vacuous", "error"])
    {
        assert!(legend.contains(&format!(">{word}</span>")), "{word}");
    }
}

#[test]
fn components_are_drawn_with_what_each_sends_to_which() {
    let (_s, path) = report();
    let page = fs::read_to_string(path).expect("the report");
    let (_, rest) = page.split_once("What Room is made of").expect("a picture");
    let (drawn, _) = rest.split_once("</svg>").expect("its end");
    for component in ["A: Talker", "B: Talker", "C: Ear", "D: Ear"] {
        assert!(drawn.contains(component), "no {component}: {drawn}");
    }
    // Each talker is heard by the ear at its own side alone.
    assert_eq!(drawn.matches("marker-end").count(), 2, "{drawn}");
    assert_eq!(drawn.matches(">say<").count(), 2, "{drawn}");
}

#[test]
fn a_page_without_a_failure_has_nothing_to_step_through() {
    let s = Sandbox::new();
    let calm = ROOM.replace("C.heard < 2", "C.heard < 3");
    s.write("room/room.ioa", calm);
    s.write("room/ioa.toml", format!("{STUDY}allow_deadlock = true\n"));
    let answer = s.ioa(&["verify", "room", "--report", "out"]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let text = fs::read_to_string(s.path("out/report.html")).expect("the page");
    assert!(!text.contains("data-at=\"") && !text.contains("What went wrong"));
}

#[test]
fn keys_and_clicks_go_both_ways_through_a_page_of_steps() {
    let (_s, page) = steps();
    let text = fs::read_to_string(&page).expect("the page");
    let titles = between(&text, "<h4>", "</h4>");
    assert_eq!(titles.len(), 5, "{titles:?}");
    let Some(browser) = Browser::find("keys and clicks in a page of steps") else {
        return;
    };
    let said = browser.ask(
        &page,
        Light::Bright,
        "const panel = document.querySelector('.execution'), told = [shown(panel)];
         for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'End', 'ArrowRight', 'x', 'ArrowUp', 'Home', 'ArrowLeft']) {
           press(key); told.push(shown(panel));
         }
         all(panel, '[data-step=\"2\"]')[0].dispatchEvent(new MouseEvent('click', { bubbles: true })); told.push(shown(panel));
         for (const way of ['forward', 'back', 'last', 'first']) { panel.querySelector(`[data-go=${way}]`).click(); told.push(shown(panel)); }
         return told;",
    );
    let at = |said: &Json| said["where"].as_str().map(str::to_owned);
    let told = said.as_array().expect("what was shown");
    let steps = [0, 1, 2, 1, 4, 4, 4, 3, 0, 0, 2, 3, 2, 4, 0];
    assert_eq!(told.len(), steps.len(), "{said}");
    for (told, step) in told.iter().zip(steps) {
        assert_eq!(at(told), Some(format!("step {step} of 4")), "{said}");
        assert_eq!(told["titles"], json!([titles[step]]), "one state is seen");
        let changed = told["changed"].as_array().map(Vec::len);
        assert_eq!(changed, Some(if step == 0 { 0 } else { 2 }), "{said}");
        let label = titles[step].split(": ").nth(1);
        assert_eq!(told["here"], json!(label.into_iter().collect::<Vec<_>>()));
        // Of each later step its text, its arrow and both of its events are faint.
        assert_eq!(told["faint"], json!((4 - step) * 4), "{said}");
    }
}

#[test]
fn a_report_is_for_keys_print_dark_and_light() {
    let (_s, page) = report();
    let Some(browser) = Browser::find("a report by key, in print, dark and light") else {
        return;
    };
    let script = "
        const panel = document.querySelector('.execution');
        const told = { before: shown(panel), scheme: getComputedStyle(document.body).backgroundColor };
        press('ArrowLeft'); told.unfocused = shown(panel);
        panel.focus(); told.focused = document.activeElement === panel;
        press('ArrowLeft'); told.after = shown(panel);
        told.wide = document.documentElement.scrollWidth <= innerWidth;
        const ink = getComputedStyle(panel.querySelector('.host')).fill;
        told.ink = ink;
        // A page is laid out for print if what is for print alone is taken for what is for the screen.
        for (const sheet of document.styleSheets) for (const rule of sheet.cssRules) if (rule.media) {
          const media = rule.media.mediaText;
          if (media === 'print') rule.media.mediaText = 'screen'; else if (media === 'screen') rule.media.mediaText = 'print';
        }
        told.printed = shown(panel);
        told.controls = seen(panel.querySelector('.controls'));
        told.list = all(document, '.frames li').filter(seen).length;
        return told;";
    let [bright, dark] =
        [Light::Bright, Light::Dark].map(|light| browser.ask(&page, light, script));
    for said in [&bright, &dark] {
        assert_eq!(
            said["before"]["where"], "step 3 of 3",
            "the failure is shown first: {said}"
        );
        assert_eq!(
            said["unfocused"], said["before"],
            "keys belong to the page until the panel has the focus"
        );
        assert_eq!(
            (&said["focused"], &said["wide"]),
            (&json!(true), &json!(true)),
            "{said}"
        );
        assert_eq!(said["after"]["where"], "step 2 of 3", "{said}");
        assert_eq!(
            said["printed"]["titles"].as_array().map(Vec::len),
            Some(4),
            "{said}"
        );
        assert_eq!(said["printed"]["faint"], 0, "{said}");
        assert_eq!(said["controls"], false, "{said}");
        assert_eq!(
            said["list"], 0,
            "what the panel tells is not printed twice: {said}"
        );
    }
    for what in ["scheme", "ink"] {
        assert_ne!(bright[what], dark[what], "{what}");
    }
}
