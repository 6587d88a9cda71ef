//! The sections of an automaton: signature, states, transition clauses, tasks, schedule.

use super::{Builder, action_kind, error_type, path_to};
use crate::notation::Fairness;
use crate::syntax::ast::{
    Actual, AutomatonItem, Binder, Choosing, ComponentItem, Expr, Formal, HiddenAction, Ident,
    MonitorItem, ScheduleBody, SignatureEntry, SignatureParam, StateDecl, TaskItem, TransitionItem,
};
use crate::syntax::tree::Kind;
use crate::syntax::view;

impl Builder {
    /// One `input ..` (or `output`, `internal`) of a signature, which may list several actions.
    pub(super) fn signature(&self, signature: view::Signature<'_>) -> Vec<SignatureEntry> {
        let entry = |entry: view::SignatureEntry<'_>| {
            let (mut steps, mut params) = (Vec::new(), Vec::new());
            for step in entry.steps() {
                steps.push(self.ident(step.name()));
                params.extend(self.signature_params(step.params()));
            }
            params.extend(self.signature_params(entry.params()));
            SignatureEntry {
                kind: action_kind(signature.kind()),
                name: path_to(&steps, self.ident(entry.name())),
                params,
                predicate: self.optional(entry.predicate()),
                span: self.span(entry),
            }
        };
        signature.entries().map(entry).collect()
    }

    fn signature_params<'t>(
        &self,
        params: impl Iterator<Item = view::SignatureParam<'t>>,
    ) -> Vec<SignatureParam> {
        let param = |param| match param {
            view::SignatureParam::SignatureConst(it) => {
                vec![SignatureParam::Const(self.expr(it.term()))]
            }
            view::SignatureParam::BinderGroup(group) => {
                let binders = self.binder_group(group).into_iter();
                binders.map(SignatureParam::Varying).collect()
            }
        };
        params.flat_map(param).collect()
    }

    /// The states of a block, and none where it is left out.
    pub(super) fn states(&self, block: Option<view::StatesBlock<'_>>) -> Vec<StateDecl> {
        let declarations = block.into_iter().flat_map(view::StatesBlock::declarations);
        declarations.flat_map(|it| self.state_decl(it)).collect()
    }

    /// `x, y: T := e` as one declaration for each name.
    fn state_decl(&self, declaration: view::StateDeclaration<'_>) -> Vec<StateDecl> {
        let ty = self.type_expr(declaration.ty());
        let init = declaration.value().map(|value| self.rhs(value));
        let decl = |name| StateDecl {
            name: self.ident(name),
            ty: ty.clone(),
            init: init.clone(),
            span: self.span(declaration),
        };
        declaration.names().map(decl).collect()
    }

    /// A transition clause; none if a mistake in its heading was reported.
    pub(super) fn clause(&self, clause: view::Clause<'_>) -> Option<TransitionItem> {
        let start = self.span(clause.kind());
        let known = clause.name();
        let (name, indices) = match known {
            Some(name) => self.action_name(clause.steps(), name),
            None => (error_type(start).name, Vec::new()),
        };
        let (formals, locals) = self.formals(clause.formals());
        let end = match clause.formals() {
            Some(formals) => self.span(formals),
            None => name.span,
        };
        let effect = clause.effect().map(|block| self.stmts(block));
        let item = TransitionItem {
            kind: action_kind(clause.kind()),
            span: start.to(end),
            name,
            formals: with_indices(indices, formals),
            locals,
            predicate: self.optional(clause.predicate()),
            choose: clause.choosing().map(|choosing| self.choosing(choosing)),
            pre: self.optional(clause.precondition()),
            effect: effect.unwrap_or_default(),
            ensuring: self.optional(clause.ensuring().or(clause.so_that())),
            provided: self.optional(clause.provided()),
        };
        known.map(|_| item)
    }

    /// `choose z: T where P` before `pre`.
    fn choosing(&self, choosing: view::Choosing<'_>) -> Choosing {
        Choosing {
            binders: self.binders(Some(choosing.binders())),
            predicate: self.optional(choosing.predicate()),
            det: self.det(choosing.det()),
        }
    }

    /// Formals, and what stands after `; local`; none where they are left out.
    pub(super) fn formals(&self, formals: Option<view::Formals<'_>>) -> (Vec<Formal>, Vec<Binder>) {
        let Some(formals) = formals else {
            return (Vec::new(), Vec::new());
        };
        let formal = |formal| match formal {
            view::Formal::ConstFormal(it) => Formal::Const(self.expr(it.term())),
            view::Formal::Binder(binder) => Formal::Typed(self.binder(binder)),
            view::Formal::Term(term) => Formal::Term(self.expr(term)),
        };
        let list = formals.formals().map(formal).collect();
        (list, self.binders(formals.locals()))
    }

    /// `tasks ..`
    pub(super) fn tasks(&self, tasks: view::Tasks<'_>) -> Vec<TaskItem> {
        let task = |task: view::Task<'_>| TaskItem {
            fairness: match task.strong() {
                Some(_) => Fairness::Strong,
                None => Fairness::Weak,
            },
            actions: task
                .actions()
                .map(|action| self.task_action(action))
                .collect(),
            binders: self.binders(task.binders()),
            span: self.span(task),
        };
        tasks.tasks().map(task).collect()
    }

    fn task_action(&self, action: view::TaskAction<'_>) -> (Ident, Vec<Expr>) {
        let (name, mut args) = self.action_name(action.steps(), action.name());
        args.extend(self.arguments(action.arguments()));
        (name, args)
    }

    /// `components ..`
    pub(super) fn components(&self, components: view::Components<'_>) -> Vec<ComponentItem> {
        let component = |component: view::Component<'_>| {
            let name = self.ident(component.name());
            let instance = component.instance().map(|it| self.instance(it));
            let (automaton, actuals) = instance.unwrap_or_else(|| (name.clone(), Vec::new()));
            ComponentItem {
                name,
                automaton,
                indices: self.binders(component.indices()),
                actuals,
                predicate: self.optional(component.predicate()),
                span: self.span(component),
            }
        };
        components.components().map(component).collect()
    }

    /// An automaton with its actual parameters.
    fn instance(&self, instance: view::Instance<'_>) -> (Ident, Vec<Actual>) {
        let actual = |actual| match actual {
            view::Actual::Term(term) => Actual::Term(self.expr(term)),
            view::Actual::TypeRef(ty) => Actual::Type(self.type_expr(ty)),
        };
        let actuals = instance.actuals().map(actual).collect();
        (self.ident(instance.automaton()), actuals)
    }

    /// The system that a monitor observes.
    pub(super) fn observed(&self, instance: view::Instance<'_>) -> MonitorItem {
        let (automaton, actuals) = self.instance(instance);
        MonitorItem {
            system: ComponentItem {
                name: automaton.clone(),
                automaton,
                indices: Vec::new(),
                actuals,
                predicate: None,
                span: self.span(instance),
            },
            hot: Vec::new(),
            cold: Vec::new(),
            heat: None,
        }
    }

    /// `hot P` or `cold P` of a monitor.
    pub(super) fn heat(&self, heat: view::Heat<'_>, automaton: &mut AutomatonItem) {
        let Some(monitor) = &mut automaton.monitor else {
            return;
        };
        let span = self.span(heat);
        monitor.heat = Some(monitor.heat.map_or(span, |before| before.to(span)));
        let formulas = match heat.keyword().kind() {
            Kind::k_hot => &mut monitor.hot,
            _ => &mut monitor.cold,
        };
        formulas.push(self.expr(heat.formula()));
    }

    /// `hidden ..`
    pub(super) fn hidden(&self, hidden: view::Hidden<'_>) -> Vec<HiddenAction> {
        let action = |action: view::HiddenAction<'_>| HiddenAction {
            name: self.ident(action.name()),
            formals: self.formals(action.formals()).0,
            predicate: self.optional(action.predicate()),
            span: self.span(action),
        };
        hidden.actions().map(action).collect()
    }

    pub(super) fn schedule_body(
        &self,
        body: view::ScheduleBody<'_>,
        span: crate::Span,
    ) -> ScheduleBody {
        ScheduleBody {
            states: self.states(body.states()),
            body: self.stmts(body.body()),
            span,
        }
    }
}

/// The parameters of an action that belongs to a component: the indices of the component, and then its own.
pub(super) fn with_indices(indices: Vec<Expr>, formals: Vec<Formal>) -> Vec<Formal> {
    let indices = indices.into_iter().map(Formal::Term);
    indices.chain(formals).collect()
}
