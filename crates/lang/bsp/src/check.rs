//! Answers.

use quotient_core::{Context, Evidence, Stop, Trouble, Verdict};
use quotient_language::{Answer, Ask, Exhibit};

use crate::certify::RUN;
use crate::every;
use crate::model::BspModel;
use crate::outcome::{answers, nobody_has, told};
use crate::run::run;
use crate::story;

pub(crate) fn check(
    model: &mut BspModel,
    ask: &Ask,
    cx: &Context,
    tell: &mut dyn FnMut(Answer),
) -> Result<(), Trouble> {
    let program = &model.program;
    if let Some(least) = program.least {
        for (number, asked) in program.questions.iter().enumerate() {
            if ask.properties.is_empty() || ask.properties.contains(&asked.name) {
                let mut answer = every::answer(&model.source, program, least, asked, ask, cx);
                answer.number = Some(number + 1);
                tell(answer);
            }
        }
        return Ok(());
    }
    let ended = run(program, &cx.budget);
    for (number, asked) in program.questions.iter().enumerate() {
        if !ask.properties.is_empty() && !ask.properties.contains(&asked.name) {
            continue;
        }
        let nobody = nobody_has(program, &asked.question);
        let mut answer = match (nobody, &ended) {
            (Some(why), _) => Answer::unknown(&asked.name, Stop::exhausted(why)),
            (None, Err(stop)) => Answer::unknown(&asked.name, stop.clone()),
            (None, Ok(ended)) => {
                let holds = answers(program, &asked.question, ended.kind, &ended.locals);
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
        };
        answer.number = Some(number + 1);
        tell(answer);
    }
    Ok(())
}
