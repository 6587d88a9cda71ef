//! A simulation that is proposed is followed and judged as a term of the core. People get it as text: that text, read, is the
//! same simulation, and its parts stand where messages place them.

use ioa_lang::core::{
    Expr, Local, Model, Program, Simulation, Stmt, StmtKind, Substitution, fingerprint,
};
use ioa_lang::diagnostic::has_errors;
use ioa_lang::{Sources, Span};
use session::host::Silent;
use session::manifest::Manifest;
use session::pipeline::pairs;
use session::setup::Setup;
use session::study::Study;

/// The last one who gets ready opens: an entry has cases, with a condition that binds a variable.
const GATE: &str = r"
type Guest
automaton Low
  signature
    internal ready(g: Guest)
    output   enter
  states
    waiting: Set[Guest] := {}
  transitions
    internal ready(g)
      pre g \notin waiting
      eff waiting := insert(g, waiting)
    output enter
      pre \A g: Guest (g \in waiting)
automaton High
  signature
    internal open
    output   enter
  states
    is_open: Bool := false
  transitions
    internal open
      pre ~is_open
      eff is_open := true
    output enter
      pre is_open
";

/// The specification has several start states and a choice.
const CHOICE: &str = r"
type Value
automaton Low
  signature
    internal take(v: Value)
    output   tell(v: Value, b: Bool)
  states
    mine: Set[Value] := {},
    up: Bool
  transitions
    internal take(v)
      pre mine = {}
      eff mine := {v}
    output tell(v, b)
      pre v \in mine /\ b = up
automaton High
  signature
    internal pick
    output   tell(v: Value, b: Bool)
  states
    held: Null[Value] := nil,
    high: Bool
  transitions
    internal pick
      choose w: Value
      pre held = nil
      eff held := embed(w)
    output tell(v, b)
      pre held = embed(v) /\ b = high
";

/// The low automaton is composed, so that its variables and actions have indices.
const COMPOSED: &str = r"
type Client
automaton Cell(c: Client)
  signature
    input    want(const c)
    internal grant(const c)
    output   enter(const c)
  states
    at: Nat := 0
  transitions
    input want(x) where x = c
      eff if at = 0 then at := 1 fi
    internal grant(x) where x = c
      pre at = 1
      eff at := 2
    output enter(x) where x = c
      pre at = 2
      eff at := 3
automaton Low
  components P[c: Client]: Cell(c)
automaton High
  signature
    input  want(c: Client)
    output enter(c: Client)
  states
    asked: Set[Client] := {},
    been: Set[Client] := {}
  transitions
    input want(c)
      eff if c \notin been then asked := insert(c, asked) fi
    output enter(c)
      pre c \in asked
      eff asked := delete(c, asked);
          been := insert(c, been)
";

/// What is proposed for `Low to High`, as the simulation that was followed, and as its text.
fn proposed(model: &str) -> Vec<(Simulation, String)> {
    let mut sources = Sources::new();
    sources.add("model.ioa", model);
    let study = Study::from_sources(Manifest::default(), "model.ioa".into(), sources);
    let study = study.expect("a right model");
    let about = (&study, &Setup::default());
    let found = pairs::suggest(about, Some("Low to High"), &Silent).expect("two automata");
    let proposals = found.proposals.into_iter();
    let simulation = |study: &Study| study.model.simulations[0].clone();
    proposals
        .map(|proposal| (simulation(&proposal.study), proposal.text))
        .collect()
}

/// The text of a simulation, read after the model.
fn read(model: &str, text: &str) -> Model {
    let mut sources = Sources::new();
    sources.add("model.ioa", model);
    sources.add("the suggestion", text);
    let loaded = ioa_lang::load(&sources);
    assert!(
        !has_errors(&loaded.diagnostics),
        "{:?} in\n{text}",
        loaded.diagnostics
    );
    loaded.model
}

/// What a simulation consists of, in an order: what each part says whatever its bound variables are called, and where it stands.
#[derive(Default)]
struct Taken(Vec<(String, Span)>);

impl Taken {
    fn of(simulation: &Simulation) -> Self {
        let mut taken = Self::default();
        for conjunct in simulation.relation.conjuncts() {
            taken.term(&simulation.locals, conjunct);
        }
        let proof = simulation.proof.as_ref().expect("a proof block");
        assert!(proof.variables.is_empty());
        taken.program(&proof.initially);
        for entry in &proof.entries {
            let params = entry.params.len();
            taken.note(&format!("for {:?} {params}", entry.action), Span::default());
            taken.program(&entry.program);
        }
        taken
    }

    fn note(&mut self, what: &str, span: Span) {
        self.0.push((what.to_owned(), span));
    }

    fn term(&mut self, locals: &[Local], term: &Expr) {
        let unnamed = locals.iter().map(|local| Local {
            name: "".into(),
            ..local.clone()
        });
        let unnamed: Vec<Local> = unnamed.collect();
        let mut fresh = Vec::new();
        let normal = Substitution::new(&unnamed, &mut fresh, []).copy(term);
        self.note(&fingerprint(&normal).to_string(), term.span);
    }

    fn program(&mut self, program: &Program) {
        self.stmts(&program.locals, &program.body);
    }

    fn stmts(&mut self, locals: &[Local], body: &[Stmt]) {
        for stmt in body {
            match &stmt.kind {
                StmtKind::Assign(place, value) => {
                    self.note(&format!("{:?} :=", place.root), Span::default());
                    self.term(locals, value);
                }
                StmtKind::If {
                    branches,
                    otherwise,
                } => {
                    for (condition, body) in branches {
                        self.term(locals, condition);
                        self.stmts(locals, body);
                    }
                    self.note("else", Span::default());
                    self.stmts(locals, otherwise);
                }
                StmtKind::Fire(fire) => {
                    let what = format!("{:?} {:?} {}", fire.kind, fire.action, fire.using.len());
                    self.note(&what, stmt.span);
                    for term in fire.args.iter().chain(&fire.using) {
                        self.term(locals, term);
                    }
                }
                other => panic!("this is never proposed: {other:?}"),
            }
        }
    }
}

/// The text of each simulation that is proposed means what was followed, part by part.
fn text_and_term_agree(model: &str) -> Vec<String> {
    let proposals = proposed(model);
    assert!(!proposals.is_empty(), "nothing is proposed");
    for (followed, text) in &proposals {
        let model = read(model, text);
        let (followed, read) = (Taken::of(followed), Taken::of(&model.simulations[0]));
        assert_eq!(followed.0, read.0, "{text}");
    }
    proposals.into_iter().map(|(_, text)| text).collect()
}

#[test]
fn the_text_of_cases_means_what_was_followed() {
    let texts = text_and_term_agree(GATE);
    assert!(texts.iter().any(|text| text.contains("if ")), "{texts:#?}");
}

#[test]
fn the_text_of_choices_and_start_states_means_what_was_followed() {
    let texts = text_and_term_agree(CHOICE);
    let says = |what: &str| texts.iter().any(|text| text.contains(what));
    assert!(says(" using v for w") && says("initially"), "{texts:#?}");
}

#[test]
fn the_text_about_components_means_what_was_followed() {
    let texts = text_and_term_agree(COMPOSED);
    assert!(
        texts.iter().any(|text| text.contains("P[c].")),
        "{texts:#?}"
    );
}
