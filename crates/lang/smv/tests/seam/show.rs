//! What there is to see of a model.

use quotient_core::{Context, Trouble};
use quotient_language::{Block, Picture, Shown, Verb, Viewed};

use super::{gallery, open, open_with, settings};

const LIGHT: &str = "
    MODULE main
    VAR light : {red, green}; timer : 0..3; car : boolean;
    IVAR button : boolean;
    DEFINE late := timer = 3;
    ASSIGN
      init(light) := red;
      next(light) := case late : green; TRUE : red; esac;
      init(timer) := 0;
      next(timer) := case button & timer < 3 : timer + 1; TRUE : 0; esac;
    TRANS next(car) -> light = red
    CTLSPEC NAME live := AG EF light = green
    COMPUTE MIN [light = red, light = green]
";

fn show(part: Option<&str>, over: Option<&str>) -> Result<Shown, Trouble> {
    let over: Vec<(&str, &str)> = over.map(|names| ("over", names)).into_iter().collect();
    let mut model = open_with(LIGHT, &settings(Verb::Show, &over))?;
    let view = Viewed {
        part: part.map(str::to_owned),
        picture: true,
    };
    model.show(&view, &Context::default())
}

fn fact(shown: &Shown, name: &str) -> String {
    let text = shown.blocks.iter().find_map(|block| match block {
        Block::Fact(fact, text) if fact == name => Some(text.clone()),
        _ => None,
    });
    text.unwrap_or_default()
}

fn graphs(shown: &Shown) -> Vec<(String, usize, usize)> {
    let graphs = shown.pictures.iter().filter_map(|picture| match picture {
        Picture::Graph(graph) => Some((graph.title.clone(), graph.nodes.len(), graph.edges.len())),
        _ => None,
    });
    graphs.collect()
}

#[test]
fn a_model_is_told_in_numbers_and_pictures() {
    let shown = show(None, None).unwrap();
    assert_eq!(
        fact(&shown, "size"),
        "3 variables, 1 input, 1 definition, 2 specifications; 5 bits"
    );
    assert_eq!(shown.result["reachable"]["states"], "10");
    assert_eq!(shown.result["variables"][1]["type"], "0..3");
    assert_eq!(shown.result["specifications"][1]["kind"], "COMPUTE");
    let graphs = graphs(&shown);
    assert_eq!(graphs[0].1, 10, "states");
    assert_eq!(graphs[1].1, 4, "variables");
}

#[test]
fn states_are_seen_through_chosen_variables() {
    let shown = show(None, Some("timer")).unwrap();
    let Picture::Graph(graph) = &shown.pictures[0] else {
        panic!("states are a graph");
    };
    let labels: Vec<&str> = graph.nodes.iter().map(|node| node.label.as_str()).collect();
    assert_eq!(labels, ["timer = 0", "timer = 1", "timer = 2", "timer = 3"]);
    let mut edges: Vec<(usize, usize)> = graph
        .edges
        .iter()
        .map(|edge| (edge.source, edge.target))
        .collect();
    edges.sort_unstable();
    assert_eq!(
        edges,
        [(0, 0), (0, 1), (1, 0), (1, 2), (2, 0), (2, 3), (3, 0)]
    );
    assert!(graph.nodes[0].initial && !graph.nodes[1].initial);
    assert!(
        show(None, Some("tmier"))
            .unwrap_err()
            .to_string()
            .contains("tmier")
    );
}

#[test]
fn parts_are_shown_alone() {
    let light = show(Some("light"), None).unwrap();
    assert_eq!(fact(&light, "next"), "case late : green; TRUE : red; esac");
    assert_eq!(fact(&light, "depends on"), "timer");
    assert_eq!(fact(&light, "matters for"), "car");
    assert_eq!(graphs(&light)[0].1, 3);
    assert_eq!(
        fact(&show(Some("late"), None).unwrap(), "mentions"),
        "timer"
    );
    let spec = show(Some("live"), None).unwrap();
    assert_eq!(fact(&spec, "formula"), "AG EF light = green");
    assert_eq!(fact(&spec, "mentions"), "light");
    assert!(show(Some("2"), None).is_ok());
    let Err(Trouble::Invalid(mistakes)) = show(Some("lihgt"), None) else {
        panic!("there is no such part");
    };
    assert!(mistakes[0].help[0].contains("light"));
}

#[test]
fn the_gallery_can_be_shown() {
    for (name, text) in gallery() {
        let view = Viewed {
            part: None,
            picture: true,
        };
        let shown = open(text).show(&view, &Context::default()).unwrap();
        assert!(!shown.pictures.is_empty(), "{name}");
        assert!(shown.result["reachable"]["states"].is_string(), "{name}");
    }
}

#[test]
fn a_model_with_mistakes_of_values_can_still_be_shown() {
    let text = "MODULE main VAR x : 0..3; ASSIGN next(x) := x + 1;";
    let shown = open(text)
        .show(&Viewed::default(), &Context::default())
        .unwrap();
    assert!(fact(&shown, "reachable").contains("mistakes"));
}
