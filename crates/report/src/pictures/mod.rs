//! Pictures of all kinds as SVG.

mod grid;
mod lanes;
mod lines;
mod waves;

use quotient_language::Picture;

use crate::graph;

pub use waves::waves;

/// Draws any picture as an SVG document that needs nothing else and follows the light or dark
/// preference of whoever looks at it.
///
/// ```
/// use quotient_language::{Lines, Series};
/// let series = Series { name: "chance".into(), points: vec![(0.0, 0.1), (1.0, 0.4)], steps: false };
/// let lines = Lines { title: "a plot".into(), series: vec![series], ..Lines::default() };
/// assert!(quotient_report::draw(&lines.into()).starts_with("<svg"));
/// ```
pub fn draw(picture: &Picture) -> String {
    match picture {
        Picture::Graph(graph) => graph::svg(graph),
        Picture::Lines(lines) => lines::svg(lines),
        Picture::Lanes(lanes) => lanes::svg(lanes),
        Picture::Grid(grid) => grid::svg(grid),
    }
}

/// Colours that are told apart in light and dark, and in grey.
const COLOURS: [&str; 8] = [
    "#2563eb", "#d97706", "#059669", "#be185d", "#7c3aed", "#0891b2", "#65a30d", "#475569",
];

/// The beginning of a document, with the style of text and axes.
fn open(width: f64, height: f64, title: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"p\" width=\"{width:.0}\" \
         height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n\
         <rect class=\"b\" width=\"100%\" height=\"100%\"/>\n",
        graph::escape(title)
    )
}

const STYLE: &str = "\
.p{font:12px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace}.p .b{fill:#fff}\
.p text{fill:#334155}.p .a{fill:none;stroke:#94a3b8}.p .g{stroke:#e2e8f0}.p .t{fill:#0f172a;font-weight:600}\
.p .k{fill:#f1f5f9;stroke:#cbd5e1}.p .w{fill:none;stroke:#b91c1c;stroke-width:2}.p .y{fill:none;stroke:#d97706;stroke-width:1.5}.p .o{fill:#d97706}.p .s line{stroke:#0891b2;stroke-dasharray:3 3}.p .s circle{fill:#fff;stroke:#0891b2}.p .v{fill:none;stroke:#2563eb;stroke-width:1.5}\
@media(prefers-color-scheme:dark){.p .b{fill:#0f172a}.p text{fill:#cbd5e1}.p .t{fill:#f1f5f9}.p .g{stroke:#334155}.p .k{fill:#1e293b;stroke:#475569}}";

#[cfg(test)]
mod tests {
    use super::*;
    use quotient_language::{Grid, Lane, Lanes, Lines, Message, Scale, Series, Tile};

    fn is_document(text: &str) {
        assert!(text.starts_with("<svg") && text.ends_with("</svg>\n"));
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        assert!(!text.contains("<script"));
    }

    #[test]
    fn empty_pictures_are_documents() {
        is_document(&draw(&Lines::default().into()));
        is_document(&draw(&Lanes::default().into()));
        is_document(&draw(&Grid::default().into()));
    }

    #[test]
    fn odd_numbers_do_not_break_a_plot() {
        let points = vec![
            (0.0, f64::NAN),
            (1.0, f64::INFINITY),
            (2.0, 0.0),
            (3.0, -5.0),
        ];
        for scale in [Scale::Linear, Scale::Logarithmic] {
            let series = Series {
                name: "<script>".into(),
                points: points.clone(),
                steps: true,
            };
            let lines = Lines {
                scale,
                series: vec![series],
                ..Lines::default()
            };
            is_document(&draw(&lines.into()));
        }
    }

    #[test]
    fn messages_go_from_lane_to_lane() {
        let lane = |name: &str| Lane {
            name: name.into(),
            states: vec!["a".into(), "a".into(), "b".into()],
            acts: vec![1],
        };
        let lanes = Lanes {
            title: "two".into(),
            lanes: vec![lane("P1"), lane("P2")],
            moments: vec!["start".into(), "send".into(), "receive".into()],
            messages: vec![Message {
                label: "hello".into(),
                from: (0, 1),
                to: (1, 2),
            }],
            back_to: Some(1),
        };
        let text = draw(&lanes.into());
        is_document(&text);
        assert!(text.contains("hello") && text.contains("receive"));
    }

    #[test]
    fn cells_are_shaded() {
        let tile = |shade: f64| Tile {
            text: "1".into(),
            shade,
            marked: shade > 0.5,
        };
        let grid = Grid {
            title: "tape".into(),
            cells: vec![vec![tile(0.0), tile(1.0)], vec![tile(f64::NAN)]],
            ..Grid::default()
        };
        let text = draw(&grid.into());
        is_document(&text);
        assert_eq!(text.matches("class=\"w\"").count(), 1);
    }
}
