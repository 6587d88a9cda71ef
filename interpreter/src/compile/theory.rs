//! The operators of theories: orders and quorums as bit operations, whatever else as tables.

use ioa_lang::diagnostic::Code;
use std::sync::Arc;

use ioa_lang::core::{Expr, Function, FunctionId, LocalId, Meaning, SortId};
use ioa_lang::{Diagnostic, Value};
use num_bigint::BigInt;

use super::{Compiler, Scope};
use crate::code::{Binary, General, Word};
use crate::interrupt::limits::MAX_DOMAIN;
use crate::state::cell::Cell;

/// Where the results of an operator lie in a table: at the codes of the arguments side by side, the last one lowest.
struct Rows {
    /// Of each argument, how many bits its codes take.
    bits: Vec<u32>,
    /// The codes of the arguments of each row of the interpretation.
    codes: Vec<Vec<u64>>,
}

impl Rows {
    /// The index of a row, some argument left out.
    fn index(&self, codes: &[u64], without: Option<usize>) -> usize {
        let kept = (0..codes.len()).filter(|at| Some(*at) != without);
        kept.fold(0, |index, at| index << self.bits[at] | codes[at] as usize)
    }

    /// How long a table is, some argument left out.
    fn len(&self, without: Option<usize>) -> usize {
        let kept = (0..self.bits.len()).filter(|at| Some(*at) != without);
        1 << kept.map(|at| self.bits[at]).sum::<u32>()
    }
}

impl Compiler<'_> {
    /// A theory's operator whose result is packed.
    pub(super) fn theory(&mut self, expr: &Expr, function: FunctionId, args: &[Expr]) -> Word {
        match self.function(function).meaning {
            Meaning::Less(_) => Word::Binary(Binary::Less, self.pair(args)),
            Meaning::InGroup { group, .. } => {
                let [member, group_code] = *self.pair(args);
                Word::binary(Binary::Member, member, self.members(group, group_code))
            }
            Meaning::Axioms => self.tabled(expr, function, args),
        }
    }

    fn function(&self, function: FunctionId) -> &Function {
        &self.scope.model.functions[function.index()]
    }

    fn tabled(&mut self, expr: &Expr, function: FunctionId, args: &[Expr]) -> Word {
        if let Some(number) = self.constant(function) {
            return self.numeral(expr, &number);
        }
        let Some(rows) = self.rows(expr, function) else {
            return Word::FALSE;
        };
        let mut table = vec![0; rows.len(None)];
        for (codes, cell) in rows.codes.iter().zip(self.results(function)) {
            let Cell::Word(code) = cell else {
                unreachable!("results of a packed type are words");
            };
            table[rows.index(codes, None)] = code;
        }
        match &table[..] {
            [constant] => Word::Const(*constant),
            _ => Word::Table(
                table.into(),
                Box::new(self.place(&rows, &args.iter().collect::<Vec<_>>(), None)),
            ),
        }
    }

    /// The number that an operator without arguments stands for, such as a parameter of an automaton, if it is known here.
    fn constant(&self, function: FunctionId) -> Option<BigInt> {
        let tables = &self.scope.universe.interpretation().tables;
        match tables.get(&function).map(Vec::as_slice) {
            Some([Value::Int(number)]) => Some(number.clone()),
            _ => None,
        }
    }

    /// A theory's operator whose result is not packed.
    pub(super) fn general_theory(&mut self, expr: &Expr, f: FunctionId, args: &[Expr]) -> General {
        let Some(rows) = self.rows(expr, f) else {
            return General::Const(Cell::Word(0));
        };
        let results = self.results(f);
        // Places that no arguments have are never asked for: they may hold any result.
        let mut table = vec![results[0].clone(); rows.len(None)];
        for (codes, cell) in rows.codes.iter().zip(results) {
            table[rows.index(codes, None)] = cell;
        }
        match &table[..] {
            [constant] => General::Const(constant.clone()),
            _ => General::Table(
                table.into(),
                Box::new(self.place(&rows, &args.iter().collect::<Vec<_>>(), None)),
            ),
        }
    }

    /// The rows of an operator's interpretation, in its order.
    fn rows(&mut self, expr: &Expr, function: FunctionId) -> Option<Rows> {
        let Scope {
            model, universe, ..
        } = self.scope;
        if !model.is_known(function, universe.setting()) {
            let name = &self.function(function).name;
            let message = format!("{name} has no meaning in an instance for other automata");
            self.error(Diagnostic::error(Code::CannotRun, expr.span, message));
            return None;
        }
        let params = self.function(function).params.clone();
        let shapes: Vec<_> = params.iter().map(|ty| self.shape(ty)).collect();
        let packings = shapes.iter().map(|shape| shape.packing());
        let packings: Vec<_> = packings.collect::<Option<_>>().unwrap_or_default();
        let bits: Vec<u32> = packings.iter().map(|p| p.bits).collect();
        let fits = bits.iter().map(|b| u64::from(*b)).sum::<u64>() <= u64::from(MAX_DOMAIN.ilog2());
        if packings.len() < params.len() || !fits {
            self.too_many_rows(expr, function);
            return None;
        }
        let mut codes = vec![Vec::new()];
        for packing in packings {
            let all = packing.codes(MAX_DOMAIN).unwrap_or_default();
            codes = codes
                .iter()
                .flat_map(|head: &Vec<u64>| all.iter().map(|code| [&head[..], &[*code]].concat()))
                .collect();
        }
        Some(Rows { bits, codes })
    }

    fn too_many_rows(&mut self, expr: &Expr, function: FunctionId) {
        let name = self.function(function).name.clone();
        let message = format!("the arguments of {name} have too many values here for a table");
        let help = "give the sorts smaller sizes";
        self.error(Diagnostic::error(Code::CannotRun, expr.span, message).help(help));
    }

    /// The results of an operator, in the order of its rows.
    fn results(&mut self, function: FunctionId) -> Vec<Cell> {
        let result = self.function(function).result.clone();
        let shape = self.shape(&result);
        let tables = &self.scope.universe.interpretation().tables;
        let values = tables.get(&function).into_iter().flatten();
        let cells = values.map(|value| shape.encode(value));
        cells
            .collect::<Option<_>>()
            .expect("a universe has a table of the right type for every operator")
    }

    /// The index of the arguments in a table, some argument left out.
    fn place(&mut self, rows: &Rows, args: &[&Expr], without: Option<usize>) -> Word {
        let mut place = None;
        for (at, arg) in args.iter().enumerate() {
            if Some(at) == without {
                continue;
            }
            let code = self.word(arg);
            place = Some(match place {
                None => code,
                Some(before) => {
                    let value = Box::new(before);
                    let shift = rows.bits[at];
                    Word::binary(Binary::Or, Word::Shift { value, shift }, code)
                }
            });
        }
        place.unwrap_or(Word::FALSE)
    }

    /// Whether a theory's predicate can be lifted: `x` is one of the arguments, and the others do not depend on it.
    pub(super) fn is_liftable_theory(&self, args: &[Expr], x: LocalId) -> bool {
        let others = args.iter().filter(|a| !a.is_local(x));
        others.clone().count() + 1 == args.len()
            && others
                .into_iter()
                .all(|a| !a.mentions(x) && self.is_total(a))
    }

    /// The values of `x`, out of those in `all`, for which a theory's predicate holds.
    pub(super) fn lift_theory(&mut self, expr: &Expr, f: FunctionId, x: LocalId, all: u64) -> Word {
        let args: Vec<&Expr> = expr.children().collect();
        let Some(at) = args.iter().position(|a| a.is_local(x)) else {
            unreachable!("only liftable predicates are lifted");
        };
        match self.function(f).meaning {
            Meaning::Less(_) => {
                let other = self.word(args[1 - at]);
                Word::Table(comparable(at == 0, all), Box::new(other))
            }
            Meaning::InGroup { group, .. } if at == 0 => {
                let quorum = self.word(args[1]);
                self.members(group, quorum)
            }
            Meaning::InGroup { member, group } => {
                let element = self.word(args[0]);
                self.quorums_of(member, group, element)
            }
            Meaning::Axioms => self.lift_table(expr, f, &args, at),
        }
    }

    fn lift_table(&mut self, expr: &Expr, f: FunctionId, args: &[&Expr], at: usize) -> Word {
        let Some(rows) = self.rows(expr, f) else {
            return Word::FALSE;
        };
        let mut table = vec![0_u64; rows.len(Some(at))];
        for (codes, cell) in rows.codes.iter().zip(self.results(f)) {
            if cell == Cell::Word(1) {
                table[rows.index(codes, Some(at))] |= 1 << codes[at];
            }
        }
        Word::Table(table.into(), Box::new(self.place(&rows, args, Some(at))))
    }

    /// The members of a quorum.
    pub(super) fn members(&mut self, sort: SortId, quorum: Word) -> Word {
        let universe = self.scope.universe;
        let masks = (0..universe.size(sort)).map(|q| universe.members(sort, q));
        Word::Table(masks.collect(), Box::new(quorum))
    }

    /// The quorums with a member.
    fn quorums_of(&mut self, member: SortId, sort: SortId, element: Word) -> Word {
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
}

/// For each element of an ordered sort, those less than it, or those greater.
fn comparable(less: bool, all: u64) -> Arc<[u64]> {
    let below = |n: u64| (1_u64 << n) - 1;
    let masks = (0..u64::from(all.count_ones())).map(|n| {
        if less {
            below(n)
        } else {
            all & !below(n) & !(1 << n)
        }
    });
    masks.collect()
}
