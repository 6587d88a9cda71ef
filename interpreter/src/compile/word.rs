//! Terms of packed types, as bit operations.

use std::sync::Arc;

use ioa_lang::Diagnostic;
use ioa_lang::core::{Expr, ExprKind, FunctionId, LocalId, Meaning, Op, SortId};
use ioa_lang::finite::{Form, Packing};

use super::Compiler;
use crate::code::{Binary, Word};
use crate::layout::Location;

impl Compiler<'_> {
    /// A term of a packed type.
    pub(crate) fn word(&mut self, expr: &Expr) -> Word {
        self.deeper(expr.span, Word::FALSE, |c| c.word_here(expr))
    }

    fn word_here(&mut self, expr: &Expr) -> Word {
        match &expr.kind {
            ExprKind::Bool(b) => Word::Const(u64::from(*b)),
            ExprKind::Enumerator(n) => Word::Const(u64::from(*n)),
            ExprKind::Element(n) => self.element(expr, *n),
            ExprKind::State(state) => match self.location(*state) {
                Location::Bits(field) => Word::Load(state.store, field),
                Location::Cell(_) => unreachable!("a variable of a packed type lies in a word"),
            },
            ExprKind::Local(local) => Word::Local(local.0),
            ExprKind::Apply(op, args) => self.word_operator(expr, *op, args),
            ExprKind::Theory(function, args) => self.theory(*function, args),
            ExprKind::If(c, a, b) => Word::If(Box::new([self.word(c), self.word(a), self.word(b)])),
            ExprKind::Quantified(quantifier, binders, body) => {
                self.quantified(*quantifier, binders, body)
            }
            ExprKind::Comprehension(binder, body) => self.packed_comprehension(*binder, body),
            ExprKind::Int(_) | ExprKind::Random(..) => Word::Cell(Box::new(self.general(expr))),
            _ => unreachable!("nothing makes these yet"),
        }
    }

    fn element(&mut self, expr: &Expr, n: u32) -> Word {
        if let ioa_lang::core::Type::Sort(sort) = &expr.ty
            && u64::from(n) >= self.scope.universe.size(*sort)
        {
            self.no_such_element(expr, *sort, n);
        }
        Word::Const(u64::from(n))
    }

    fn no_such_element(&mut self, expr: &Expr, sort: SortId, n: u32) {
        let name = &self.scope.model.sorts[sort.index()].name;
        let size = self.scope.universe.size(sort);
        let message = format!("{name}#{n} does not exist: {name} has {size} elements here");
        let help = format!("the elements are {name}#0 to {name}#{}", size - 1);
        self.error(Diagnostic::error(expr.span, message).help(help));
    }

    fn theory(&mut self, function: FunctionId, args: &[Expr]) -> Word {
        let meaning = self.scope.model.functions[function.index()].meaning;
        let (left, right) = (self.word(&args[0]), self.word(&args[1]));
        match meaning {
            Meaning::Less(_) => Word::binary(Binary::Less, left, right),
            Meaning::InGroup { group, .. } => {
                Word::binary(Binary::Member, left, self.members(group, right))
            }
            _ => unreachable!("nothing makes these yet"),
        }
    }

    /// The members of a quorum.
    pub(super) fn members(&mut self, sort: SortId, quorum: Word) -> Word {
        let universe = self.scope.universe;
        let masks = (0..universe.size(sort)).map(|q| universe.members(sort, q));
        Word::Table(masks.collect(), Box::new(quorum))
    }

    /// The quorums with a member.
    pub(super) fn quorums_of(&mut self, member: SortId, sort: SortId, element: Word) -> Word {
        let universe = self.scope.universe;
        let masks: Arc<[u64]> = (0..universe.size(member))
            .map(|n| {
                (0..universe.size(sort))
                    .filter(|q| universe.members(sort, *q) >> n & 1 == 1)
                    .fold(0, |mask, q| mask | 1 << q)
            })
            .collect();
        Word::Table(masks, Box::new(element))
    }

    fn word_operator(&mut self, expr: &Expr, op: Op, args: &[Expr]) -> Word {
        match op {
            Op::Not => Word::Not(Box::new(self.word(&args[0]))),
            Op::And => Word::all(args.iter().map(|a| self.word(a)).collect()),
            Op::Or => Word::Or(args.iter().map(|a| self.word(a)).collect()),
            Op::Implies => Word::Implies(self.pair(args)),
            Op::Iff => Word::Binary(Binary::Equal, self.pair(args)),
            _ if args.iter().any(|a| !self.is_packed(&a.ty)) => {
                Word::Cell(Box::new(self.general_operator(expr, op, args)))
            }
            _ => self.packed_operator(expr, op, args),
        }
    }

    fn pair(&mut self, args: &[Expr]) -> Box<[Word; 2]> {
        Box::new([self.word(&args[0]), self.word(&args[1])])
    }

    /// An operator all of whose arguments are packed, as is its result.
    fn packed_operator(&mut self, expr: &Expr, op: Op, args: &[Expr]) -> Word {
        match op {
            Op::Eq => Word::Binary(Binary::Equal, self.pair(args)),
            Op::EmptySet | Op::Nil => Word::FALSE,
            Op::Insert => Word::Binary(Binary::Insert, self.pair(args)),
            Op::Delete => Word::Binary(Binary::Delete, self.pair(args)),
            Op::Member => Word::Binary(Binary::Member, self.pair(args)),
            Op::Subset => Word::Binary(Binary::Subset, self.pair(args)),
            Op::Union => Word::Binary(Binary::Join, self.pair(args)),
            Op::Intersection => Word::Binary(Binary::Meet, self.pair(args)),
            Op::Difference => Word::Binary(Binary::Without, self.pair(args)),
            Op::Embed => Word::Succ(Box::new(self.word(&args[0]))),
            Op::Val => Word::Val(Box::new(self.word(&args[0])), expr.span),
            Op::Select | Op::Constant | Op::Assign => self.array_operator(expr, op, args),
            Op::Tuple | Op::Field(_) | Op::SetField(_) => self.tuple_operator(expr, op, args),
            _ => Word::Cell(Box::new(self.general_operator(expr, op, args))),
        }
    }

    fn array_operator(&mut self, expr: &Expr, op: Op, args: &[Expr]) -> Word {
        let array = if op == Op::Select {
            &args[0].ty
        } else {
            &expr.ty
        };
        let shape = self.shape(array);
        let Some(Form::Array(index, element)) = shape.packing().map(|p| &p.form) else {
            unreachable!("an operator of packed arrays has one");
        };
        let (width, mask) = (element.bits, mask(element.bits));
        match op {
            Op::Select => Word::Select {
                parts: self.pair(args),
                width,
                mask,
            },
            Op::Assign => {
                let parts = [
                    self.word(&args[0]),
                    self.word(&args[1]),
                    self.word(&args[2]),
                ];
                Word::Assign {
                    parts: Box::new(parts),
                    width,
                    mask,
                }
            }
            _ => Word::Times(Box::new(self.word(&args[0])), ones(index, width)),
        }
    }

    fn tuple_operator(&mut self, expr: &Expr, op: Op, args: &[Expr]) -> Word {
        let tuple = if op == Op::Tuple {
            &expr.ty
        } else {
            &args[0].ty
        };
        let shape = self.shape(tuple);
        let Some(Form::Tuple(_, fields)) = shape.packing().map(|p| &p.form) else {
            unreachable!("an operator of packed tuples has one");
        };
        let place = |field: u32| {
            let (at, packing) = &fields[field as usize];
            // A field without bits may lie behind the last bit of a full word.
            (if packing.bits == 0 { 0 } else { *at }, mask(packing.bits))
        };
        match op {
            Op::Field(field) => {
                let (shift, mask) = place(field);
                Word::Extract {
                    from: Box::new(self.word(&args[0])),
                    shift,
                    mask,
                }
            }
            Op::SetField(field) => {
                let (shift, mask) = place(field);
                Word::Update {
                    parts: self.pair(args),
                    shift,
                    mask,
                }
            }
            _ => {
                let parts = args.iter().zip(0..).map(|(arg, field)| {
                    let shift = place(field).0;
                    Word::Shift {
                        value: Box::new(self.word(arg)),
                        shift,
                    }
                });
                let joined = parts.reduce(|a, b| Word::binary(Binary::Join, a, b));
                joined.unwrap_or(Word::FALSE)
            }
        }
    }

    /// All codes of a type as a mask, where they fit one.
    pub(super) fn all_codes(&mut self, local: LocalId) -> Option<u64> {
        let ty = self.local_type(local).clone();
        let shape = self.shape(&ty);
        let packing = shape.packing()?;
        (packing.max < 64).then(|| packing.values().fold(0, |mask, code| mask | 1 << code))
    }
}

/// The `bits` lowest bits.
pub(super) fn mask(bits: u32) -> u64 {
    u64::MAX.checked_shr(u64::BITS - bits).unwrap_or(0)
}

/// A bit at the start of each element of an array.
fn ones(index: &Packing, width: u32) -> u64 {
    index
        .values()
        .fold(0, |ones, code| ones | 1 << (code * u64::from(width)))
}
