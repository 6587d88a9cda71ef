//! A reader of TLA+, as far as exported modules use it, that shares nothing with what writes them. Where operators stand
//! side by side it goes by the ranges of precedences in "Specifying Systems" (table 6), and refuses what they forbid.

mod tokens;

use tokens::{Token, tokens};

/// What was read: a word, or an operator with its arguments. Parentheses leave no trace, and a list of formulas is the same
/// as those formulas with the operator between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tree {
    Word(String),
    Node(String, Vec<Tree>),
}

pub(crate) fn word(text: impl Into<String>) -> Tree {
    Tree::Word(text.into())
}

pub(crate) fn node(sign: impl Into<String>, parts: Vec<Tree>) -> Tree {
    Tree::Node(sign.into(), parts)
}

/// The definitions of a module, or of a part of one.
pub(crate) fn definitions(text: &str) -> Result<Vec<Tree>, String> {
    let mut reader = Reader::new(text)?;
    let mut found = Vec::new();
    while let Some(token) = reader.peek().cloned() {
        match &*token.text {
            "EXTENDS" | "CONSTANTS" | "VARIABLES" => reader.names()?,
            _ => found.push(reader.definition()?),
        }
    }
    Ok(found)
}

/// A term.
pub(crate) fn term(text: &str) -> Result<Tree, String> {
    let mut reader = Reader::new(text)?;
    let term = reader.expression()?;
    match reader.peek() {
        None => Ok(term),
        Some(_) => Err(reader.unexpected("the end")),
    }
}

/// The range of an operator's precedences, and whether it associates.
type Range = (u8, u8, bool);

fn prefix(sign: &str) -> Option<Range> {
    Some(match sign {
        "~" => (4, 4, false),
        "UNCHANGED" | "ENABLED" | "[]" | "<>" => (4, 15, false),
        "SUBSET" | "UNION" => (8, 8, false),
        "DOMAIN" => (9, 9, false),
        "-" => (12, 12, false),
        _ => return None,
    })
}

fn infix(sign: &str) -> Option<Range> {
    Some(match sign {
        "=>" => (1, 1, false),
        "<=>" | "~>" => (2, 2, false),
        "/\\" | "\\/" => (3, 3, true),
        "=" | "#" | "<" | ">" | "<=" | ">=" | "\\in" | "\\notin" | "\\subseteq"
        | "\\sqsubseteq" => (5, 5, false),
        "@@" => (6, 6, true),
        ":>" => (7, 7, false),
        "\\cup" | "\\cap" => (8, 8, true),
        "\\" => (8, 8, false),
        ".." => (9, 9, false),
        "+" | "(+)" => (10, 10, true),
        "%" => (10, 11, false),
        "-" => (11, 11, true),
        "(-)" => (11, 11, false),
        "*" | "\\o" => (13, 13, true),
        "\\div" => (13, 13, false),
        "^" => (14, 14, false),
        _ => return None,
    })
}

/// An operator that waits for its right argument.
struct Waiting {
    sign: String,
    range: Range,
    /// The left argument, of an operator that has one.
    left: Option<Operand>,
}

/// An argument. A chain of formulas without parentheses around it may get longer.
struct Operand {
    tree: Tree,
    is_chain: bool,
}

impl Waiting {
    fn applied(self, right: Operand) -> Operand {
        let is_chain = matches!(&*self.sign, "/\\" | "\\/");
        let tree = match self.left {
            None => node(format!("{}_", self.sign), vec![right.tree]),
            Some(left) => match left.tree {
                Tree::Node(sign, mut parts) if left.is_chain && is_chain && sign == self.sign => {
                    parts.push(right.tree);
                    node(sign, parts)
                }
                other => node(self.sign, vec![other, right.tree]),
            },
        };
        Operand { tree, is_chain }
    }
}

struct Reader {
    tokens: Vec<Token>,
    at: usize,
    /// The columns of the lists that are being read: what does not stand to the right of one is no part of its items.
    columns: Vec<usize>,
}

type Read<T> = Result<T, String>;

impl Reader {
    fn new(text: &str) -> Read<Self> {
        Ok(Self {
            tokens: tokens(text)?,
            at: 0,
            columns: Vec::new(),
        })
    }

    fn peek(&self) -> Option<&Token> {
        let limit = self.columns.last().copied().unwrap_or(0);
        self.tokens.get(self.at).filter(|t| t.column > limit)
    }

    fn is(&self, sign: &str) -> bool {
        self.peek().is_some_and(|token| token.text == sign)
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> Read<()> {
        match self.take(sign) {
            true => Ok(()),
            false => Err(self.unexpected(sign)),
        }
    }

    fn unexpected(&self, wanted: &str) -> String {
        match self.peek() {
            None => format!("expected {wanted}, found the end"),
            Some(token) => format!(
                "line {}: expected {wanted}, found {}",
                token.line, token.text
            ),
        }
    }

    fn next(&mut self) -> Read<String> {
        let text = self.peek().map(|token| token.text.clone());
        self.at += 1;
        text.ok_or_else(|| "something is missing at the end".to_owned())
    }

    fn identifier(&mut self) -> Read<String> {
        match self.peek().is_some_and(Token::is_word) {
            true => self.next(),
            false => Err(self.unexpected("a name")),
        }
    }

    /// `EXTENDS a, b` and the like.
    fn names(&mut self) -> Read<()> {
        self.next()?;
        self.identifier()?;
        while self.take(",") {
            self.identifier()?;
        }
        Ok(())
    }

    /// `name(params) == body`, or `name[argument \in domain] == body`
    fn definition(&mut self) -> Read<Tree> {
        if self.take("RECURSIVE") {
            self.identifier()?;
            self.expect("(")?;
            while !self.take(")") {
                self.next()?;
            }
        }
        let mut parts = vec![word(self.identifier()?)];
        if self.take("(") {
            parts.push(word(self.identifier()?));
            while self.take(",") {
                parts.push(word(self.identifier()?));
            }
            self.expect(")")?;
        }
        if self.take("[") {
            parts.push(word(self.identifier()?));
            self.expect("\\in")?;
            parts.push(self.expression()?);
            self.expect("]")?;
        }
        self.expect("==")?;
        match self.take("INSTANCE") {
            true => parts.push(self.instance()?),
            false => parts.push(self.expression()?),
        }
        Ok(node("==", parts))
    }

    fn instance(&mut self) -> Read<Tree> {
        let mut parts = vec![word(self.identifier()?)];
        self.expect("WITH")?;
        loop {
            parts.push(word(self.identifier()?));
            self.expect("<-")?;
            parts.push(self.expression()?);
            if !self.take(",") {
                return Ok(node("INSTANCE", parts));
            }
        }
    }

    /// Operands with operators before and between them.
    fn expression(&mut self) -> Read<Tree> {
        let mut waiting: Vec<Waiting> = Vec::new();
        loop {
            while let Some((sign, range)) = self.operator(prefix) {
                let left = None;
                waiting.push(Waiting { sign, range, left });
            }
            let tree = self.operand()?;
            let mut last = Operand {
                tree,
                is_chain: false,
            };
            let next = self.operator(infix);
            while let Some(top) = waiting.pop() {
                if let Some((sign, range)) = &next
                    && !first(&top, sign, *range)?
                {
                    waiting.push(top);
                    break;
                }
                last = top.applied(last);
            }
            let Some((sign, range)) = next else {
                return Ok(last.tree);
            };
            let left = Some(last);
            waiting.push(Waiting { sign, range, left });
        }
    }

    fn operator(&mut self, known: impl Fn(&str) -> Option<Range>) -> Option<(String, Range)> {
        let sign = &self.peek()?.text;
        let found = known(sign).map(|range| (sign.clone(), range))?;
        self.at += 1;
        Some(found)
    }

    fn operand(&mut self) -> Read<Tree> {
        let Some(token) = self.peek().cloned() else {
            return Err(self.unexpected("a term"));
        };
        match &*token.text {
            "/\\" | "\\/" => return self.list(&token),
            "\\A" | "\\E" => return self.quantified(),
            "IF" => return self.conditional(),
            "CHOOSE" => return self.choice(),
            "LET" => return self.definitions(),
            _ => {}
        }
        let mut tree = self.primary()?;
        loop {
            tree = if self.take("'") {
                node("'", vec![tree])
            } else if self.take("[") {
                let mut parts = vec![tree];
                parts.extend(self.sequence("]")?);
                node("at", parts)
            } else if self.take(".") {
                node(".", vec![tree, word(self.identifier()?)])
            } else {
                return Ok(tree);
            };
        }
    }

    /// A list of formulas: each begins where the first does.
    fn list(&mut self, bullet: &Token) -> Read<Tree> {
        let mut items = Vec::new();
        let outer = self.columns.last().copied().unwrap_or(0);
        let is_bullet = |token: &Token| {
            (&token.text, token.column) == (&bullet.text, bullet.column) && token.column > outer
        };
        while self.tokens.get(self.at).is_some_and(is_bullet) {
            self.at += 1;
            self.columns.push(bullet.column);
            let item = self.expression();
            self.columns.pop();
            items.push(item?);
        }
        match items.len() {
            1 => Ok(items.remove(0)),
            _ => Ok(node(&*bullet.text, items)),
        }
    }

    fn quantified(&mut self) -> Read<Tree> {
        let sign = self.next()?;
        let mut names = vec![word(self.identifier()?)];
        while self.take(",") {
            names.push(word(self.identifier()?));
        }
        self.expect("\\in")?;
        names.push(self.expression()?);
        self.expect(":")?;
        names.push(self.expression()?);
        Ok(node(sign, names))
    }

    fn conditional(&mut self) -> Read<Tree> {
        let mut parts = Vec::new();
        for keyword in ["IF", "THEN", "ELSE"] {
            self.expect(keyword)?;
            parts.push(self.expression()?);
        }
        Ok(node("IF", parts))
    }

    fn choice(&mut self) -> Read<Tree> {
        self.expect("CHOOSE")?;
        let mut parts = self.bound()?;
        self.expect(":")?;
        parts.push(self.expression()?);
        Ok(node("CHOOSE", parts))
    }

    fn bound(&mut self) -> Read<Vec<Tree>> {
        let name = word(self.identifier()?);
        self.expect("\\in")?;
        Ok(vec![name, self.expression()?])
    }

    fn definitions(&mut self) -> Read<Tree> {
        self.expect("LET")?;
        let mut parts = Vec::new();
        while !self.take("IN") {
            parts.push(self.definition()?);
        }
        parts.push(self.expression()?);
        Ok(node("LET", parts))
    }

    fn sequence(&mut self, end: &str) -> Read<Vec<Tree>> {
        let mut parts = Vec::new();
        if self.take(end) {
            return Ok(parts);
        }
        loop {
            parts.push(self.expression()?);
            if self.take(end) {
                return Ok(parts);
            }
            self.expect(",")?;
        }
    }

    fn primary(&mut self) -> Read<Tree> {
        let is_plain = self.peek().is_some_and(Token::is_plain);
        let text = self.next()?;
        match &*text {
            "(" => {
                let inner = self.expression()?;
                self.expect(")")?;
                Ok(inner)
            }
            "<<" => Ok(node("<<", self.sequence(">>")?)),
            "{" => self.set(),
            "[" => self.brackets(),
            _ if is_plain && self.take("(") => {
                let mut parts = vec![word(text)];
                parts.extend(self.sequence(")")?);
                Ok(node("call", parts))
            }
            _ if is_plain && self.take("!") => Ok(word(format!("{text}!{}", self.identifier()?))),
            _ if is_plain => Ok(word(text)),
            _ => Err(format!("a term cannot begin with {text}")),
        }
    }

    /// What stands after `{`.
    fn set(&mut self) -> Read<Tree> {
        if self.take("}") {
            return Ok(node("{", Vec::new()));
        }
        let first = self.expression()?;
        if self.take(":") {
            let second = self.expression()?;
            self.expect("}")?;
            return Ok(match bound(&first) {
                Some([x, set]) => node("filter", vec![x, set, second]),
                None => node("image", vec![first, second]),
            });
        }
        let mut parts = vec![first];
        match self.take(",") {
            true => parts.extend(self.sequence("}")?),
            false => self.expect("}")?,
        }
        Ok(node("{", parts))
    }

    /// What stands after `[`.
    fn brackets(&mut self) -> Read<Tree> {
        let first = self.expression()?;
        let separator = self.next()?;
        match (&*separator, bound(&first)) {
            ("|->", Some([x, set])) => {
                let value = self.expression()?;
                self.expect("]")?;
                Ok(node("function", vec![x, set, value]))
            }
            ("|->" | ":", _) => self.fields(first, &separator),
            ("->", _) => {
                let to = self.expression()?;
                self.expect("]")?;
                Ok(node("->", vec![first, to]))
            }
            ("]_", _) => Ok(node("step", vec![first, word(self.identifier()?)])),
            ("EXCEPT", _) => self.except(first),
            (other, _) => Err(format!("{other} cannot stand between brackets")),
        }
    }

    fn fields(&mut self, first: Tree, separator: &str) -> Read<Tree> {
        let mut parts = vec![first, self.expression()?];
        while self.take(",") {
            parts.push(word(self.identifier()?));
            self.expect(separator)?;
            parts.push(self.expression()?);
        }
        self.expect("]")?;
        Ok(node(separator, parts))
    }

    fn except(&mut self, whole: Tree) -> Read<Tree> {
        let mut parts = vec![whole];
        self.expect("!")?;
        loop {
            if self.take("[") {
                parts.push(node("at", self.sequence("]")?));
            } else if self.take(".") {
                parts.push(node(".", vec![word(self.identifier()?)]));
            } else {
                break;
            }
        }
        self.expect("=")?;
        parts.push(self.expression()?);
        self.expect("]")?;
        Ok(node("EXCEPT", parts))
    }
}

/// The variable and the set of what may be a binding.
fn bound(tree: &Tree) -> Option<[Tree; 2]> {
    match tree {
        Tree::Node(sign, parts) if sign == "\\in" && matches!(parts[0], Tree::Word(_)) => {
            <[Tree; 2]>::try_from(parts.clone()).ok()
        }
        _ => None,
    }
}

/// Whether of two operators side by side the first takes its argument first.
fn first(waiting: &Waiting, sign: &str, range: Range) -> Read<bool> {
    let ((low, high, associates), other) = (waiting.range, range);
    if low > other.1 {
        return Ok(true);
    }
    if high < other.0 {
        return Ok(false);
    }
    match associates && waiting.left.is_some() && waiting.sign == sign {
        true => Ok(true),
        false => Err(format!(
            "{} and {sign} need parentheses beside each other",
            waiting.sign
        )),
    }
}
