//! The ways that runs of systematic strategies go.

/// The way of a run of a systematic strategy: the numbers by which the strategy tells it from other ways.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Way(pub(super) Vec<u64>);

/// The ways of a systematic strategy, one after the other.
pub struct Ways {
    order: Box<dyn Order>,
    /// The one whose turn it is; none if the runs have gone all of them.
    way: Option<Way>,
}

impl Ways {
    /// All ways in an order, of which this is the first.
    pub(super) fn from(first: Way, order: impl Order + 'static) -> Self {
        Self {
            order: Box::new(order),
            way: Some(first),
        }
    }

    /// The way of the next run; none if the runs have gone all ways.
    #[must_use]
    pub fn way(&self) -> Option<&Way> {
        self.way.as_ref()
    }

    /// Goes on to the next way, after a run that has met these alternatives.
    pub fn pass(&mut self, met: &[u64]) {
        let way = self.way.take();
        self.way = way.and_then(|way| self.order.after(way, met));
    }
}

/// The order in which a strategy goes its ways.
pub(super) trait Order {
    /// The way after one that a run has gone, which met so many alternatives on it; none if there is no other.
    fn after(&mut self, way: Way, met: &[u64]) -> Option<Way>;
}

/// What leads a run along a way.
pub(in crate::run) trait Guide {
    /// Whether it goes on leading. If not, all further steps are drawn.
    fn leads(&self) -> bool;

    /// The position of the state or step that is next among so many, of which there is at least one; none if it is drawn.
    fn choose(&mut self, among: u64) -> Option<u64>;

    /// What alternatives the run has met.
    fn met(&self) -> Vec<u64>;
}
