//! Terms and formulas.

use ioa_lang::core::{Expr, ExprKind, FunctionId, LocalId, Meaning, Op, Quantifier, Type};

use super::helpers::Helper;
use super::names::field;
use super::text::{Doc, Level, Text};
use super::types::quoted;
use super::writer::Writer;

impl<'a> Writer<'a> {
    /// An expression.
    pub(super) fn term(&mut self, expr: &'a Expr) -> Text {
        match &expr.kind {
            ExprKind::Bool(true) => Text::atom("TRUE"),
            ExprKind::Bool(false) => Text::atom("FALSE"),
            ExprKind::Int(n) if n.sign() == num_bigint::Sign::Minus => {
                Text::new(Level::Infix, n.to_string())
            }
            ExprKind::Int(n) => Text::atom(n.to_string()),
            ExprKind::Real(_) => self.no_reals(expr),
            ExprKind::Char(c) => self.text(&c.to_string(), expr),
            ExprKind::Text(text) => self.text(text, expr),
            ExprKind::Enumerator(position) => self.enumerator(&expr.ty, *position),
            ExprKind::State(state) => self.variable(*state, expr.span),
            ExprKind::Local(id) => Text::atom(&*self.bound[id]),
            ExprKind::Apply(op, args) => self.apply(*op, args, expr),
            ExprKind::Theory(function, args) => self.theory(*function, args),
            ExprKind::If(condition, then, otherwise) => {
                let [c, a, b] = [condition, then, otherwise].map(|e| self.term(e));
                let text = format!("IF {} THEN {} ELSE {}", c.plain(), a.plain(), b.plain());
                Text::new(Level::Open, text)
            }
            ExprKind::Quantified(quantifier, binders, body) => {
                let head = self.quantifier(*quantifier, binders, body);
                let body = self.term(body);
                binders.iter().for_each(|b| self.leave(*b));
                Text::new(Level::Open, format!("{head} {}", body.plain()))
            }
            ExprKind::Comprehension(binder, body) => self.comprehension(*binder, body),
            ExprKind::Element(_) | ExprKind::Random(..) => self.unsayable(
                expr.span,
                "a TLA+ module has no draws and no names of elements",
                "these belong in schedules",
            ),
        }
    }

    /// A formula over lines: quantifiers and conjunctions at its top each begin one.
    pub(super) fn formula(&mut self, expr: &'a Expr) -> Doc {
        match &expr.kind {
            ExprKind::Apply(Op::And, parts) => {
                Doc::All(parts.iter().map(|part| self.formula(part)).collect())
            }
            ExprKind::Quantified(quantifier, binders, body) => {
                let head = self.quantifier(*quantifier, binders, body);
                let body = self.formula(body);
                binders.iter().for_each(|b| self.leave(*b));
                Doc::Under(head, Box::new(body))
            }
            _ => Doc::Line(self.term(expr).plain().to_owned()),
        }
    }

    /// `\A x, y \in S : \A z \in T :`, with the variables in scope from here on.
    fn quantifier(
        &mut self,
        quantifier: Quantifier,
        binders: &'a [LocalId],
        body: &'a Expr,
    ) -> String {
        let (sign, conditions) = match quantifier {
            Quantifier::ForAll => ("\\A", premises(body)),
            Quantifier::Exists => ("\\E", body.conjuncts()),
        };
        let mut groups: Vec<(Vec<String>, String)> = Vec::new();
        for binder in binders {
            let set = self.range(*binder, &conditions);
            let name = self.enter(*binder);
            match groups.last_mut() {
                Some((names, same)) if *same == set => names.push(name),
                _ => groups.push((vec![name], set)),
            }
        }
        let group = |(names, set): (Vec<String>, String)| {
            format!("{sign} {} \\in {set} :", names.join(", "))
        };
        groups.into_iter().map(group).collect::<Vec<_>>().join(" ")
    }

    fn comprehension(&mut self, binder: LocalId, body: &'a Expr) -> Text {
        let set = self.range(binder, &body.conjuncts());
        if body.is_true() {
            return Text::new(Level::Infix, set);
        }
        let name = self.enter(binder);
        let body = self.term(body);
        self.leave(binder);
        Text::atom(format!("{{{name} \\in {set} : {}}}", body.plain()))
    }

    fn enumerator(&mut self, ty: &Type, position: u32) -> Text {
        let Type::Enum(id) = ty else {
            unreachable!("an enumeration's value is of the enumeration's type")
        };
        let values = &self.model.enumerations[id.index()].values;
        Text::atom(quoted(&field(&values[position as usize])))
    }

    fn text(&mut self, text: &str, expr: &Expr) -> Text {
        if text.chars().all(|c| c.is_ascii() && !c.is_ascii_control()) {
            return Text::atom(quoted(text));
        }
        self.unsayable(
            expr.span,
            "TLA+ strings are of printable ASCII characters",
            "write other characters in another way",
        )
    }

    fn no_reals(&mut self, expr: &Expr) -> Text {
        self.unsayable(
            expr.span,
            "TLC computes with integers only",
            "count in smaller units",
        )
    }

    fn theory(&mut self, function: FunctionId, args: &'a [Expr]) -> Text {
        let args: Vec<Text> = args.iter().map(|arg| self.term(arg)).collect();
        match self.model.functions[function.index()].meaning {
            Meaning::Less(_) => Text::infix(Level::Comparison, "<", &args),
            Meaning::InGroup { .. } => Text::infix(Level::Comparison, "\\in", &args),
            Meaning::Axioms => {
                self.needs.functions.insert(function);
                let name = &self.globals.functions[function.index()];
                let args: Vec<&str> = args.iter().map(Text::plain).collect();
                match args.is_empty() {
                    true => Text::atom(&**name),
                    false => Text::atom(format!("{name}[{}]", args.join(", "))),
                }
            }
        }
    }

    fn apply(&mut self, op: Op, args: &'a [Expr], whole: &'a Expr) -> Text {
        if whole.ty == Type::Real || args.iter().any(|arg| arg.ty == Type::Real) {
            return self.no_reals(whole);
        }
        match op {
            Op::Not => self.not(&args[0]),
            Op::Lt | Op::Le if !args[0].ty.is_integer() => self.text_order(op, args),
            Op::Insert | Op::EmptySet => self.set_literal(whole),
            Op::Field(position) | Op::Payload(position) => {
                let name = self.field_of(&args[0].ty, position);
                let whole = self.term(&args[0]);
                Text::atom(format!("{}.{name}", whole.at(Level::Atom)))
            }
            Op::Tuple => self.record(args, whole),
            Op::SetField(position) => {
                let name = self.field_of(&args[0].ty, position);
                let [record, value] = [&args[0], &args[1]].map(|arg| self.term(arg));
                Text::atom(format!(
                    "[{} EXCEPT !.{name} = {}]",
                    record.plain(),
                    value.plain()
                ))
            }
            Op::Variant(position) => {
                let name = self.field_of(&whole.ty, position);
                let value = self.term(&args[0]);
                Text::atom(format!("[{name} |-> {}]", value.plain()))
            }
            Op::Constant => self.constant(&args[0], whole),
            _ => {
                let args: Vec<Text> = args.iter().map(|arg| self.term(arg)).collect();
                self.operator(op, &args, whole)
            }
        }
    }

    /// The order of strings, or of characters.
    fn text_order(&mut self, op: Op, args: &'a [Expr]) -> Text {
        let [a, b] = [&args[0], &args[1]].map(|arg| self.term(arg));
        match op {
            Op::Lt => self.call(Helper::Before, &[a, b]),
            _ => {
                let greater = self.call(Helper::Before, &[b, a]);
                Text::new(Level::Not, format!("~{}", greater.at(Level::Atom)))
            }
        }
    }

    fn not(&mut self, negated: &'a Expr) -> Text {
        let sign = match &negated.kind {
            ExprKind::Apply(Op::Eq, _) => Some("#"),
            ExprKind::Apply(Op::Member, _) => Some("\\notin"),
            ExprKind::Theory(function, _) => match self.model.functions[function.index()].meaning {
                Meaning::Less(_) => Some(">="),
                Meaning::InGroup { .. } => Some("\\notin"),
                Meaning::Axioms => None,
            },
            _ => None,
        };
        if let (Some(sign), ExprKind::Apply(_, args) | ExprKind::Theory(_, args)) =
            (sign, &negated.kind)
        {
            let args: Vec<Text> = args.iter().map(|arg| self.term(arg)).collect();
            // `~(b < a)` on a sort is how `a <= b` is written in the core.
            return match (sign, &args[..]) {
                (">=", [b, a]) => Text::infix(Level::Comparison, "<=", &[a.clone(), b.clone()]),
                _ => Text::infix(Level::Comparison, sign, &args),
            };
        }
        let inner = self.term(negated);
        Text::new(Level::Not, format!("~{}", inner.at(Level::Atom)))
    }

    /// Insertions into the empty set are a set literal, others a union with one.
    fn set_literal(&mut self, whole: &'a Expr) -> Text {
        let mut elements = Vec::new();
        let mut rest = whole;
        while let ExprKind::Apply(Op::Insert, args) = &rest.kind {
            elements.push(self.term(&args[0]).plain().to_owned());
            rest = &args[1];
        }
        let literal = Text::atom(format!("{{{}}}", elements.join(", ")));
        if matches!(rest.kind, ExprKind::Apply(Op::EmptySet, _)) {
            return literal;
        }
        let rest = self.term(rest);
        Text::infix(Level::Infix, "\\cup", &[rest, literal])
    }

    pub(super) fn field_of(&self, ty: &Type, position: u32) -> String {
        let members = match ty {
            Type::Tuple(id) => &self.model.tuples[id.index()].fields,
            Type::Union(id) => &self.model.unions[id.index()].variants,
            _ => unreachable!("only tuples and unions have fields"),
        };
        field(&members[position as usize].0)
    }

    fn record(&mut self, args: &'a [Expr], whole: &Expr) -> Text {
        let fields = (0..).zip(args).map(|(position, arg)| {
            let name = self.field_of(&whole.ty, position);
            format!("{name} |-> {}", self.term(arg).plain())
        });
        let fields: Vec<String> = fields.collect();
        Text::atom(format!("[{}]", fields.join(", ")))
    }

    fn constant(&mut self, element: &'a Expr, whole: &Expr) -> Text {
        let Type::Array(index, _) = &whole.ty else {
            unreachable!("a constant array is an array")
        };
        if !self.is_finite(index) {
            return self.infinite_array(whole);
        }
        let Some(set) = self.set_of(index) else {
            return self.infinite_array(whole);
        };
        let name = self.names.enter("i");
        let element = self.term(element);
        self.names.leave(&name);
        Text::atom(format!(
            "[{name} \\in {} |-> {}]",
            set.plain(),
            element.plain()
        ))
    }

    fn infinite_array(&mut self, whole: &Expr) -> Text {
        self.unsayable(
            whole.span,
            "TLC has no functions on infinite sets",
            "use a map, or a sort as the index",
        )
    }

    /// The operators that are written between, before or around their arguments.
    fn operator(&mut self, op: Op, args: &[Text], whole: &Expr) -> Text {
        if let Some((sign, level)) = sign(op) {
            return Text::infix(level, sign, args);
        }
        if let Some(name) = library(op) {
            return Text::call(name, args);
        }
        if let Some(helper) = helper(op, &whole.ty) {
            let name = self.helper(helper);
            return if args.is_empty() {
                Text::atom(name)
            } else {
                Text::call(&name, args)
            };
        }
        let plain = |at: usize| args[at].plain();
        let atom = |at: usize| args[at].at(Level::Atom);
        match op {
            Op::Sub => Text::infix(Level::Infix, "-", args),
            Op::Neg => Text::new(Level::Infix, format!("-{}", atom(0))),
            Op::Delete => Text::new(Level::Infix, format!("{} \\ {{{}}}", atom(1), plain(0))),
            Op::Select | Op::Lookup => Text::atom(format!("{}[{}]", atom(0), plain(1))),
            Op::Nth => Text::atom(format!("{}[{} + 1]", atom(0), args[1].at(Level::Infix))),
            Op::Assign => Text::atom(format!(
                "[{} EXCEPT ![{}] = {}]",
                plain(0),
                plain(1),
                plain(2)
            )),
            Op::EmptyMap | Op::EmptySeq => Text::atom("<<>>"),
            Op::Defined => Text::new(
                Level::Comparison,
                format!("{} \\in DOMAIN {}", args[1].at(Level::Infix), atom(0)),
            ),
            Op::EmptyMset => Text::atom("EmptyBag"),
            Op::MsetInsert => Text::new(
                Level::Infix,
                format!("{} (+) SetToBag({{{}}})", atom(1), plain(0)),
            ),
            Op::MsetDelete => Text::new(
                Level::Infix,
                format!("{} (-) SetToBag({{{}}})", atom(1), plain(0)),
            ),
            Op::Prepend => Text::new(Level::Infix, format!("<<{}>> \\o {}", plain(0), atom(1))),
            Op::SeqMember => {
                let range = self.helper(Helper::Range);
                Text::new(
                    Level::Comparison,
                    format!("{} \\in {range}({})", args[0].at(Level::Infix), plain(1)),
                )
            }
            Op::Tag => Text::new(
                Level::Open,
                format!("CHOOSE t_ \\in DOMAIN {} : TRUE", atom(0)),
            ),
            _ => unreachable!("every operator is in one of the tables"),
        }
    }
}

/// The conditions under which a universally quantified body says something.
fn premises(body: &Expr) -> Vec<&Expr> {
    match &body.kind {
        ExprKind::Apply(Op::Implies, args) => args[0].conjuncts(),
        _ => Vec::new(),
    }
}

fn sign(op: Op) -> Option<(&'static str, Level)> {
    Some(match op {
        Op::And => ("/\\", Level::Junction),
        Op::Or => ("\\/", Level::Junction),
        Op::Implies => ("=>", Level::Implies),
        Op::Iff => ("<=>", Level::Implies),
        Op::Eq => ("=", Level::Comparison),
        Op::Lt => ("<", Level::Comparison),
        Op::Le => ("<=", Level::Comparison),
        Op::Add => ("+", Level::Infix),
        Op::Mul => ("*", Level::Infix),
        Op::Member => ("\\in", Level::Comparison),
        Op::Subset => ("\\subseteq", Level::Comparison),
        Op::Union => ("\\cup", Level::Infix),
        Op::Intersection => ("\\cap", Level::Infix),
        Op::Difference => ("\\", Level::Infix),
        Op::MsetSubset => ("\\sqsubseteq", Level::Comparison),
        Op::MsetUnion => ("(+)", Level::Infix),
        Op::MsetDifference => ("(-)", Level::Infix),
        Op::Concat => ("\\o", Level::Infix),
        _ => return None,
    })
}

/// The operators of the modules that come with TLA+, with their arguments in our order.
fn library(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::Size => "Cardinality",
        Op::MsetMember => "BagIn",
        Op::MsetSize => "BagCardinality",
        Op::Count => "CopiesIn",
        Op::Append => "Append",
        Op::Head => "Head",
        Op::Tail => "Tail",
        Op::Len => "Len",
        _ => return None,
    })
}

fn helper(op: Op, result: &Type) -> Option<Helper> {
    Some(match op {
        Op::Sub if *result == Type::Nat => Helper::Minus,
        Op::Div => Helper::Div,
        Op::Mod => Helper::Mod,
        Op::Pow => Helper::Power,
        Op::Min => Helper::Min,
        Op::Max => Helper::Max,
        Op::Abs => Helper::Abs,
        Op::Nil => Helper::Nil,
        Op::Embed => Helper::Embed,
        Op::Val => Helper::Val,
        Op::Last => Helper::Last,
        Op::Init => Helper::Front,
        Op::Update => Helper::Updated,
        Op::Remove => Helper::Removed,
        Op::MsetIntersection => Helper::BagMeet,
        _ => return None,
    })
}
