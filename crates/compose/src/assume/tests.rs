//! Orders of the components that are tried in turn, with so little work that they have to be.

use proptest::prelude::*;
use quotient_core::Budget;

use super::*;
use crate::operations::complete;
use crate::support::premises::{premises_hold, replays};
use crate::support::*;
use crate::{Goals, explore};

const SHAPE: Shape = Shape {
    states: 4,
    letters: 4,
    silent: true,
    error: false,
    end: false,
};

proptest! {
    #[test]
    fn any_order_agrees_with_the_monolithic_search(
        plans in proptest::collection::vec(plans(SHAPE), 3..6),
        property in specifications(3, 4),
        work in 1u64..400,
    ) {
        let (actions, letters) = letters(4);
        let mut systems: Vec<Lts> = plans.iter().map(|plan| plan.lts(&letters)).collect();
        systems.push(complete(&property.lts(&letters)));
        let network = Network::new(&side_by_side(&actions, &systems), &Budget::unlimited()).unwrap();
        let property = [systems.len() - 1];
        let strategy = super::Strategy {
            rule: Rule::Circular,
            means: Means::Learn(Algorithm::LStar),
            alphabet: Alphabet::Whole,
            decomposition: Decomposition::Separate,
        };
        let components = network.components().iter();
        let parts: Vec<Arc<Part>> = components.map(|one| Part::new(one.lts.clone())).collect();
        let task = Task {
            network: &network,
            property: &property,
            strategy: &strategy,
            watchers: vec![parts[property[0]].clone()],
            parts,
        };
        let mut statistics = Statistics::default();
        let mut cx = Context::default();
        let (groups, outcome) = task.in_some_order(work, &mut statistics, &mut cx).unwrap();
        prop_assert_eq!(groups.first(), groups.last());
        let goals = Goals { deadlock: false, error: true };
        let whole = explore(&network, goals, 1, &cx).unwrap();
        match outcome {
            Conclusion::Holds(assumptions) => {
                let (rule, property) = (Rule::Circular, property.to_vec());
                let proof = Proof { rule, property, groups, assumptions };
                prop_assert!(whole.finding.is_none());
                prop_assert!(premises_hold(&network, &proof));
            }
            Conclusion::Violated(word) => {
                prop_assert!(whole.finding.is_some());
                let events = realised(task.parts.clone(), &word, &cx).unwrap();
                prop_assert!(replays(&network, &events));
            }
            Conclusion::Unknown(stop) => prop_assert!(false, "{}", stop),
        }
    }
}
