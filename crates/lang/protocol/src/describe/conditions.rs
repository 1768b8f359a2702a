//! Sets of letters as conditions, written as the source would write them.

use quotient_automata::Predicate;

use super::cover::{Cube, cover, domains, tightened};
use crate::Compiled;
use crate::compile::Part;
use crate::model::{Domain, Protocol, Value, Variable};

/// More alternatives than this are not easier to read than a list of letters.
const MOST_ALTERNATIVES: usize = 6;

impl Protocol {
    /// A set of letters as a condition: for letters of processes and of globals one that could
    /// stand behind `when`, where joint values that never come about do not matter; for channels
    /// the name and the values. Nothing if it would be too long to be read.
    ///
    /// ```
    /// use quotient_core::{Budget, Source};
    /// use quotient_protocol::Protocol;
    /// let text = "
    ///     process { location idle, asks, critical  flag : bool = false }
    ///     step ask:   when at = idle then at := asks, flag := true
    ///     step enter: when at = asks then at := critical
    ///     step leave: when at = critical then at := idle, flag := false
    /// ";
    /// let protocol = Protocol::parse(&Source::new("lock.protocol", text))?;
    /// let compiled = protocol.compile(&Budget::unlimited())?;
    /// let some = compiled.alphabet().set(["asks_flag", "critical_flag"])?;
    /// assert_eq!(protocol.condition(&compiled, &some).as_deref(), Some("at != idle"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn condition(&self, compiled: &Compiled, letters: &Predicate) -> Option<String> {
        let mut kinds = Vec::new();
        let (mut globals, mut processes) = (Points::default(), Points::default());
        let mut contents: Vec<(Points<'_>, bool)> =
            vec![(Points::default(), false); self.channels.len()];
        for letter in compiled.alphabet().letters() {
            let wanted = letters.contains(letter);
            match compiled.letters.part(letter) {
                Part::Globals(values) => globals.add(values, wanted),
                Part::Process(values) => processes.add(values, wanted),
                Part::Separator(channel) => contents[*channel].1 = wanted,
                Part::Content(channel, value) => {
                    contents[*channel]
                        .0
                        .add(std::slice::from_ref(value), wanted);
                }
            }
        }
        kinds.extend(self.valuations(&self.globals, &globals, "any globals")?);
        kinds.extend(self.valuations(&self.fields, &processes, "any process")?);
        for (channel, (points, begins)) in self.channels.iter().zip(&contents) {
            if *begins {
                kinds.push(format!("{}:", channel.name));
            }
            let inside = points.wanted();
            if !inside.is_empty() {
                let shown = inside
                    .iter()
                    .map(|point| self.show(&channel.domain, point[0]));
                kinds.push(format!(
                    "{} in {}",
                    shown.collect::<Vec<_>>().join(" or "),
                    channel.name
                ));
            }
        }
        Some(kinds.join(" or "))
    }

    /// The points that are wanted as a condition on the variables: in a list of one, or nothing
    /// in no list if it is too long.
    fn valuations(
        &self,
        variables: &[Variable],
        points: &Points<'_>,
        everything: &str,
    ) -> Option<Vec<String>> {
        let wanted = points.wanted.iter().filter(|&&wanted| wanted).count();
        if wanted == 0 {
            return Some(Vec::new());
        }
        if wanted == points.wanted.len() {
            return Some(vec![everything.to_owned()]);
        }
        let unwanted: Vec<bool> = points.wanted.iter().map(|wanted| !wanted).collect();
        let domains = domains(&points.all);
        let written = |wanted: &[bool]| {
            let cubes = cover(&points.all, wanted, MOST_ALTERNATIVES)?;
            let several = cubes.len() > 1;
            let tight = cubes.into_iter().map(|cube| tightened(cube, &points.all));
            let parts = tight.map(|cube| self.cube(variables, &domains, &cube));
            Some((parts.collect::<Vec<_>>().join(" or "), several))
        };
        let negated = written(&unwanted).map(|(text, _)| format!("not ({text})"));
        let plain = written(&points.wanted);
        match (plain, negated) {
            // A negation is harder to read: it must be much shorter.
            (Some((plain, true)), Some(negated)) if negated.len() * 3 < plain.len() * 2 => {
                Some(vec![negated])
            }
            (Some((plain, _)), _) => Some(vec![plain]),
            (None, Some(negated)) => Some(vec![negated]),
            (None, None) => None,
        }
    }

    fn cube(&self, variables: &[Variable], domains: &Cube, cube: &Cube) -> String {
        let parts: Vec<String> = variables
            .iter()
            .zip(domains.iter().zip(cube))
            .filter(|(_, (all, some))| all != some)
            .map(|(variable, (all, some))| self.among(variable, all, some))
            .collect();
        parts.join(" and ")
    }

    /// That a variable has one of some values, where it could have all of others.
    fn among(&self, variable: &Variable, all: &[Value], some: &[Value]) -> String {
        let name = &variable.name;
        let show = |value: &Value| self.show(&variable.domain, *value);
        let list = |values: &[Value]| values.iter().map(show).collect::<Vec<_>>().join(", ");
        let others: Vec<Value> = all.iter().copied().filter(|v| !some.contains(v)).collect();
        match (some, others.as_slice()) {
            ([1], _) if variable.mark.is_some() => format!("{name} = self"),
            ([0], _) if variable.mark.is_some() => format!("{name} != self"),
            ([1], _) if variable.domain == Domain::Bool => name.clone(),
            ([0], _) if variable.domain == Domain::Bool => format!("not {name}"),
            ([only], _) => format!("{name} = {}", show(only)),
            (_, [but]) => format!("{name} != {}", show(but)),
            ([least, ..], _) if self.is_number(variable) && all.ends_with(some) => {
                format!("{name} >= {}", show(least))
            }
            ([.., most], _) if self.is_number(variable) && all.starts_with(some) => {
                format!("{name} <= {}", show(most))
            }
            _ if others.len() < some.len() => format!("not ({name} in {{ {} }})", list(&others)),
            _ => format!("{name} in {{ {} }}", list(some)),
        }
    }

    fn is_number(&self, variable: &Variable) -> bool {
        matches!(variable.domain, Domain::Range(..))
    }
}

/// Valuations, and which of them are wanted.
#[derive(Debug, Clone, Default)]
struct Points<'a> {
    all: Vec<&'a [Value]>,
    wanted: Vec<bool>,
}

impl<'a> Points<'a> {
    fn add(&mut self, point: &'a [Value], wanted: bool) {
        self.all.push(point);
        self.wanted.push(wanted);
    }

    fn wanted(&self) -> Vec<&'a [Value]> {
        let both = self.all.iter().zip(&self.wanted);
        both.filter(|(_, wanted)| **wanted)
            .map(|(point, _)| *point)
            .collect()
    }
}
