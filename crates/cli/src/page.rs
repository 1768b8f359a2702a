//! `--out FOLDER`: everything about a check as files, and a page that shows it.

use std::path::Path;
use std::time::Duration;

use quotient_core::{Context, Diagnostic, Event, Source};
use quotient_language::{Shown, Verb, Viewed};
use quotient_report::Findings;
use quotient_web::{Beside, report_page};
use quotient_workbench::{Checked, Request, Workbench, apart};

use crate::{files, outputs::write_file};

/// Makes the folder, before any work is done, with a page that says that there is more to come. Where
/// there is no room for that page the work is done all the same: the verdict is told, and that the
/// files are missing.
pub(crate) fn prepare(folder: &str) -> Result<(), Diagnostic> {
    std::fs::create_dir_all(folder).map_err(|error| {
        Diagnostic::error(
            "unwritable",
            format!("cannot make the folder `{folder}`: {error}"),
        )
    })?;
    let page = Path::new(folder).join("index.html");
    if page.is_file()
        && !is_under_way(&page)
        && !names_of_former(folder).any(|name| name == "index.html")
    {
        return Err(not_ours(&page));
    }
    // What is only there until the page is may be written over.
    let page = page.to_string_lossy();
    if files::keep_what_was_read(&page).is_ok() {
        let _ = quotient_workbench::write_file(&page, UNDER_WAY);
    }
    Ok(())
}

/// Somebody else's file is not written over.
fn not_ours(path: &Path) -> Diagnostic {
    let path = path.display();
    let message = format!("`{path}` is there and was not written by a check");
    Diagnostic::error("file-exists", message).help("choose another folder for --out")
}

fn is_under_way(page: &Path) -> bool {
    std::fs::read_to_string(page).is_ok_and(|text| text == UNDER_WAY)
}

/// The names of the files that former runs wrote into a folder.
fn names_of_former(folder: &str) -> impl Iterator<Item = String> {
    let list = std::fs::read_to_string(Path::new(folder).join(LIST)).unwrap_or_default();
    let names: Vec<String> = list.lines().map(str::to_owned).collect();
    names.into_iter()
}

const UNDER_WAY: &str = "<!DOCTYPE html>\n<title>under way</title>\n";

/// Takes the page away if it still says that work is under way: there is nothing to show.
pub(crate) fn withdraw(folder: &str) {
    let page = Path::new(folder).join("index.html");
    if is_under_way(&page) {
        let _ = std::fs::remove_file(page);
    }
}

/// How long pictures of the model may take.
const PICTURES: Duration = Duration::from_secs(5);
/// The most parts of a model that are drawn.
const MOST_PARTS: usize = 16;
/// Work that each of them may take: one that takes more has too many states to be drawn.
const PART_WORK: u64 = 1_000_000;

/// What there is to see of a model and of its parts, for a page; nothing where the language does
/// not show it, or where it takes too long.
pub(crate) fn shown(workbench: &Workbench, mut request: Request, cx: &Context) -> Option<Shown> {
    let budget = cx.budget.child_for(PICTURES);
    let cx = Context {
        budget: budget.clone(),
        ..Context::default()
    };
    let workbench = workbench.clone();
    let work = move || {
        let mut opened = workbench.open(&mut request, Verb::Show, &cx).ok()?;
        let mut view = Viewed {
            part: None,
            picture: true,
        };
        let whole = opened.model.show(&view, &cx).ok();
        view.picture = false;
        let told = opened.model.show(&view, &cx).ok();
        let mut shown = whole.or_else(|| told.clone())?;
        view.picture = true;
        for part in told
            .into_iter()
            .flat_map(|told| told.parts)
            .take(MOST_PARTS)
        {
            view.part = Some(part);
            let limited = &cx.with_work(PART_WORK);
            if let Ok(part) = opened.model.show(&view, limited) {
                shown.pictures.extend(part.pictures);
            }
        }
        Some(shown)
    };
    apart(&budget, work).ok().flatten()
}

/// Writes the folder (files that are not ours are left alone, those of a former run go away) and
/// gives the names of the files written.
pub(crate) fn write(
    checked: &Checked,
    source: Option<&Source>,
    story: &[Event],
    mut beside: Beside,
    folder: &str,
) -> Result<Vec<String>, Diagnostic> {
    let findings = Findings {
        answers: &checked.answers,
        exhibits: &checked.exhibits,
        story,
    };
    let file = source.map_or(checked.title.as_str(), Source::name);
    let command = format!("quotient check {file}");
    let mut files = findings.files();
    beside.evidence = findings.evidence_files();
    let page = report_page(checked, source, story, &command, &beside);
    files.push(("index.html".to_owned(), page));
    let path = |name: &str| {
        let path = Path::new(folder).join(name);
        path.to_string_lossy().into_owned()
    };
    let former: Vec<String> = names_of_former(folder).collect();
    let is_foreign = |name: &str| {
        let is_page = name == "index.html" && is_under_way(Path::new(&path(name)));
        !is_page && !former.iter().any(|one| one == name) && Path::new(&path(name)).is_file()
    };
    if let Some((name, _)) = files.iter().find(|(name, _)| is_foreign(name)) {
        return Err(not_ours(Path::new(&path(name))));
    }
    // First what may be there, then what is there: if this is cut short the next run knows what is ours.
    let own = |name: &String| files.iter().any(|(own, _)| own == name);
    let list: String = files.iter().map(|(name, _)| format!("{name}\n")).collect();
    let stale: Vec<&String> = former.iter().filter(|name| !own(name)).collect();
    let stale_list: String = stale.iter().map(|name| format!("{name}\n")).collect();
    quotient_workbench::write_file(&path(LIST), format!("{list}{stale_list}"))?;
    let mut paths = Vec::new();
    for (name, text) in &files {
        write_file(&path(name), text)?;
        paths.push(path(name));
    }
    // What a former run wrote and this one did not is not about this one.
    for name in stale {
        let is_plain = !name.is_empty() && !name.contains(['/', '\\']) && name != "..";
        if is_plain {
            let _ = std::fs::remove_file(path(name));
        }
    }
    write_file(&path(LIST), &list)?;
    Ok(paths)
}

/// The names of the files of the last run, so that the next one can take them away.
const LIST: &str = ".quotient-report";
