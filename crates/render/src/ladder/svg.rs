//! A ladder as an SVG picture: in a file with its own light background, in a page with its colours.

use std::fmt::Write as _;

use super::arrow::{Arrow, TIME, time_since};
use super::diagram::Diagram;
use super::lifelines::Lifelines;
use super::rows::Rows;
use protocol::{MessageOutcome, Role};
use text::{duration, escaped, fit, width};

/// Where the first lifeline stands, how far the others are from each other at least, if they are
/// few or many, and what is right of the last one, in pixels.
const LEFT: usize = 200;
const WIDE: usize = 360;
const NARROW: usize = 260;
const RIGHT: usize = 140;
/// How many lifelines are few.
const FEW: usize = 3;
/// The height of the head and of each line.
const HEAD: usize = 64;
const ROW: usize = 34;
/// What a column of text takes at most, in tenths of a pixel.
const COLUMN: usize = 75;
/// What the texts of an arrow take at most, if it spans several gaps.
const TEXTS: usize = 720;

/// The colours of a picture, and its size.
#[derive(Debug, Clone, Copy)]
pub(super) struct SvgStyle {
    /// Whether it has a size; without one it fills the space that it has.
    is_sized: bool,
    paper: &'static str,
    border: &'static str,
    ink: &'static str,
    faint: &'static str,
    lifeline: &'static str,
    bad: &'static str,
    warning: &'static str,
    server: &'static str,
    master: &'static str,
    client: &'static str,
}

impl SvgStyle {
    /// Those of a file: dark on a light background of its own.
    pub const FILE: Self = Self {
        is_sized: false,
        paper: "#ffffff",
        border: "#d1d9e0",
        ink: "#1f2328",
        faint: "#59636e",
        lifeline: "#afb8c1",
        bad: "#cf222e",
        warning: "#9a6700",
        server: "#116329",
        master: "#8250df",
        client: "#0a5c99",
    };
    /// Those of a page of HTML, whose style gives them.
    pub const PAGE: Self = Self {
        is_sized: true,
        paper: "var(--paper)",
        border: "var(--line)",
        ink: "var(--ink)",
        faint: "var(--faint)",
        lifeline: "var(--line)",
        bad: "var(--bad)",
        warning: "var(--warn)",
        server: "var(--server)",
        master: "var(--master)",
        client: "var(--client)",
    };

    fn class_of(&self, role: Option<Role>) -> &'static str {
        match role {
            Some(Role::Server) => self.server,
            Some(Role::Master) => self.master,
            Some(Role::Client) => self.client,
            None => self.faint,
        }
    }
}

/// The picture of a whole diagram, under a title.
pub(super) fn svg(title: &str, diagram: &Diagram, colours: &SvgStyle) -> String {
    let SvgStyle { paper, border, faint, lifeline: line, bad, .. } = *colours;
    let lifelines = diagram.lifelines();
    let gap = gap_of(lifelines);
    // A single lifeline has as much space beside it as two.
    let right = LEFT + gap * lifelines.count().saturating_sub(1).max(1);
    let wide = right + RIGHT;
    let mut body = String::new();
    let mut rows = Rows::default();
    for arrow in diagram.arrows() {
        if let Some(nanos) = rows.push(arrow.time) {
            let y = HEAD + ROW * (rows.count() - 2) + ROW / 2;
            // No lifeline is drawn through a pause.
            let (top, wide) = (y - 8, right - LEFT + 8);
            _ = writeln!(
                body,
                "<rect x=\"{}\" y=\"{top}\" width=\"{wide}\" height=\"16\" fill=\"{paper}\"/>",
                LEFT - 4
            );
            text(
                &mut body,
                (20, y + 4),
                "start",
                [faint, paper],
                &format!("· {} ·", duration(nanos)),
            );
        }
        let place = (HEAD + ROW * (rows.count() - 1), right, gap);
        draw(&mut body, &arrow, (diagram, colours), place);
    }
    let mut height = HEAD + ROW * rows.count() + 20;
    if let Some(note) = diagram.note() {
        text(&mut body, (20, height + 4), "start", [bad, paper], &note);
        height += 24;
    }
    let mut out = String::new();
    let size = if colours.is_sized {
        format!(" width=\"{wide}\" height=\"{height}\" role=\"img\"")
    } else {
        String::new()
    };
    let fonts = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace";
    _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\"{size} viewBox=\"0 0 {wide} {height}\" \
         font-family=\"{fonts}\" font-size=\"12\">\n<title>{}</title>\n\
         <rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"{paper}\" \
         stroke=\"{border}\"/>",
        safe(title),
        wide - 1,
        height - 1
    );
    let bottom = HEAD + ROW * rows.count() + 8;
    for (n, lifeline) in (0..lifelines.count()).filter_map(|n| Some((n, lifelines.get(n)?))) {
        let x = LEFT + gap * n;
        _ = writeln!(
            out,
            "<line x1=\"{x}\" y1=\"{}\" x2=\"{x}\" y2=\"{bottom}\" stroke=\"{line}\"/>",
            HEAD - 12
        );
        let fill = [colours.class_of(lifeline.role), paper];
        let name = format!("<tspan font-weight=\"bold\">{}</tspan>", lifeline.name());
        marked(&mut out, (x, 26), "middle", fill, &name);
        text(&mut out, (x, 44), "middle", fill, &lifeline.address());
    }
    out.push_str(&body);
    out.push_str("</svg>\n");
    out
}

/// How far lifelines are from each other, such that no head touches the next one.
fn gap_of(lifelines: Lifelines<'_>) -> usize {
    let heads = (0..lifelines.count()).filter_map(|at| lifelines.get(at));
    let widest = heads.map(|head| width(&head.address())).max().unwrap_or(0);
    let minimum = if lifelines.count() > FEW { NARROW } else { WIDE };
    minimum.max((widest + 3) * COLUMN / 10)
}

/// An arrow in the row below `top`; the last lifeline stands at `right`, and `gap` is between them.
fn draw(
    out: &mut String,
    arrow: &Arrow<'_>,
    (diagram, colours): (&Diagram, &SvgStyle),
    (top, right, gap): (usize, usize, usize),
) {
    let [Some(from), Some(to)] = diagram.lifelines().ends(arrow) else {
        return;
    };
    let (x1, x2) = (LEFT + gap * from, LEFT + gap * to);
    let y = top + ROW - 10;
    let time = time_since(diagram.begin(), arrow.time);
    _ = writeln!(out, "<g><title>{}</title>", safe(&format!("{} {}", arrow.name, arrow.text)));
    let left = format!("{:>5} {time:>TIME$}", arrow.number);
    let SvgStyle { paper, faint, bad, .. } = *colours;
    text(out, (170, y + 4), "end", [faint, paper], &left);

    let sender = colours.class_of(diagram.lifelines().sender(arrow));
    let (line, dashes) =
        if arrow.is_lost() { (bad, " stroke-dasharray=\"5 4\"") } else { (sender, "") };
    let path = if x1 == x2 {
        format!("M{x1} {} h24 v8 h-18", y - 6)
    } else {
        // The line stops where its head begins.
        let tip = if x1 < x2 { x2 - 8 } else { x2 + 8 };
        format!("M{x1} {y} H{tip}")
    };
    _ = writeln!(
        out,
        "<path d=\"{path}\" fill=\"none\" stroke=\"{line}\" stroke-width=\"1.5\"{dashes}/>"
    );
    let head = match (arrow.is_lost(), x1 < x2) {
        (true, is_right) => {
            let x = if is_right { x2 - 8 } else { x2 + 8 };
            format!("M{} {} l8 8 m0 -8 l-8 8", x - 4, y - 4)
        }
        (false, true) => format!("M{x2} {y} l-9 -4 v8 z"),
        (false, false) if x1 == x2 => format!("M{x2} {} l9 -4 v8 z", y + 2),
        (false, false) => format!("M{x2} {y} l9 -4 v8 z"),
    };
    _ = writeln!(out, "<path d=\"{head}\" fill=\"{line}\" stroke=\"{line}\"/>");

    // The texts stand where a long arrow begins.
    let span = x1.abs_diff(x2).clamp(gap, TEXTS.max(gap));
    let middle = match (x1 < x2, x1 == x2) {
        (true, _) => x1 + span / 2,
        (_, false) => x1 - span / 2,
        (_, true) => x1.min(right.saturating_sub(gap / 2)) + gap * 4 / 9,
    };
    let others = diagram.others(arrow);
    let label = label(arrow, &others, (span - 40) * 10 / COLUMN, colours);
    marked(out, (middle, y - 6), "middle", [sender, paper], &label);
    out.push_str("</g>\n");
}

/// The texts of an arrow in so many columns, as markup.
fn label(arrow: &Arrow<'_>, others: &str, mut space: usize, colours: &SvgStyle) -> String {
    let SvgStyle { ink, faint, bad, warning, .. } = *colours;
    let name = fit(&escaped(arrow.name), space);
    space -= width(&name);
    let mut label = format!("<tspan font-weight=\"bold\">{}</tspan>", safe(&name));
    let outcome = arrow.outcome.as_ref().map(MessageOutcome::words).unwrap_or_default();
    let of_outcome = if arrow.is_lost() { bad } else { warning };
    for (part, fill) in [(outcome, of_outcome), (others, ink), (arrow.text, faint)] {
        let part = fit(&escaped(part), space.saturating_sub(2));
        if !part.is_empty() && space >= 6 {
            space -= 2 + width(&part);
            _ = write!(label, "<tspan fill=\"{fill}\" dx=\"10\">{}</tspan>", safe(&part));
        }
    }
    label
}

fn text(out: &mut String, at: (usize, usize), anchor: &str, colours: [&str; 2], text: &str) {
    marked(out, at, anchor, colours, &safe(text));
}

/// Text with a halo in the second colour, so that lifelines do not cross it; `inside` is markup.
fn marked(
    out: &mut String,
    (x, y): (usize, usize),
    anchor: &str,
    [fill, halo]: [&str; 2],
    inside: &str,
) {
    _ = writeln!(
        out,
        "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" fill=\"{fill}\" stroke=\"{halo}\" \
         stroke-width=\"4\" stroke-linejoin=\"round\" paint-order=\"stroke\" \
         xml:space=\"preserve\">{inside}</text>"
    );
}

/// Text with markup escaped, without the two characters that XML forbids.
fn safe(text: &str) -> String {
    let text = escaped(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}
