//! Syntax trees as s-expressions, for tests that read them.

use ioa_lang::core::{Prefix, Quantifier};
use ioa_lang::source::FileId;
use ioa_lang::syntax::ast::{Binder, Expr, ExprKind, Ident, Item, TypeExpr};
use ioa_lang::syntax::parse;

/// The formula of an invariant, as an s-expression.
pub(crate) fn formula(text: &str) -> String {
    let parsed = parse(FileId(0), &format!("invariant I of A: {text}"));
    assert_eq!(parsed.diagnostics, [], "in `{text}`");
    let [Item::Invariant(invariant)] = &parsed.items[..] else {
        panic!("`{text}` is not one invariant");
    };
    show(&invariant.formula)
}

/// The messages about the formula of an invariant.
pub(crate) fn messages(text: &str) -> Vec<String> {
    let parsed = parse(FileId(0), &format!("invariant I of A: {text}"));
    parsed.diagnostics.into_iter().map(|d| d.message).collect()
}

fn show(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Number(value) => value.to_string(),
        ExprKind::Element(sort, index) => format!("{}#{index}", sort.name),
        ExprKind::Name(name) => name.name.to_string(),
        ExprKind::Call(name, args) => list(&name.name, args),
        ExprKind::Index(base, index) => format!("(index {} {})", show(base), show(index)),
        ExprKind::Field(base, Ident { name, .. }) => format!("(field {} {name})", show(base)),
        ExprKind::Qualified(term, ty) => format!("({} : {})", show(term), type_expr(ty)),
        ExprKind::Unary(Prefix::Not, inner) => format!("(not {})", show(inner)),
        ExprKind::Unary(Prefix::Neg, inner) => format!("(neg {})", show(inner)),
        ExprKind::Binary(op, _, left, right) => format!("({op:?} {} {})", show(left), show(right)),
        ExprKind::Chain(op, operands) => list(&format!("{op:?}"), operands),
        ExprKind::If(c, a, b) => format!("(if {} {} {})", show(c), show(a), show(b)),
        ExprKind::Quantified(sign, binders, body) => {
            let sign = match sign {
                Quantifier::ForAll => "forall",
                Quantifier::Exists => "exists",
            };
            let binders: Vec<String> = binders.iter().map(binder).collect();
            format!("({sign} {} {})", binders.join(" "), show(body))
        }
        ExprKind::Braces(items) => list("set", items),
        ExprKind::Brackets(items) => list("tuple", items),
        ExprKind::Comprehension(b, predicate) => {
            format!("(those {} {})", binder(b), show(predicate))
        }
        ExprKind::Entries(indices, entry) => {
            let indices: Vec<String> = indices.iter().map(binder).collect();
            format!("(each {} {})", indices.join(" "), show(entry))
        }
        ExprKind::Decimal(n) => n.to_string(),
        ExprKind::Char(c) => format!("{c:?}"),
        ExprKind::Text(text) => format!("{text:?}"),
        ExprKind::Error => "error".into(),
    }
}

fn list(head: &str, items: &[Expr]) -> String {
    let items = items.iter().map(|item| format!(" {}", show(item)));
    format!("({head}{})", items.collect::<String>())
}

fn binder(binder: &Binder) -> String {
    format!("{}:{}", binder.name.name, type_expr(&binder.ty))
}

fn type_expr(ty: &TypeExpr) -> String {
    let args: Vec<String> = ty.args.iter().map(type_expr).collect();
    match args.is_empty() {
        true => ty.name.name.to_string(),
        false => format!("{}[{}]", ty.name.name, args.join(",")),
    }
}
