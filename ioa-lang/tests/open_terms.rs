//! Terms whose unknown names are variables of sorts: which sort, or why there is none.

use ioa_lang::core::{AutomatonId, OpenTerm, Type};
use ioa_lang::diagnostic::Diagnostic;
use ioa_lang::{FileId, Loaded, Sources};

const TEXT: &str = "
type Client
type Server
type Phase = enumeration of idle, busy
automaton Desk
  states
    ticket: Array[Client, Nat],
    phase: Array[Server, Phase],
    waiting: Set[Client],
    holder: Client,
    serving: Nat
";

fn loaded() -> Loaded {
    let mut sources = Sources::default();
    sources.add("desk.ioa", TEXT);
    ioa_lang::load(&sources)
}

fn read(text: &str, wanted: Option<&Type>) -> Result<OpenTerm, Vec<Diagnostic>> {
    let names = loaded().names;
    ioa_lang::open_term(&names, (FileId(1), text), AutomatonId(0), wanted)
}

/// The open variables of a term, with their types.
fn open(text: &str) -> Vec<String> {
    let model = loaded().model;
    let own = read(text, None).expect("a term of the test");
    let open = own.locals[..own.open].iter();
    open.map(|local| format!("{}: {}", local.name, model.type_name(&local.ty)))
        .collect()
}

/// What is wrong with a term: the message, the text that the caret is under, and the advice.
fn refused(text: &str, wanted: Option<&Type>) -> (String, String, String) {
    let mistakes = read(text, wanted).expect_err("a mistake");
    let first = &mistakes[0];
    let place = text[first.span.start as usize..first.span.end as usize].to_owned();
    (first.message.clone(), place, first.help.join("; "))
}

#[test]
fn what_a_term_does_with_a_name_shows_its_type() {
    assert_eq!(open("max(ticket[i], serving)"), ["i: Client"]);
    assert_eq!(open("ticket[c] - ticket[d]"), ["c: Client", "d: Client"]);
    assert_eq!(
        open("i \\in waiting /\\ phase[s] = idle"),
        ["i: Client", "s: Server"]
    );
    assert_eq!(open("phase[s] = p"), ["s: Server", "p: Phase"]);
    assert!(open("size(waiting)").is_empty());
    // What is bound in the term is no open variable.
    assert_eq!(
        open("size({c: Client where ticket[c] <= ticket[i]})"),
        ["i: Client"]
    );
}

#[test]
fn a_name_that_may_be_of_several_types_is_asked_about() {
    let (message, place, help) = refused("i = j /\\ serving = 0", None);
    assert!(
        message.starts_with("`i` may be a variable of Client or of Server"),
        "{message}"
    );
    assert_eq!(place, "i");
    assert_eq!(help, "write `(i:Client)` once");
    assert_eq!(
        open("(i:Client) = j /\\ serving = 0"),
        ["i: Client", "j: Client"]
    );
}

#[test]
fn a_misspelt_name_is_no_variable() {
    let (message, place, help) = refused("hodler \\in waiting", None);
    assert_eq!(message, "unknown name `hodler`");
    assert_eq!(place, "hodler");
    assert!(help.starts_with("did you mean `holder`"), "{help}");
}

#[test]
fn a_name_that_is_of_no_sort_is_told_with_what_there_is() {
    let (message, place, help) = refused("serving + other", None);
    assert_eq!((&*message, &*place), ("unknown name `other`", "other"));
    assert!(help.contains("the term has no meaning with any"), "{help}");
    assert!(
        help.contains("ticket, phase, waiting, holder, serving"),
        "{help}"
    );
}

#[test]
fn other_mistakes_are_shown_where_they_are() {
    let (_, place, _) = refused("serving + waiting", None);
    assert_eq!(place, "serving + waiting");
    let (_, place, _) = refused("serving", Some(&Type::Bool));
    assert_eq!(place, "serving");
    // Three variables are more than any candidate has.
    assert!(read("ticket[a] + ticket[b] + ticket[c] = 0", None).is_err());
    assert!(read("", None).is_err());
}
