//! Answers.

use std::cell::OnceCell;

use quotient_core::{Context, Evidence, Stop, Trouble, Verdict};
use quotient_language::{Answer, Ask, Exhibit};

use crate::certify::RUN;
use crate::linear;
use crate::model::BspModel;
use crate::outcome::{answers, nobody_has, told};
use crate::program::{Asked, Question};
use crate::run::{Ended, run};
use crate::{every, story};

pub(crate) fn check(
    model: &mut BspModel,
    ask: &Ask,
    cx: &Context,
    tell: &mut dyn FnMut(Answer),
) -> Result<(), Trouble> {
    let program = &model.program;
    let mut questions: Vec<(Option<usize>, Asked)> = Vec::new();
    for (number, asked) in program.questions.iter().enumerate() {
        if ask.properties.is_empty() || ask.properties.contains(&asked.name) {
            questions.push((Some(number + 1), asked.clone()));
        }
    }
    for name in &ask.properties {
        if !questions.iter().any(|(_, asked)| asked.name == *name) {
            questions.push((None, model.question(name)?));
        }
    }
    // One run to the end decides all that is asked about it.
    let ended = OnceCell::new();
    for (number, asked) in &questions {
        let nobody = nobody_has(program, &asked.question);
        let mut answer = match (nobody, program.least, &asked.question) {
            (Some(why), ..) => Answer::unknown(&asked.name, Stop::exhausted(why)),
            (None, Some(least), _) => every::answer(&model.source, program, least, asked, ask, cx),
            (None, None, Question::Runs(formula)) => {
                let answer = linear::answer(program, &asked.name, formula, &cx.budget);
                answer.unwrap_or_else(|stop| Answer::unknown(&asked.name, stop))
            }
            (None, None, _) => match ended.get_or_init(|| run(program, &cx.budget)) {
                Err(stop) => Answer::unknown(&asked.name, stop.clone()),
                Ok(ended) => by_end(model, asked, ask, ended),
            },
        };
        answer.number = *number;
        tell(answer);
    }
    Ok(())
}

/// The answer to a question about the end.
fn by_end(model: &BspModel, asked: &Asked, ask: &Ask, ended: &Ended) -> Answer {
    let program = &model.program;
    let Some(holds) = answers(program, &asked.question, ended.kind, &ended.locals) else {
        let why = "an end does not decide it";
        return Answer::unknown(&asked.name, Stop::exhausted(why));
    };
    let (verdict, evidence) = match holds {
        true => (Verdict::Holds, Evidence::of_holds(RUN, &ended.run)),
        false => (Verdict::Violated, Evidence::of_violated(RUN, &ended.run)),
    };
    let (because, notes, details) = told(&model.source, program, ended);
    let mut answer = Answer::new(&asked.name, verdict)
        .because(because)
        .by("run")
        .with_evidence(evidence.about(&asked.name));
    answer.notes = notes;
    if let quotient_language::Json::Object(details) = details {
        answer.details.extend(details);
    }
    if !holds {
        answer.trace = Some(story::trace(program, &ended.run));
    }
    if ask.exhibits {
        answer.exhibits.push(Exhibit {
            name: "supersteps".to_owned(),
            caption: "what every processor does, barrier by barrier".to_owned(),
            picture: Some(story::picture(&model.name, program, &ended.run).into()),
            files: Vec::new(),
        });
    }
    answer
}
