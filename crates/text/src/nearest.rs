//! Suggestions for mistyped words.

/// The word with the fewest edits from `wrote`, if they are no more than `most`; letter case does
/// not count.
pub fn nearest<'a>(
    wrote: &str,
    among: impl IntoIterator<Item = &'a str>,
    most: usize,
) -> Option<&'a str> {
    /// Longer words are no typing mistakes.
    const LONGEST: usize = 64;
    if wrote.len() > LONGEST {
        return None;
    }
    let wrote = wrote.to_lowercase();
    let edits = |word: &str| strsim::osa_distance(&wrote, &word.to_lowercase());
    let near = among.into_iter().map(|word| (edits(word), word));
    near.filter(|(edits, _)| *edits <= most).min_by_key(|(edits, _)| *edits).map(|(_, word)| word)
}

/// The end of a message on an unknown name: the nearest of the known ones, or all of them.
/// `; did you mean dark?`, `; the themes are 16-colours and dark`.
pub fn suggested<'a>(
    wrote: &str,
    plural: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> String {
    let most = (wrote.chars().count() / 3).max(1);
    if let Some(word) = nearest(wrote, known.clone(), most) {
        return format!("; did you mean {word}?");
    }
    let known: Vec<_> = known.collect();
    match known.split_last() {
        None => format!("; there are no {plural}"),
        Some((only, [])) => format!("; the only one is {only}"),
        Some((last, rest)) => format!("; the {plural} are {} and {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_suggested_or_else_all() {
        let known = || ["dark", "light", "high-contrast"].into_iter();
        for (wrote, text) in [
            ("drak", "; did you mean dark?"),
            ("Light", "; did you mean light?"),
            ("high_contrast", "; did you mean high-contrast?"),
            ("", "; the themes are dark, light and high-contrast"),
            ("solarized", "; the themes are dark, light and high-contrast"),
        ] {
            assert_eq!(suggested(wrote, "themes", known()), text);
        }
        assert_eq!(suggested("x", "themes", std::iter::empty()), "; there are no themes");
        assert_eq!(suggested("x", "themes", ["dark"].into_iter()), "; the only one is dark");
        assert_eq!(nearest(&"a".repeat(65), ["a"], 100), None);
    }
}
