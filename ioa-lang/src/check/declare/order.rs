//! The order in which declarations that mention each other are checked.

/// How far the search has come with a declaration.
#[derive(Clone, Copy, PartialEq)]
enum Progress {
    Unseen,
    Open,
    Done,
}

/// Declarations, by their positions, each after those that it mentions.
#[derive(Default)]
pub(in crate::check) struct Order {
    pub(in crate::check) sequence: Vec<usize>,
    /// Declarations that mention each other in a circle; one of them closes it.
    pub(in crate::check) cycles: Vec<Vec<usize>>,
}

impl Order {
    /// The order of declarations that mention those at the positions in `mentioned`. The search keeps its own stack: a
    /// chain of declarations may be long.
    pub(in crate::check) fn of(mentioned: &[Vec<usize>]) -> Self {
        let mut progress = vec![Progress::Unseen; mentioned.len()];
        let mut order = Self::default();
        for root in 0..mentioned.len() {
            let mut path: Vec<(usize, usize)> = Vec::new();
            if progress[root] == Progress::Unseen {
                progress[root] = Progress::Open;
                path.push((root, 0));
            }
            while let Some((node, next)) = path.last_mut() {
                let Some(&inner) = mentioned[*node].get(*next) else {
                    progress[*node] = Progress::Done;
                    order.sequence.push(*node);
                    path.pop();
                    continue;
                };
                *next += 1;
                match progress[inner] {
                    Progress::Unseen => {
                        progress[inner] = Progress::Open;
                        path.push((inner, 0));
                    }
                    Progress::Open => {
                        let start = path.iter().position(|(n, _)| *n == inner).unwrap_or(0);
                        let cycle = path[start..].iter().map(|(n, _)| *n).collect();
                        order.cycles.push(cycle);
                    }
                    Progress::Done => {}
                }
            }
        }
        order
    }
}
