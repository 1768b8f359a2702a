//! Names with dots and indices, as flattened models have them.

use quotient_core::Source;
use quotient_smv::File;

/// As a flattened model has them: each is one name, however it is spaced.
#[test]
fn names_may_have_dots_and_indices() {
    let text = "MODULE main
        VAR cell.on : boolean; bit[0] : boolean; bit[-1].v.2 : 0..3; x.0 : boolean;
        DEFINE x := x.0 ? 1 : 0; cell.off := !cell.on; left := cell . off; right := !cell.on; two := bit [-1].v.2;
        ASSIGN init(bit[0]) := case cell.on : TRUE; TRUE : FALSE; esac; next(cell.on) := bit[0];
        SPEC NAME cell.all := AG cell.off";
    let mut file = File::read(&Source::new("m.smv", text)).unwrap();
    let variables = file.program().variables().iter();
    let names: Vec<&str> = variables.map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["cell.on", "bit[0]", "bit[-1].v.2", "x.0"]);
    let defines = file.program().defines();
    let named = |name: &str| defines.iter().find(|(one, _)| one == name).unwrap().1;
    assert_eq!(named("left"), named("cell.off"));
    assert_eq!(named("left"), named("right"));
    assert_eq!(file.program().assignments().len(), 2);
    // A formula from outside knows them, too.
    let asked = Source::new("formula", "AG (bit[0] -> bit[-1].v.2 < 3)");
    assert!(file.formula(&asked, None).is_ok());
}

/// A name of a specification, or a definition for an instance, makes no new name of its members.
#[test]
fn members_of_instances_are_not_names_with_dots() {
    let text = "MODULE side(outer) VAR go : boolean; DEFINE outer.seen := go;
        MODULE main VAR left : side(self); DEFINE left.ack := left.go; x := left.ack; y := seen;
        SPEC NAME left.go := AG (left.go -> left.ack)";
    let file = File::read(&Source::new("m.smv", text)).unwrap();
    assert_eq!(file.program().variables().len(), 1);
    let defines = file.program().defines();
    let named = |name: &str| defines.iter().find(|(one, _)| one == name).unwrap().1;
    assert_eq!(named("x"), named("y"));
}
