//! Bytes: the payload and its slices, and how they are written in a filter.

use std::ops::Range;

use super::datum::Datum;
use super::known::Each;
use super::scratch::EvalScratch;
use super::subject::Subject;
use codec::Node;

/// A part of the payload: `[offset:length]`, `[first-last]`, `[offset:]`, `[:length]`, `[offset]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Slice(Range<usize>);

impl Slice {
    /// The whole payload.
    pub const WHOLE: Self = Self(0..usize::MAX);

    /// Parses what stands between the brackets.
    pub fn parse(text: &str) -> Option<Self> {
        let number = |text: &str| text.trim().parse::<usize>().ok();
        let from_zero = |text: &str| if text.trim().is_empty() { Some(0) } else { number(text) };
        if let Some((first, last)) = text.split_once('-') {
            let range = number(first)?..number(last)?.checked_add(1)?;
            return (range.start < range.end).then_some(Self(range));
        }
        let Some((offset, length)) = text.split_once(':') else {
            let offset = number(text)?;
            return Some(Self(offset..offset.checked_add(1)?));
        };
        let offset = from_zero(offset)?;
        let end = match length.trim() {
            "" => usize::MAX,
            length => offset.checked_add(number(length)?)?,
        };
        (offset < end).then_some(Self(offset..end))
    }

    /// Passes the slice to `each`; where some of its bytes are hidden, each part between these. A
    /// slice that is not whole in the payload has no value.
    pub fn values(
        &self,
        subject: &Subject<'_>,
        scratch: &mut EvalScratch,
        each: &mut Each<'_>,
    ) -> bool {
        let payload = subject.payload;
        let end = if self.0.end == usize::MAX { payload.len() } else { self.0.end };
        if self.0.start > end || end > payload.len() {
            return false;
        }
        let scratch = scratch.having_read(subject);
        let hidden =
            scratch.reading.spans().all.iter().filter(|span| {
                span.layer == 0 && span.node == Node::Leaf && scratch.mask.hides(span)
            });
        let mut at = self.0.start;
        for span in hidden {
            let range = (span.start as usize).clamp(at, end)..(span.end as usize).clamp(at, end);
            if range.is_empty() {
                continue;
            }
            let part = payload.get(at..range.start).unwrap_or_default();
            if !part.is_empty() && each(Datum::Bytes(part)) || each(Datum::Hidden) {
                return true;
            }
            at = range.end;
        }
        let rest = payload.get(at..end).unwrap_or_default();
        // An empty payload is a value too, unless everything was hidden.
        (!rest.is_empty() || at == self.0.start) && each(Datum::Bytes(rest))
    }
}

/// Bytes as hex digits, with colons, dashes or nothing between pairs: `ff:ff`, `ffff`, `0xff`.
pub(super) fn hex_bytes(word: &str) -> Option<Vec<u8>> {
    let digits = word.strip_prefix("0x").unwrap_or(word);
    let pairs: Vec<&str> = digits.split([':', '-']).collect();
    let is_pairs = pairs.len() == 1 || pairs.iter().all(|pair| (1..=2).contains(&pair.len()));
    let padded =
        |pair: &&str| if pair.len() == 1 { format!("0{pair}") } else { (*pair).to_owned() };
    let all: String = pairs.iter().map(padded).collect();
    hex::decode(all).ok().filter(|bytes| is_pairs && !bytes.is_empty())
}

/// The bytes of a quoted text: a character below `\u{100}` is one byte, any other its UTF-8.
pub(super) fn text_bytes(text: &str) -> Vec<u8> {
    let is_latin = text.chars().all(|c| u32::from(c) < 0x100);
    let has_escapes = text.chars().any(|c| ('\u{80}'..'\u{100}').contains(&c));
    if is_latin && has_escapes {
        text.chars().filter_map(|c| u8::try_from(u32::from(c)).ok()).collect()
    } else {
        text.as_bytes().to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_have_wiresharks_forms() {
        for (text, range) in [
            ("4:2", Some(4..6)),
            ("4-6", Some(4..7)),
            ("4", Some(4..5)),
            (":4", Some(0..4)),
            ("4:", Some(4..usize::MAX)),
            ("6-4", None),
            ("4:0", None),
            ("", None),
            ("a", None),
        ] {
            assert_eq!(Slice::parse(text), range.map(Slice), "{text}");
        }
    }

    #[test]
    fn bytes_are_hex_digits_or_text() {
        for (word, bytes) in [
            ("ff:ff", Some(&b"\xff\xff"[..])),
            ("ff-0", Some(b"\xff\0")),
            ("0x6d38", Some(b"m8")),
            ("6d38", Some(b"m8")),
            ("6d3", None),
            ("fff:1", None),
            ("getinfo", None),
        ] {
            assert_eq!(hex_bytes(word).as_deref(), bytes, "{word}");
        }
        assert_eq!(text_bytes("\u{ff}a"), b"\xffa");
        assert_eq!(text_bytes("日"), "日".as_bytes());
    }
}
