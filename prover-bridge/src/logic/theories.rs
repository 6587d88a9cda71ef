//! What is known about the theories' operators besides their axioms: the types of their results, and in a finite instance
//! what they mean there.

use finite::{Packing, Universe};
use ioa_lang::core::{Function, FunctionId, Meaning, Setting, SortId, Type};
use z3::ast::{Bool, Dynamic};

use crate::logic::{AtSpan, Encoded, FiniteSize, Instance, Logic, Size, Sym, and, unsupported};

impl<'a> Logic<'a> {
    /// Records what is known about a setting's operators: that results are of their types, orders by index in a finite instance,
    /// and everything there where a universe says it.
    pub(in crate::logic) fn meanings(&'a self, setting: &Setting) -> Encoded<()> {
        for (id, function) in (0..).map(FunctionId).zip(&self.model.functions) {
            if !self.model.is_known(id, setting) {
                continue;
            }
            let fact = match &self.size {
                Size::Finite(finite) => self.meaning(id, function, finite),
                Size::Any => self.result_fits(id, &function.params, &[]),
            };
            self.fact(fact.at(function.span)?);
        }
        Ok(())
    }

    /// Whether all results of an operator are values of its type, whatever arguments come after these.
    fn result_fits(&'a self, id: FunctionId, types: &'a [Type], args: &[Sym<'a>]) -> Encoded<Bool> {
        let Some((ty, rest)) = types.split_first() else {
            let result = &self.model.functions[id.index()].result;
            return self.well_formed(&self.apply(id, args)?, result);
        };
        self.forall("x", ty, |x| {
            self.result_fits(id, rest, &[args, &[x]].concat())
        })
    }

    fn meaning(
        &'a self,
        id: FunctionId,
        function: &'a Function,
        finite: &FiniteSize,
    ) -> Encoded<Bool> {
        match (function.meaning, &finite.meaning) {
            (Meaning::Less(sort), _) => self.relation(id, (sort, sort), |i, j| i < j),
            (Meaning::InGroup { member, group }, Some(universe)) => {
                let holds = |i, j| universe.holds(function.meaning, &[i, j]);
                self.relation(id, (member, group), holds)
            }
            (Meaning::InGroup { .. }, None) => Ok(Bool::from_bool(true)),
            (Meaning::Axioms, Some(universe))
                if universe.interpretation().tables.contains_key(&id) =>
            {
                self.tabulated(id, function, universe)
            }
            (Meaning::Axioms, _) => self.result_fits(id, &function.params, &[]),
        }
    }

    /// That an operator on elements of two sorts is this relation between their indices.
    fn relation(
        &'a self,
        id: FunctionId,
        (left, right): (SortId, SortId),
        holds: impl Fn(u64, u64) -> bool,
    ) -> Encoded<Bool> {
        let mut facts = Vec::new();
        for (i, x) in (0..).zip(self.elements(left)) {
            for (j, y) in (0..).zip(self.elements(right)) {
                let args = [Sym::Atom(x.clone()), Sym::Atom(y.clone())];
                let atom = self.apply(id, &args)?.bool();
                facts.push(if holds(i, j) { atom } else { atom.not() });
            }
        }
        Ok(and(&facts))
    }

    /// That an operator has the results of its table.
    fn tabulated(
        &'a self,
        id: FunctionId,
        function: &'a Function,
        universe: &Universe,
    ) -> Encoded<Bool> {
        let rows = self.rows(universe, &function.params)?;
        let table = &universe.interpretation().tables[&id];
        let facts = rows.iter().zip(table).map(|(row, value)| {
            let args: Vec<Sym<'a>> = row.iter().map(|arg| arg.sym.clone()).collect();
            let value = self.lift(value, &function.result)?;
            self.apply(id, &args)?.equal(&value, &function.result, self)
        });
        Ok(and(&facts.collect::<Encoded<Vec<_>>>()?))
    }

    /// All lists of arguments of these types, in the order of the tables of a
    /// [`finite::Interpretation`](finite::Interpretation).
    pub(crate) fn rows(
        &'a self,
        universe: &Universe,
        types: &'a [Type],
    ) -> Encoded<Vec<Vec<Instance<'a>>>> {
        let mut rows = vec![Vec::new()];
        for ty in types {
            let values = self.coded(universe, ty)?;
            if rows.len().saturating_mul(values.len()) > MAX_ROWS {
                return unsupported(format!(
                    "an operator with more than {MAX_ROWS} lists of arguments"
                ));
            }
            let longer = |row: &Vec<Instance<'a>>| -> Vec<Vec<Instance<'a>>> {
                let with =
                    |value: &Instance<'a>| [row.as_slice(), std::slice::from_ref(value)].concat();
                values.iter().map(with).collect()
            };
            rows = rows.iter().flat_map(longer).collect();
        }
        Ok(rows)
    }

    /// The values of a finite type in the order of their codes.
    fn coded(&'a self, universe: &Universe, ty: &'a Type) -> Encoded<Vec<Instance<'a>>> {
        let packing = Packing::of(self.model, universe, ty);
        let codes = packing.as_ref().and_then(|p| p.codes(MAX_ROWS as u64));
        let (Some(packing), Some(codes)) = (packing, codes) else {
            return unsupported(format!(
                "an operator on {}, which has too many values for a table",
                self.model.type_name(ty)
            ));
        };
        let instance = |code: u64| {
            let value = packing.decode(code);
            let sym = self.lift(&value, ty)?;
            Ok(Instance { sym, value })
        };
        codes.into_iter().map(instance).collect()
    }

    /// The facts that say what the groups of a finite instance are, where that is left to the axioms.
    pub(crate) fn theory_facts(&'a self) -> Encoded<Vec<Dynamic>> {
        let mut facts = Vec::new();
        for (id, function) in (0..).zip(&self.model.functions) {
            if let Meaning::InGroup { member, group } = function.meaning {
                for q in self.elements(group) {
                    for m in self.elements(member) {
                        let args = [Sym::Atom(m.clone()), Sym::Atom(q.clone())];
                        facts.push(self.apply(FunctionId(id), &args)?.bool().into());
                    }
                }
            }
        }
        Ok(facts)
    }
}

/// An operator with more lists of arguments than this has no table.
const MAX_ROWS: usize = 1 << 16;
