//! Expressions as symbolic values.
//!
//! Every operator is total here: outside its domain a partial one has an arbitrary value, of which nothing is known.
//! That it is never asked outside its domain is an obligation of its own ([`crate::logic::definedness`]).

use ioa_lang::core::{Expr, ExprKind, Local, LocalId, Op, OpFamily, Quantifier, Type};
use z3::ast::{Bool, Int};

use crate::logic::collection::maps;
use crate::logic::collection::unions::union_id;
use crate::logic::instance::comprehension::finite_comprehension;
use crate::logic::term::numbers;
use crate::logic::term::pack;
use crate::logic::term::value::{Function, Set};
use crate::logic::{AtSpan, Encoded, Env, Logic, Sym, and, implies, or, unsupported};

impl<'a> Logic<'a> {
    /// The value of an expression.
    pub(crate) fn eval(&'a self, expr: &'a Expr, env: &Env<'a>) -> Encoded<Sym<'a>> {
        self.eval_here(expr, env).at(expr.span)
    }

    /// The value of a formula.
    pub(crate) fn holds(&'a self, formula: &'a Expr, env: &Env<'a>) -> Encoded<Bool> {
        Ok(self.eval(formula, env)?.bool())
    }

    fn eval_here(&'a self, expr: &'a Expr, env: &Env<'a>) -> Encoded<Sym<'a>> {
        match &expr.kind {
            ExprKind::Bool(b) => Ok(Sym::truth(*b)),
            ExprKind::Int(n) => Ok(Sym::Int(pack::number(n))),
            ExprKind::Real(n) => Ok(Sym::Real(numbers::fraction(n))),
            ExprKind::Char(c) => Ok(Sym::Int(numbers::character(*c))),
            ExprKind::Text(text) => numbers::literal(text),
            ExprKind::Enumerator(i) => match expr.ty {
                Type::Enum(id) => Ok(self.enumerator(id, *i)),
                _ => unsupported("an enumerator of no enumeration"),
            },
            ExprKind::Element(_) => unsupported("an element of a sort by its number"),
            ExprKind::State(at) => env.read(*at),
            ExprKind::Local(local) => env.local(*local),
            ExprKind::Apply(op, args) => self.operator(*op, args, &expr.ty, env),
            ExprKind::Theory(function, args) => self.apply(*function, &self.eval_all(args, env)?),
            ExprKind::If(c, a, b) => {
                let (c, a, b) = (self.holds(c, env)?, self.eval(a, env)?, self.eval(b, env)?);
                Ok(Sym::ite(&c, &a, &b))
            }
            ExprKind::Quantified(quantifier, binders, body) => {
                let typed = self.binders(binders, env)?;
                Ok(Sym::Bool(self.quantified(
                    *quantifier,
                    &typed,
                    body,
                    env,
                )?))
            }
            ExprKind::Comprehension(binder, body) => {
                let ty = &env.declared(*binder)?.ty;
                finite_comprehension(self.model, *binder, ty, body)?;
                let (binder, env) = (*binder, env.clone());
                Ok(Sym::Set(Set::new(move |x| {
                    self.holds(body, &env.bind(binder, x.clone()))
                })))
            }
            ExprKind::Entries(binder, body) => {
                let (binder, env) = (*binder, env.clone());
                Ok(Sym::Array(Function::new(move |x| {
                    self.eval(body, &env.bind(binder, x.clone()))
                })))
            }
            ExprKind::Random(..) => unsupported("a random draw"),
        }
    }

    pub(in crate::logic) fn eval_all(
        &'a self,
        args: &'a [Expr],
        env: &Env<'a>,
    ) -> Encoded<Vec<Sym<'a>>> {
        args.iter().map(|arg| self.eval(arg, env)).collect()
    }

    /// The binders with their names and types, which the item declares.
    fn binders(&'a self, binders: &[LocalId], env: &Env<'a>) -> Encoded<Vec<(LocalId, &'a Local)>> {
        binders
            .iter()
            .map(|id| Ok((*id, env.declared(*id)?)))
            .collect()
    }

    fn quantified(
        &'a self,
        quantifier: Quantifier,
        binders: &[(LocalId, &'a Local)],
        body: &'a Expr,
        env: &Env<'a>,
    ) -> Encoded<Bool> {
        let Some(((id, local), rest)) = binders.split_first() else {
            return self.holds(body, env);
        };
        let inner = |x| self.quantified(quantifier, rest, body, &env.bind(*id, x));
        self.quantify(quantifier, &local.name, &local.ty, inner)
    }

    fn operator(
        &'a self,
        op: Op,
        args: &'a [Expr],
        ty: &'a Type,
        env: &Env<'a>,
    ) -> Encoded<Sym<'a>> {
        if self.is_written_out()
            && let Some(deciding) = deciding(op)
        {
            return Ok(Sym::Bool(self.connected(op, args, deciding, env)?));
        }
        let values = self.eval_all(args, env)?;
        let v = values.as_slice();
        match op.family() {
            OpFamily::Logic => Ok(Sym::Bool(connective(op, v)?)),
            OpFamily::Equality => Ok(Sym::Bool(v[0].equal(&v[1], &args[0].ty, self)?)),
            OpFamily::Order | OpFamily::Arithmetic => self.arithmetic(op, v),
            OpFamily::Set => self.set_operator(op, v, args, ty),
            OpFamily::Array => self.array_operator(op, v, args),
            OpFamily::Map => self.map_operator(op, v, args, ty),
            OpFamily::Multiset => self.mset_operator(op, v, args, ty),
            OpFamily::Sequence => self.sequence_operator(op, v, args, ty),
            OpFamily::Null | OpFamily::Tuple | OpFamily::Union => self.part_operator(op, v, ty),
        }
    }

    /// A connective of formulas, up to the first that decides it: where quantifiers are written out, most instances of a formula say
    /// nothing.
    fn connected(
        &'a self,
        op: Op,
        args: &'a [Expr],
        (first, others): (bool, bool),
        env: &Env<'a>,
    ) -> Encoded<Bool> {
        let mut parts = Vec::with_capacity(args.len());
        for (at, arg) in args.iter().enumerate() {
            let deciding = if at == 0 { first } else { others };
            let part = self.holds(arg, env)?;
            if part.as_bool() == Some(deciding) {
                return Ok(Bool::from_bool(op != Op::And));
            }
            parts.push(part);
        }
        let parts: Vec<Sym<'a>> = parts.into_iter().map(Sym::Bool).collect();
        connective(op, &parts)
    }

    fn array_operator(&'a self, op: Op, v: &[Sym<'a>], args: &'a [Expr]) -> Encoded<Sym<'a>> {
        match op {
            Op::Select => v[0].select(&v[1]),
            Op::Constant => Ok(self.everywhere(v[0].clone())),
            Op::Assign => Ok(self.assign(&v[0], &v[1], &args[1].ty, v[2].clone())),
            Op::Sum => Ok(Sym::Int(self.array_sum(&v[0], &args[0].ty)?)),
            _ => unsupported("an operator that is none on arrays"),
        }
    }

    /// An operator on values that consist of parts: `Null`s, tuples, unions.
    fn part_operator(&'a self, op: Op, v: &[Sym<'a>], ty: &'a Type) -> Encoded<Sym<'a>> {
        match op {
            Op::Nil => match ty {
                Type::Null(inner) => self.nil(inner),
                _ => unsupported("nil of a type that is no Null"),
            },
            Op::Embed => Ok(maps::embed(v[0].clone())),
            Op::Val => Ok(v[0].null().1.clone()),
            Op::Tuple => Ok(Sym::tuple(v.to_vec())),
            Op::Field(i) => Ok(v[0].fields()[i as usize].clone()),
            Op::SetField(i) => {
                let mut fields = v[0].fields().to_vec();
                fields[i as usize] = v[1].clone();
                Ok(Sym::tuple(fields))
            }
            Op::Variant(i) => self.variant(union_id(ty)?, i, &v[0]),
            Op::Payload(i) => Ok(v[0].union().1[i as usize].clone()),
            Op::Tag => Ok(Sym::Atom(v[0].union().0.clone())),
            _ => unsupported("an operator that is none on values with parts"),
        }
    }

    /// The array that is `element` at `index` and `array` elsewhere.
    pub(in crate::logic) fn assign(
        &'a self,
        array: &Sym<'a>,
        index: &Sym<'a>,
        index_type: &'a Type,
        element: Sym<'a>,
    ) -> Sym<'a> {
        let (before, changed, new) = (array.clone(), index.clone(), element.clone());
        let (array, index) = (array.clone(), index.clone());
        let at = move |i: &Sym<'a>| {
            let here = i.equal(&index, index_type, self)?;
            match here.as_bool() {
                Some(true) => Ok(element.clone()),
                _ => Ok(Sym::ite(&here, &element, &array.select(i)?)),
            }
        };
        let sum = move |ty| {
            let others = Int::sub(&[self.array_sum(&before, ty)?, before.select(&changed)?.int()]);
            Ok(Int::add(&[others, new.int()]))
        };
        Sym::Array(Function::with_sum(at, sum))
    }

    /// A value of the type of which nothing is known.
    pub(in crate::logic) fn arbitrary(&'a self, ty: &'a Type) -> Encoded<Sym<'a>> {
        let name = format!("arbitrary.{}", self.model.type_name(ty));
        Ok(self.declare(&name, ty, &[])?.at(self, &[]))
    }
}

/// The truth values of the first part of a connective, and of the others, that decide it; nothing where only all parts together do.
fn deciding(op: Op) -> Option<(bool, bool)> {
    match op {
        Op::And => Some((false, false)),
        Op::Or => Some((true, true)),
        Op::Implies => Some((false, true)),
        _ => None,
    }
}

fn connective(op: Op, args: &[Sym<'_>]) -> Encoded<Bool> {
    let args: Vec<Bool> = args.iter().map(Sym::bool).collect();
    Ok(match op {
        Op::Not => match args[0].as_bool() {
            Some(known) => Bool::from_bool(!known),
            None => args[0].not(),
        },
        Op::And => and(&args),
        Op::Or => or(&args),
        Op::Implies => implies(&args[0], &args[1]),
        Op::Iff => args[0].iff(&args[1]),
        _ => return unsupported("an operator that is no connective"),
    })
}
