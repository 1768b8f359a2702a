//! Plots that belong to answers, as files.

use std::path::Path;

use quotient_core::Diagnostic;
use quotient_language::{Lines, Picture};
use quotient_report::draw;
use quotient_workbench::Checked;

use crate::outputs::write_file;

/// What is told where there is nothing to draw.
pub(crate) const NONE: &str = "no plot was written: no answer has one (a number has, where a constant \
                               has a range,\nor where there are several initial states)\n";

/// The plots of all answers. Those over the same thing are lines of one plot.
pub(crate) fn of(checked: &Checked) -> Vec<Picture> {
    let mut found: Vec<Picture> = Vec::new();
    let exhibits = checked.answers.iter().flat_map(|answer| &answer.exhibits);
    for picture in exhibits.filter_map(|exhibit| exhibit.picture.as_ref()) {
        match picture {
            Picture::Lines(lines) => match found.iter_mut().find_map(|one| same(one, lines)) {
                Some(plot) => {
                    plot.title.clone_from(&plot.x);
                    plot.title.insert_str(0, "values over ");
                    plot.series.extend(lines.series.iter().cloned());
                }
                None => found.push(picture.clone()),
            },
            Picture::Grid(_) => found.push(picture.clone()),
            Picture::Graph(_) | Picture::Lanes(_) => {}
        }
    }
    found
}

/// A plot, if it is one over what others are drawn over.
fn same<'p>(one: &'p mut Picture, lines: &Lines) -> Option<&'p mut Lines> {
    match one {
        Picture::Lines(plot) if plot.x == lines.x && plot.y == lines.y => Some(plot),
        _ => None,
    }
}

/// Writes the plots of all answers: the first under the name that is given, others with a number behind
/// it. Tells what was written.
pub(crate) fn write(path: &str, checked: &Checked) -> Result<Vec<String>, Diagnostic> {
    let mut written = Vec::new();
    for (number, picture) in of(checked).iter().enumerate() {
        let name = match number {
            0 => path.to_owned(),
            _ => numbered(path, number + 1),
        };
        write_file(&name, draw(picture))?;
        written.push(name);
    }
    Ok(written)
}

/// `out.svg` becomes `out-2.svg`.
fn numbered(path: &str, number: usize) -> String {
    let path = Path::new(path);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().map(|ending| ending.to_string_lossy());
    let name = match ending {
        Some(ending) => format!("{stem}-{number}.{ending}"),
        None => format!("{stem}-{number}"),
    };
    path.with_file_name(name).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::numbered;

    #[test]
    fn further_plots_have_numbers() {
        assert_eq!(numbered("out.svg", 2), "out-2.svg");
        assert_eq!(numbered("some.where/out", 3), "some.where/out-3");
    }
}
