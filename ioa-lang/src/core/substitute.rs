//! Copies of expressions with other terms in the place of bound variables.

use std::collections::{BTreeMap, BTreeSet};

use super::expr::{Expr, ExprKind, Local, LocalId, TermId};
use super::operator::Op;

/// A copy of expressions of one item into another item (or a second time into the same one).
///
/// Every binder of the original gets a new local in `target`, so that no two binders of the target share one, however
/// often a term is copied.
pub struct Substitution<'a> {
    /// The locals of the original; `None` if those are the target's own.
    source: Option<&'a [Local]>,
    target: &'a mut Vec<Local>,
    values: BTreeMap<LocalId, Expr>,
    used: BTreeMap<LocalId, usize>,
    /// Terms that are marked, whose copies are to be marked too.
    marked: Option<&'a mut BTreeSet<TermId>>,
}

impl<'a> Substitution<'a> {
    /// A substitution of `values` for locals of `source`, in expressions that are to stand among the locals `target`.
    #[must_use]
    pub fn new(
        source: &'a [Local],
        target: &'a mut Vec<Local>,
        values: impl IntoIterator<Item = (LocalId, Expr)>,
    ) -> Self {
        Self {
            source: Some(source),
            target,
            values: values.into_iter().collect(),
            used: BTreeMap::new(),
            marked: None,
        }
    }

    /// A substitution of nothing: it only gives the binders of one item's expressions new locals of that item.
    fn within(target: &'a mut Vec<Local>, marked: Option<&'a mut BTreeSet<TermId>>) -> Self {
        Self {
            source: None,
            target,
            values: BTreeMap::new(),
            used: BTreeMap::new(),
            marked,
        }
    }

    /// The same substitution, which marks the copies of terms that are marked.
    #[must_use]
    pub fn marking(mut self, marked: &'a mut BTreeSet<TermId>) -> Self {
        self.marked = Some(marked);
        self
    }

    /// The copy of `expr`. A local that neither has a value nor is bound in `expr` stays as it is.
    #[must_use]
    pub fn copy(&mut self, expr: &Expr) -> Expr {
        let kind = match &expr.kind {
            ExprKind::Local(id) => return self.local(*id, expr),
            kind => flat(copy_of_parts(kind, self)),
        };
        let copy = Expr::new(kind, expr.ty.clone(), expr.span);
        self.mark(expr, &copy);
        copy
    }

    /// Marks a copy if the original is marked.
    fn mark(&mut self, original: &Expr, copy: &Expr) {
        if let Some(marked) = &mut self.marked
            && marked.contains(&original.id())
        {
            marked.insert(copy.id());
        }
    }

    /// Gives a local of the source a new local of the target, and returns that.
    pub fn rebind(&mut self, binder: LocalId) -> LocalId {
        let local = self.source.unwrap_or(self.target)[binder.index()].clone();
        let id = LocalId::at(self.target.len());
        let value = Expr::new(ExprKind::Local(id), local.ty.clone(), local.span);
        self.target.push(local);
        self.values.insert(binder, value);
        id
    }

    fn local(&mut self, id: LocalId, original: &Expr) -> Expr {
        let Some(value) = self.values.get(&id) else {
            let copy = original.clone();
            self.mark(original, &copy);
            return copy;
        };
        let value = value.clone_marking(self.marked.as_deref_mut());
        if let ExprKind::Local(new) = value.kind {
            let kind = ExprKind::Local(new);
            let copy = Expr::new(kind, original.ty.clone(), original.span);
            self.mark(&value, &copy);
            self.mark(original, &copy);
            return copy;
        }
        let earlier = self.used.entry(id).or_insert(0);
        *earlier += 1;
        if *earlier == 1 {
            value
        } else {
            Substitution::within(self.target, self.marked.as_deref_mut()).copy(&value)
        }
    }
}

impl Expr {
    /// A copy whose nodes are marked as those of the original are.
    fn clone_marking(&self, marked: Option<&mut BTreeSet<TermId>>) -> Self {
        let copy = self.clone();
        if let Some(marked) = marked {
            let (mut originals, mut copies) = (Vec::new(), Vec::new());
            self.walk(&mut |term| originals.push(term.id()));
            copy.walk(&mut |term| copies.push(term.id()));
            let pairs = originals.iter().zip(copies);
            let new: Vec<TermId> = pairs
                .filter(|(original, _)| marked.contains(original))
                .map(|(_, copy)| copy)
                .collect();
            marked.extend(new);
        }
        copy
    }
}

/// A conjunction or disjunction into which operands of the same kind are merged, as the parser does.
fn flat(kind: ExprKind) -> ExprKind {
    let ExprKind::Apply(op @ (Op::And | Op::Or), args) = kind else {
        return kind;
    };
    let flat = args.into_iter().flat_map(|arg| match arg.kind {
        ExprKind::Apply(inner, parts) if inner == op => parts,
        _ => vec![arg],
    });
    ExprKind::Apply(op, flat.collect())
}

impl CopyParts for Substitution<'_> {
    fn part(&mut self, part: &Expr) -> Expr {
        self.copy(part)
    }

    fn binder(&mut self, binder: LocalId) -> LocalId {
        self.rebind(binder)
    }
}

/// A way to copy what is in an expression.
pub trait CopyParts {
    /// The copy of a sub-expression.
    fn part(&mut self, part: &Expr) -> Expr;

    /// Gives a local of the original a new local, and returns that.
    fn binder(&mut self, binder: LocalId) -> LocalId;
}

/// The same form with copies of its binders and parts: binders first, for the parts are in their scope.
pub(crate) fn copy_of_parts(kind: &ExprKind, by: &mut impl CopyParts) -> ExprKind {
    let mut all = |args: &[Expr]| args.iter().map(|arg| by.part(arg)).collect();
    match kind {
        ExprKind::Apply(op, args) => ExprKind::Apply(*op, all(args)),
        ExprKind::Theory(function, args) => ExprKind::Theory(*function, all(args)),
        ExprKind::Random(draw, args) => ExprKind::Random(*draw, all(args)),
        ExprKind::If(c, a, b) => ExprKind::If(
            Box::new(by.part(c)),
            Box::new(by.part(a)),
            Box::new(by.part(b)),
        ),
        ExprKind::Quantified(quantifier, binders, body) => {
            let binders = binders.iter().map(|b| by.binder(*b)).collect();
            ExprKind::Quantified(*quantifier, binders, Box::new(by.part(body)))
        }
        ExprKind::Comprehension(binder, body) => {
            let binder = by.binder(*binder);
            ExprKind::Comprehension(binder, Box::new(by.part(body)))
        }
        ExprKind::Entries(binder, body) => {
            let binder = by.binder(*binder);
            ExprKind::Entries(binder, Box::new(by.part(body)))
        }
        ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::Real(_)
        | ExprKind::Char(_)
        | ExprKind::Text(_)
        | ExprKind::Enumerator(_)
        | ExprKind::Element(_)
        | ExprKind::State(_)
        | ExprKind::Local(_) => kind.clone(),
    }
}

impl Expr {
    /// The same form with other parts. Its binders stay as they are.
    #[must_use]
    pub fn with_parts(&self, part: &mut dyn FnMut(&Self) -> Self) -> Self {
        let kind = copy_of_parts(&self.kind, &mut SameBinders(part));
        Self::new(kind, self.ty.clone(), self.span)
    }

    /// The same with a closed term in place of a variable. Its binders stay as they are.
    #[must_use]
    pub fn with_value(&self, variable: LocalId, value: &Self) -> Self {
        if self.kind == ExprKind::Local(variable) {
            return value.clone();
        }
        self.with_parts(&mut |part| part.with_value(variable, value))
    }
}

/// How an expression gets other parts.
struct SameBinders<'a>(&'a mut dyn FnMut(&Expr) -> Expr);

impl CopyParts for SameBinders<'_> {
    fn part(&mut self, part: &Expr) -> Expr {
        (self.0)(part)
    }

    fn binder(&mut self, binder: LocalId) -> LocalId {
        binder
    }
}

/// A copy of an expression for use in the same item, which differs only in its binders.
#[must_use]
pub fn fresh_copy(expr: &Expr, locals: &mut Vec<Local>) -> Expr {
    Substitution::within(locals, None).copy(expr)
}
