//! Proofs without guesses. What was written to be a proof, such as lemmas that hang together, should not
//! be lost among guesses.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use quotient_arrays::{Domain, Place, System};
use quotient_core::{Budget, Stop};

use super::{Backward, Unreachable, never_begins};
use crate::before::before;
use crate::cube::{Cube, Literal};
use crate::quorums::Axioms;
use crate::small::meets_start;

/// So many sets may be added to what is bad by a proof without guesses, which tells less than one with.
const FEW_ADDED: usize = 4;
/// Where so many guesses were wrong, so many sets may be added, with so much work: a protocol whose processes
/// hold each other often needs no guesses, and small instances mislead them.
const MORE_ADDED: [(u64, usize, u64); 2] = [(2, 60, 200_000), (12, 600, 5_000_000)];

impl Backward<'_> {
    /// A proof without any guess, where it is time to look for one.
    pub(super) fn without_guesses(&self, budget: &Budget) -> Result<Option<Unreachable>, Stop> {
        if self.thorough > 0 {
            return Ok(None);
        }
        if self.wrong == 0 {
            return self.by_induction(FEW_ADDED, budget);
        }
        // Sets of many processes have many members: what is known of them takes too long without guesses.
        if !self.system.axioms.is_empty() {
            return Ok(None);
        }
        let mut rooms = MORE_ADDED.iter();
        let Some((_, added, work)) = rooms.find(|(wrong, ..)| *wrong == self.wrong) else {
            return Ok(None);
        };
        match self.by_induction(*added, &budget.child_with_work(*work)) {
            Ok(proof) => Ok(proof),
            // It was too much for a try, unless all is over.
            Err(_) => budget.poll().map(|()| None),
        }
    }

    /// What is bad, and so many sets at the most that lead to it, if that is all: a proof without any
    /// guess.
    pub fn by_induction(&self, added: usize, budget: &Budget) -> Result<Option<Unreachable>, Stop> {
        let system = self.system;
        let axioms = Axioms::of(system, self.thorough);
        let (nodes, known) = self.beginning(&axioms, budget)?;
        let mut cubes: Vec<Cube> = nodes.into_iter().map(|node| node.cube).collect();
        let bad = merged(cubes.split_off(known.len()), budget)?;
        let (mut kept, mut left) = (cubes, Vec::new());
        let mut queue = BinaryHeap::new();
        // All that is bad comes first: most of what leads to one part of it is in another.
        for cube in bad {
            if meets_start(system, &cube, budget)? {
                return Ok(None);
            }
            if !kept.iter().any(|one| one.covers(system, &cube)) {
                queue.push(Reverse((cube.processes, cube.literals.len(), left.len())));
                left.push(cube.clone());
                kept.push(cube);
            }
        }
        let mut more = 0;
        while let Some(Reverse((_, _, number))) = queue.pop() {
            let cube = left[number].clone();
            if !kept.contains(&cube) {
                continue;
            }
            for transition in &system.transitions {
                let mut cubes = Vec::new();
                for cube in before(system, transition, &cube, budget)? {
                    cubes.extend(axioms.split(cube)?);
                }
                for cube in cubes {
                    let Some(cube) = outside(system, &kept, cube, budget)? else {
                        continue;
                    };
                    more += 1;
                    if more > added || meets_start(system, &cube, budget)? {
                        return Ok(None);
                    }
                    let core = never_begins(system, &cube, budget)?;
                    // No step changes what is never so at the start.
                    let is_fixed = core.is_some();
                    let cube = core.unwrap_or(cube);
                    kept.retain(|one| !cube.covers(system, one));
                    kept.push(cube.clone());
                    if !is_fixed {
                        queue.push(Reverse((cube.processes, cube.literals.len(), left.len())));
                        left.push(cube);
                    }
                }
            }
        }
        Ok(Some(Unreachable { cubes: kept }))
    }
}

/// The states of a set that are in none of some others, as far as a look at one cell after the other tells:
/// where all but one of the conditions of another set are so, the last one is not, and what follows from
/// that may be all that another one asks for. Nothing if no states are left.
fn outside(
    system: &System,
    kept: &[Cube],
    cube: Cube,
    budget: &Budget,
) -> Result<Option<Cube>, Stop> {
    let mut left = cube;
    loop {
        budget.charge(kept.len() as u64 + 1)?;
        if kept.iter().any(|one| one.covers(system, &left)) {
            return Ok(None);
        }
        let mut not = None;
        for one in kept {
            // What speaks of two variables that the set does not speak of lacks more than one cell.
            let lacking = one.variables & !left.variables;
            if one.processes > left.processes || lacking.count_ones() > 1 {
                continue;
            }
            budget.charge(choices(left.processes, one.processes) / 8)?;
            not = missing(system, one, &left, &mut Vec::new());
            if not.is_some() {
                break;
            }
        }
        let Some((place, values)) = not else {
            return Ok(Some(left));
        };
        let is = Literal::In(place, values);
        let literals = left.literals.iter().cloned().chain([is]);
        match Cube::new(system, left.processes, literals) {
            Some(less) => left = less,
            None => return Ok(None),
        }
    }
}

/// In how many ways some processes are chosen among others, one after the other.
fn choices(among: usize, chosen: usize) -> u64 {
    let left = (0..chosen).map(|one| among.saturating_sub(one) as u64);
    left.fold(1, u64::saturating_mul)
}

/// The only cell that decides whether the states of a set are in another one, and the values with which
/// they are not.
fn missing(system: &System, one: &Cube, cube: &Cube, map: &mut Vec<usize>) -> Option<(Place, u64)> {
    if map.len() < one.processes {
        return (0..cube.processes).find_map(|process| {
            if map.contains(&process) {
                return None;
            }
            map.push(process);
            let found = missing(system, one, cube, map);
            map.pop();
            found
        });
    }
    let literals = one.literals.iter();
    let literals =
        literals.map(|literal| literal.renamed(system, map, one.processes, cube.processes));
    let mut open = literals.filter(|literal| !cube.implies(system, literal));
    let (Some(Literal::In(place, values)), None) = (open.next(), open.next()) else {
        return None;
    };
    let finite = matches!(
        system.variables[place.variable.index()].domain,
        Domain::Enumeration(_) | Domain::Process
    );
    let all = cube.values(system, &place);
    // Where none of the values is possible, the sets have nothing in common.
    (finite && all & values != 0).then_some((place, all & !values))
}

/// The same states in fewer sets: two that differ in the values of one cell only are one.
fn merged(mut cubes: Vec<Cube>, budget: &Budget) -> Result<Vec<Cube>, Stop> {
    let mut number = 0;
    while number < cubes.len() {
        budget.poll()?;
        let found = (0..number).find_map(|other| {
            let both = together(&cubes[other], &cubes[number])?;
            Some((other, both))
        });
        match found {
            Some((other, both)) => {
                cubes.remove(number);
                cubes[other] = both;
                // It may fit others now.
                number = other;
            }
            None => number += 1,
        }
    }
    Ok(cubes)
}

/// Two sets as one, if they differ in the values of one cell only.
fn together(one: &Cube, two: &Cube) -> Option<Cube> {
    if one.processes != two.processes || one.literals.len() != two.literals.len() {
        return None;
    }
    let mut differ = (0..one.literals.len()).filter(|at| one.literals[*at] != two.literals[*at]);
    let (at, None) = (differ.next()?, differ.next()) else {
        return None;
    };
    let (Literal::In(place, some), Literal::In(same, others)) =
        (&one.literals[at], &two.literals[at])
    else {
        return None;
    };
    let mut both = one.clone();
    both.literals[at] = Literal::In(place.clone(), some | others);
    (place == same).then_some(both)
}
