//! The targets that the options of `fragshark watch` name.

use anyhow::bail;

use simulate::{Consent, Target, TargetError};

/// The targets of an option, each once.
pub(super) fn targets(
    texts: &[String],
    most: usize,
    option: &str,
    consent: Consent,
) -> anyhow::Result<Vec<Target>> {
    let found = each_found(texts, most, option, consent)?;
    Ok(found.into_iter().collect::<Result<_, _>>()?)
}

/// The targets of an option, each once, and what is wrong with the others.
pub(super) fn each_found(
    texts: &[String],
    most: usize,
    option: &str,
    consent: Consent,
) -> anyhow::Result<Vec<Result<Target, TargetError>>> {
    if texts.len() > most {
        bail!("{option} is given {} times; at most {most} are watched", texts.len());
    }
    let mut all: Vec<Result<Target, TargetError>> = Vec::new();
    for (n, text) in texts.iter().enumerate() {
        let target = Target::find(text, consent);
        let at = |target: &Result<Target, _>| target.as_ref().ok().map(|target| target.at(0));
        let is_known = at(&target).is_some_and(|own| all.iter().any(|one| at(one) == Some(own)));
        if is_known || texts.iter().take(n).any(|before| before == text) {
            bail!("{option} {text} is given twice");
        }
        all.push(target);
    }
    Ok(all)
}
