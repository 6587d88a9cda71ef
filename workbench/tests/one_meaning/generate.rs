//! Random small automata as text: well-typed by construction, using every operator and statement form of the language.
//!
//! Text rather than core, so that the front end takes part and a failure can be read and kept as a fixture.

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The declarations that every generated automaton can use.
const DECLARATIONS: &str = "\
type Node
type Ballot
type Quorum
assumes TotalOrder(Ballot)
assumes Quorums(Quorum, Node)
type Color = enumeration of red, green, blue
type Pair = tuple of shade: Color, flag: Bool, level: Int

";

/// The types that generated variables and parameters have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ty {
    Bool,
    Int,
    Nat,
    Node,
    Ballot,
    Color,
    Pair,
    Set(Box<Ty>),
    Array(Box<Ty>, Box<Ty>),
    Null(Box<Ty>),
    Seq(Box<Ty>),
}

impl Ty {
    fn text(&self) -> String {
        match self {
            Ty::Bool => "Bool".into(),
            Ty::Int => "Int".into(),
            Ty::Nat => "Nat".into(),
            Ty::Node => "Node".into(),
            Ty::Ballot => "Ballot".into(),
            Ty::Color => "Color".into(),
            Ty::Pair => "Pair".into(),
            Ty::Set(e) => format!("Set[{}]", e.text()),
            Ty::Array(i, e) => format!("Array[{}, {}]", i.text(), e.text()),
            Ty::Null(e) => format!("Null[{}]", e.text()),
            Ty::Seq(e) => format!("Seq[{}]", e.text()),
        }
    }

    fn is_index(&self) -> bool {
        matches!(self, Ty::Node | Ty::Ballot | Ty::Color | Ty::Bool)
    }
}

fn set(e: Ty) -> Ty {
    Ty::Set(Box::new(e))
}

fn array(i: Ty, e: Ty) -> Ty {
    Ty::Array(Box::new(i), Box::new(e))
}

/// A generated automaton, as text.
pub fn automaton(seed: u64) -> String {
    Generator::new(seed).automaton()
}

struct Generator {
    rng: ChaCha8Rng,
    /// Names that a term may use, with their types: state variables, parameters, bound variables.
    scope: Vec<(String, Ty)>,
    fresh: usize,
}

impl Generator {
    fn new(seed: u64) -> Self {
        Self {
            rng: ChaCha8Rng::seed_from_u64(seed),
            scope: Vec::new(),
            fresh: 0,
        }
    }

    fn automaton(&mut self) -> String {
        // A sort has no constants, so each has one variable that a term can always fall back on.
        let mut variables = vec![("n0".to_owned(), Ty::Node), ("b0".to_owned(), Ty::Ballot)];
        let others = self.rng.random_range(2..=5);
        variables.extend((0..others).map(|i| (format!("s{i}"), self.state_type())));
        let actions: Vec<(String, Vec<(String, Ty)>)> = (0..3)
            .map(|a| {
                let params = (0..self.rng.random_range(0..=2))
                    .map(|p| (format!("p{a}{p}"), self.parameter_type()))
                    .collect();
                (format!("act{a}"), params)
            })
            .collect();
        let mut text = DECLARATIONS.to_owned();
        text.push_str("automaton Random\n  signature\n");
        for (name, params) in &actions {
            text.push_str(&format!("    internal {name}{}\n", formals(params, true)));
        }
        text.push_str("  states\n");
        let states: Vec<String> = variables
            .iter()
            .map(|(n, t)| format!("    {n}: {}{}", t.text(), initially(t)))
            .collect();
        text.push_str(&states.join(",\n"));
        text.push_str("\n  transitions\n");
        for (name, params) in &actions {
            self.scope = variables.clone();
            self.scope.extend(params.iter().cloned());
            let pre = self.term(&Ty::Bool, 3);
            let effect = self.effect(&variables);
            text.push_str(&format!(
                "    internal {name}{}\n      pre {pre}\n      eff {effect}\n",
                formals(params, false)
            ));
        }
        text
    }

    fn state_type(&mut self) -> Ty {
        let choices = [
            Ty::Bool,
            Ty::Int,
            Ty::Nat,
            Ty::Node,
            Ty::Color,
            Ty::Pair,
            set(Ty::Node),
            set(Ty::Color),
            array(Ty::Node, Ty::Bool),
            array(Ty::Node, Ty::Int),
            array(Ty::Node, set(Ty::Ballot)),
            array(Ty::Ballot, Ty::Null(Box::new(Ty::Node))),
            Ty::Null(Box::new(Ty::Color)),
            Ty::Seq(Box::new(Ty::Node)),
            Ty::Seq(Box::new(Ty::Int)),
        ];
        self.pick(&choices)
    }

    fn parameter_type(&mut self) -> Ty {
        let choices = [
            Ty::Bool,
            Ty::Node,
            Ty::Ballot,
            Ty::Color,
            set(Ty::Ballot),
            set(Ty::Node),
        ];
        self.pick(&choices)
    }

    fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices.choose(&mut self.rng).expect("some choice").clone()
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.fresh += 1;
        format!("{prefix}{}", self.fresh)
    }

    fn effect(&mut self, variables: &[(String, Ty)]) -> String {
        let count = self.rng.random_range(1..=3);
        let statements: Vec<String> = (0..count).map(|_| self.statement(variables, 2)).collect();
        statements.join(";\n          ")
    }

    fn statement(&mut self, variables: &[(String, Ty)], depth: u32) -> String {
        let (name, ty) = self.pick(variables);
        match (&ty, self.rng.random_range(0..8)) {
            (_, 0) if depth > 0 => {
                let condition = self.term(&Ty::Bool, 2);
                let then = self.statement(variables, depth - 1);
                let otherwise = self.statement(variables, depth - 1);
                format!("if {condition} then {then} else {otherwise} fi")
            }
            (_, 1) if ty.is_index() => {
                let x = self.fresh("x");
                let predicate = self.under(&[(x.clone(), ty)], |g| g.term(&Ty::Bool, 1));
                format!("{name} := choose {x} where {predicate}")
            }
            (Ty::Array(index, element), 2 | 3) => self.loop_over(&name, index, element),
            (Ty::Array(index, element), _) => {
                let i = self.term(index, 1);
                let e = self.term(element, 2);
                format!("{name}[{i}] := {e}")
            }
            (Ty::Pair, 2..=5) => {
                let (field, ty) =
                    self.pick(&[("shade", Ty::Color), ("flag", Ty::Bool), ("level", Ty::Int)]);
                format!("{name}.{field} := {}", self.term(&ty, 2))
            }
            (Ty::Set(element), 2 | 3) => self.loop_into(&name, element),
            _ => format!("{name} := {}", self.term(&ty, 3)),
        }
    }

    /// `for x: I where P do a[x] := e od`, where neither `P` nor `e` reads `a` elsewhere than at `x`.
    fn loop_over(&mut self, name: &str, index: &Ty, element: &Ty) -> String {
        let x = self.fresh("x");
        let outer = self.scope.clone();
        self.scope.retain(|(n, _)| n != name);
        self.scope.push((x.clone(), index.clone()));
        self.scope.push((format!("{name}[{x}]"), element.clone()));
        let range = self.term(&Ty::Bool, 1);
        let value = self.term(element, 2);
        self.scope = outer;
        format!(
            "for {x}: {} where {range} do {name}[{x}] := {value} od",
            index.text()
        )
    }

    /// `for x: E where P do s := insert(x, s) od`, where `P` does not read `s`.
    fn loop_into(&mut self, name: &str, element: &Ty) -> String {
        let x = self.fresh("x");
        let outer = self.scope.clone();
        self.scope.retain(|(n, _)| n != name);
        self.scope.push((x.clone(), element.clone()));
        let range = self.term(&Ty::Bool, 1);
        self.scope = outer;
        let operator = self.pick(&["insert", "delete"]);
        let element = element.text();
        format!("for {x}: {element} where {range} do {name} := {operator}({x}, {name}) od")
    }

    fn under(&mut self, bound: &[(String, Ty)], make: impl FnOnce(&mut Self) -> String) -> String {
        let depth = self.scope.len();
        self.scope.extend(bound.iter().cloned());
        let made = make(self);
        self.scope.truncate(depth);
        made
    }

    /// A term of a type, at most `depth` operators deep.
    fn term(&mut self, ty: &Ty, depth: u32) -> String {
        if depth == 0 || self.rng.random_range(0..6) == 0 {
            return self.leaf(ty);
        }
        if self.rng.random_range(0..12) == 0 {
            let condition = self.term(&Ty::Bool, depth - 1);
            let (a, b) = (self.term(ty, depth - 1), self.term(ty, depth - 1));
            return format!("(if {condition} then {a} else {b})");
        }
        match ty {
            Ty::Bool => self.formula(depth),
            Ty::Int | Ty::Nat => self.number(ty, depth),
            Ty::Node | Ty::Ballot | Ty::Color => self.element(ty, depth),
            Ty::Pair => self.pair(depth),
            Ty::Set(element) => self.set_term(element, depth),
            Ty::Array(index, element) => self.array_term(index, element, depth),
            Ty::Null(element) => format!("embed({})", self.term(element, depth - 1)),
            Ty::Seq(element) => self.sequence(element, depth),
        }
    }

    fn named(&mut self, ty: &Ty) -> Option<String> {
        let names: Vec<String> = self
            .scope
            .iter()
            .filter(|(_, t)| t == ty)
            .map(|(n, _)| n.clone())
            .collect();
        names.choose(&mut self.rng).cloned()
    }

    fn leaf(&mut self, ty: &Ty) -> String {
        if let Some(name) = self.named(ty) {
            return name;
        }
        match ty {
            Ty::Bool => self.pick(&["true", "false"]).into(),
            Ty::Int | Ty::Nat => self.rng.random_range(0..3).to_string(),
            Ty::Color => self.pick(&["red", "green", "blue"]).into(),
            Ty::Node => "n0".into(),
            Ty::Ballot => "b0".into(),
            Ty::Pair => format!(
                "[{}, {}, {}]",
                self.leaf(&Ty::Color),
                self.leaf(&Ty::Bool),
                self.leaf(&Ty::Int)
            ),
            Ty::Set(_) | Ty::Seq(_) => "{}".into(),
            Ty::Null(_) => "nil".into(),
            Ty::Array(_, element) => format!("constant({})", self.leaf(element)),
        }
    }

    fn formula(&mut self, depth: u32) -> String {
        let d = depth - 1;
        match self.rng.random_range(0..14) {
            0 => format!("~({})", self.term(&Ty::Bool, d)),
            n @ 1..=4 => {
                let operator = ["/\\", "\\/", "=>", "<=>"][n - 1];
                format!(
                    "({} {operator} {})",
                    self.term(&Ty::Bool, d),
                    self.term(&Ty::Bool, d)
                )
            }
            5 | 6 => {
                let mut types = vec![Ty::Int, Ty::Color, set(Ty::Node), set(Ty::Ballot)];
                types.extend(self.named(&Ty::Pair).map(|_| Ty::Pair));
                let ty = self.pick(&types);
                let operator = self.pick(&["=", "~="]);
                format!("{} {operator} {}", self.anchor(&ty, d), self.atom(&ty, d))
            }
            7 => {
                let operator = self.pick(&["<", "<=", ">", ">="]);
                format!(
                    "{} {operator} {}",
                    self.atom(&Ty::Int, d),
                    self.atom(&Ty::Int, d)
                )
            }
            8 => {
                let element = self.pick(&[Ty::Color, Ty::Bool]);
                let operator = self.pick(&["\\in", "\\notin"]);
                format!(
                    "{} {operator} {}",
                    self.atom(&element, d),
                    self.anchor(&set(element.clone()), d)
                )
            }
            9 => {
                let element = self.pick(&[Ty::Node, Ty::Ballot, Ty::Color]);
                let (a, b) = (
                    self.anchor(&set(element.clone()), d),
                    self.atom(&set(element), d),
                );
                format!("{a} \\subseteq {b}")
            }
            10..=12 => self.quantified(d),
            _ => self.leaf(&Ty::Bool),
        }
    }

    fn quantified(&mut self, depth: u32) -> String {
        let ty = self.pick(&[Ty::Node, Ty::Ballot, Ty::Color]);
        let quantifier = self.pick(&["\\A", "\\E"]);
        let x = self.fresh("q");
        let bound = [(x.clone(), ty.clone())];
        let body = self.under(&bound, |g| match ty {
            Ty::Ballot => match g.named(&Ty::Ballot) {
                Some(b) => format!("({x} < {b} => {})", g.term(&Ty::Bool, depth)),
                None => g.term(&Ty::Bool, depth),
            },
            Ty::Node if g.rng.random_range(0..3) == 0 => {
                format!(
                    "\\E k{x}: Quorum ({x} \\in k{x} /\\ {})",
                    g.term(&Ty::Bool, depth)
                )
            }
            _ => g.term(&Ty::Bool, depth),
        });
        if body.starts_with('\\') {
            format!("({quantifier} {x}: {} {body})", ty.text())
        } else {
            format!("({quantifier} {x}: {} ({body}))", ty.text())
        }
    }

    /// A term in parentheses unless it is a name, so that it can stand beside any operator.
    fn atom(&mut self, ty: &Ty, depth: u32) -> String {
        let term = self.term(ty, depth);
        let plain = term.chars().all(|c| c.is_alphanumeric());
        if plain { term } else { format!("({term})") }
    }

    /// A term whose type is plain without context, so that it can stand on the left of a comparison.
    fn anchor(&mut self, ty: &Ty, depth: u32) -> String {
        match (self.named(ty), ty) {
            (Some(name), _) => name,
            (None, Ty::Set(element)) => self.comprehension(element, depth),
            (None, _) => self.atom(ty, depth),
        }
    }

    fn number(&mut self, ty: &Ty, depth: u32) -> String {
        let d = depth - 1;
        let pairs = self.named(&Ty::Pair);
        match (self.rng.random_range(0..10), ty, pairs) {
            (0 | 1, _, _) => format!("({} + {})", self.term(ty, d), self.term(ty, d)),
            (2, _, _) => format!("({} - {})", self.atom(ty, d), self.atom(ty, d)),
            (3, _, _) => format!(
                "{}({}, {})",
                self.pick(&["min", "max"]),
                self.term(ty, d),
                self.term(ty, d)
            ),
            (4, Ty::Int, _) => format!("(-{})", self.atom(ty, d)),
            (5, Ty::Int, Some(pair)) => format!("{pair}.level"),
            (6, _, _) => {
                let operator = self.pick(&["div", "mod"]);
                let divisor = self.rng.random_range(1..4);
                format!("{operator}({}, {divisor})", self.term(ty, d))
            }
            (7, Ty::Nat, _) => format!("abs({})", self.term(&Ty::Int, d)),
            (8, _, _) => match self.named(&Ty::Seq(Box::new(Ty::Node))) {
                Some(sequence) => format!("len({sequence})"),
                None => self.leaf(ty),
            },
            (9, Ty::Int, _) => match self.named(&array(Ty::Node, Ty::Int)) {
                Some(name) => format!("{name}[{}]", self.term(&Ty::Node, d)),
                None => self.leaf(ty),
            },
            _ => self.leaf(ty),
        }
    }

    fn element(&mut self, ty: &Ty, depth: u32) -> String {
        let nulls = Ty::Null(Box::new(ty.clone()));
        let lists = Ty::Seq(Box::new(ty.clone()));
        match self.rng.random_range(0..4) {
            0 => match self.named(&array(Ty::Ballot, nulls.clone())) {
                Some(name) => format!("{name}[{}].val", self.term(&Ty::Ballot, depth - 1)),
                None => self.leaf(ty),
            },
            1 => match self.named(&nulls) {
                Some(name) => format!("{name}.val"),
                None => self.leaf(ty),
            },
            2 => match self.named(&lists) {
                Some(name) => format!("{}({name})", self.pick(&["head", "last"])),
                None => self.leaf(ty),
            },
            _ => match (ty, self.named(&Ty::Pair)) {
                (Ty::Color, Some(pair)) => format!("{pair}.shade"),
                _ => self.leaf(ty),
            },
        }
    }

    fn pair(&mut self, depth: u32) -> String {
        let d = depth - 1;
        match self.rng.random_range(0..3) {
            0 => format!(
                "set_flag({}, {})",
                self.term(&Ty::Pair, d),
                self.term(&Ty::Bool, d)
            ),
            1 => format!(
                "set_level({}, {})",
                self.term(&Ty::Pair, d),
                self.term(&Ty::Int, d)
            ),
            _ => format!(
                "[{}, {}, {}]",
                self.term(&Ty::Color, d),
                self.term(&Ty::Bool, d),
                self.term(&Ty::Int, d)
            ),
        }
    }

    fn set_term(&mut self, element: &Ty, depth: u32) -> String {
        let d = depth - 1;
        let ty = set(element.clone());
        match self.rng.random_range(0..8) {
            n @ 0..=2 => {
                let operator = ["\\U", "\\I", "-"][n];
                format!("({} {operator} {})", self.atom(&ty, d), self.atom(&ty, d))
            }
            3 => format!("insert({}, {})", self.term(element, d), self.term(&ty, d)),
            4 => format!("delete({}, {})", self.term(element, d), self.term(&ty, d)),
            5 => format!("{{{}, {}}}", self.term(element, d), self.term(element, d)),
            6 => self.comprehension(element, d),
            _ => match self.named(&array(Ty::Node, ty.clone())) {
                Some(name) => format!("{name}[{}]", self.term(&Ty::Node, d)),
                None => self.leaf(&ty),
            },
        }
    }

    fn comprehension(&mut self, element: &Ty, depth: u32) -> String {
        let x = self.fresh("c");
        let body = self.under(&[(x.clone(), element.clone())], |g| {
            g.term(&Ty::Bool, depth)
        });
        format!("{{{x}: {} where {body}}}", element.text())
    }

    fn array_term(&mut self, index: &Ty, element: &Ty, depth: u32) -> String {
        let d = depth - 1;
        if self.rng.random_bool(0.5) {
            return format!("constant({})", self.term(element, d));
        }
        let ty = array(index.clone(), element.clone());
        format!(
            "assign({}, {}, {})",
            self.term(&ty, d),
            self.term(index, d),
            self.term(element, d)
        )
    }

    fn sequence(&mut self, element: &Ty, depth: u32) -> String {
        let d = depth - 1;
        let ty = Ty::Seq(Box::new(element.clone()));
        match self.rng.random_range(0..5) {
            0 => format!("({} |- {})", self.atom(&ty, d), self.atom(element, d)),
            1 => format!("({} -| {})", self.atom(element, d), self.atom(&ty, d)),
            2 => format!("({} || {})", self.atom(&ty, d), self.atom(&ty, d)),
            3 => match self.named(&ty) {
                Some(name) => format!("{}({name})", self.pick(&["tail", "init"])),
                None => self.leaf(&ty),
            },
            _ => self.leaf(&ty),
        }
    }
}

/// An initial value where the type is infinite: no run starts from all of them.
fn initially(ty: &Ty) -> &'static str {
    match ty {
        Ty::Int | Ty::Nat => " := 0",
        Ty::Pair => " := [red, true, 0]",
        Ty::Seq(_) => " := {}",
        Ty::Array(_, element) if **element == Ty::Int => " := constant(0)",
        _ => "",
    }
}

fn formals(params: &[(String, Ty)], typed: bool) -> String {
    if params.is_empty() {
        return String::new();
    }
    let shown: Vec<String> = params
        .iter()
        .map(|(n, t)| {
            if typed {
                format!("{n}: {}", t.text())
            } else {
                n.clone()
            }
        })
        .collect();
    format!("({})", shown.join(", "))
}
