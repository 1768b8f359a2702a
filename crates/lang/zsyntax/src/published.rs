//! The published deduction function, to the letter (Ahmad, Hasan, Siddique and Tahar, 2014).
//!
//! Aggregates are lists; the last pair of elements that a reaction fits fires, its products go to
//! the end, and there are as many firings as there are reactions. Two oddities are kept, and
//! reported: an element may pair with itself, which removes an innocent neighbour, and a pathway
//! that needs more firings is cut short. (The two helper functions that the publication leaves
//! out are reconstructed; empty lists give themselves.)

/// A complex, or a molecule alone.
pub(crate) type Complex = Vec<String>;

/// A reaction: what the two elements must flatten to, and what they become.
pub(crate) type Formula = (Complex, Vec<Complex>);

/// What the function does, firing by firing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Deduction {
    /// The aggregate before the first firing and after each.
    pub(crate) lists: Vec<Vec<Complex>>,
    /// Which reaction fired for which two elements.
    pub(crate) fired: Vec<(usize, usize, usize)>,
    /// Whether another firing would have been possible.
    pub(crate) cut_short: bool,
}

impl Deduction {
    /// The aggregate at the end.
    pub(crate) fn last(&self) -> &[Complex] {
        self.lists.last().map_or(&[], Vec::as_slice)
    }

    /// Whether an element paired with itself.
    pub(crate) fn pairs_itself(&self) -> bool {
        self.fired.iter().any(|(_, m, n)| m == n)
    }
}

/// `z_del`: without two elements, the one further back first.
pub(crate) fn delete_both(list: &[Complex], m: usize, n: usize) -> Vec<Complex> {
    delete(&delete(list, m.max(n)), m.min(n))
}

/// `del`: without one element.
pub(crate) fn delete(list: &[Complex], at: usize) -> Vec<Complex> {
    let mut list = list.to_vec();
    if at < list.len() {
        list.remove(at);
    }
    list
}

/// One firing: the first that fits, with all of `m`, `n` and the reactions from last to first.
fn step(
    list: &[Complex],
    formulas: &[Formula],
    guarded: bool,
) -> Option<(usize, usize, usize, Vec<Complex>)> {
    for m in (0..list.len()).rev() {
        for n in (0..list.len()).rev() {
            if guarded && m == n {
                continue;
            }
            let joined = [&list[m][..], &list[n][..]].concat();
            let fits = formulas.iter().rposition(|(left, _)| *left == joined);
            if let Some(reaction) = fits {
                let longer = [list, &formulas[reaction].1].concat();
                return Some((reaction, m, n, delete_both(&longer, m, n)));
            }
        }
    }
    None
}

/// `z_deduction`, with as many firings as there are reactions unless it is said otherwise;
/// guarded, no element pairs with itself.
pub(crate) fn deduce(
    list: &[Complex],
    formulas: &[Formula],
    firings: Option<usize>,
    guarded: bool,
) -> Deduction {
    let mut deduction = Deduction {
        lists: vec![list.to_vec()],
        ..Deduction::default()
    };
    let most = firings.unwrap_or(formulas.len());
    loop {
        let next = step(deduction.last(), formulas, guarded);
        match next {
            None => return deduction,
            Some(_) if deduction.fired.len() >= most => {
                deduction.cut_short = true;
                return deduction;
            }
            Some((reaction, m, n, list)) => {
                deduction.fired.push((reaction, m, n));
                deduction.lists.push(list);
            }
        }
    }
}

/// `z_conj_elim`: whether the wanted element is in the list.
pub(crate) fn contains(list: &[Complex], wanted: &[String]) -> bool {
    list.iter().any(|complex| complex == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> Vec<Complex> {
        let complex = |word: &str| word.split('*').map(str::to_owned).collect();
        text.split_whitespace().map(complex).collect()
    }

    fn formulas(texts: &[&str]) -> Vec<Formula> {
        let formula = |text: &&str| {
            let (left, right) = text.split_once("->").unwrap();
            (list(left).concat(), list(right))
        };
        texts.iter().map(formula).collect()
    }

    const GLYCOLYSIS: [&str; 5] = [
        "Glc*HK -> HK*Glc",
        "HK*Glc*ATP -> HK G6P ADP",
        "G6P*GPI -> F6P GPI",
        "F6P*PFK -> PFK*F6P",
        "PFK*F6P*ATP -> PFK F16P ADP",
    ];

    #[test]
    fn glycolysis_gives_the_published_lists() {
        let start = list("Glc HK GPI PFK ATP ATP");
        let deduction = deduce(&start, &formulas(&GLYCOLYSIS), None, false);
        let expected = [
            "Glc HK GPI PFK ATP ATP",
            "GPI PFK ATP ATP HK*Glc",
            "GPI PFK ATP HK G6P ADP",
            "PFK ATP HK ADP F6P GPI",
            "ATP HK ADP GPI PFK*F6P",
            "HK ADP GPI PFK F16P ADP",
        ];
        assert_eq!(deduction.lists, expected.map(list));
        assert!(contains(deduction.last(), &["F16P".to_owned()]) && !deduction.cut_short);
    }

    #[test]
    fn one_unit_of_energy_is_not_enough() {
        let start = list("Glc HK GPI PFK ATP");
        let deduction = deduce(&start, &formulas(&GLYCOLYSIS), None, false);
        assert_eq!(deduction.last(), list("HK ADP GPI PFK*F6P"));
        let without = list("Glc GPI PFK ATP ATP");
        let unchanged = deduce(&without, &formulas(&GLYCOLYSIS), None, false);
        assert_eq!(unchanged.last(), without);
    }

    #[test]
    fn the_order_of_the_list_decides_a_competition() {
        let rules = formulas(&["A*B -> X", "A*C -> Y"]);
        let end = |text: &str| deduce(&list(text), &rules, None, false).last().to_vec();
        assert_eq!(end("A B C"), list("B Y"));
        assert_eq!(end("A C B"), list("C X"));
    }

    #[test]
    fn firings_run_out() {
        let rules = formulas(&["A*B -> C"]);
        let deduction = deduce(&list("A A B B"), &rules, None, false);
        assert_eq!(deduction.last(), list("A B C"));
        assert!(deduction.cut_short);
        assert_eq!(
            deduce(&list("A A B B"), &rules, Some(9), false).last(),
            list("C C")
        );
        let start = list("Glc Glc HK GPI PFK ATP ATP ATP ATP");
        let count = |firings| {
            let deduction = deduce(&start, &formulas(&GLYCOLYSIS), firings, false);
            deduction
                .last()
                .iter()
                .filter(|one| **one == ["F16P"])
                .count()
        };
        assert_eq!((count(None), count(Some(50))), (1, 2));
    }

    #[test]
    fn an_element_that_pairs_with_itself_destroys_its_neighbour() {
        let rules = formulas(&["A*A -> D"]);
        let deduction = deduce(&list("A B"), &rules, None, false);
        assert_eq!(deduction.last(), list("D"));
        assert!(deduction.pairs_itself());
        assert!(deduce(&list("A"), &rules, None, false).last().is_empty());
        assert_eq!(deduce(&list("A B"), &rules, None, true).last(), list("A B"));
    }

    #[test]
    fn empty_lists_give_themselves() {
        assert!(
            deduce(&[], &formulas(&GLYCOLYSIS), None, false)
                .last()
                .is_empty()
        );
        assert_eq!(deduce(&list("A"), &[], None, false).last(), list("A"));
    }

    fn random_list(
        u: &mut quotient_trial::arbitrary::Unstructured<'_>,
    ) -> quotient_trial::arbitrary::Result<Vec<Complex>> {
        let mut all = Vec::new();
        for _ in 0..u.int_in_range(0..=6)? {
            let mut complex = vec![u.choose(&["A", "B", "C", "D"])?.to_string()];
            if u.ratio(1, 4)? {
                complex.push(u.choose(&["A", "B"])?.to_string());
            }
            all.push(complex);
        }
        Ok(all)
    }

    #[test]
    fn the_laws_of_deletion_hold() {
        quotient_trial::trial(|u| {
            let (l, e) = (random_list(u)?, random_list(u)?);
            if l.is_empty() {
                return Ok(());
            }
            let m = u.int_in_range(0..=l.len() - 1)?;
            let longer = [&l[..], &e[..]].concat();
            assert_eq!(delete(&longer, m), [delete(&l, m), e].concat());
            assert_eq!(delete(&l, m).len(), l.len() - 1);
            for n in m + 1..l.len() {
                assert_eq!(delete(&l, n)[m], l[m]);
            }
            assert!(delete(&l, m).iter().all(|one| l.contains(one)));
            let distinct = l.iter().enumerate().all(|(at, one)| !l[..at].contains(one));
            assert!(!distinct || !delete(&l, m).contains(&l[m]));
            Ok(())
        })
        .budget_ms(500);
    }

    #[test]
    fn where_nothing_fits_nothing_changes() {
        quotient_trial::trial(|u| {
            let l = random_list(u)?;
            let rules: Vec<Formula> = random_list(u)?
                .into_iter()
                .map(|left| {
                    (
                        [left, vec!["A".to_owned()]].concat(),
                        vec![vec!["X".to_owned()]],
                    )
                })
                .collect();
            let fits = l.iter().any(|m| {
                l.iter().any(|n| {
                    let joined = [&m[..], &n[..]].concat();
                    rules.iter().any(|(left, _)| *left == joined)
                })
            });
            let deduction = deduce(&l, &rules, None, false);
            assert_eq!(
                deduction.last() == l && deduction.fired.is_empty(),
                !fits || rules.is_empty()
            );
            Ok(())
        })
        .budget_ms(1000);
    }

    #[test]
    fn a_single_reaction_among_distinct_elements_is_the_only_change() {
        quotient_trial::trial(|u| {
            // All elements are molecules of their own; one pair reacts.
            let size = u.int_in_range(2..=6)?;
            let l: Vec<Complex> = (0..size).map(|at| vec![format!("m{at}")]).collect();
            let m = u.int_in_range(0..=size - 1)?;
            let n = (m + u.int_in_range(1..=size - 1)?) % size;
            let products: Vec<Complex> = (0..u.int_in_range(1..=3)?)
                .map(|at| vec![format!("p{at}")])
                .collect();
            let mut rules = vec![(vec!["x".to_owned(), "y".to_owned()], list("z"))];
            let at = u.int_in_range(0..=1)?;
            rules.insert(
                at,
                ([l[m].clone(), l[n].clone()].concat(), products.clone()),
            );
            let deduction = deduce(&l, &rules, None, false);
            let expected = delete_both(&[l, products].concat(), m, n);
            assert_eq!(deduction.last(), expected);
            Ok(())
        })
        .budget_ms(1000);
    }
}
