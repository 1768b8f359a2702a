//! The sizes of the two sides of each system (tables 5.8 and 5.9).

use quotient_compose::{Decomposition, Network};
use quotient_core::{Context, Stop};

use super::{Case, Split, two};

/// Published sizes: the states of the first side composed with the property, and of the
/// second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sides {
    /// The number of the table.
    pub table: &'static str,
    /// The system.
    pub case: Case,
    /// How large it is.
    pub size: u32,
    /// How it was taken apart.
    pub split: Split,
    /// The states of both sides.
    pub states: (u32, u32),
}

/// All published sizes.
pub fn sides() -> Vec<Sides> {
    let row = |table, split| {
        move |&(case, size, first, second): &(Case, u32, u32, u32)| Sides {
            table,
            case,
            size,
            split,
            states: (first, second),
        }
    };
    let original = ORIGINAL.iter().map(row("5.8", Split::Two));
    let balanced = BALANCED.iter().map(row("5.9", Split::Balanced));
    original.chain(balanced).collect()
}

/// The sizes of both sides of a model.
pub fn measure_sides(
    sides: &Sides,
    network: &Network,
    cx: &Context,
) -> Result<(usize, usize), Stop> {
    let components = network.components();
    let property: Vec<usize> = (0..components.len())
        .filter(|&at| components[at].lts.has_error())
        .collect();
    let decomposition = match sides.split {
        Split::Balanced => Decomposition::Halves,
        Split::Two | Split::Every => Decomposition::Given(two(sides.case, network)),
    };
    let groups = decomposition.groups(network, &property);
    let size = |group: Option<&Vec<usize>>, property: &[usize]| -> Result<usize, Stop> {
        let members = group.into_iter().flatten().chain(property);
        let members: Vec<usize> = members.copied().collect();
        network.states_of(&members, &cx.budget)
    };
    Ok((size(groups.first(), &property)?, size(groups.get(1), &[])?))
}

const ORIGINAL: [(Case, u32, u32, u32); 15] = [
    (Case::GasStation, 3, 1960, 643),
    (Case::GasStation, 4, 16464, 1623),
    (Case::GasStation, 5, 134456, 3447),
    (Case::ChironOrder, 2, 237, 102),
    (Case::ChironOrder, 3, 449, 1122),
    (Case::ChironOrder, 4, 804, 5559),
    (Case::ChironOrder, 5, 2030, 129228),
    (Case::ChironCause, 2, 258, 102),
    (Case::ChironCause, 3, 482, 1122),
    (Case::ChironCause, 4, 846, 5559),
    (Case::ChironCause, 5, 2084, 129228),
    (Case::Mer, 2, 143, 1270),
    (Case::Mer, 3, 6683, 7138),
    (Case::Mer, 4, 307623, 22886),
    (Case::Rover, 2, 544, 41),
];

const BALANCED: [(Case, u32, u32, u32); 12] = [
    (Case::GasStation, 3, 1692, 1942),
    (Case::GasStation, 4, 4608, 6324),
    (Case::GasStation, 5, 31411, 32768),
    (Case::ChironOrder, 2, 906, 924),
    (Case::ChironOrder, 3, 6104, 6026),
    (Case::ChironOrder, 4, 1308, 1513),
    (Case::ChironOrder, 5, 11157, 11748),
    (Case::ChironCause, 2, 168, 176),
    (Case::ChironCause, 3, 4240, 4186),
    (Case::ChironCause, 4, 4156, 4142),
    (Case::ChironCause, 5, 16431, 16840),
    (Case::Mer, 4, 10045, 66230),
];
