//! Two objectives of which as much as possible is wanted: where neither can be better without the
//! other being worse.
//!
//! What both can pay is a convex set. Its corners are found from the two ends inwards: the sum of
//! both with weights across two corners says whether there is one more between them (Forejt,
//! Kwiatkowska, Parker 2012).

use quotient_core::Stop;

use super::pays::Point;
use super::{Attained, Ceilings, Set};

/// So many corners are looked for.
const CORNERS: usize = 200;

/// What a corner pays, and the choices of each unknown that do.
type Corner = (Point, Vec<u32>);

impl Set<'_> {
    /// The values of two objectives of which none can be better without the other being worse.
    pub(super) fn tradeoff(&mut self) -> Result<Attained, Stop> {
        let (mut ends, tops) = self.ends()?;
        let begin = self.pays.begin;
        let small = tops.map(|top| self.width * top.max(1e-3));
        let mut found = ends.clone();
        let mut sides: Vec<(Corner, Corner)> = Vec::new();
        while let Some(right) = ends.pop() {
            if let Some(left) = ends.last() {
                sides.push((left.clone(), right));
            }
        }
        while let Some((left, right)) = sides.pop() {
            let weights = across(&left.0, &right.0);
            let apart = [right.0[1] - left.0[1], left.0[0] - right.0[0]];
            let near = apart[0] <= small[1] || apart[1] <= small[0];
            if found.len() > CORNERS || near {
                continue;
            }
            let of_two = of_two(weights, self.limits.len());
            let way = self.pays.best(&of_two, self.budget)?;
            let (upper, corner) = (way.upper[begin], (way.point, way.chosen));
            let worth = |corner: &Corner| weights[0] * corner.0[0] + weights[1] * corner.0[1];
            let known = worth(&left).max(worth(&right));
            if upper - known <= self.width * upper.abs().max(1e-3) || worth(&corner) <= known {
                continue;
            }
            found.push(corner.clone());
            sides.push((left, corner.clone()));
            sides.push((corner, right));
        }
        let corners = outermost(found, small);
        let value = |number: usize, paid: f64| match self.pays.offsets[number] {
            None => paid,
            Some((offset, _)) => (offset - paid).max(0.0),
        };
        let pairs = corners.iter();
        let pairs = pairs.map(|(point, _)| (value(0, point[0]), value(1, point[1])));
        let pairs = pairs.collect();
        (self.points, self.ways) = corners.into_iter().unzip();
        self.shares = vec![1.0; self.points.len()];
        Ok(Attained::Tradeoff(pairs))
    }

    /// The most of each alone, and what is paid there. Of ways that are equally good for one the best
    /// for the other is wanted, so a little of that is asked for, too; how little depends on how much
    /// there is of both.
    fn ends(&mut self) -> Result<(Vec<Corner>, [f64; 2]), Stop> {
        let begin = self.pays.begin;
        let objectives = self.limits.len();
        let mut best = |weights: [f64; 2]| -> Result<(f64, Corner), Stop> {
            let way = self.pays.best(&of_two(weights, objectives), self.budget)?;
            Ok((way.upper[begin], (way.point, way.chosen)))
        };
        let (first, of_first) = best([1.0, 0.0])?;
        let (second, of_second) = best([0.0, 1.0])?;
        let size = |top: f64| if top > 0.0 { top } else { 1.0 };
        let part = |of: f64, by: f64| (1e-4 * size(of) / size(by)).clamp(1e-12, 1e12);
        let (_, near_first) = best([1.0, part(first, second)])?;
        let (_, near_second) = best([part(second, first), 1.0])?;
        let ends = vec![of_first, near_first, near_second, of_second];
        Ok((ends, [first, second]))
    }

    /// Sums of both that no way exceeds: one beyond the first corner, one across each two of them, one
    /// beyond the last.
    pub(super) fn beyond(&mut self) -> Result<Ceilings, Stop> {
        let mut all = vec![of_two([1.0, 0.0], self.limits.len())];
        for corners in self.points.windows(2) {
            all.push(of_two(across(&corners[0], &corners[1]), self.limits.len()));
        }
        all.push(of_two([0.0, 1.0], self.limits.len()));
        let mut ceilings = Vec::with_capacity(all.len());
        for weights in all {
            let upper = self.pays.best(&weights, self.budget)?.upper;
            ceilings.push((weights, upper));
        }
        Ok(ceilings)
    }
}

/// Weights of the two; other objectives, which are sure, count for nothing.
fn of_two(weights: [f64; 2], objectives: usize) -> Vec<f64> {
    let mut all = weights.to_vec();
    all.resize(objectives, 0.0);
    all
}

/// Weights by which two points are worth the same.
fn across(left: &Point, right: &Point) -> [f64; 2] {
    let apart = [right[1] - left[1], left[0] - right[0]].map(|one| one.max(0.0));
    match apart[0] + apart[1] {
        size if size > 0.0 => [apart[0] / size, apart[1] / size],
        _ => [0.5, 0.5],
    }
}

/// Those of which none is as good as another in both, from the most of the first to the most of the
/// second; what is smaller than told is no difference.
fn outermost(mut found: Vec<Corner>, small: [f64; 2]) -> Vec<Corner> {
    found.sort_by(|(a, _), (b, _)| b[0].total_cmp(&a[0]).then(b[1].total_cmp(&a[1])));
    let mut kept: Vec<Corner> = Vec::new();
    for corner in found {
        let point = &corner.0;
        while kept
            .last()
            .is_some_and(|(last, _)| last[0] <= point[0] + small[0] && last[1] <= point[1])
        {
            kept.pop();
        }
        let more = |(last, _): &Corner| point[1] > last[1] + small[1];
        if kept.last().is_none_or(more) {
            kept.push(corner);
        }
    }
    kept
}
