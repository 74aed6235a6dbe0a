//! Text that fits a width: in terminal columns, where some characters take two.

use unicode_width::UnicodeWidthChar;

/// The width of a text in columns: those of its characters, as terminals count.
pub fn width(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    text.chars().map(|c| c.width().unwrap_or(1)).sum()
}

/// The beginning of a text, with an ellipsis if it is truncated.
pub fn fit(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut out = head(text, columns.saturating_sub(1)).to_owned();
    if columns > 0 {
        out.push('…');
    }
    out
}

/// The end of a text, with an ellipsis in front if it is truncated: of a path the name stays.
pub fn fit_end(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut used = 0;
    let fits = |(_, c): &(usize, char)| {
        used += c.width().unwrap_or(0);
        used < columns
    };
    let at = text.char_indices().rev().take_while(fits).last().map_or(text.len(), |(at, _)| at);
    let ellipsis = if columns > 0 { "…" } else { "" };
    format!("{ellipsis}{}", text.get(at..).unwrap_or_default())
}

/// The end of an address in ASCII, with an ellipsis in front if it is truncated: the last numbers and
/// the port tell hosts apart. No number is torn apart, if that leaves enough.
pub fn fit_address(address: &str, columns: usize) -> String {
    let Some(cut) = (address.len() + 1).checked_sub(columns).filter(|cut| *cut > 1) else {
        return address.to_owned();
    };
    let (front, rest) = address.split_at_checked(cut).unwrap_or((address, ""));
    let is_torn = front.ends_with(|c: char| c.is_ascii_hexdigit())
        && rest.starts_with(|c: char| c.is_ascii_hexdigit());
    let whole = if is_torn { rest.find(['.', ':']).and_then(|at| rest.get(at..)) } else { None };
    // Of a long number something stays.
    let rest = whole.filter(|whole| whole.contains('.') || whole.len() >= 6).unwrap_or(rest);
    format!("…{}", rest.strip_prefix('.').unwrap_or(rest))
}

/// The beginning and the end of a text, with an ellipsis between them: addresses keep their port.
pub fn fit_middle(text: &str, columns: usize) -> String {
    if width(text) <= columns || columns < 8 {
        return fit(text, columns);
    }
    let tail_columns = 6;
    let (mut at, mut used) = (text.len(), 0);
    for (index, c) in text.char_indices().rev() {
        used += c.width().unwrap_or(0);
        if used > tail_columns {
            break;
        }
        at = index;
    }
    let tail = text.get(at..).unwrap_or_default();
    format!("{}…{tail}", head(text, columns - 1 - width(tail)))
}

/// A text in lines of at most this many columns, broken at blanks if possible.
pub fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let letters: Vec<_> = text.chars().map(|c| (c, ())).collect();
    let lines = wrapped_letters(&letters, columns).into_iter();
    lines.map(|line| line.into_iter().map(|(c, ())| c).collect()).collect()
}

/// The same of characters with something else each, such as a style.
pub fn wrapped_letters<S: Copy>(text: &[(char, S)], columns: usize) -> Vec<Vec<(char, S)>> {
    let width = |letters: &[(char, S)]| -> usize {
        letters.iter().map(|(c, _)| c.width().unwrap_or(0)).sum()
    };
    let mut lines = vec![Vec::new()];
    let mut used = 0;
    for word in text.split_inclusive(|(letter, _)| *letter == ' ') {
        let bare = match word {
            [bare @ .., (' ', _)] => bare,
            all => all,
        };
        let mut breaks = used > 0 && used + width(bare) > columns;
        for letter in word {
            let columns_of = letter.0.width().unwrap_or(0);
            breaks |= used > 0 && used + columns_of > columns && letter.0 != ' ';
            if std::mem::take(&mut breaks) {
                lines.push(Vec::new());
                used = 0;
            }
            used += columns_of;
            if let Some(line) = lines.last_mut() {
                line.push(*letter);
            }
        }
    }
    for line in &mut lines {
        while line.last().is_some_and(|(letter, _)| *letter == ' ') {
            line.pop();
        }
    }
    lines
}

/// As many characters as fit.
fn head(text: &str, columns: usize) -> &str {
    let mut used = 0;
    for (index, c) in text.char_indices() {
        used += c.width().unwrap_or(0);
        if used > columns {
            return text.get(..index).unwrap_or_default();
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_keep_their_last_numbers() {
        for (address, columns, fitted) in [
            ("192.0.2.10:27960", 16, "192.0.2.10:27960"),
            ("192.0.2.10:27960", 15, "…0.2.10:27960"),
            ("198.51.100.23:27960", 15, "…100.23:27960"),
            ("198.51.100.23:27960", 12, "…23:27960"),
            ("192.0.2.10", 8, "…0.2.10"),
            ("[2001:db8:aaaa::5c]:27960", 16, "…aaaa::5c]:27960"),
            ("192.0.2.10:27960", 4, "…960"),
        ] {
            let shown = fit_address(address, columns);
            assert_eq!(shown, fitted, "{address} {columns}");
            assert!(width(&shown) <= columns);
        }
    }

    #[test]
    fn paths_keep_their_names() {
        assert_eq!(fit_end("/a/b/tour.pcapng", 12), "…tour.pcapng");
        assert_eq!(fit_end("日本語.pcap", 8), "…語.pcap");
        assert_eq!((fit_end("tour", 4), fit_end("tour", 0)), ("tour".to_owned(), String::new()));
    }

    #[test]
    fn texts_are_cut_to_columns() {
        for (text, columns, fitted, middle) in [
            ("heartbeat", 9, "heartbeat", "heartbeat"),
            ("heartbeat", 5, "hear…", "hear…"),
            ("日本語のサーバ", 7, "日本語…", "日本語…"),
            ("192.0.2.100:27960", 12, "192.0.2.100…", "192.0…:27960"),
            ("[2001:db8::5c]:27960", 14, "[2001:db8::5c…", "[2001:d…:27960"),
            // In some fonts the first two are one letter, in no terminal.
            ("لاله", 4, "لاله", "لاله"),
            ("x", 0, "", ""),
        ] {
            assert_eq!(fit(text, columns), fitted);
            assert_eq!(fit_middle(text, columns), middle);
            assert!(width(&fit(text, columns)) <= columns);
        }
    }

    #[test]
    fn long_texts_are_broken_at_blanks() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(wrapped("", 3), [""]);
    }
}
