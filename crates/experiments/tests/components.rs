//! The published experiments on the models at hand.

#[path = "../../compose/tests/support/models.rs"]
mod models;

use quotient_compose::Network;
use quotient_core::{Budget, Context, Verdict};
use quotient_experiments::components::{
    Case, Row, Run, Split, measure, measure_sides, rows, sides,
};

#[test]
fn published_sizes_of_mer_are_met_where_the_method_fixes_them() {
    let is_ours = |row: &&Row| {
        let is_refined = matches!(
            row.run,
            Run::Assumptions { split: Split::Every | Split::Two, alphabet, .. }
                if alphabet != quotient_compose::Alphabet::Whole
        );
        row.case == Case::Mer && (is_refined || row.run == Run::Monolithic)
    };
    let rows = rows();
    let mut met = 0;
    for row in rows.iter().filter(is_ours) {
        let system = models::mer(row.size as usize, false);
        let network = Network::new(&system, &Budget::unlimited()).unwrap();
        let measured = measure(row, &network, 1, &mut Context::default());
        assert_eq!(measured.verdict, Verdict::Holds, "{row:?}");
        if let (Some(ours), Some(theirs)) = (measured.assumption_states, row.published.states)
            && row.published.seconds.is_some()
        {
            assert_eq!(ours, theirs as usize, "{row:?}");
            met += 1;
        }
    }
    assert!(met >= 25, "{met}");
}

#[test]
fn the_first_group_is_never_everything() {
    let network = Network::new(&models::mer(4, false), &Budget::unlimited()).unwrap();
    assert_eq!(Case::Mer.first_group(&network), [0, 1]);
    assert!(Case::GasStation.first_group(&network).is_empty());
}

#[test]
fn the_sides_of_mer_are_users_and_the_rest() {
    let sides = sides();
    assert_eq!(sides.len(), 27);
    let mer = sides.iter().find(|sides| sides.case == Case::Mer).unwrap();
    let network = Network::new(&models::mer(2, false), &Budget::unlimited()).unwrap();
    // A user with the property: 13 states; the other with the arbiter: 33.
    let measured = measure_sides(mer, &network, &Context::default());
    assert_eq!(measured, Ok((13, 33)));
}
