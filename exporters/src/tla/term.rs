//! Terms and formulas.

use ioa_lang::core::{Expr, ExprKind, FunctionId, LocalId, Meaning, Op, Quantifier, Type};

use super::helpers::Helper;
use super::names::field;
use super::syntax::{Infix, Prefix};
use super::syntax::{Quantifier as Sign, Step, Term};
use super::writer::Writer;

impl<'a> Writer<'a> {
    /// An expression.
    pub(super) fn term(&mut self, expr: &Expr) -> Term {
        match &expr.kind {
            ExprKind::Bool(value) => Term::truth(*value),
            ExprKind::Int(n) => Term::number(n.clone()),
            ExprKind::Real(_) => self.no_reals(expr),
            ExprKind::Char(c) => self.text(&c.to_string(), expr),
            ExprKind::Text(text) => self.text(text, expr),
            ExprKind::Enumerator(position) => self.enumerator(&expr.ty, *position),
            ExprKind::State(state) => self.variable(*state, expr.span),
            ExprKind::Local(id) => Term::name(&*self.bound[id]),
            ExprKind::Apply(op, args) => self.apply(*op, args, expr),
            ExprKind::Theory(function, args) => self.theory(*function, args),
            ExprKind::If(condition, then, otherwise) => {
                let [c, a, b] = [condition, then, otherwise].map(|e| self.term(e));
                Term::conditional(c, a, b)
            }
            ExprKind::Quantified(quantifier, binders, body) => {
                self.quantified(*quantifier, binders, body)
            }
            ExprKind::Comprehension(binder, body) => self.comprehension(*binder, body),
            ExprKind::Entries(binder, body) => self.entries(*binder, body),
            ExprKind::Element(_) | ExprKind::Random(..) => self.unsayable(
                expr.span,
                "a TLA+ module has no draws and no names of elements",
                "these belong in schedules",
            ),
        }
    }

    /// `\A x, y \in S : \A z \in T : body`
    fn quantified(&mut self, quantifier: Quantifier, binders: &[LocalId], body: &Expr) -> Term {
        let (sign, conditions) = match quantifier {
            Quantifier::ForAll => (Sign::ForAll, premises(body)),
            Quantifier::Exists => (Sign::Exists, body.conjuncts()),
        };
        let mut groups: Vec<(Vec<String>, Term)> = Vec::new();
        for binder in binders {
            let set = self.range(*binder, &conditions);
            let name = self.enter(*binder);
            match groups.last_mut() {
                Some((names, same)) if *same == set => names.push(name),
                _ => groups.push((vec![name], set)),
            }
        }
        let body = self.term(body);
        binders.iter().for_each(|b| self.leave(*b));
        let groups = groups.into_iter().rev();
        groups.fold(body, |body, (names, set)| {
            Term::quantified(sign, names, set, body)
        })
    }

    fn comprehension(&mut self, binder: LocalId, body: &Expr) -> Term {
        let set = self.range(binder, &body.conjuncts());
        if body.is_true() {
            return set;
        }
        let name = self.enter(binder);
        let body = self.term(body);
        self.leave(binder);
        Term::filter(name, set, body)
    }

    fn entries(&mut self, binder: LocalId, body: &Expr) -> Term {
        let set = self.range(binder, &[]);
        let name = self.enter(binder);
        let body = self.term(body);
        self.leave(binder);
        Term::function(name, set, body)
    }

    fn enumerator(&mut self, ty: &Type, position: u32) -> Term {
        let Type::Enum(id) = ty else {
            unreachable!("an enumeration's value is of the enumeration's type")
        };
        let values = &self.model.enumerations[id.index()].values;
        Term::text(field(&values[position as usize]))
    }

    fn text(&mut self, text: &str, expr: &Expr) -> Term {
        if text.chars().all(|c| c.is_ascii() && !c.is_ascii_control()) {
            return Term::text(text);
        }
        self.unsayable(
            expr.span,
            "TLA+ strings are of printable ASCII characters",
            "write other characters in another way",
        )
    }

    fn no_reals(&mut self, expr: &Expr) -> Term {
        self.unsayable(
            expr.span,
            "TLC computes with integers only",
            "count in smaller units",
        )
    }

    fn theory(&mut self, function: FunctionId, args: &[Expr]) -> Term {
        let args: Vec<Term> = args.iter().map(|arg| self.term(arg)).collect();
        let known = match self.model.functions[function.index()].meaning {
            Meaning::Less(_) => Some(Infix::Less),
            Meaning::InGroup { .. } => Some(Infix::In),
            Meaning::Axioms => None,
        };
        match (known, <[Term; 2]>::try_from(args)) {
            (Some(sign), Ok([a, b])) => Term::infix(sign, a, b),
            (_, args) => {
                self.needs.functions.insert(function);
                let name = Term::name(&*self.globals.functions[function.index()]);
                let args = args.map_or_else(|args| args, Vec::from);
                match args.is_empty() {
                    true => name,
                    false => Term::at(name, args),
                }
            }
        }
    }

    fn apply(&mut self, op: Op, args: &[Expr], whole: &Expr) -> Term {
        if whole.ty == Type::Real || args.iter().any(|arg| arg.ty == Type::Real) {
            return self.no_reals(whole);
        }
        match op {
            Op::Not => self.not(&args[0]),
            Op::Lt | Op::Le if !args[0].ty.is_integer() => self.text_order(op, args),
            Op::Insert | Op::EmptySet => self.set_literal(whole),
            Op::Field(position) | Op::Payload(position) => {
                let name = self.field_of(&args[0].ty, position);
                Term::field(self.term(&args[0]), name)
            }
            Op::Tuple => self.record(args, whole),
            Op::SetField(position) => {
                let name = self.field_of(&args[0].ty, position);
                let [record, value] = [&args[0], &args[1]].map(|arg| self.term(arg));
                Term::except(record, vec![Step::Field(name)], value)
            }
            Op::Variant(position) => {
                let name = self.field_of(&whole.ty, position);
                Term::Record(vec![(name, self.term(&args[0]))])
            }
            Op::Constant => self.constant(&args[0], whole),
            _ => {
                let args: Vec<Term> = args.iter().map(|arg| self.term(arg)).collect();
                self.operator(op, args, whole)
            }
        }
    }

    /// The order of strings, or of characters.
    fn text_order(&mut self, op: Op, args: &[Expr]) -> Term {
        let [a, b] = [&args[0], &args[1]].map(|arg| self.term(arg));
        match op {
            Op::Lt => self.call(Helper::Before, vec![a, b]),
            _ => {
                let greater = self.call(Helper::Before, vec![b, a]);
                Term::prefix(Prefix::Not, greater)
            }
        }
    }

    fn not(&mut self, negated: &Expr) -> Term {
        match self.term(negated) {
            Term::Infix(Infix::Equal, args) => Term::Infix(Infix::Unequal, args),
            Term::Infix(Infix::In, args) => Term::Infix(Infix::NotIn, args),
            // `~(b < a)` on a sort is how `a <= b` is written in the core.
            Term::Infix(Infix::Less, args) if matches!(negated.kind, ExprKind::Theory(..)) => {
                let [b, a] = *args;
                Term::infix(Infix::LessOrEqual, a, b)
            }
            other => Term::prefix(Prefix::Not, other),
        }
    }

    /// Insertions into the empty set are a set literal, others a union with one.
    fn set_literal(&mut self, whole: &Expr) -> Term {
        let mut elements = Vec::new();
        let mut rest = whole;
        while let ExprKind::Apply(Op::Insert, args) = &rest.kind {
            elements.push(self.term(&args[0]));
            rest = &args[1];
        }
        let literal = Term::Set(elements);
        if matches!(rest.kind, ExprKind::Apply(Op::EmptySet, _)) {
            return literal;
        }
        Term::infix(Infix::Union, self.term(rest), literal)
    }

    pub(super) fn field_of(&self, ty: &Type, position: u32) -> String {
        let members = match ty {
            Type::Tuple(id) => &self.model.tuples[id.index()].fields,
            Type::Union(id) => &self.model.unions[id.index()].variants,
            _ => unreachable!("only tuples and unions have fields"),
        };
        field(&members[position as usize].0)
    }

    fn record(&mut self, args: &[Expr], whole: &Expr) -> Term {
        let fields = (0..).zip(args).map(|(position, arg)| {
            let name = self.field_of(&whole.ty, position);
            (name, self.term(arg))
        });
        Term::Record(fields.collect())
    }

    fn constant(&mut self, element: &Expr, whole: &Expr) -> Term {
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
        Term::function(name, set, element)
    }

    fn infinite_array(&mut self, whole: &Expr) -> Term {
        self.unsayable(
            whole.span,
            "TLC has no functions on infinite sets",
            "use a map, or a sort as the index",
        )
    }

    /// The operators that are written between, before or around their arguments.
    fn operator(&mut self, op: Op, args: Vec<Term>, whole: &Expr) -> Term {
        if let Some(name) = library(op) {
            return Term::call(name, args);
        }
        if let Some(helper) = Helper::of(op, &whole.ty) {
            return self.call(helper, args);
        }
        match (op, args.len()) {
            (Op::And, _) => Term::all(args),
            (Op::Or, _) => Term::any(args),
            (Op::EmptyMap | Op::EmptySeq, _) => Term::Tuple(Vec::new()),
            (Op::EmptyMset, _) => Term::name("EmptyBag"),
            _ => {
                let mut args = args.into_iter();
                match (args.next(), args.next(), args.next()) {
                    (Some(a), None, _) => self.unary(op, a, whole),
                    (Some(a), Some(b), None) => self.binary(op, a, b, whole),
                    (Some(whole), Some(index), Some(value)) if op == Op::Assign => {
                        Term::except(whole, vec![Step::At(index)], value)
                    }
                    _ => self.unknown(op, whole),
                }
            }
        }
    }

    fn unary(&mut self, op: Op, arg: Term, whole: &Expr) -> Term {
        match op {
            Op::Neg => Term::prefix(Prefix::Minus, arg),
            Op::Tag => {
                let tags = Term::prefix(Prefix::Domain, arg);
                Term::choose("t_", tags, Term::truth(true))
            }
            _ => self.unknown(op, whole),
        }
    }

    fn binary(&mut self, op: Op, a: Term, b: Term, whole: &Expr) -> Term {
        let bag_of = |element: Term| Term::call("SetToBag", vec![Term::Set(vec![element])]);
        if let Some(sign) = sign(op) {
            return Term::infix(sign, a, b);
        }
        match op {
            Op::Delete => Term::infix(Infix::Difference, b, Term::Set(vec![a])),
            Op::Select | Op::Lookup => Term::at(a, vec![b]),
            Op::Nth => Term::at(a, vec![Term::infix(Infix::Plus, b, Term::number(1))]),
            Op::Defined => Term::infix(Infix::In, b, Term::prefix(Prefix::Domain, a)),
            Op::MsetInsert => Term::infix(Infix::BagUnion, b, bag_of(a)),
            Op::MsetDelete => Term::infix(Infix::BagDifference, b, bag_of(a)),
            Op::Prepend => Term::infix(Infix::Concat, Term::Tuple(vec![a]), b),
            Op::SeqMember => {
                let range = self.call(Helper::Range, vec![b]);
                Term::infix(Infix::In, a, range)
            }
            _ => self.unknown(op, whole),
        }
    }

    fn unknown(&mut self, op: Op, whole: &Expr) -> Term {
        self.unsayable(
            whole.span,
            &format!("TLA+ has nothing like the operator {op:?}"),
            "say it by other operators",
        )
    }
}

/// The conditions under which a universally quantified body says something.
fn premises(body: &Expr) -> Vec<&Expr> {
    match &body.kind {
        ExprKind::Apply(Op::Implies, args) => args[0].conjuncts(),
        _ => Vec::new(),
    }
}

fn sign(op: Op) -> Option<Infix> {
    Some(match op {
        Op::Implies => Infix::Implies,
        Op::Iff => Infix::Iff,
        Op::Eq => Infix::Equal,
        Op::Lt => Infix::Less,
        Op::Le => Infix::LessOrEqual,
        Op::Add => Infix::Plus,
        Op::Sub => Infix::Minus,
        Op::Mul => Infix::Times,
        Op::Member => Infix::In,
        Op::Subset => Infix::SubsetEq,
        Op::Union => Infix::Union,
        Op::Intersection => Infix::Intersection,
        Op::Difference => Infix::Difference,
        Op::MsetSubset => Infix::SubBag,
        Op::MsetUnion => Infix::BagUnion,
        Op::MsetDifference => Infix::BagDifference,
        Op::Concat => Infix::Concat,
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
