//! Three numbers in a plane.

use super::independent::Independent;
use crate::relations::atom::relation::{Atom, Relation};
use crate::relations::evaluate::Block;
use crate::relations::term::{Measure, TermId, Terms};

/// Through fewer points than this there is a plane too often, but not one that makes one number the sum of the others.
const MIN_POINTS: usize = 5;
/// The factors of a plane are no larger than this.
const MAX_FACTOR: i128 = 64;

type Point = [i128; 3];

/// Three numbers, and the plane in which they have been so far.
#[derive(Debug)]
pub(super) struct Plane {
    terms: [TermId; 3],
    /// The points that were looked at first, all different.
    points: Vec<Point>,
    /// What is orthogonal to the plane, once three points are not on a line.
    normal: Option<Point>,
}

/// All choices of three numbers that may be compared.
pub(super) fn all(numbers: &[TermId], comparable: impl Fn(&[TermId; 3]) -> bool) -> Vec<Plane> {
    let mut out = Vec::new();
    for (at, x) in numbers.iter().enumerate() {
        for (next, y) in numbers.iter().enumerate().skip(at + 1) {
            for z in &numbers[next + 1..] {
                let terms = [*x, *y, *z];
                if comparable(&terms) {
                    out.push(Plane {
                        terms,
                        points: Vec::new(),
                        normal: None,
                    });
                }
            }
        }
    }
    out
}

/// What was found, without what follows from the rest; sums are simpler than other planes.
pub(super) fn independent(planes: &[Plane], terms: &Terms) -> Vec<Atom> {
    let found = planes.iter().filter_map(|plane| plane.atom(terms));
    let (mut all, others): (Vec<Atom>, Vec<Atom>) =
        found.partition(|atom| atom.relation == Relation::IsSum);
    all.extend(others);
    let mut known = Independent::default();
    all.retain(|atom| {
        let (factors, offset) = match atom.relation {
            Relation::Plane { factors, offset } => (factors, offset),
            _ => ([1, -1, -1], 0),
        };
        let mut row = vec![0; terms.len() + 1];
        for (term, factor) in atom.args.iter().zip(factors) {
            row[*term] = i128::from(factor);
        }
        row[terms.len()] = -i128::from(offset);
        known.take(&row)
    });
    all
}

impl Plane {
    /// Takes the rows of a block in; says whether all points are in a plane so far.
    pub(super) fn absorb(&mut self, block: &Block) -> bool {
        let defined = block.defined_rows(&self.terms);
        let mut points = defined.ones().map(|row| {
            let number = |term| i128::from(block.word(term, row) as i64);
            self.terms.map(number)
        });
        let (kept, normal) = (&mut self.points, &mut self.normal);
        points.all(|point| note(kept, normal, point))
    }

    /// What was found, if it relates all three numbers and rests on enough points.
    pub(super) fn atom(&self, terms: &Terms) -> Option<Atom> {
        let normal = self.normal?;
        let divisor = normal.iter().fold(0, |divisor, n| gcd(divisor, n.abs()));
        let factors = normal.map(|n| n / divisor * normal[0].signum());
        if factors.iter().any(|n| *n == 0 || n.abs() > MAX_FACTOR) {
            return None;
        }
        let offset = i64::try_from(product(&factors, &self.points[0])?).ok()?;
        let factors = factors.map(|n| n as i64);
        if offset == 0
            && let Some(sum) = sum(&self.terms, factors)
        {
            return Some(sum);
        }
        let counts = |term: &TermId| terms.get(*term).counts();
        let measured = |measure: Measure| {
            let mut measures = self.terms.iter().map(|term| &terms.get(*term).measure);
            measures.any(|own| own.as_ref() == Some(&measure))
        };
        // An amount may be a price times a count. Other planes of sizes, except for sums, describe only the runs.
        let is_price = offset == 0 && measured(Measure::Declared) && measured(Measure::Counted);
        let is_plain = is_price || !self.terms.iter().any(counts);
        let is_told = self.points.len() >= MIN_POINTS && is_plain;
        let relation = Relation::Plane { factors, offset };
        is_told.then(|| Atom::new(relation, self.terms))
    }
}

/// Looks at a point; says whether all are in a plane so far.
fn note(points: &mut Vec<Point>, normal: &mut Option<Point>, point: Point) -> bool {
    if let Some(normal) = normal {
        let is_within = difference(&point, &points[0]).and_then(|d| product(normal, &d)) == Some(0);
        if points.len() < MIN_POINTS && !points.contains(&point) {
            points.push(point);
        }
        return is_within;
    }
    if points.contains(&point) {
        return true;
    }
    points.push(point);
    if let [first, second, third] = &points[..] {
        let across = difference(second, first)
            .zip(difference(third, first))
            .and_then(|(a, b)| cross(&a, &b));
        match across {
            Some([0, 0, 0]) => {
                points.pop();
            }
            Some(found) => *normal = Some(found),
            // Numbers as large as that are in no plane for us.
            None => return false,
        }
    }
    true
}

/// That one number is the sum of the others, where the factors say so.
fn sum(terms: &[TermId; 3], factors: [i64; 3]) -> Option<Atom> {
    let alone = (0..3).find(|at| {
        let mut others = (0..3).filter(|other| other != at);
        factors[*at].abs() == 1 && others.all(|other| factors[other] == -factors[*at])
    })?;
    let others = (0..3).filter(|other| *other != alone);
    let args: Vec<TermId> = [alone]
        .into_iter()
        .chain(others)
        .map(|at| terms[at])
        .collect();
    Some(Atom::new(Relation::IsSum, args))
}

fn difference(a: &Point, b: &Point) -> Option<Point> {
    let mut out = [0; 3];
    for (out, (a, b)) in out.iter_mut().zip(a.iter().zip(b)) {
        *out = a.checked_sub(*b)?;
    }
    Some(out)
}

fn product(a: &Point, b: &Point) -> Option<i128> {
    let mut terms = a.iter().zip(b).map(|(a, b)| a.checked_mul(*b));
    terms.try_fold(0_i128, |sum, term| sum.checked_add(term?))
}

/// What is orthogonal to both.
fn cross(a: &Point, b: &Point) -> Option<Point> {
    let minor = |i: usize, j: usize| {
        let left = a[i].checked_mul(b[j])?;
        left.checked_sub(a[j].checked_mul(b[i])?)
    };
    Some([minor(1, 2)?, minor(2, 0)?, minor(0, 1)?])
}

/// The greatest common divisor of two numbers that are not negative.
pub(super) fn gcd(a: i128, b: i128) -> i128 {
    match b {
        0 => a,
        _ => gcd(b, a % b),
    }
}
