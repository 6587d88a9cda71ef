//! A proposal as a simulation of the core.

use std::ops::Range;
use std::slice::Iter;

use ioa_lang::Span;
use ioa_lang::core::{
    ActionKind, Expr, Fire, Local, LocalId, Place, Program, ProofBlock, ProofEntry, Simulation,
    StateRef, Stmt, StmtKind, Store, Substitution, VarId,
};
use ioa_lang::source::FileId;

use super::Parts;
use super::draft::{Draft, span};
use crate::pipeline::pairs::suggest::basis::Suggesting;
use crate::pipeline::pairs::suggest::block::{Case, Entry, Fired};
use crate::pipeline::pairs::suggest::language::formulas::Formula;

/// Makes a simulation whose parts stand where a text has them.
struct Building<'b> {
    suggesting: &'b Suggesting<'b>,
    draft: &'b Draft,
    file: FileId,
    headings: Iter<'b, Range<usize>>,
    fires: Iter<'b, Range<usize>>,
}

impl Suggesting<'_> {
    /// The simulation, standing in a file with this text.
    pub(super) fn built(&self, parts: &Parts<'_>, draft: &Draft, file: FileId) -> Simulation {
        let mut building = Building {
            suggesting: self,
            draft,
            file,
            headings: draft.headings.iter(),
            fires: draft.fires.iter(),
        };
        let heading = building.heading();
        let mut locals = Vec::new();
        let conjuncts = parts.relation.conjuncts();
        let conjuncts: Vec<Expr> = conjuncts
            .map(|definition| building.placed(&definition.conjunct, &mut locals))
            .collect();
        let around = match (conjuncts.first(), conjuncts.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => heading,
        };
        let proof = ProofBlock {
            variables: Vec::new(),
            initially: building.initially(&parts.initially),
            entries: parts.entries.iter().map(|e| building.entry(e)).collect(),
            span: heading,
        };
        Simulation {
            locals,
            relation: Expr::conjunction(conjuncts, around),
            proof: Some(proof),
            span: heading,
            ..self.simulation.clone()
        }
    }
}

impl Building<'_> {
    fn heading(&mut self) -> Span {
        let place = self.headings.next();
        place.map_or_else(Span::default, |place| span(self.file, place))
    }

    /// A formula at its place, with its bound variables among `locals`.
    fn placed(&self, formula: &Formula, locals: &mut Vec<Local>) -> Expr {
        let standing = self.draft.terms.stand(self.file, &formula.expr);
        Substitution::new(&formula.locals, locals, []).copy(&standing)
    }

    fn initially(&self, values: &[(VarId, Formula)]) -> Program {
        let mut program = Program::default();
        for (var, value) in values {
            let value = self.placed(value, &mut program.locals);
            let root = StateRef {
                store: Store::High,
                var: *var,
            };
            let place = Place {
                root,
                path: Vec::new(),
                ty: self.suggesting.high().variables[var.index()].ty.clone(),
                span: value.span,
            };
            let span = value.span;
            let kind = StmtKind::Assign(place, value);
            program.body.push(Stmt::written(kind, span));
        }
        program
    }

    fn entry(&mut self, entry: &Entry) -> ProofEntry {
        let heading = self.heading();
        let mut locals = entry.locals.clone();
        let (mut branches, mut otherwise) = (Vec::new(), Vec::new());
        for Case { condition, steps } in &entry.cases {
            let condition = condition.as_ref();
            let condition = condition.map(|formula| self.placed(formula, &mut locals));
            let fires = steps.iter().map(|step| self.fire(step)).collect();
            match condition {
                Some(condition) => branches.push((condition, fires)),
                None => otherwise = fires,
            }
        }
        let body = match branches.is_empty() {
            true => otherwise,
            false => {
                let kind = StmtKind::If {
                    branches,
                    otherwise,
                };
                vec![Stmt::written(kind, heading)]
            }
        };
        ProofEntry {
            action: entry.action,
            params: (0..entry.locals.len()).map(LocalId::at).collect(),
            program: Program { locals, body },
            uses: None,
            span: heading,
        }
    }

    fn fire(&mut self, step: &Fired) -> Stmt {
        let place = self.fires.next();
        let all = |terms: &mut dyn Iterator<Item = &Expr>| {
            let terms = terms.map(|term| self.draft.terms.stand(self.file, term));
            terms.collect()
        };
        let kind: ActionKind = self.suggesting.high().actions[step.action.index()].kind;
        let fire = StmtKind::Fire(Fire {
            kind,
            action: step.action,
            args: all(&mut step.args.iter()),
            using: all(&mut step.using.iter().map(|(_, term)| term)),
        });
        let span = place.map_or_else(Span::default, |place| span(self.file, place));
        Stmt::written(fire, span)
    }
}
