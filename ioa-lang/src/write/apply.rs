//! Applications of operators as text.

use super::term::Printer;
use crate::core::{Expr, ExprKind, Form, FunctionId, Infix, Level, Meaning, Op, Prefix, Side};

impl Printer<'_> {
    pub(super) fn apply(&mut self, op: Op, args: &[Expr], whole: &Expr) {
        match op.form() {
            Form::Infix(sign) => self.infix(sign, op, args),
            Form::Prefix(Prefix::Not) => self.not(&args[0]),
            Form::Prefix(sign) => {
                self.out.push_str(sign.text());
                self.at(&args[0], Level::Postfix);
            }
            Form::Function(name) if op.is_like(Op::Insert) => self.insert(name, args, whole),
            Form::Function(name) if args.is_empty() && self.is_variable(name) => {
                self.call(name, args);
            }
            Form::Function(name) => self.function(name, args),
            Form::Literal(text) => self.out.push_str(text),
            Form::Index if op == Op::Select && self.component_part(whole) => {}
            Form::Index => {
                self.at(&args[0], Level::Postfix);
                self.list("[", &args[1..], "]");
            }
            Form::Part => {
                let part = self.model.part_name(&args[0].ty, op.part());
                self.at(&args[0], Level::Postfix);
                self.out.push('.');
                self.out.push_str(&part);
            }
            Form::Update => {
                let part = self.model.part_name(&args[0].ty, op.part());
                self.call(&format!("set_{part}"), args);
            }
            Form::Variant => {
                let tag = self.model.part_name(&whole.ty, op.part());
                self.call(&tag, args);
            }
            Form::Brackets => self.list("[", args, "]"),
            Form::Silent => self.form(&args[0]),
        }
    }

    fn infix(&mut self, sign: Infix, op: Op, args: &[Expr]) {
        let (level, side) = (sign.row().level, sign.row().side);
        let last = args.len() - 1;
        for (position, arg) in args.iter().enumerate() {
            if position > 0 {
                self.out.push_str(&format!(" {sign} "));
            }
            // At the level of sequences the operators lean to different sides, so only the same one may repeat.
            let repeats = level != Level::Sequence
                || matches!(&arg.kind, ExprKind::Apply(inner, _) if *inner == op);
            let leans = match side {
                Side::Left => position == 0,
                Side::Right => position == last,
                Side::Neither => false,
            };
            let wanted = if leans && repeats {
                level
            } else {
                level.above()
            };
            self.at(arg, wanted);
        }
    }

    /// A theory's operator: a sign between its arguments, or a function.
    pub(super) fn theory(&mut self, function: FunctionId, args: &[Expr]) {
        let name = &self.model.functions[function.index()].name;
        match self.theory_sign(function, false) {
            Some(sign) => self.related(&args[0], sign, &args[1]),
            None => self.function(name, args),
        }
    }

    /// The sign of a theory's relation or of its negation; `None` for what is written as a function.
    pub(super) fn theory_sign(&self, function: FunctionId, negated: bool) -> Option<Infix> {
        match (self.model.functions[function.index()].meaning, negated) {
            (Meaning::Less(_), false) => Some(Infix::Lt),
            (Meaning::Less(_), true) => Some(Infix::Le),
            (Meaning::InGroup { .. }, false) => Some(Infix::In),
            (Meaning::InGroup { .. }, true) => Some(Infix::NotIn),
            (Meaning::Axioms, _) => None,
        }
    }

    fn related(&mut self, left: &Expr, sign: Infix, right: &Expr) {
        let level = sign.row().level.above();
        self.at(left, level);
        self.out.push_str(&format!(" {sign} "));
        self.at(right, level);
    }

    fn not(&mut self, negated: &Expr) {
        if !self.negatable(negated) {
            return self.negation(negated);
        }
        match &negated.kind {
            ExprKind::Apply(op, args) => match op.negation() {
                Some(sign) => self.related(&args[0], sign, &args[1]),
                None => self.negation(negated),
            },
            ExprKind::Theory(function, args) => match self.theory_sign(*function, true) {
                // `~(b < a)` on a sort is how `a <= b` is written in the core.
                Some(Infix::Le) => self.related(&args[1], Infix::Le, &args[0]),
                Some(sign) => self.related(&args[0], sign, &args[1]),
                None => self.negation(negated),
            },
            _ => self.negation(negated),
        }
    }

    fn negation(&mut self, negated: &Expr) {
        self.out.push_str(Prefix::Not.text());
        self.at(negated, Prefix::Not.level());
    }

    /// Insertions into the empty collection are a literal.
    fn insert(&mut self, name: &str, args: &[Expr], whole: &Expr) {
        let mut elements = Vec::new();
        let mut rest = whole;
        while let ExprKind::Apply(op, args) = &rest.kind
            && op.is_like(Op::Insert)
        {
            elements.push(&args[0]);
            rest = &args[1];
        }
        if !matches!(rest.kind, ExprKind::Apply(op, _) if op.is_like(Op::EmptySet)) {
            return self.call(name, args);
        }
        // `{x:T` is how a set begins whose elements are those of a type.
        let first = elements.remove(0);
        let first_level = match self.qualified.contains(first) && is_name(first) {
            true => Level::Postfix,
            false => Level::Choice,
        };
        self.out.push('{');
        self.at(first, first_level);
        for element in elements {
            self.out.push_str(", ");
            self.at(element, Level::Choice);
        }
        self.out.push('}');
    }

    /// An application of a function; without arguments, it is only the name.
    pub(super) fn function(&mut self, name: &str, args: &[Expr]) {
        match args {
            [] => self.out.push_str(name),
            args => self.call(name, args),
        }
    }

    fn call(&mut self, name: &str, args: &[Expr]) {
        self.out.push_str(name);
        self.list("(", args, ")");
    }

    fn list<'e>(&mut self, open: &str, items: impl IntoIterator<Item = &'e Expr>, close: &str) {
        self.out.push_str(open);
        for (position, item) in items.into_iter().enumerate() {
            if position > 0 {
                self.out.push_str(", ");
            }
            self.at(item, Level::Choice);
        }
        self.out.push_str(close);
    }
}

/// Whether a term is written as a name and nothing else.
fn is_name(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::State(_) | ExprKind::Local(_) | ExprKind::Enumerator(_) => true,
        ExprKind::Apply(op, args) => match op.form() {
            Form::Silent => is_name(&args[0]),
            Form::Function(_) => args.is_empty(),
            form => form == Op::Nil.form(),
        },
        ExprKind::Theory(_, args) => args.is_empty(),
        _ => false,
    }
}
