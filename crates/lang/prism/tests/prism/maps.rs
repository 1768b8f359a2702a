//! Numbers over two variables or constants, as pictures.

use crate::common::{Asked, answers, open};
use quotient_language::Picture;

/// The number of every start is drawn over two variables: those named, or the two that differ.
#[test]
fn numbers_of_starts_are_drawn_over_two_variables() {
    let text = "dtmc
module m
  x : [0..2]; y : [1..2]; done : bool;
  [] !done -> x/4 : (done'=true) + 1-x/4 : (x'=0);
endmodule
init !done endinit";
    let drawn = |asked: &Asked| {
        let mut model = open(text, asked)?;
        let mut found = Vec::new();
        let ask = quotient_language::Ask {
            exhibits: true,
            properties: vec!["P=? [ X done ]".to_owned()],
            ..Default::default()
        };
        model.check(&ask, &quotient_core::Context::default(), &mut |answer| {
            found.extend(answer.exhibits);
        })?;
        Ok::<_, quotient_core::Trouble>(found)
    };
    let plain = Asked::property("P=? [ X done ]");
    let exhibits = drawn(&plain).expect("an answer");
    let Some(Picture::Grid(grid)) = &exhibits[0].picture else {
        panic!("no map: {exhibits:?}");
    };
    assert_eq!((grid.x.as_str(), grid.y.as_str()), ("x", "y"));
    assert_eq!(
        (&grid.columns[..], &grid.rows[..]),
        (
            &["0", "1", "2"].map(String::from)[..],
            &["2", "1"].map(String::from)[..]
        )
    );
    let texts = |row: usize| {
        grid.cells[row]
            .iter()
            .map(|tile| tile.text.as_str())
            .collect::<Vec<_>>()
    };
    assert_eq!(texts(0), ["0.000", "0.250", "0.500"]);
    assert_eq!(texts(1), texts(0));
    assert_eq!(exhibits[0].files[0].1.lines().nth(3), Some("2,1,0.5,0.5"));
    let turned = drawn(&plain.clone().setting("map", "y, x")).expect("an answer");
    let Some(Picture::Grid(grid)) = &turned[0].picture else {
        panic!("no map: {turned:?}");
    };
    assert_eq!((grid.columns.len(), grid.rows.len()), (2, 3));
    let wrong = drawn(&plain.clone().setting("map", "x,z")).expect_err("no variable");
    assert!(wrong.to_string().contains("no variable `z`"), "{wrong}");
    drawn(&plain.setting("map", "x")).expect_err("two are needed");
}

#[test]
fn numbers_are_drawn_over_two_constants() {
    let text = "dtmc const int a; const int b;
module m
  s : [0..1];
  [] s=0 -> a/10 + b/10 : (s'=1) + 1 - a/10 - b/10 : (s'=0);
endmodule";
    let asked = Asked::property("P=? [ X s=1 ]")
        .constant("a=1:3")
        .constant("b=2:3");
    let found = answers(text, &asked).expect("an answer");
    let Some(Picture::Grid(grid)) = &found[0].exhibits[0].picture else {
        panic!("no map: {found:?}");
    };
    let texts = |row: usize| {
        grid.cells[row]
            .iter()
            .map(|tile| tile.text.as_str())
            .collect::<Vec<_>>()
    };
    assert_eq!((grid.x.as_str(), grid.y.as_str()), ("a", "b"));
    assert_eq!(
        texts(0),
        ["0.400", "0.500", "0.600"],
        "the greatest b is above"
    );
    assert_eq!(texts(1), ["0.300", "0.400", "0.500"]);
}
