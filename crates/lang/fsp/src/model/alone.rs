//! Actions that nobody holds up because an alphabet was not extended.
//!
//! A process that never does an action, and should keep others from doing it, needs it in its
//! alphabet: `+{…}`. Where that is forgotten, what is shared (a variable, a lock) acts by itself.
//! Two signs of it are reliable enough for a note:
//!
//! * of the values of an index, `write[0]`, `write[1]`, …, a partner knows at least half, and
//!   this one nobody;
//! * the same action under another prefix is shared, as `writer.open` is and `reader.open` is
//!   not, and a partner has other actions under this prefix.

use quotient_core::{Diagnostic, Severity};
use quotient_lts::{Action, System};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Model;
use crate::compile::{Machine, Term};
use crate::short_names;
use crate::syntax::Definition;

/// In systems with more pairs of components that share an action nobody reads a note about one.
const MOST_PAIRS: usize = 200_000;

/// Labels by what they have in common.
type Groups<'s, T> = FxHashMap<&'s str, T>;

impl Model {
    /// A note about the first action that seems to lack a partner.
    pub(super) fn acting_alone(&self, machines: &[Machine], system: &System) -> Option<Diagnostic> {
        let acting: Vec<&Machine> = machines
            .iter()
            .filter(|machine| machine.property.is_none())
            .collect();
        let mut owners: FxHashMap<Action, Vec<usize>> = FxHashMap::default();
        for (number, machine) in acting.iter().enumerate() {
            for &action in machine.alphabet(system) {
                owners.entry(action).or_default().push(number);
            }
        }
        let pairs: usize = owners.values().map(|who| who.len() * who.len()).sum();
        if pairs > MOST_PAIRS {
            return None;
        }
        let found = (0..acting.len()).find_map(|number| {
            let neighbours = Neighbours::of(number, &acting, &owners, system);
            let done = done(acting[number]);
            let mut alone: Vec<&str> = acting[number]
                .alphabet(system)
                .iter()
                .filter(|action| owners[*action].len() == 1 && done.contains(action))
                .map(|&action| system.actions.name(action))
                .collect();
            alone.sort_unstable();
            alone.into_iter().find_map(|label| {
                let partner = neighbours.partner(label)?;
                Some((number, label, partner))
            })
        });
        let (number, label, partner) = found?;
        let full: Vec<&str> = acting.iter().map(|one| one.name.as_str()).collect();
        let short = short_names(&full);
        let name = base(full[partner]);
        let own = own_label(label, full[partner]);
        let mut diagnostic = Diagnostic::warning(
            "acts-alone",
            format!(
                "`{}` does `{label}` by itself: `{}` has no such action",
                short[number], short[partner]
            ),
        );
        diagnostic.severity = Severity::Note;
        let span = self
            .specification
            .definitions
            .iter()
            .find_map(|one| match one {
                Definition::Process(process) if process.name.text == name => {
                    Some(process.name.span)
                }
                _ => None,
            });
        let diagnostic = match span {
            Some(span) => diagnostic.at(&self.source, span, "takes part in others like it"),
            None => diagnostic.in_source(&self.source),
        };
        Some(diagnostic.help(format!(
            "if it must not happen without `{name}`, extend the alphabet: `+ {{{own}}}`"
        )))
    }
}

/// What a component calls an action without the prefixes before its name: `p.1:P` and
/// `{p.1,p.2}::P` call `p.1.a` just `a`.
pub(crate) fn own_label<'l>(label: &'l str, component: &str) -> &'l str {
    let Some((around, _)) = component.rsplit_once(':') else {
        return label;
    };
    let around = around.trim_end_matches(':');
    let prefixes = around.rsplit(['{', '}', ',', ':']).flat_map(|part| {
        // A composite may stand before a prefix: `C.p.1`.
        let inside = part.match_indices('.').map(|(at, _)| &part[at + 1..]);
        std::iter::once(part).chain(inside)
    });
    let stripped = prefixes.filter_map(|prefix| label.strip_prefix(prefix)?.strip_prefix('.'));
    stripped.min_by_key(|rest| rest.len()).unwrap_or(label)
}

/// The name of a process without what stands around it.
fn base(name: &str) -> &str {
    let name = name.rsplit(':').next().unwrap_or(name);
    let name = name.split('(').next().unwrap_or(name);
    name.rsplit('.').next().unwrap_or(name)
}

/// The actions that a process does somewhere.
fn done(machine: &Machine) -> FxHashSet<Action> {
    match &machine.term {
        Term::Process(lts, _) => lts.all_edges().map(|(_, edge)| edge.action).collect(),
        Term::Node(_) => FxHashSet::default(),
    }
}

/// What one component shares, and with whom.
struct Neighbours<'s> {
    /// How many values the last index has, and how many of them each other component knows.
    indexed: Groups<'s, (usize, FxHashMap<usize, usize>)>,
    /// The prefixes of those who share it: `{a,b}::P`.
    prefixes: FxHashSet<&'s str>,
    /// What shared actions are after one of these prefixes.
    endings: FxHashSet<&'s str>,
    /// Who shares something under a prefix.
    beginnings: Groups<'s, usize>,
}

impl<'s> Neighbours<'s> {
    fn of(
        number: usize,
        acting: &[&'s Machine],
        owners: &FxHashMap<Action, Vec<usize>>,
        system: &'s System,
    ) -> Neighbours<'s> {
        let mut neighbours = Neighbours {
            indexed: FxHashMap::default(),
            prefixes: prefixes(&acting[number].name),
            endings: FxHashSet::default(),
            beginnings: FxHashMap::default(),
        };
        for action in acting[number].alphabet(system) {
            let label = system.actions.name(*action);
            let others = owners[action].iter().filter(|&&owner| owner != number);
            if let Some(group) = indexed(label) {
                let (size, known) = neighbours.indexed.entry(group).or_default();
                *size += 1;
                for &owner in others.clone() {
                    *known.entry(owner).or_default() += 1;
                }
            }
            let (split, mut others) = (split(label, &neighbours.prefixes), others);
            if let (Some((beginning, ending)), Some(&owner)) = (split, others.next()) {
                neighbours.endings.insert(ending);
                neighbours.beginnings.entry(beginning).or_insert(owner);
            }
        }
        neighbours
    }

    /// Who seems to be missing in an action that nobody shares.
    fn partner(&self, label: &str) -> Option<usize> {
        if let Some((size, known)) = indexed(label).and_then(|group| self.indexed.get(group)) {
            let mut half: Vec<usize> = known
                .iter()
                .filter(|(_, count)| **count * 2 >= *size)
                .map(|(&owner, _)| owner)
                .collect();
            half.sort_unstable();
            if let Some(&first) = half.first() {
                return Some(first);
            }
        }
        let (beginning, ending) = split(label, &self.prefixes)?;
        let shared = self.endings.contains(ending);
        self.beginnings.get(beginning).copied().filter(|_| shared)
    }
}

/// A label without the number at its end.
fn indexed(label: &str) -> Option<&str> {
    let (group, index) = label.rsplit_once('.')?;
    index.parse::<i32>().is_ok().then_some(group)
}

/// The prefixes in `{a,b}::P`.
fn prefixes(component: &str) -> FxHashSet<&str> {
    let inside = component.split_once('{').and_then(|(_, rest)| {
        let (inside, rest) = rest.split_once('}')?;
        rest.starts_with("::").then_some(inside)
    });
    inside.map_or_else(FxHashSet::default, |inside| inside.split(',').collect())
}

/// A label in two: one of the prefixes, and the rest.
fn split<'l>(label: &'l str, prefixes: &FxHashSet<&str>) -> Option<(&'l str, &'l str)> {
    let mut dots = label.match_indices('.');
    dots.find_map(|(at, _)| {
        let halves = (&label[..at], &label[at + 1..]);
        prefixes.contains(halves.0).then_some(halves)
    })
}
