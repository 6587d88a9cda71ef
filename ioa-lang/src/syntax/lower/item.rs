//! Items and the headings of items.

use crate::syntax::tree::{Kind, Node};

use super::{Builder, action_kind, expected, names_and_rest, parts};
use crate::notation::{Connective, Direction, Temporal};
use crate::source::Span;
use crate::syntax::ast::{
    AutomatonItem, Expr, Formal, Ident, InvariantItem, LetItem, LivenessItem, Parameter,
    ProofEntryItem, ScheduleItem, SimulationItem, StateDecl, Stmt, TheoryItem, TypeDefinition,
    TypeItem,
};

impl Builder {
    /// `type ..`
    pub(super) fn type_item(&self, pair: Node<'_>) -> TypeItem {
        let span = self.span(&pair);
        let mut parts = parts(pair);
        let name = self.ident(&expected(parts.next()));
        let definition = parts.next().map(|part| self.type_definition(part));
        TypeItem {
            name,
            definition: definition.unwrap_or(TypeDefinition::Sort),
            span,
        }
    }

    pub(super) fn type_definition(&self, pair: Node<'_>) -> TypeDefinition {
        match pair.kind() {
            Kind::enumeration => {
                TypeDefinition::Enumeration(parts(pair).map(|name| self.ident(&name)).collect())
            }
            Kind::tuple => TypeDefinition::Tuple(self.binders(expected(parts(pair).next()))),
            Kind::union_of => TypeDefinition::Union(self.binders(expected(parts(pair).next()))),
            _ => TypeDefinition::Alias(self.type_expr(pair)),
        }
    }

    /// `let f(a, b: Nat) = e`
    pub(super) fn let_item(&self, pair: Node<'_>) -> LetItem {
        let span = self.span(&pair);
        let mut parts = parts(pair).peekable();
        let name = self.ident(&expected(parts.next()));
        let params = parts.next_if(|part| part.kind() == Kind::let_params);
        let binders = params.and_then(|params| super::parts(params).next());
        LetItem {
            name,
            params: binders.map_or(Vec::new(), |binders| self.binders(binders)),
            body: self.expr(expected(parts.next())),
            span,
        }
    }

    /// `assumes ..` or `uses ..`, which may list several theories.
    pub(super) fn theory_items(&self, pair: Node<'_>) -> Vec<TheoryItem> {
        self.theories(expected(parts(pair).next()))
    }

    pub(super) fn theories(&self, pair: Node<'_>) -> Vec<TheoryItem> {
        parts(pair).map(|part| self.theory(part)).collect()
    }

    pub(super) fn theory(&self, pair: Node<'_>) -> TheoryItem {
        let span = self.span(&pair);
        let mut parts = parts(pair);
        let name = self.ident(&expected(parts.next()));
        let args = parts.next().into_iter().flat_map(super::parts);
        TheoryItem {
            name,
            args: args.map(|part| self.type_expr(part)).collect(),
            span,
        }
    }

    /// The heading of an automaton or of a monitor.
    pub(super) fn automaton(&self, pair: Node<'_>) -> AutomatonItem {
        let span = self.span(&pair);
        let mut parts = parts(pair);
        let name = self.ident(&expected(parts.next()));
        let mut automaton = empty_automaton(name, span);
        for part in parts {
            match part.kind() {
                Kind::theories => automaton.theories.extend(self.theories(part)),
                Kind::parameters => automaton.params = self.parameters(part),
                Kind::instance => automaton.monitor = Some(self.observed(part)),
                _ => automaton.predicate = Some(self.only_expr(part)),
            }
        }
        automaton
    }

    pub(super) fn parameters(&self, pair: Node<'_>) -> Vec<Parameter> {
        parts(pair)
            .flat_map(|part| self.parameter_group(part))
            .collect()
    }

    /// `M, N: type` or `i, j: Int`, as one parameter for each name.
    fn parameter_group(&self, pair: Node<'_>) -> Vec<Parameter> {
        let (names, rest) = names_and_rest(pair);
        let ty = rest.into_iter().next().map(|part| self.type_expr(part));
        let parameter = |name| Parameter {
            name: self.ident(name),
            ty: ty.clone(),
        };
        names.iter().map(parameter).collect()
    }

    /// `invariant Name of A: P`
    pub(super) fn invariant(&self, pair: Node<'_>) -> InvariantItem {
        let span = self.span(&pair);
        let (uses, parts): (Vec<_>, Vec<_>) =
            parts(pair).partition(|part| part.kind() == Kind::uses);
        let mut parts = parts.into_iter();
        let mut next = || expected(parts.next());
        InvariantItem {
            name: self.ident(&next()),
            automaton: self.ident(&next()),
            uses: uses.into_iter().next().map(|uses| self.uses(uses)),
            formula: self.expr(next()),
            span,
        }
    }

    /// `uses Inv1, Inv3`
    fn uses(&self, pair: Node<'_>) -> Vec<Ident> {
        parts(pair).map(|name| self.ident(&name)).collect()
    }

    /// `liveness Name of A: always eventually P`, or another temporal formula.
    pub(super) fn liveness(&self, pair: Node<'_>) -> LivenessItem {
        let span = self.span(&pair);
        let mut parts = parts(pair);
        let mut next = || expected(parts.next());
        let (name, automaton) = (self.ident(&next()), self.ident(&next()));
        let progress = self.progress(next());
        let binders = parts.next().map(|binders| self.binders(binders));
        LivenessItem {
            name,
            automaton,
            progress,
            binders: binders.unwrap_or_default(),
            span,
        }
    }

    fn progress(&self, pair: Node<'_>) -> Option<Temporal<Expr>> {
        let rule = pair.kind();
        match rule {
            Kind::joined => return self.temporal(pair),
            Kind::enclosed => return self.enclosed(pair),
            _ => {}
        }
        let mut formulas = parts(pair).map(|part| self.expr(part));
        match rule {
            Kind::always_eventually => Some(Temporal::AlwaysEventually(formulas.next()?)),
            Kind::eventually_always => Some(Temporal::EventuallyAlways(formulas.next()?)),
            Kind::leads_to => Some(Temporal::LeadsTo(formulas.next()?, formulas.next()?)),
            _ => None,
        }
    }

    /// Temporal formulas with signs between them; the last sign may be `=>`, which binds less.
    fn temporal(&self, pair: Node<'_>) -> Option<Temporal<Expr>> {
        let (mut left, mut sign) = (None, None);
        for part in parts(pair) {
            match part.kind() {
                Kind::and => sign = Some(Connective::And),
                Kind::or => sign = Some(Connective::Or),
                Kind::implies => sign = Some(Connective::Implies),
                _ => {
                    let right = self.progress(part)?;
                    left = Some(match (left, sign) {
                        (Some(left), Some(sign)) => Temporal::joined(sign, left, right),
                        _ => right,
                    });
                }
            }
        }
        left
    }

    /// A temporal formula in parentheses, with as many `~` as there are before it.
    fn enclosed(&self, pair: Node<'_>) -> Option<Temporal<Expr>> {
        let (signs, inner): (Vec<_>, Vec<_>) = parts(pair).partition(|p| p.kind() == Kind::not);
        let inner = self.progress(inner.into_iter().next()?)?;
        let negated = |formula, _| Temporal::Not(Box::new(formula));
        Some(signs.into_iter().fold(inner, negated))
    }

    /// `forward simulation from Low to High: P` or `backward simulation ..`, without its proof block.
    pub(super) fn simulation(&self, pair: Node<'_>) -> SimulationItem {
        let start = self.span(&pair);
        let mut parts = parts(pair).peekable();
        let backward = parts.next_if(|part| part.kind() == Kind::k_backward);
        let mut next = || expected(parts.next());
        let (low, high) = (self.ident(&next()), self.ident(&next()));
        SimulationItem {
            direction: match backward {
                Some(_) => Direction::Backward,
                None => Direction::Forward,
            },
            span: Span {
                end: high.span.end,
                ..start
            },
            low,
            high,
            relation: self.expr(next()),
            proof: None,
        }
    }

    /// `states ..` of a proof block.
    pub(super) fn proof_states(&self, pair: Node<'_>) -> Vec<StateDecl> {
        self.states_block(expected(parts(pair).next()))
    }

    /// `initially ..` of a proof block.
    pub(super) fn proof_start(&self, pair: Node<'_>) -> Vec<Stmt> {
        self.stmts(expected(parts(pair).next()))
    }

    /// `for internal step(k: Int) do .. od`; none if a mistake in its heading was reported.
    pub(super) fn proof_entry(&self, pair: Node<'_>) -> Option<ProofEntryItem> {
        let start = self.span(&pair);
        let (mut kind, mut name, mut formals, mut body) = (None, None, Vec::new(), Vec::new());
        let (mut steps, mut uses) = (Vec::new(), None);
        let mut end = start.end;
        for part in parts(pair) {
            let part_end = self.span(&part).end;
            match part.kind() {
                Kind::action_kind => kind = Some(action_kind(part)),
                Kind::path_step => steps.push(part),
                Kind::name => {
                    let (action, indices) = self.action_name(std::mem::take(&mut steps), &part);
                    formals = indices.into_iter().map(Formal::Term).collect();
                    (name, end) = (Some(action), part_end);
                }
                Kind::formals => {
                    formals.extend(self.formals(part).0);
                    end = part_end;
                }
                Kind::uses => uses = Some(self.uses(part)),
                Kind::stmts => body = self.stmts(part),
                _ => {}
            }
        }
        Some(ProofEntryItem {
            kind: expected(kind),
            name: name?,
            formals,
            uses,
            body,
            span: Span { end, ..start },
        })
    }

    /// `schedule Name of Automaton ..`
    pub(super) fn schedule(&self, pair: Node<'_>) -> ScheduleItem {
        let start = self.span(&pair);
        let mut parts = parts(pair);
        let mut next = || expected(parts.next());
        let (name, automaton) = (self.ident(&next()), self.ident(&next()));
        let span = Span {
            end: automaton.span.end,
            ..start
        };
        ScheduleItem {
            name,
            automaton,
            body: self.schedule_body(next(), span),
            span,
        }
    }
}

pub(super) fn empty_automaton(name: Ident, span: Span) -> AutomatonItem {
    AutomatonItem {
        name,
        params: Vec::new(),
        predicate: None,
        theories: Vec::new(),
        monitor: None,
        components: None,
        hidden: Vec::new(),
        signature: Vec::new(),
        states: Vec::new(),
        lets: Vec::new(),
        so_that: None,
        transitions: Vec::new(),
        tasks: Vec::new(),
        schedule: None,
        span,
    }
}
