//! The structures that the literature prints break laws.

use crate::algebra::{ActionLattice, MaxPlus, Norm, Three, Unit, check_laws};

/// An algebra with the residuals as the literature prints them.
struct Printed<A> {
    of: A,
    under: fn(&A, &str, &str) -> Option<String>,
    over: fn(&A, &str, &str) -> Option<String>,
}

impl<A: ActionLattice> ActionLattice for Printed<A> {
    type Grade = A::Grade;
    fn name(&self) -> &str {
        "printed"
    }
    fn meaning(&self) -> &str {
        ""
    }
    fn zero(&self) -> A::Grade {
        self.of.zero()
    }
    fn one(&self) -> A::Grade {
        self.of.one()
    }
    fn top(&self) -> A::Grade {
        self.of.top()
    }
    fn join(&self, a: &A::Grade, b: &A::Grade) -> A::Grade {
        self.of.join(a, b)
    }
    fn meet(&self, a: &A::Grade, b: &A::Grade) -> A::Grade {
        self.of.meet(a, b)
    }
    fn then(&self, a: &A::Grade, b: &A::Grade) -> A::Grade {
        self.of.then(a, b)
    }
    fn star(&self, a: &A::Grade) -> A::Grade {
        self.of.star(a)
    }
    fn under(&self, a: &A::Grade, b: &A::Grade) -> A::Grade {
        let printed = (self.under)(&self.of, &self.of.write(a), &self.of.write(b));
        printed.map_or_else(|| self.of.under(a, b), |text| self.of.read(&text).unwrap())
    }
    fn over(&self, b: &A::Grade, a: &A::Grade) -> A::Grade {
        let printed = (self.over)(&self.of, &self.of.write(b), &self.of.write(a));
        printed.map_or_else(|| self.of.over(b, a), |text| self.of.read(&text).unwrap())
    }
    fn read(&self, text: &str) -> Option<A::Grade> {
        self.of.read(text)
    }
    fn write(&self, grade: &A::Grade) -> String {
        self.of.write(grade)
    }
    fn spelling(&self) -> String {
        String::new()
    }
    fn sample(&self) -> Vec<A::Grade> {
        self.of.sample()
    }
}

fn witness(letters: &[(char, &str)]) -> Vec<(char, String)> {
    letters
        .iter()
        .map(|(name, grade)| (*name, (*grade).to_owned()))
        .collect()
}

#[test]
fn printed_structures_are_rejected_with_a_witness() {
    // Three values: `u -> F = u` is no residual of the minimum.
    let three = Printed {
        of: Three { lukasiewicz: false },
        under: |_, a, b| (a == "unknown" && b == "false").then(|| "unknown".to_owned()),
        over: |_, _, _| None,
    };
    let broken = check_laws(&three, &three.sample(), true).unwrap_err();
    assert_eq!(broken.number, 13);
    assert_eq!(
        broken.witness,
        witness(&[('a', "unknown"), ('b', "false"), ('x', "unknown")])
    );
    // Fuzzy: composition by minimum beside Łukasiewicz's implication.
    let fuzzy = Printed {
        of: Unit(Norm::Goedel),
        under: |of, a, b| {
            let (a, b) = (of.read(a)?, of.read(b)?);
            Some(of.write(&Unit(Norm::Lukasiewicz).under(&a, &b)))
        },
        over: |_, _, _| None,
    };
    let broken = check_laws(&fuzzy, &fuzzy.sample(), true).unwrap_err();
    assert_eq!(broken.number, 13);
    assert_eq!(
        broken.witness,
        witness(&[('a', "0.1"), ('b', "0"), ('x', "0.1")])
    );
    // Fuzzy: the printed `a <- b` is `1 - max(0, a + b - 1)`.
    let fuzzy = Printed {
        of: Unit(Norm::Lukasiewicz),
        under: |_, _, _| None,
        over: |of, b, a| {
            let both = of.then(&of.read(b)?, &of.read(a)?);
            Some(of.write(&of.under(&both, &of.zero())))
        },
    };
    let broken = check_laws(&fuzzy, &fuzzy.sample(), true).unwrap_err();
    assert_eq!(broken.number, 14);
    let of = |letter: char| {
        let found = broken.witness.iter().find(|(name, _)| *name == letter);
        fuzzy.of.read(&found.unwrap().1).unwrap()
    };
    let (a, b, x) = (of('a'), of('b'), of('x'));
    let composed = fuzzy.leq(&fuzzy.then(&x, &a), &b);
    assert_ne!(composed, fuzzy.leq(&x, &fuzzy.over(&b, &a)), "{broken}");
    // Law 16 fails as well: the star of what a grade leaves of itself is something else.
    let six = fuzzy.of.read("0.6").unwrap();
    let itself = fuzzy.over(&six, &six);
    assert_eq!(fuzzy.of.write(&itself), "0.8");
    assert_eq!(fuzzy.of.write(&fuzzy.star(&itself)), "1");
    // Resources: subtraction with its operands the other way round.
    let resources = Printed {
        of: MaxPlus,
        under: |of, a, b| {
            let (a, b) = (of.read(a)?, of.read(b)?);
            Some(of.write(&of.under(&b, &a)))
        },
        over: |_, _, _| None,
    };
    let broken = check_laws(&resources, &resources.sample(), true).unwrap_err();
    assert_eq!(broken.number, 13);
    assert!(
        broken
            .to_string()
            .starts_with("law 13, a;x <= b exactly if x <= a->b, fails for a = ")
    );
    let [one, two] = ["1", "2"].map(|text| MaxPlus.read(text).unwrap());
    assert!(MaxPlus.leq(&MaxPlus.then(&one, &one), &two));
    assert!(!MaxPlus.leq(&one, &resources.under(&one, &two)));
}
