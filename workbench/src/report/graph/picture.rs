//! A graph as a picture in a page: what rests on something stands above it.

use maud::{Markup, html};

use super::layers::Layers;
use super::{Graph, Node};

/// The height of a box, in pixels.
const HEIGHT: usize = 34;

/// The space between two layers, in which arrows bend.
const GAP: usize = 56;

/// The space between two boxes of a layer.
const SPACE: usize = 22;

/// The width of a character, about.
const CHARACTER: usize = 9;

/// The width that an arrow takes where it passes a layer.
const PASSING: usize = 8;

/// Where a box stands: its middle and its upper edge, and how wide it is.
#[derive(Clone, Copy, Default)]
struct Place {
    middle: usize,
    top: usize,
    width: usize,
}

/// The graph as a picture with colours of the page that it stands in; `title` says what it shows.
#[must_use]
pub fn picture(graph: &Graph, title: &str) -> Markup {
    let layers = Layers::of(graph);
    let (places, width) = places(graph, &layers);
    let labelled = graph.edges.iter().any(|(_, _, label)| !label.is_empty());
    let height = (layers.rows.len() * (HEIGHT + GAP)).saturating_sub(GAP) + 8;
    let size = format!("-4 -4 {} {}", width + 8, height);
    html! {
        div.wide {
            svg.graph role="img" aria-label=(title) viewBox=(size) width=(width + 8) height=(height) {
                defs {
                    marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse" {
                        path d="M0 0 L8 4 L0 8 z" {}
                    }
                }
                @for (user, used, label) in &graph.edges {
                    @match layers.ways.get(&(*user, *used)) {
                        Some(way) => { (arrow(&way.iter().map(|spot| places[*spot]).collect::<Vec<_>>(), label)) }
                        None => { (back(places[*user], places[*used], label)) }
                    }
                }
                @for (node, place) in graph.nodes.iter().zip(&places) { (self::node(node, *place, labelled)) }
            }
        }
    }
}

fn node(node: &Node, place: Place, is_plain: bool) -> Markup {
    let class = match node.verdict.map(session::finding::Verdict::status) {
        _ if is_plain => "box",
        Some(session::finding::Status::Holds) => "box fine",
        Some(session::finding::Status::Violation | session::finding::Status::BadInput) => {
            "box wrong"
        }
        _ => "box undecided",
    };
    let verdict = node.verdict.map_or("", session::finding::Verdict::word);
    html! {
        g class=(class) {
            title { (node.name) @if !node.of.is_empty() { " of " (node.of) } @if !verdict.is_empty() { ": " (verdict) } }
            rect x=(place.middle - place.width / 2) y=(place.top) width=(place.width) height=(HEIGHT)
                rx=(if node.is_simulation { 2 } else { 9 }) {}
            text x=(place.middle) y=(place.top + HEIGHT / 2 + 5) text-anchor="middle" { (node.name) }
        }
    }
}

/// An arrow from the lower edge of a box to the upper edge of one below it, past the boxes of the layers between.
fn arrow(way: &[Place], label: &str) -> Markup {
    let mut drawn = String::new();
    for (at, pair) in way.windows(2).enumerate() {
        let (from, to) = (pair[0], pair[1]);
        let (begin, end) = (from.top + HEIGHT, to.top);
        let middle = usize::midpoint(begin, end);
        let (x, y) = (from.middle, to.middle);
        match at {
            0 => drawn.push_str(&format!("M{x} {begin} ")),
            _ => drawn.push_str(&format!("L{x} {begin} ")),
        }
        drawn.push_str(&format!("C{x} {middle} {y} {middle} {y} {end} "));
    }
    let (first, last) = (way[0], way[way.len() - 1]);
    html! {
        path.arrow d=(drawn.trim_end()) marker-end="url(#tip)" {}
        @if !label.is_empty() {
            text.label x=(usize::midpoint(first.middle, last.middle) + 8)
                y=(usize::midpoint(first.top + HEIGHT, last.top) + 5) { (label) }
        }
    }
}

/// An arrow that closes a circle, at the right of both boxes.
fn back(from: Place, to: Place, label: &str) -> Markup {
    let right = |place: Place| (place.middle + place.width / 2, place.top + HEIGHT / 2);
    let ((x, y), (u, v)) = (right(from), right(to));
    let out = x.max(u) + 2 * SPACE;
    html! {
        path class="arrow back" d=(format!("M{x} {y} C{out} {y} {out} {v} {u} {v}")) marker-end="url(#tip)" {}
        @if !label.is_empty() { text.label x=(out) y=(usize::midpoint(y, v) + 5) { (label) } }
    }
}

/// Where each box stands, and each arrow that passes a layer; and how wide all of it is.
fn places(graph: &Graph, layers: &Layers) -> (Vec<Place>, usize) {
    let width = |spot: usize| match graph.nodes.get(spot) {
        Some(node) => node.name.chars().count() * CHARACTER + 24,
        None => PASSING,
    };
    let row = |row: &Vec<usize>| row.iter().map(|spot| width(*spot) + SPACE).sum::<usize>();
    let labels = graph
        .edges
        .iter()
        .map(|(_, _, label)| 2 * label.chars().count() * CHARACTER);
    // Arrows that close a circle bend at the side, where their labels stand.
    let closing = graph.edges.iter();
    let closing = closing.filter(|(user, used, _)| !layers.ways.contains_key(&(*user, *used)));
    let beside = closing.map(|(_, _, label)| label.chars().count() * CHARACTER);
    let beside = beside.max().unwrap_or(0) + 3 * SPACE;
    let whole = layers.rows.iter().map(row).chain(labels).max().unwrap_or(0) + beside;
    let mut places = vec![Place::default(); layers.spots];
    for (at, spots) in layers.rows.iter().enumerate() {
        let mut left = (whole - beside + 3 * SPACE - row(spots)) / 2;
        for spot in spots {
            places[*spot] = Place {
                middle: left + SPACE / 2 + width(*spot) / 2,
                top: at * (HEIGHT + GAP),
                width: width(*spot),
            };
            left += width(*spot) + SPACE;
        }
    }
    (places, whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_names_all_and_has_an_arrow_for_each_edge() {
        let node = |name: &str| Node {
            name: name.into(),
            of: "A".into(),
            verdict: None,
            is_simulation: false,
        };
        let edge = |from, to| (from, to, String::new());
        let graph = Graph {
            nodes: ["One", "Two<", "Three"].map(node).to_vec(),
            edges: vec![edge(0, 1), edge(1, 2), edge(0, 2), edge(2, 0)],
        };
        let drawn = picture(&graph, "a graph").into_string();
        assert_eq!(drawn.matches("marker-end").count(), 4);
        assert_eq!(drawn.matches("arrow back").count(), 1);
        assert!(
            drawn.contains("Two&lt;") && !drawn.contains("Two<"),
            "{drawn}"
        );
        assert!(
            picture(&Graph::default(), "nothing")
                .into_string()
                .contains("svg")
        );
    }
}
