//! Graphs in the languages of other tools.

use std::fmt::Write;

use super::{Graph, Node};

/// What a proof graph for Graphviz begins with.
pub const DOT_MARK: &str = "// What proofs need";

/// What a proof graph for Mermaid begins with.
pub const MERMAID_MARK: &str = "%% What proofs need";

/// The graph for Graphviz.
#[must_use]
pub fn dot(graph: &Graph) -> String {
    let mut out = format!(
        "{DOT_MARK}: an arrow goes from a claim to what its proof assumes.\ndigraph proof {{\n"
    );
    out.push_str("  rankdir=TB;\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n");
    for (at, node) in graph.nodes.iter().enumerate() {
        let shape = if node.is_simulation {
            ", peripheries=2"
        } else {
            ""
        };
        let _ = writeln!(out, "  n{at} [label={}{shape}];", quoted(&label(node)));
    }
    for (user, used, _) in &graph.edges {
        let _ = writeln!(out, "  n{user} -> n{used};");
    }
    out.push_str("}\n");
    out
}

/// The graph for Mermaid.
#[must_use]
pub fn mermaid(graph: &Graph) -> String {
    let mut out = format!(
        "{MERMAID_MARK}: an arrow goes from a claim to what its proof assumes.\nflowchart TB\n"
    );
    for (at, node) in graph.nodes.iter().enumerate() {
        let label = label(node).replace('"', "#quot;").replace('\n', "<br/>");
        let (open, close) = if node.is_simulation {
            ("[[", "]]")
        } else {
            ("[", "]")
        };
        let _ = writeln!(out, "  n{at}{open}\"{label}\"{close}");
    }
    for (user, used, _) in &graph.edges {
        let _ = writeln!(out, "  n{user} --> n{used}");
    }
    out
}

/// The name of a node with its verdict, where that is not that it is proved.
fn label(node: &Node) -> String {
    let verdict = node.verdict.map(session::finding::Verdict::word);
    match verdict.filter(|word| *word != "proved") {
        Some(verdict) => format!("{}\n{verdict}", node.name),
        None => node.name.clone(),
    }
}

/// A text between quotation marks, as Graphviz reads it.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", escaped.replace('\n', "\\n"))
}
