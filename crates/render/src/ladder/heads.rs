//! The heads of lifelines in lines of text: placed, and shortened so that each can be told from its
//! neighbours.

use std::net::SocketAddr;
use std::ops::Range;

use super::columns::LifelineColumns;
use text::{fit_address, width};

/// The minimum columns of a shortened endpoint.
const SHORTEST: usize = 8;
/// The minimum columns between two heads.
const BETWEEN: usize = 2;

/// The column where a head of so many columns begins: at the first lifeline, in the middle of the
/// others, and up to the last one.
pub(super) fn begin_of(at: usize, columns_of_head: usize, columns: &LifelineColumns) -> usize {
    let Range { start: first, end } = columns.visible();
    let column = columns.column_of(at);
    if at == first {
        column
    } else if at + 1 == end {
        (column + 1).saturating_sub(columns_of_head)
    } else {
        column.saturating_sub(columns_of_head / 2)
    }
}

/// The endpoints of the visible lifelines of hosts, in as many columns as there are.
pub(super) fn endpoints(ends: &[SocketAddr], columns: &LifelineColumns) -> Vec<String> {
    let fits = |texts: &Vec<String>| {
        let begins = columns.visible().zip(texts).map(|(at, text)| {
            let begin = begin_of(at, width(text), columns);
            (begin, begin + width(text))
        });
        let begins: Vec<_> = begins.collect();
        begins.windows(2).all(|pair| match pair {
            [(_, end), (begin, _)] => end + BETWEEN <= *begin,
            _ => true,
        })
    };
    let widest = columns.space().saturating_sub(BETWEEN).max(SHORTEST);
    let shorter = (SHORTEST..=widest).rev().map(|space| shortened(ends, space));
    let found = shorter.into_iter().find(fits);
    found.unwrap_or_else(|| shortened(ends, SHORTEST))
}

/// Endpoints in at most `columns` columns each, such that no two different ones look the same: those
/// that are too long lose their port, or else the beginning of their address.
pub(super) fn shortened(ends: &[SocketAddr], columns: usize) -> Vec<String> {
    let shorten = |short: fn(&SocketAddr) -> String| -> Vec<String> {
        let text = |end: &SocketAddr| {
            let text = end.to_string();
            if text.len() <= columns { text } else { fit_address(&short(end), columns) }
        };
        ends.iter().map(text).collect()
    };
    let ways = [|end: &SocketAddr| end.ip().to_string(), SocketAddr::to_string];
    let found = ways.into_iter().map(shorten).find(|texts| are_different(texts));
    found.unwrap_or_else(|| ends.iter().map(|end| around_difference(end, ends, columns)).collect())
}

fn are_different(texts: &[String]) -> bool {
    (1..).zip(texts).all(|(after, text)| !texts.iter().skip(after).any(|other| other == text))
}

/// The part of an endpoint where it differs from the one that is most like it.
fn around_difference(end: &SocketAddr, ends: &[SocketAddr], columns: usize) -> String {
    let text = end.to_string();
    if text.len() <= columns {
        return text;
    }
    let others = ends.iter().filter(|other| *other != end).map(SocketAddr::to_string);
    let same = |other: String| text.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let differs = others.map(same).max().unwrap_or(0);
    // One column is the ellipsis at the end.
    let until = (differs + columns / 2).min(text.len());
    match text.get(..until) {
        Some(begin) if until < text.len() => {
            let begin = fit_address(begin, columns.saturating_sub(1));
            format!("{begin}…")
        }
        _ => fit_address(&text, columns),
    }
}
