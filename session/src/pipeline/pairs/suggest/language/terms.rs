//! Terms over leaves, the smaller ones first; of those that have the same values at all points, the first.

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::core::{AutomatonId, Expr, ExprKind, FunctionId, Model, Op, Setting, Type};
use ioa_lang::{Span, Value};
use rustc_hash::FxHashSet;

use super::points::{Evaluator, Leaf, leaf};

/// A term with its values at the points.
#[derive(Clone, Debug)]
pub(in crate::pipeline::pairs::suggest) struct Term {
    pub(in crate::pipeline::pairs::suggest) expr: Expr,
    pub(in crate::pipeline::pairs::suggest) size: usize,
    pub(in crate::pipeline::pairs::suggest) values: Vec<Option<Value>>,
    /// How many indices it still lacks, belonging to a family of components: it is no term by itself.
    lacking: usize,
}

/// What terms are made of, and how many.
#[derive(Clone, Copy)]
pub(in crate::pipeline::pairs::suggest) struct Grammar<'m> {
    pub(in crate::pipeline::pairs::suggest) model: &'m Model,
    pub(in crate::pipeline::pairs::suggest) setting: &'m Setting,
    pub(in crate::pipeline::pairs::suggest) automata: [AutomatonId; 2],
    /// The size of the largest terms.
    pub(in crate::pipeline::pairs::suggest) size: usize,
    /// No more terms of one type are kept.
    pub(in crate::pipeline::pairs::suggest) most: usize,
}

/// Terms by their types.
#[derive(Default)]
pub(in crate::pipeline::pairs::suggest) struct Pool {
    by_type: BTreeMap<Type, Vec<Term>>,
    known: FxHashSet<(Type, Vec<Option<Value>>)>,
}

impl Pool {
    /// All terms of a type that stand by themselves, the smaller ones first.
    pub(in crate::pipeline::pairs::suggest) fn of(&self, ty: &Type) -> impl Iterator<Item = &Term> {
        let terms = self.by_type.get(ty).into_iter().flatten();
        terms.filter(|term| term.lacking == 0)
    }

    pub(in crate::pipeline::pairs::suggest) fn types(&self) -> impl Iterator<Item = &Type> {
        self.by_type.keys()
    }

    /// Adds a term, unless there is one with the same values, or there are enough.
    fn add(&mut self, term: Term, most: usize) {
        let is_some = term.values.iter().any(Option::is_some);
        let of_type = self.by_type.entry(term.expr.ty.clone()).or_default();
        if !is_some || of_type.len() >= most {
            return;
        }
        let key = (term.expr.ty.clone(), term.values.clone());
        if term.lacking > 0 || self.known.insert(key) {
            of_type.push(term);
        }
    }

    fn of_size(&self, size: usize) -> Vec<Term> {
        let all = self.by_type.values().flatten();
        all.filter(|term| term.size == size).cloned().collect()
    }
}

impl Grammar<'_> {
    /// The terms over leaves.
    pub(in crate::pipeline::pairs::suggest) fn pool(
        &self,
        leaves: &[Leaf],
        evaluator: &mut Evaluator<'_>,
    ) -> Pool {
        let mut pool = Pool::default();
        let wanted = self.wanted(leaves);
        // A constant says more than a variable that happens to have its value.
        for expr in self.constants(&wanted) {
            let values = evaluator.values(&expr, &[]);
            pool.add(term((expr, 1, 0), values), self.most);
        }
        for at in 0..leaves.len() {
            let expr = leaf(at, leaves);
            let values = evaluator.values(&expr, &[]);
            let lacking = leaves[at].indices;
            pool.add(term((expr, 1, lacking), values), self.most);
        }
        for size in 2..=self.size {
            for (expr, lacking) in self.of_size(size, &pool, &wanted) {
                let values = evaluator.values(&expr, &[]);
                pool.add(term((expr, size, lacking), values), self.most);
            }
        }
        pool
    }

    /// The types of which terms are made: those of the leaves and of both automata's variables, and what these are made of.
    fn wanted(&self, leaves: &[Leaf]) -> BTreeSet<Type> {
        let automata = self.automata.map(|id| self.model.automaton(id));
        let variables = automata.iter().flat_map(|a| &a.variables).map(|v| &v.ty);
        let params = automata.iter().flat_map(|a| &a.actions);
        let params = params.flat_map(|action| action.params.iter().map(|(_, ty)| ty));
        let mut open: Vec<&Type> = variables
            .chain(params)
            .chain(leaves.iter().map(|leaf| &leaf.ty))
            .collect();
        let mut wanted = BTreeSet::from([Type::Bool]);
        while let Some(ty) = open.pop() {
            if wanted.insert(ty.clone()) {
                open.extend(self.model.parts_of(ty));
            }
        }
        wanted
    }

    fn constants(&self, wanted: &BTreeSet<Type>) -> Vec<Expr> {
        let mut all = Vec::new();
        for ty in wanted {
            let constant = |kind| Expr::new(kind, ty.clone(), Span::default());
            match ty {
                Type::Bool => all.extend([true, false].map(|b| constant(ExprKind::Bool(b)))),
                Type::Nat | Type::Int => {
                    let numbers = self.numbers();
                    all.extend(
                        numbers
                            .into_iter()
                            .map(|n| constant(ExprKind::Int(n.into()))),
                    );
                }
                Type::Enum(id) => {
                    let values = self.model.enumerations[id.index()].values.len();
                    let each = (0..values as u32).map(|at| constant(ExprKind::Enumerator(at)));
                    all.extend(each);
                }
                _ => {
                    let empty = ty.constructor().and_then(|made| made.empty);
                    all.extend(empty.map(|op| constant(ExprKind::Apply(op, Vec::new()))));
                }
            }
        }
        for (id, function) in (0..).map(FunctionId).zip(&self.model.functions) {
            if function.params.is_empty() && self.model.is_known(id, self.setting) {
                let kind = ExprKind::Theory(id, Vec::new());
                all.push(Expr::new(kind, function.result.clone(), Span::default()));
            }
        }
        all
    }

    /// The numbers that the automata write, with 0 and 1.
    fn numbers(&self) -> BTreeSet<u32> {
        let mut numbers = BTreeSet::from([0, 1]);
        let mut look = |expr: &Expr| {
            expr.walk(&mut |part| {
                if let ExprKind::Int(n) = &part.kind {
                    numbers.extend(u32::try_from(n).ok().filter(|n| *n <= MAX_NUMBER));
                }
            });
        };
        for automaton in self.automata.map(|id| self.model.automaton(id)) {
            for clause in &automaton.transitions {
                look(&clause.pre);
                look(&clause.applies);
                look(&clause.ensuring);
                ioa_lang::core::exprs_of_stmts(&clause.effect, &mut look);
            }
        }
        numbers
    }

    /// The terms of a size that smaller ones make, each with the number of indices that it lacks.
    fn of_size(&self, size: usize, pool: &Pool, wanted: &BTreeSet<Type>) -> Vec<(Expr, usize)> {
        let mut made = Vec::new();
        for one in pool.of_size(size - 1) {
            if one.lacking == 0 {
                self.unary(&one.expr, wanted, &mut made);
            }
        }
        for left in 1..size - 1 {
            let others = pool.of_size(size - 1 - left);
            for one in pool.of_size(left) {
                for other in others.iter().filter(|other| other.lacking == 0) {
                    self.binary(&one, &other.expr, wanted, &mut made);
                }
            }
        }
        made
    }

    fn unary(&self, one: &Expr, wanted: &BTreeSet<Type>, made: &mut Vec<(Expr, usize)>) {
        let mut put = |op, ty: Type| made.push((apply(op, vec![one.clone()], ty), 0));
        match &one.ty {
            Type::Tuple(id) => {
                for (at, (_, ty)) in (0..).zip(&self.model.tuples[id.index()].fields) {
                    put(Op::Field(at), ty.clone());
                }
            }
            Type::Null(inner) => put(Op::Val, (**inner).clone()),
            Type::Seq(inner) => {
                put(Op::Tail, one.ty.clone());
                put(Op::Init, one.ty.clone());
                put(Op::Head, (**inner).clone());
                put(Op::Last, (**inner).clone());
                put(Op::Len, Type::Nat);
            }
            Type::Set(_) => put(Op::Size, Type::Nat),
            Type::Mset(_) => put(Op::MsetSize, Type::Nat),
            Type::Array(index, number) if number.is_integer() && !self.model.is_infinite(index) => {
                put(Op::Sum, (**number).clone());
            }
            _ => {}
        }
        let null = Type::null(one.ty.clone());
        if wanted.contains(&null) {
            put(Op::Embed, null);
        }
        let set = Type::set(one.ty.clone());
        if wanted.contains(&set) {
            let empty = apply(Op::EmptySet, Vec::new(), set.clone());
            made.push((apply(Op::Insert, vec![one.clone(), empty], set), 0));
        }
        self.theory(&[one], made);
    }

    /// The operators of theories on these arguments.
    fn theory(&self, args: &[&Expr], made: &mut Vec<(Expr, usize)>) {
        for (id, function) in (0..).map(FunctionId).zip(&self.model.functions) {
            let types = function.params.iter();
            let fits = types.eq(args.iter().map(|arg| &arg.ty));
            if fits && function.result != Type::Bool && self.model.is_known(id, self.setting) {
                let args = args.iter().map(|arg| (*arg).clone()).collect();
                let kind = ExprKind::Theory(id, args);
                let whole = Expr::new(kind, function.result.clone(), Span::default());
                made.push((whole, 0));
            }
        }
    }

    fn binary(
        &self,
        one: &Term,
        other: &Expr,
        wanted: &BTreeSet<Type>,
        made: &mut Vec<(Expr, usize)>,
    ) {
        let left = &one.expr;
        let whole = |op, ty: &Type| apply(op, vec![left.clone(), other.clone()], ty.clone());
        match (&left.ty, &other.ty) {
            (Type::Array(index, entry), ty) if **index == *ty => {
                made.push((whole(Op::Select, entry), one.lacking.saturating_sub(1)));
                return;
            }
            _ if one.lacking > 0 => return,
            (Type::Map(index, entry), ty) if **index == *ty => {
                made.push((whole(Op::Lookup, entry), 0));
            }
            _ => {}
        }
        let mut put = |op| made.push((whole(op, &left.ty), 0));
        match (&left.ty, &other.ty) {
            (Type::Nat, Type::Nat) | (Type::Int, Type::Int) => {
                put(Op::Add);
                put(Op::Sub);
                if matches!(other.kind, ExprKind::Int(_)) {
                    made.push((whole(Op::Mod, &Type::Nat), 0));
                    made.push((whole(Op::Div, &left.ty), 0));
                }
            }
            (Type::Set(_), ty) if left.ty == *ty => {
                [Op::Union, Op::Intersection, Op::Difference]
                    .into_iter()
                    .for_each(put);
            }
            (Type::Seq(_), ty) if left.ty == *ty => put(Op::Concat),
            (Type::Mset(_), ty) if left.ty == *ty => [Op::MsetUnion, Op::MsetDifference]
                .into_iter()
                .for_each(put),
            (Type::Seq(element), ty) if **element == *ty => put(Op::Append),
            (ty, Type::Seq(element)) if **element == *ty => {
                made.push((whole(Op::Prepend, &other.ty), 0));
            }
            (ty, Type::Set(element)) if **element == *ty => {
                made.push((whole(Op::Insert, &other.ty), 0));
                made.push((whole(Op::Delete, &other.ty), 0));
            }
            _ => {}
        }
        self.tuples(left, other, wanted, made);
        self.theory(&[left, other], made);
    }

    /// The pairs that are tuples.
    fn tuples(
        &self,
        one: &Expr,
        other: &Expr,
        wanted: &BTreeSet<Type>,
        made: &mut Vec<(Expr, usize)>,
    ) {
        let tuples = wanted.iter().filter(|ty| match ty {
            Type::Tuple(id) => {
                let fields = self.model.tuples[id.index()].fields.iter();
                fields.map(|(_, ty)| ty).eq([&one.ty, &other.ty])
            }
            _ => false,
        });
        let pair = |ty: &Type| apply(Op::Tuple, vec![one.clone(), other.clone()], ty.clone());
        made.extend(tuples.map(|ty| (pair(ty), 0)));
    }
}

/// Greater numbers are no constants of terms.
const MAX_NUMBER: u32 = 64;

fn term((expr, size, lacking): (Expr, usize, usize), values: Vec<Option<Value>>) -> Term {
    Term {
        expr,
        size,
        values,
        lacking,
    }
}

/// An operator applied to arguments, standing nowhere.
pub(in crate::pipeline::pairs::suggest) fn apply(op: Op, args: Vec<Expr>, ty: Type) -> Expr {
    Expr::apply(op, args, ty, Span::default())
}
