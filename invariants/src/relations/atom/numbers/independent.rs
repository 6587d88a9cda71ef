//! Which of several linear equations the others imply.

/// Coefficients are looked at modulo this prime. That equations follow from each other there and not among the rational numbers is as
/// good as impossible, for their coefficients are small.
const PRIME: u128 = (1 << 61) - 1;

/// Equations that are independent of each other, each with 1 as its first coefficient that is not 0.
#[derive(Default)]
pub(super) struct Independent {
    rows: Vec<(usize, Vec<u128>)>,
}

impl Independent {
    /// Takes an equation in, given by its coefficients, if it does not follow from those that were taken in before; says whether it
    /// does not.
    pub(super) fn take(&mut self, coefficients: &[i128]) -> bool {
        let modulo = |n: &i128| n.rem_euclid(PRIME as i128) as u128;
        let mut row: Vec<u128> = coefficients.iter().map(modulo).collect();
        for (first, other) in &self.rows {
            let factor = PRIME - row[*first];
            for (own, theirs) in row.iter_mut().zip(other) {
                *own = (*own + factor * theirs) % PRIME;
            }
        }
        let Some(first) = row.iter().position(|n| *n != 0) else {
            return false;
        };
        let inverse = power(row[first], PRIME - 2);
        row.iter_mut().for_each(|n| *n = *n * inverse % PRIME);
        self.rows.push((first, row));
        true
    }
}

fn power(base: u128, exponent: u128) -> u128 {
    let (mut result, mut square, mut rest) = (1, base, exponent);
    while rest > 0 {
        if rest & 1 == 1 {
            result = result * square % PRIME;
        }
        square = square * square % PRIME;
        rest >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_is_not_taken_in() {
        let mut known = Independent::default();
        assert!(known.take(&[1, -1, -1, 0, 0]));
        assert!(known.take(&[0, 1, 0, -2, 5]));
        // The sum of both, and twice the first without the second.
        assert!(!known.take(&[1, 0, -1, -2, 5]));
        assert!(!known.take(&[2, -3, -2, 2, -5]));
        // With another constant it does not follow.
        assert!(known.take(&[1, 0, -1, -2, 6]));
        assert!(!known.take(&[0, 0, 0, 0, 0]));
    }
}
