//! What the workbench promises, whatever a language does.

use std::time::{Duration, Instant};

use quotient_core::{
    Budget, Certified, Context, Diagnostic, Evidence, Rejection, Source, Span, Stop, Trouble,
    Verdict,
};
use quotient_language::{
    ALLOW_EMPTY, About, Answer, Ask, Files, Input, Language, Model, Property, Settings, Sureness,
    Verb,
};
use quotient_workbench::{Pins, Request, Workbench};

/// Each word of a text is a property; the word says what its check does.
struct Words;

const ABOUT: About = About {
    id: "promises",
    name: "Promises",
    text: "a list of promises",
    line: "",
    endings: &[],
    offers: &[Verb::Check, Verb::Certify],
    settings: &[ALLOW_EMPTY],
    formats: &[],
    starter: "",
    methods: Vec::new,
    examples: &[],
    guide: "",
};

impl Language for Words {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognises(&self, input: &Input) -> Sureness {
        match input.name().starts_with("guess") {
            true => Sureness::ByName,
            false => Sureness::Certain,
        }
    }

    fn open(
        &self,
        input: &Input,
        _: &mut dyn Files,
        _: &Settings,
        _: &Context,
    ) -> Result<Box<dyn Model>, Trouble> {
        let source = input.require_text()?;
        let text = source.text();
        if let Some(at) = text.find("unreadable") {
            let span = Span::new(at, at + 10);
            let wrong = Diagnostic::error("syntax", "no promise").at(source, span, "");
            return Err(wrong.into());
        }
        Ok(Box::new(Opened(
            text.split_whitespace().map(str::to_owned).collect(),
        )))
    }
}

struct Opened(Vec<String>);

impl Model for Opened {
    fn properties(&self) -> Vec<Property> {
        let property = |name: &String| Property {
            name: name.clone(),
            text: name.clone(),
            in_file: true,
            ..Property::default()
        };
        self.0.iter().map(property).collect()
    }

    /// A name may be written carelessly.
    fn property(&mut self, name: &str) -> Result<Property, Trouble> {
        let mut all = self.properties().into_iter();
        all.find(|one| one.name == name.trim())
            .ok_or_else(|| Trouble::usage("there is no such property"))
    }

    fn can_begin(&mut self, _: &Budget) -> Result<bool, Trouble> {
        Ok(self.0.first().is_none_or(|first| first != "nothing"))
    }

    fn check(
        &mut self,
        _: &Ask,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        for name in &self.0 {
            match name.as_str() {
                "panics" => panic!("on purpose"),
                // An operation of a library that looks at no budget.
                "sleeps" => std::thread::sleep(Duration::from_secs(20)),
                "stops" => cx.budget.interrupt(),
                "mistaken" => return Err(Trouble::usage("divided by zero")),
                "skipped" => continue,
                "again" => {
                    tell(Answer::new(name, Verdict::Holds));
                    tell(Answer::new(name, Verdict::Holds).because("explained"));
                    tell(Answer::unknown(name, Stop::Time));
                    continue;
                }
                "slowly" => {
                    tell(Answer::new(name, Verdict::Violated));
                    std::thread::sleep(Duration::from_secs(20));
                }
                _ => {}
            }
            let evidence = Evidence::of_holds("promise", &()).about(name);
            tell(Answer::new(name, Verdict::Holds).with_evidence(evidence));
        }
        Ok(())
    }

    fn certify(
        &mut self,
        evidence: &Evidence,
        _: &Property,
        _: &Budget,
    ) -> Result<Certified, Rejection> {
        Ok(Certified {
            property: evidence.property.clone().unwrap_or_default(),
            facts: Vec::new(),
        })
    }
}

fn workbench() -> Workbench {
    Workbench::empty().with(&Words)
}

fn request(text: &str, settings: &[(&str, &str)]) -> Request {
    let mut request = Request::of(Input::text(&Source::new("promises", text)));
    let own = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
    request.settings = settings.iter().map(own).collect();
    request
}

fn check(text: &str, settings: &[(&str, &str)], time: Duration) -> Vec<Answer> {
    let cx = Context {
        budget: Budget::new(Some(time), None),
        ..Context::default()
    };
    let checked = workbench().check(request(text, settings), &Ask::default(), &cx, |_| {});
    checked.unwrap().answers
}

const LONG: Duration = Duration::from_secs(60);

#[test]
fn an_internal_error_takes_no_answer_back() {
    let answers = check("one panics two", &[], LONG);
    let verdicts: Vec<bool> = answers
        .iter()
        .map(|one| one.verdict.is_definite())
        .collect();
    assert_eq!(verdicts, [true, false, false]);
    assert!(answers[2].because.contains("internal error"));
}

#[test]
fn a_mistake_that_shows_late_takes_no_answer_back() {
    let answers = check("one mistaken two", &[], LONG);
    assert_eq!(answers[0].verdict, Verdict::Holds);
    for open in &answers[1..] {
        assert!(!open.verdict.is_definite(), "{open:?}");
        assert!(open.because.contains("divided by zero"), "{open:?}");
    }
    // Where nothing was told before, it is all there is to say.
    let cx = Context::default();
    let checked = workbench().check(request("mistaken", &[]), &Ask::default(), &cx, |_| {});
    assert!(matches!(checked, Err(Trouble::Invalid(_))));
}

#[test]
fn nothing_is_true_of_an_empty_text() {
    for text in ["", " \n\t\r\n"] {
        let cx = Context::default();
        let checked = workbench().check(request(text, &[]), &Ask::default(), &cx, |_| {});
        let Err(Trouble::Invalid(why)) = checked else {
            panic!("{checked:?}")
        };
        assert_eq!(why[0].code, "empty-file");
    }
}

#[test]
fn answers_that_were_told_before_a_limit_stay() {
    let start = Instant::now();
    let answers = check("one sleeps two", &[], Duration::from_millis(100));
    assert_eq!(answers[0].verdict, Verdict::Holds);
    assert_eq!(answers[1].verdict, Verdict::Unknown(Stop::Time));
    assert_eq!(answers[2].verdict, Verdict::Unknown(Stop::Time));
    assert!(start.elapsed() < Duration::from_secs(15));
}

#[test]
fn a_question_that_is_passed_over_is_unknown() {
    let answers = check("one skipped two", &[], LONG);
    let names: Vec<&str> = answers.iter().map(|one| one.property.as_str()).collect();
    assert_eq!(names, ["one", "skipped", "two"]);
    assert!(!answers[1].verdict.is_definite() && answers[1].evidence.is_none());
    assert!(answers[0].verdict.is_definite() && answers[2].verdict.is_definite());
}

#[test]
fn a_verdict_that_is_told_again_is_one_and_stays() {
    let answers = check("again one again", &[], LONG);
    let told = answers.iter().map(|one| (&*one.property, &*one.because));
    let told: Vec<(&str, &str)> = told.collect();
    // Two questions have one name: how often either was told cannot be seen.
    assert_eq!(told.iter().filter(|one| one.0 == "again").count(), 2);
    assert!(answers.iter().all(|one| one.verdict == Verdict::Holds));
    let answers = check("again one", &[], LONG);
    assert_eq!(answers.len(), 2);
    assert_eq!(answers[0].because, "explained");
    assert_eq!(answers[0].verdict, Verdict::Holds);
}

#[test]
fn a_verdict_is_there_while_it_is_explained() {
    let start = Instant::now();
    let answers = check("one slowly two", &[], Duration::from_millis(100));
    assert_eq!(answers[1].verdict, Verdict::Violated);
    assert_eq!(answers[2].verdict, Verdict::Unknown(Stop::Time));
    assert!(start.elapsed() < Duration::from_secs(15));
}

fn certify(text: &str, evidence: Evidence) -> Result<(), Rejection> {
    let all = vec![evidence];
    let judged = workbench().certify(
        request(text, &[]),
        all,
        &Pins::default(),
        &Context::default(),
    );
    judged.unwrap().remove(0).outcome.map(|_| ())
}

#[test]
fn what_has_no_beginning_holds_only_if_that_is_allowed() {
    let unknown = check("nothing", &[], LONG).remove(0);
    assert!(!unknown.verdict.is_definite() && unknown.evidence.is_none());
    let allowed = check("nothing", &[("allow-empty", "")], LONG).remove(0);
    assert_eq!(allowed.verdict, Verdict::Holds);
    let evidence = allowed.evidence.unwrap();
    assert_eq!(certify("nothing", evidence.clone()), Ok(()));
    // The same without the word of the user.
    let mut silent = evidence;
    silent.settings.clear();
    assert!(matches!(
        certify("nothing", silent),
        Err(Rejection::Stopped(_))
    ));
}

#[test]
fn a_name_that_nearly_fits_is_none() {
    let mut evidence = check("one", &[], LONG).remove(0).evidence.unwrap();
    assert_eq!(certify("one", evidence.clone()), Ok(()));
    evidence.property = Some("one ".to_owned());
    assert!(matches!(certify("one", evidence), Err(Rejection::Wrong(_))));
}

/// Who gives a file a wrong ending is told what it was read as, if its first word already says that it is something else.
#[test]
fn what_is_guessed_by_the_name_alone_is_told_where_nothing_can_be_read() {
    let told = |name: &str, text: &str, language: Option<&str>| {
        let workbench = workbench();
        let mut request = Request::of(Input::text(&Source::new(name, text)));
        request.language = language.map(str::to_owned);
        match workbench.open(&mut request, Verb::Check, &Context::default()) {
            Err(Trouble::Invalid(all)) => all[0].notes.join(" ").contains("a list of promises"),
            _ => panic!("it was read"),
        }
    };
    assert!(told("guess", " \n unreadable", None));
    assert!(!told("guess", "kept unreadable", None));
    assert!(!told("guess", "unreadable", Some("promises")));
    assert!(!told("sure", "unreadable", None));
}
