//! Items, sections, clauses: what stands on lines of their own in them.

use super::{Blank, Doc, Layout, Node, spacing};
use crate::syntax::tree::Kind;
use crate::syntax::view::{LeadsTo, Progress, View};

/// The width of the longest kind of action and a blank: what follows a kind in a signature is aligned.
const WIDTH_OF_KIND: usize = "internal ".len();

/// Whether a part of a piece stands below the piece's first line.
fn stands_below(part: Kind) -> bool {
    matches!(
        part,
        Kind::theories
            | Kind::choosing
            | Kind::pre
            | Kind::eff
            | Kind::ensuring
            | Kind::provided
            | Kind::so_that
            | Kind::initially
            | Kind::schedule_body
            | Kind::stmts
            | Kind::inclusion
            | Kind::local_types
            | Kind::operators
            | Kind::axioms
            | Kind::k_end
    )
}

impl<'a> Layout<'_, 'a> {
    /// The layout of a piece of the file.
    pub(super) fn piece(&self, node: Node<'a>) -> Doc {
        match node.kind() {
            Kind::signature_piece => self.signature(node, WIDTH_OF_KIND),
            Kind::hidden_piece => self.signature(node, 0),
            Kind::components_piece => self.list(node, ";"),
            Kind::tasks_piece => self.below_first(self.without_separators(node)),
            Kind::invariant_piece | Kind::let_piece => self.property(node, Doc::Line(1)).grouped(),
            Kind::liveness_piece => self.liveness(node).grouped(),
            Kind::simulation_piece => self.property(node, Doc::Hard(Blank::None)),
            Kind::entry_piece => self.compound(node),
            _ => self.heading(node),
        }
    }

    fn without_separators(&self, node: Node<'a>) -> Vec<Node<'a>> {
        let mut parts = self.parts(node);
        parts.retain(|part| !spacing::is_separator(part));
        parts
    }

    /// A heading in a row, and what belongs to it indented on lines of its own.
    fn heading(&self, node: Node<'a>) -> Doc {
        let mut head = self.parts(node);
        let cut = head
            .iter()
            .skip(1)
            .position(|part| stands_below(part.kind()));
        let mut below = head.split_off(cut.map_or(head.len(), |cut| cut + 1));
        below.retain(|part| !spacing::is_separator(part));
        Doc::Concat(vec![self.in_row(&head), self.below(below)])
    }

    /// The first part, and the others indented on lines of their own.
    fn below_first(&self, mut parts: Vec<Node<'a>>) -> Doc {
        let below = parts.split_off(1);
        Doc::Concat(vec![self.in_row(&parts), self.below(below)])
    }

    /// Parts on lines of their own, all indented but an `end`.
    fn below(&self, parts: Vec<Node<'a>>) -> Doc {
        let lines = parts.into_iter().map(|part| {
            let is_end = part.kind() == Kind::k_end;
            let line = vec![Doc::Hard(Blank::Keep), self.node(part)];
            match is_end {
                true => Doc::Concat(line),
                false => Doc::nested(line),
            }
        });
        Doc::Concat(lines.collect())
    }

    /// A keyword, and what follows it on lines of their own.
    fn list(&self, node: Node<'a>, separator: &'static str) -> Doc {
        let mut docs = Vec::new();
        for part in self.parts(node) {
            match spacing::is_separator(&part) {
                true if docs.len() == 1 => {}
                true => docs.push(Doc::Token(self.index(&part), Some(separator))),
                false if docs.is_empty() => docs.push(self.node(part)),
                false => docs.push(Doc::nested(vec![Doc::Hard(Blank::Keep), self.node(part)])),
            }
        }
        Doc::Concat(docs)
    }

    /// The operators or axioms of a theory, each on a line of its own.
    pub(super) fn of_theory(&self, node: Node<'a>) -> Doc {
        let separator = match node.kind() {
            Kind::operators => ",",
            _ => ";",
        };
        self.list(node, separator)
    }

    /// The kind of some actions, with blanks up to a width, and these on one line or each on its own.
    fn signature(&self, node: Node<'a>, width: usize) -> Doc {
        let mut parts = self.parts(node);
        let entries = parts.split_off(1);
        let width_of_kind = parts[0].end() - parts[0].start();
        let mut docs = vec![
            self.node(parts.remove(0)),
            Doc::Space(width.saturating_sub(width_of_kind).max(1)),
        ];
        let mut list = Vec::new();
        for part in entries {
            match spacing::is_separator(&part) {
                true => list.extend([Doc::Space(0), self.comma(&part), Doc::Line(1)]),
                false => list.push(self.node(part)),
            }
        }
        docs.push(Doc::Concat(list).aligned().grouped());
        Doc::Concat(docs)
    }

    /// A liveness property: what is to happen, and for which values, on the line of its name or below.
    fn liveness(&self, node: Node<'a>) -> Doc {
        let mut head = self.parts(node);
        let progress = head.iter().position(|part| Progress::cast(*part).is_some());
        let mut rest = head.split_off(progress.unwrap_or(head.len()));
        let values = rest.split_off(rest.len().min(1));
        let mut below: Vec<Doc> = rest.into_iter().map(|part| self.progress(part)).collect();
        if !values.is_empty() {
            below.push(Doc::nested(vec![Doc::Line(1), self.in_row(&values)]));
        }
        let below = Doc::Concat(below).grouped();
        Doc::Concat(vec![
            self.in_row(&head),
            Doc::nested(vec![Doc::Line(1), below]),
        ])
    }

    /// The two sides of an arrow, on separate lines if they do not fit on one.
    fn progress(&self, node: Node<'a>) -> Doc {
        let mut parts = self.parts(node);
        if LeadsTo::cast(node).is_none() {
            return self.in_row(&parts);
        }
        let goal = parts.split_off(1);
        let premise = parts.remove(0);
        let goal = Doc::nested(vec![Doc::Line(1), self.in_row(&goal)]);
        Doc::Concat(vec![self.node(premise), goal])
    }

    /// A property: its formula on the line of its name, or below.
    fn property(&self, node: Node<'a>, line: Doc) -> Doc {
        let mut parts = self.parts(node);
        let formula = parts.pop().map(|formula| self.node(formula));
        let below = Doc::nested([line].into_iter().chain(formula).collect());
        Doc::Concat(vec![self.in_row(&parts), below])
    }
}
