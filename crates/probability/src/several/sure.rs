//! Paths that must surely be taken, or surely be missed.
//!
//! A bound such as `P>=1` lies on the edge of what can be attained, where no rounding tells on
//! which side one is. It is no matter of numbers: all ways to choose stop in the end (`pays`), so the
//! ones to keep are those that stop only where the path pays. They are all ways that are left when
//! other stops are taken away, with whatever may lead to where nothing is left.

use super::pays::Pays;
use super::{Objective, Wanted};
use crate::solve::System;

/// The objectives whose bound says `surely`.
pub(super) fn sure(objectives: &[Objective]) -> Vec<usize> {
    let surely = |objective: &Objective| {
        let edge = if objective.least { 0.0 } else { 1.0 };
        matches!(objective.wanted, Wanted::Path { .. }) && objective.bound == Some((edge, false))
    };
    let numbers = 0..objectives.len();
    numbers.filter(|&one| surely(&objectives[one])).collect()
}

impl Pays {
    /// Keeps the choices with which some objectives surely pay; whether any way is left. What is
    /// told of choices, whether they stop, goes with them.
    pub(super) fn keep_sure(&mut self, sure: &[usize], stops: &mut Vec<bool>) -> bool {
        if sure.is_empty() {
            return true;
        }
        let dead = self.dead(sure, stops);
        let system = &self.system;
        let unknowns = system.unknowns();
        let lives = |unknown: usize| {
            let mut choices = system.rows[unknown] as usize..system.rows[unknown + 1] as usize;
            choices.any(|choice| !dead[choice])
        };
        let mut place = vec![u32::MAX; unknowns];
        let kept: Vec<usize> = (0..unknowns).filter(|&unknown| lives(unknown)).collect();
        for (at, &unknown) in kept.iter().enumerate() {
            place[unknown] = at as u32;
        }
        if place[self.begin] == u32::MAX {
            return false;
        }
        let mut smaller = System::new(system.error, system.most);
        let mut payments = vec![Vec::new(); self.payments.len()];
        let (mut stopping, mut made) = (Vec::new(), Vec::new());
        for &unknown in &kept {
            let choices = system.rows[unknown] as usize..system.rows[unknown + 1] as usize;
            for choice in choices.filter(|&choice| !dead[choice]) {
                let terms = system.columns[choice] as usize..system.columns[choice + 1] as usize;
                for term in terms {
                    smaller.targets.push(place[system.targets[term] as usize]);
                    smaller.weights.push(system.weights[term]);
                }
                smaller.columns.push(smaller.targets.len() as u32);
                for (list, all) in payments.iter_mut().zip(&self.payments) {
                    list.push(all[choice]);
                }
                stopping.push(stops[choice]);
                made.push(self.made[choice]);
            }
            smaller.rows.push(stopping.len() as u32);
        }
        smaller.low = vec![0.0; stopping.len()];
        smaller.high = vec![0.0; stopping.len()];
        self.begin = place[self.begin] as usize;
        for unknown in &mut self.unknown_of {
            *unknown = place[*unknown as usize];
        }
        self.cut = made.len() < self.made.len();
        (self.system, self.payments, self.made) = (smaller, payments, made);
        *stops = stopping;
        true
    }

    /// The choices that stop where a path does not pay, or may lead to where nothing else is left.
    fn dead(&self, sure: &[usize], stops: &[bool]) -> Vec<bool> {
        let system = &self.system;
        let unknowns = system.unknowns();
        let mut owner = vec![0; stops.len()];
        let mut left = vec![0u32; unknowns];
        let mut leading: Vec<Vec<u32>> = vec![Vec::new(); unknowns];
        for (unknown, left) in left.iter_mut().enumerate() {
            let choices = system.rows[unknown] as usize..system.rows[unknown + 1] as usize;
            owner[choices.clone()].fill(unknown);
            *left = choices.len() as u32;
            for choice in choices {
                let terms = system.columns[choice] as usize..system.columns[choice + 1] as usize;
                for &target in &system.targets[terms] {
                    leading[target as usize].push(choice as u32);
                }
            }
        }
        let misses = |choice: usize| {
            let mut paid = sure.iter().map(|&one| self.payments[one][choice].0);
            stops[choice] && paid.any(|paid| paid < 1.0)
        };
        let mut dead = vec![false; stops.len()];
        let mut waiting: Vec<usize> = (0..stops.len()).filter(|&choice| misses(choice)).collect();
        while let Some(choice) = waiting.pop() {
            if std::mem::replace(&mut dead[choice], true) {
                continue;
            }
            let unknown = owner[choice];
            left[unknown] -= 1;
            if left[unknown] == 0 {
                waiting.extend(leading[unknown].iter().map(|&choice| choice as usize));
            }
        }
        dead
    }
}
