//! Elements in an ordered partition: some are told apart already, others not yet.

/// The elements in some order, apart or not yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Partition {
    /// The points of a symmetry by their positions, cell after cell.
    pub(super) order: Vec<usize>,
    /// For each point, where its cell begins.
    pub(super) start: Vec<usize>,
}

impl Partition {
    /// Cells of so many points, which begin at these positions.
    pub(super) fn new(start: Vec<usize>) -> Self {
        let order = (0..start.len()).collect();
        Self { order, start }
    }

    /// The end of the cell that begins at a position.
    pub(super) fn end(&self, start: usize) -> usize {
        let cell = self.order[start..].iter();
        start
            + cell
                .take_while(|point| self.start[**point] == start)
                .count()
    }

    /// Splits the cells by keys. Says whether there was anything to split.
    pub(super) fn split(&mut self, key: impl Fn(usize) -> u64) -> bool {
        let (mut is_split, mut from) = (false, 0);
        while from < self.order.len() {
            let to = self.end(from);
            if to - from > 1 {
                self.order[from..to].sort_unstable_by_key(|point| key(*point));
                let mut start = from;
                for at in from + 1..to {
                    if key(self.order[at]) != key(self.order[at - 1]) {
                        (start, is_split) = (at, true);
                    }
                    self.start[self.order[at]] = start;
                }
            }
            from = to;
        }
        is_split
    }

    /// Whether each point is a cell of its own.
    pub(super) fn is_discrete(&self) -> bool {
        self.order
            .iter()
            .enumerate()
            .all(|(at, point)| self.start[*point] == at)
    }

    /// Makes the point at a position of a cell a cell of its own, before the others.
    pub(super) fn single_out(&mut self, cell: std::ops::Range<usize>, at: usize) {
        self.order.swap(cell.start, at);
        for point in &self.order[cell.start + 1..cell.end] {
            self.start[*point] = cell.start + 1;
        }
    }

    /// In how many orders the points can stand that keep each in its cell.
    pub(super) fn orders_within_cells(&self) -> u128 {
        let places = self.order.iter().enumerate();
        let nth_of_cell = places.map(|(at, point)| (at - self.start[*point] + 1) as u128);
        nth_of_cell.fold(1, u128::saturating_mul)
    }
}
