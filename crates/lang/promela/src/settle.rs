//! Jumps taken out: what is left are locations where a process can be, and steps between them.

use std::collections::{HashMap, HashSet};

use crate::flow::{Draft, Flow, MOST_LOCATIONS, Point};
use crate::lex::At;
use crate::parse::Parsed;
use crate::program::{Action, Edge, Location};

/// Where each point leads by jumps alone; a jump in a circle stays where it is.
fn settled(points: &[Point], stays: fn(&Point) -> bool) -> Vec<u32> {
    const OPEN: u32 = u32::MAX;
    let mut found = vec![OPEN; points.len()];
    let mut on_way = vec![false; points.len()];
    for from in 0..points.len() as u32 {
        let (mut at, mut way) = (from, Vec::new());
        let end = loop {
            if found[at as usize] != OPEN {
                break Some(found[at as usize]);
            }
            if on_way[at as usize] {
                break None;
            }
            on_way[at as usize] = true;
            way.push(at);
            let point = &points[at as usize];
            match &point.out[..] {
                [Draft::Jump(to)] if !stays(point) => at = *to,
                _ => break Some(at),
            }
        };
        for one in way {
            on_way[one as usize] = false;
            found[one as usize] = end.unwrap_or(one);
        }
    }
    found
}

/// The steps from a point, jumps taken; each with its atomic sequence.
fn gather(points: &[Point], settled: &[u32], from: u32, out: &mut Vec<(Edge, u32)>) {
    let from = settled[from as usize];
    let mut seen = HashSet::from([from]);
    let mut todo: Vec<&Draft> = points[from as usize].out.iter().rev().collect();
    while let Some(draft) = todo.pop() {
        match draft {
            Draft::Step(edge, region) => out.push((edge.clone(), *region)),
            Draft::Jump(to) => {
                let to = settled[*to as usize];
                if seen.insert(to) {
                    todo.extend(points[to as usize].out.iter().rev());
                }
            }
        }
        if out.len() > MOST_LOCATIONS {
            return;
        }
    }
}

impl Flow<'_> {
    /// Steps of an `unless` are not taken where its escape can begin, which is a way out of each.
    fn escape(&mut self) {
        for (inside, way_out) in std::mem::take(&mut self.escapes) {
            for at in inside {
                let point = &mut self.points[at as usize];
                let mut steps = 0;
                for draft in &mut point.out {
                    if let Draft::Step(edge, _) = draft {
                        edge.unless.push(way_out);
                        steps += 1;
                    }
                }
                if steps > 0 && point.whole == self.whole {
                    point.out.push(Draft::Jump(way_out));
                }
            }
        }
    }

    /// Takes the jumps out.
    pub(crate) fn located(&mut self, start: u32, end: u32) -> Parsed<(Vec<Location>, u32)> {
        self.escape();
        let points = std::mem::take(&mut self.points);
        let settled = settled(&points, |point| point.choice);
        // A label stands where the statement after it begins; before a jump, where nobody is.
        let labelled = self::settled(&points, |point| point.choice || point.leaves);
        let mut locations: Vec<Location> = Vec::with_capacity(points.len());
        let mut total = 0;
        for (number, point) in points.iter().enumerate() {
            let mut drafts = Vec::new();
            gather(&points, &settled, number as u32, &mut drafts);
            if drafts.is_empty() && !point.out.is_empty() {
                // Jumps in a circle: the process goes round and does nothing.
                drafts.push((self.edge(Action::Skip, number as u32, At::default()), 0));
            }
            total += drafts.len();
            if total > MOST_LOCATIONS {
                let message = "options nest in each other too often";
                return Err(self.names.wrong(At::default(), message));
            }
            let edges = drafts.into_iter().map(|(mut edge, region)| {
                edge.to = settled[edge.to as usize];
                edge.keeps = region != 0 && points[edge.to as usize].atomic == region;
                for one in &mut edge.unless {
                    *one = settled[*one as usize];
                }
                if let Action::Whole(entry) = &mut edge.action {
                    *entry = settled[*entry as usize];
                }
                edge
            });
            locations.push(Location {
                edges: edges.collect(),
                whole: point.whole,
                hidden: point.whole != 0 || point.atomic != 0,
                ..Location::default()
            });
        }
        let mut names = HashMap::new();
        for ((name, _), point) in &self.labels {
            names.insert(name.clone(), labelled[*point as usize]);
        }
        for (number, point) in points.iter().enumerate() {
            let at = labelled[number] as usize;
            for label in &point.labels {
                let location = &mut locations[at];
                location.labels.push(label.to_string());
                location.end |= label.starts_with("end");
                location.progress |= label.starts_with("progress");
                location.accept |= label.starts_with("accept");
            }
        }
        locations[end as usize].end = true;
        self.names.labels.push(names);
        Ok((locations, settled[start as usize]))
    }
}
