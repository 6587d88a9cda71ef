//! The sections of an automaton: signature, states, transition clauses, tasks, schedule.

use crate::syntax::tree::{Kind, Node};

use super::{Builder, action_kind, error_type, expected, names_and_rest, parts};
use crate::notation::{ActionKind, Fairness};
use crate::syntax::ast::{
    Actual, AutomatonItem, Binder, Choosing, ComponentItem, Expr, Formal, HiddenAction, Ident,
    MonitorItem, ScheduleBody, SignatureEntry, SignatureParam, StateDecl, TaskItem, TransitionItem,
};

impl Builder {
    /// One `input ..` (or `output`, `internal`) of a signature, which may list several actions.
    pub(super) fn signature(&self, pair: Node<'_>) -> Vec<SignatureEntry> {
        let mut parts = parts(pair);
        let kind = action_kind(expected(parts.next()));
        let entries = parts.filter(|part| part.kind() == Kind::sig_entry);
        entries
            .map(|part| self.signature_entry(kind, part))
            .collect()
    }

    fn signature_entry(&self, kind: ActionKind, pair: Node<'_>) -> SignatureEntry {
        let span = self.span(&pair);
        let (mut steps, mut name, mut params, mut predicate) = (vec![], None, vec![], None);
        for part in parts(pair) {
            match part.kind() {
                Kind::sig_step => {
                    let mut parts = super::parts(part);
                    steps.push(self.ident(&expected(parts.next())));
                    params.extend(parts.flat_map(|indices| self.signature_params(indices)));
                }
                Kind::name => name = Some(self.ident(&part)),
                Kind::sig_params => params.extend(self.signature_params(part)),
                _ => predicate = Some(self.only_expr(part)),
            }
        }
        SignatureEntry {
            kind,
            name: path_to(&steps, expected(name)),
            params,
            predicate,
            span,
        }
    }

    fn signature_params(&self, pair: Node<'_>) -> Vec<SignatureParam> {
        let param = |part: Node<'_>| match part.kind() {
            Kind::sig_const => vec![SignatureParam::Const(self.only_expr(part))],
            Kind::binder_group => {
                let binders = self.binder_group(part).into_iter();
                binders.map(SignatureParam::Varying).collect()
            }
            _ => Vec::new(),
        };
        parts(pair).flat_map(param).collect()
    }

    /// The formula of a node that has a keyword and a formula.
    pub(super) fn only_expr(&self, pair: Node<'_>) -> Expr {
        self.expr(expected(parts(pair).next()))
    }

    /// `states ..` and the `so that` behind it.
    pub(super) fn states(&self, pair: Node<'_>) -> (Vec<StateDecl>, Option<Expr>) {
        let mut parts = parts(pair);
        let states = self.states_block(expected(parts.next()));
        (states, parts.next().map(|part| self.only_expr(part)))
    }

    pub(super) fn states_block(&self, pair: Node<'_>) -> Vec<StateDecl> {
        let decls = expected(parts(pair).next());
        let decls = parts(decls).filter(|part| part.kind() == Kind::state_decl);
        decls.flat_map(|part| self.state_decl(part)).collect()
    }

    /// `x, y: T := e` as one declaration for each name.
    fn state_decl(&self, pair: Node<'_>) -> Vec<StateDecl> {
        let span = self.span(&pair);
        let (names, rest) = names_and_rest(pair);
        let mut rest = rest.into_iter();
        let ty = self.type_expr(expected(rest.next()));
        let init = rest.next().map(|part| self.rhs(part));
        let decl = |name| StateDecl {
            name: self.ident(name),
            ty: ty.clone(),
            init: init.clone(),
            span,
        };
        names.iter().map(decl).collect()
    }

    /// A transition clause; none if a mistake in its heading was reported.
    pub(super) fn clause(&self, pair: Node<'_>) -> Option<TransitionItem> {
        let mut parts = parts(pair).peekable();
        let kind = expected(parts.next());
        let start = self.span(&kind);
        let steps = std::iter::from_fn(|| parts.next_if(|part| part.kind() == Kind::path_step));
        let steps: Vec<Node<'_>> = steps.collect();
        let name = parts.next().filter(|part| part.kind() == Kind::name);
        let name = name.map(|name| self.action_name(steps, &name));
        let known = name.is_some();
        let (name, indices) = name.unwrap_or_else(|| (error_type(start).name, Vec::new()));
        let mut clause = TransitionItem {
            kind: action_kind(kind),
            span: start.to(name.span),
            name,
            formals: indices.into_iter().map(Formal::Term).collect(),
            locals: Vec::new(),
            predicate: None,
            choose: None,
            pre: None,
            effect: Vec::new(),
            ensuring: None,
        };
        for part in parts {
            self.clause_part(part, &mut clause);
        }
        known.then_some(clause)
    }

    fn clause_part(&self, part: Node<'_>, clause: &mut TransitionItem) {
        match part.kind() {
            Kind::formals => {
                clause.span = clause.span.to(self.span(&part));
                let (formals, locals) = self.formals(part);
                clause.formals.extend(formals);
                clause.locals = locals;
            }
            Kind::where_clause => clause.predicate = Some(self.only_expr(part)),
            Kind::choosing => clause.choose = Some(self.choosing(part)),
            Kind::pre => clause.pre = Some(self.only_expr(part)),
            Kind::eff => clause.effect = self.stmts(expected(parts(part).next())),
            _ => clause.ensuring = Some(self.only_expr(part)),
        }
    }

    /// `choose z: T where P` before `pre`.
    fn choosing(&self, pair: Node<'_>) -> Choosing {
        let mut parts = parts(pair);
        let mut choosing = Choosing {
            binders: self.binders(expected(parts.next())),
            predicate: None,
            det: Vec::new(),
        };
        for part in parts {
            match part.kind() {
                Kind::det => choosing.det = self.det(part),
                _ => choosing.predicate = Some(self.only_expr(part)),
            }
        }
        choosing
    }

    /// Formals, and what stands after `; local`.
    pub(super) fn formals(&self, pair: Node<'_>) -> (Vec<Formal>, Vec<Binder>) {
        let (mut formals, mut locals) = (Vec::new(), Vec::new());
        for part in parts(pair) {
            match part.kind() {
                Kind::locals => locals = self.binders(expected(parts(part).next())),
                Kind::const_formal => formals.push(Formal::Const(self.only_expr(part))),
                Kind::binder => formals.push(Formal::Typed(self.binder(part))),
                _ => formals.push(Formal::Term(self.expr(part))),
            }
        }
        (formals, locals)
    }

    /// `tasks ..`
    pub(super) fn tasks(&self, pair: Node<'_>) -> Vec<TaskItem> {
        let tasks = parts(pair).filter(|part| part.kind() == Kind::task);
        tasks.map(|part| self.task(part)).collect()
    }

    fn task(&self, pair: Node<'_>) -> TaskItem {
        let span = self.span(&pair);
        let (mut actions, mut binders) = (Vec::new(), Vec::new());
        let mut fairness = Fairness::Weak;
        for part in parts(pair) {
            match part.kind() {
                Kind::k_strong => fairness = Fairness::Strong,
                Kind::binders => binders = self.binders(part),
                _ => actions.push(self.task_action(part)),
            }
        }
        TaskItem {
            fairness,
            actions,
            binders,
            span,
        }
    }

    fn task_action(&self, pair: Node<'_>) -> (Ident, Vec<Expr>) {
        let (mut steps, mut action) = (Vec::new(), None::<(Ident, Vec<Expr>)>);
        for part in parts(pair) {
            match (part.kind(), &mut action) {
                (Kind::path_step, _) => steps.push(part),
                (_, Some((_, args))) => args.extend(self.exprs(part)),
                (_, none) => *none = Some(self.action_name(std::mem::take(&mut steps), &part)),
            }
        }
        expected(action)
    }

    /// `components ..`
    pub(super) fn components(&self, pair: Node<'_>) -> Vec<ComponentItem> {
        let components = parts(pair).filter(|part| part.kind() == Kind::component);
        components.map(|part| self.component(part)).collect()
    }

    fn component(&self, pair: Node<'_>) -> ComponentItem {
        let span = self.span(&pair);
        let mut parts = parts(pair);
        let name = self.ident(&expected(parts.next()));
        let mut component = ComponentItem {
            automaton: name.clone(),
            name,
            indices: Vec::new(),
            actuals: Vec::new(),
            predicate: None,
            span,
        };
        for part in parts {
            match part.kind() {
                Kind::component_indices => {
                    component.indices = self.binders(expected(super::parts(part).next()));
                }
                Kind::instance => (component.automaton, component.actuals) = self.instance(part),
                _ => component.predicate = Some(self.only_expr(part)),
            }
        }
        component
    }

    /// An automaton with its actual parameters.
    fn instance(&self, pair: Node<'_>) -> (Ident, Vec<Actual>) {
        let mut parts = parts(pair);
        let automaton = self.ident(&expected(parts.next()));
        let actuals = parts.next().into_iter().flat_map(super::parts);
        (
            automaton,
            actuals.map(|actual| self.actual(actual)).collect(),
        )
    }

    /// The system that a monitor observes.
    pub(super) fn observed(&self, pair: Node<'_>) -> MonitorItem {
        let span = self.span(&pair);
        let (automaton, actuals) = self.instance(pair);
        MonitorItem {
            system: ComponentItem {
                name: automaton.clone(),
                automaton,
                indices: Vec::new(),
                actuals,
                predicate: None,
                span,
            },
            hot: Vec::new(),
            cold: Vec::new(),
            heat: None,
        }
    }

    /// `hot P` or `cold P` of a monitor.
    pub(super) fn heat(&self, pair: Node<'_>, automaton: &mut AutomatonItem) {
        let Some(monitor) = &mut automaton.monitor else {
            return;
        };
        let span = self.span(&pair);
        monitor.heat = Some(monitor.heat.map_or(span, |before| before.to(span)));
        let mut parts = parts(pair);
        let keyword = expected(parts.next());
        let formula = self.expr(expected(parts.next()));
        match keyword.kind() {
            Kind::k_hot => monitor.hot.push(formula),
            _ => monitor.cold.push(formula),
        }
    }

    fn actual(&self, pair: Node<'_>) -> Actual {
        let part = expected(parts(pair).next());
        match part.kind() {
            Kind::type_expr => Actual::Type(self.type_expr(part)),
            _ => Actual::Term(self.expr(part)),
        }
    }

    /// `hidden ..`
    pub(super) fn hidden(&self, pair: Node<'_>) -> Vec<HiddenAction> {
        let hidden = parts(pair).filter(|part| part.kind() == Kind::hidden_action);
        hidden.map(|part| self.hidden_action(part)).collect()
    }

    fn hidden_action(&self, pair: Node<'_>) -> HiddenAction {
        let span = self.span(&pair);
        let mut parts = parts(pair);
        let name = self.ident(&expected(parts.next()));
        let (mut formals, mut predicate) = (Vec::new(), None);
        for part in parts {
            match part.kind() {
                Kind::formals => formals = self.formals(part).0,
                _ => predicate = Some(self.only_expr(part)),
            }
        }
        HiddenAction {
            name,
            formals,
            predicate,
            span,
        }
    }

    /// `schedule ..` inside an automaton.
    pub(super) fn inner_schedule(&self, pair: Node<'_>) -> ScheduleBody {
        let keyword = expected(pair.inner().next());
        let span = self.span(&keyword);
        self.schedule_body(expected(parts(pair).next()), span)
    }

    pub(super) fn schedule_body(&self, pair: Node<'_>, span: crate::Span) -> ScheduleBody {
        let (mut states, mut body) = (Vec::new(), Vec::new());
        for part in parts(pair) {
            match part.kind() {
                Kind::states_block => states = self.states_block(part),
                _ => body = self.stmts(part),
            }
        }
        ScheduleBody { states, body, span }
    }
}

/// The name of an action of a component: those of the components around it, with points between them.
fn path_to(steps: &[Ident], last: Ident) -> Ident {
    let Some(first) = steps.first() else {
        return last;
    };
    let names: Vec<&str> = steps
        .iter()
        .chain([&last])
        .map(|step| &*step.name)
        .collect();
    Ident {
        name: names.join(".").into(),
        span: first.span.to(last.span),
    }
}
