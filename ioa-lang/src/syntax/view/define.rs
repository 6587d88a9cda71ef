//! How views are defined: rows in the manner of the grammar.

use crate::syntax::tree::{Kind, Node};

/// A node of a known kind.
pub(crate) trait View<'t>: Copy {
    /// The view of a node, if it is of that kind.
    fn cast(node: Node<'t>) -> Option<Self>;

    /// The node itself.
    fn node(self) -> Node<'t>;
}

impl<'t> View<'t> for Node<'t> {
    fn cast(node: Node<'t>) -> Option<Self> {
        Some(node)
    }

    fn node(self) -> Node<'t> {
        self
    }
}

/// Parts of a node, picked by what they are.
pub(super) trait Parts<'t>: Iterator<Item = Node<'t>> + Sized {
    /// The first of its kind, which the grammar requires.
    fn first<V: View<'t>>(self) -> V {
        self.optional().expect("the grammar requires this part")
    }

    /// The first of its kind, if there is one.
    fn optional<V: View<'t>>(self) -> Option<V> {
        self.each().next()
    }

    /// All of its kind.
    fn each<V: View<'t>>(self) -> impl Iterator<Item = V> + use<'t, V, Self> {
        self.filter_map(V::cast)
    }

    /// The parts of those parts that are of a kind.
    fn inside(self, kind: Kind) -> impl Parts<'t> + use<'t, Self> {
        let outer = self.filter(move |part| part.kind() == kind);
        outer.flat_map(|part| part.inner())
    }

    /// What follows the first part that is of one of these kinds.
    fn behind(self, kinds: &'static [Kind]) -> impl Parts<'t> + use<'t, Self> {
        self.skip_while(|part| !kinds.contains(&part.kind()))
            .skip(1)
    }
}

impl<'t, I: Iterator<Item = Node<'t>>> Parts<'t> for I {}

/// Defines views, each with the kinds of its nodes and its parts: `first Term` is a part that is always there, `optional
/// Term` one that may be there, and `each Term` all of them. A part `in eff` is one level deeper, in the node of that kind
/// (`in a > b`: in the `b` of the `a`), and a part `behind k_of` is looked for only there.
macro_rules! views {
    ($(
        $(#[$doc:meta])*
        $view:ident = $($kind:ident)|+ {
            $($part:ident: $count:ident $what:ident $(in $($outer:ident)>+)? $(behind $($before:ident)|+)?),* $(,)?
        }
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $view<'t>(Node<'t>);

        impl<'t> View<'t> for $view<'t> {
            fn cast(node: Node<'t>) -> Option<Self> {
                matches!(node.kind(), $(Kind::$kind)|+).then_some(Self(node))
            }

            fn node(self) -> Node<'t> {
                self.0
            }
        }

        impl<'t> $view<'t> {
            $(
                pub(crate) fn $part(self) -> counted!($count $what) {
                    let parts = self.0.inner();
                    $($(let parts = Parts::inside(parts, Kind::$outer);)+)?
                    $(let parts = Parts::behind(parts, &[$(Kind::$before),+]);)?
                    Parts::$count(parts)
                }
            )*
        }
    )*};
}

/// The type of an accessor.
macro_rules! counted {
    (first $what:ident) => { $what<'t> };
    (optional $what:ident) => { Option<$what<'t>> };
    (each $what:ident) => { impl Iterator<Item = $what<'t>> + use<'t> };
}

/// Defines views of nodes that are one of several things: a variant for each, of the same name as its view.
macro_rules! choices {
    ($(
        $(#[$doc:meta])*
        $choice:ident = $($view:ident)|+;
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) enum $choice<'t> {
            $($view($view<'t>)),+
        }

        impl<'t> View<'t> for $choice<'t> {
            fn cast(node: Node<'t>) -> Option<Self> {
                None$(.or_else(|| $view::cast(node).map(Self::$view)))+
            }

            fn node(self) -> Node<'t> {
                match self {
                    $(Self::$view(view) => view.node()),+
                }
            }
        }
    )*};
}
