//! Screens one after the other as a moving picture: an SVG document with CSS animations, no script.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ratatui::buffer::Buffer;

use super::palette::Palette;
use super::{CELL, MARGIN, Picture, begin, escaped};

/// A screen of a moving picture.
pub struct MovingFrame {
    pub buffer: Buffer,
    /// The line below it.
    pub caption: String,
    /// How long it is shown, in milliseconds.
    pub shown: u32,
}

/// All frames, again and again. What is the same on several frames in a row stands once. Where
/// animations are switched off, the first frame is shown.
pub fn draw(frames: &[MovingFrame], palette: &Palette) -> String {
    let total: u32 = frames.iter().map(|frame| frame.shown).sum();
    // What is shown from when to when, by the row; the captions are the last.
    let mut parts: Vec<(u32, u32, String)> = Vec::new();
    let area = frames[0].buffer.area;
    for y in 0..=area.height {
        let mut start = 0;
        let first = parts.len();
        for frame in frames {
            let mut picture = Picture { buffer: &frame.buffer, palette, out: String::new() };
            if y < area.height {
                picture.row(y);
            } else {
                let top = MARGIN + f32::from(y) * CELL.1 + 24.0;
                let (left, text) = (MARGIN, escaped(&frame.caption));
                writeln!(
                    picture.out,
                    "<text x=\"{left}\" y=\"{top}\" fill=\"{}\" font-weight=\"bold\">{text}</text>",
                    palette.text
                )
                .unwrap();
            }
            let end = start + frame.shown;
            match parts[first..].last_mut() {
                Some((_, until, same)) if *same == picture.out => *until = end,
                _ => parts.push((start, end, picture.out)),
            }
            start = end;
        }
    }
    let mut out = begin((area.width, area.height), 30.0, palette);
    let mut classes: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for (start, end, _) in &parts {
        let next = classes.len();
        classes.entry((*start, *end)).or_insert(next);
    }
    out.push_str("<style>");
    for ((start, end), class) in &classes {
        if (*start, *end) == (0, total) {
            continue;
        }
        let percent = |time: u32| f64::from(time) * 100.0 / f64::from(total);
        let (from, until) = (percent(*start), percent(*end));
        let before = if *start > 0 { "0%{opacity:0}" } else { "" };
        writeln!(
            out,
            "@keyframes k{class}{{{before}{from:.3}%{{opacity:1}}{until:.3}%,100%{{opacity:0}}}}\n\
             .p{class}{{opacity:{};animation:k{class} {total}ms steps(1,end) infinite}}",
            u8::from(*start == 0),
        )
        .unwrap();
    }
    out.push_str("@media (prefers-reduced-motion:reduce){g{animation:none!important}}</style>\n");
    for (start, end, part) in &parts {
        let class = classes[&(*start, *end)];
        writeln!(out, "<g class=\"p{class}\">\n{part}</g>").unwrap();
    }
    out.push_str("</svg>\n");
    out
}
