//! A ladder as an SVG picture with its own light background, readable on any page.

use std::fmt::Write as _;

use super::arrow::{Arrow, TIME, index_of, time_since};
use super::lifelines::Lifelines;
use super::rows::Rows;
use crate::protocol::{MessageOutcome, Role};
use crate::text::{duration, escaped, fit, width};

/// Where the lifelines stand, in pixels, and how wide the picture is.
const LIFELINES: [usize; 3] = [200, 560, 920];
const WIDTH: usize = 1060;
/// The height of the head and of each line.
const HEAD: usize = 64;
const ROW: usize = 34;
/// What a column of text takes at most, in tenths of a pixel.
const COLUMN: usize = 75;

const BLACK: &str = "#1f2328";
const GREY: &str = "#59636e";
const LINE: &str = "#afb8c1";
const RED: &str = "#cf222e";

/// The picture of all arrows, under a title.
pub fn svg(title: &str, arrows: &[Arrow<'_>]) -> String {
    let lifelines = Lifelines::of(arrows.iter().copied());
    let begin = arrows.first().map_or(0, |arrow| arrow.time);
    let mut body = String::new();
    let mut rows = Rows::default();
    for arrow in arrows {
        if let Some(nanos) = rows.push(arrow.time) {
            let y = HEAD + ROW * (rows.len() - 2) + ROW / 2;
            for x in LIFELINES {
                _ = writeln!(
                    body,
                    "<rect x=\"{}\" y=\"{}\" width=\"8\" height=\"16\" fill=\"#ffffff\"/>",
                    x - 4,
                    y - 8
                );
            }
            text(&mut body, (20, y + 4), "start", GREY, &format!("· {} ·", duration(nanos)));
        }
        let y = HEAD + ROW * (rows.len() - 1);
        draw(&mut body, arrow, &lifelines, y, begin);
    }
    let height = HEAD + ROW * rows.len() + 20;
    let mut out = String::new();
    let fonts = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace";
    _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"{fonts}\" font-size=\"12\">\n<title>{}</title>\n\
         <rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"#ffffff\" \
         stroke=\"#d1d9e0\"/>",
        safe(title),
        WIDTH - 1,
        height - 1
    );
    for ((role, head), x) in lifelines.lifelines().zip(LIFELINES) {
        _ = writeln!(
            out,
            "<line x1=\"{x}\" y1=\"{}\" x2=\"{x}\" y2=\"{}\" stroke=\"{LINE}\"/>",
            HEAD - 12,
            height - 12
        );
        let name = format!("<tspan font-weight=\"bold\">{role}</tspan>");
        marked(&mut out, (x, 26), "middle", colour(role), &name);
        let head = head.map(|end| end.to_string()).unwrap_or_default();
        text(&mut out, (x, 44), "middle", BLACK, &head);
    }
    out.push_str(&body);
    out.push_str("</svg>\n");
    out
}

fn draw(out: &mut String, arrow: &Arrow<'_>, lifelines: &Lifelines, top: usize, begin: i64) {
    let (from, to) = arrow.lifelines();
    let at = |role| LIFELINES.get(index_of(role)).copied().unwrap_or_default();
    let (x1, x2) = (at(from), at(to));
    let y = top + ROW - 10;
    let time = time_since(arrow.time.saturating_sub(begin));
    _ = writeln!(out, "<g><title>{}</title>", safe(&format!("{} {}", arrow.name, arrow.text)));
    let left = format!("{:>5} {time:>TIME$}", arrow.number);
    text(out, (170, y + 4), "end", GREY, &left);

    let is_lost = arrow.outcome.is_some_and(|outcome| outcome.is_lost());
    let (line, dashes) =
        if is_lost { (RED, " stroke-dasharray=\"5 4\"") } else { (colour(from), "") };
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
    let head = match (is_lost, x1 < x2) {
        (true, right) => {
            let x = if right { x2 - 8 } else { x2 + 8 };
            format!("M{} {} l8 8 m0 -8 l-8 8", x - 4, y - 4)
        }
        (false, true) => format!("M{x2} {y} l-9 -4 v8 z"),
        (false, false) if x1 == x2 => format!("M{x2} {} l9 -4 v8 z", y + 2),
        (false, false) => format!("M{x2} {y} l9 -4 v8 z"),
    };
    _ = writeln!(out, "<path d=\"{head}\" fill=\"{line}\" stroke=\"{line}\"/>");

    let span = if x1 == x2 { 360 } else { x1.abs_diff(x2) };
    let middle = if x1 == x2 { x1.clamp(200, 740) + 160 } else { usize::midpoint(x1, x2) };
    let mut space = (span - 40) * 10 / COLUMN;
    let name = fit(&escaped(arrow.name), space);
    space -= width(&name);
    let mut label = format!("<tspan font-weight=\"bold\">{}</tspan>", safe(&name));
    let others = lifelines.others(arrow);
    let mark = arrow.outcome.as_ref().map(MessageOutcome::words).unwrap_or_default();
    let mark_colour = if is_lost { RED } else { "#9a6700" };
    for (part, fill) in [(mark, mark_colour), (others.as_str(), BLACK), (arrow.text, GREY)] {
        let part = fit(&escaped(part), space.saturating_sub(2));
        if !part.is_empty() && space >= 6 {
            space -= 2 + width(&part);
            _ = write!(label, "<tspan fill=\"{fill}\" dx=\"10\">{}</tspan>", safe(&part));
        }
    }
    marked(out, (middle, y - 6), "middle", colour(from), &label);
    out.push_str("</g>\n");
}

fn text(out: &mut String, at: (usize, usize), anchor: &str, fill: &str, text: &str) {
    marked(out, at, anchor, fill, &safe(text));
}

/// Text with a halo, so that lifelines do not cross it; `inside` is markup.
fn marked(out: &mut String, (x, y): (usize, usize), anchor: &str, fill: &str, inside: &str) {
    _ = writeln!(
        out,
        "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" fill=\"{fill}\" stroke=\"#ffffff\" \
         stroke-width=\"4\" stroke-linejoin=\"round\" paint-order=\"stroke\" \
         xml:space=\"preserve\">{inside}</text>"
    );
}

/// Text with markup escaped, without the two characters that XML forbids.
fn safe(text: &str) -> String {
    let text = escaped(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

/// Dark enough for the light background.
fn colour(role: Role) -> &'static str {
    match role {
        Role::Server => "#116329",
        Role::Master => "#8250df",
        Role::Client => "#0a5c99",
    }
}
