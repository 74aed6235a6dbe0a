//! What pages of HTML have in common: the frame of a page, its style and script, and parts of it.
//!
//! A page is one file and needs no network: its Content-Security-Policy permits the style and the
//! script that it holds, each by its hash, and nothing else. It can be read without the script, which
//! filters and sorts. This module knows no capture, no case and no protocol.
//!
//! *Invariant:* no text breaks out of its element, whatever it holds.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod parts;

#[cfg(test)]
mod tests;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use parts::PageTheme;
pub use parts::{FilterBox, facts, scrolled, shown};
pub use text::escaped_lines as lines;

/// The style of all pages.
const STYLE: &str = include_str!("page.css");
/// The script of all pages: filters and sorts, and opens the target of a link.
const SCRIPT: &str = include_str!("page.js");

/// A page that needs no other file.
pub struct HtmlPage<'a> {
    /// The title, and the heading of the page.
    pub title: &'a str,
    /// Lines below the heading.
    pub under: Markup,
    /// The style beyond that of all pages.
    pub style: &'static str,
    /// Everything below the heading.
    pub body: Markup,
}

impl HtmlPage<'_> {
    /// The whole page.
    pub fn into_string(self) -> String {
        let Self { title, under, style, body } = self;
        let style = format!("{STYLE}{style}");
        let policy = format!(
            "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
            source(&style),
            source(SCRIPT)
        );
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(policy);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="referrer" content="no-referrer";
                    title { (shown(title)) }
                    style { (PreEscaped(&style)) }
                }
                body {
                    header.top {
                        div { h1 { (shown(title)) } (under) }
                        (PageTheme::choice())
                    }
                    (body)
                    script { (PreEscaped(SCRIPT)) }
                }
            }
        };
        page.into_string()
    }
}

/// How the policy names what an element holds.
fn source(text: &str) -> String {
    let mut digits = [0; 44];
    let written = STANDARD.encode_slice(Sha256::digest(text), &mut digits);
    let digits = digits.get(..written.unwrap_or_default()).unwrap_or_default();
    format!("'sha256-{}'", String::from_utf8_lossy(digits))
}
