//! Looks up the name of a term: a name of the table, a field, a slice of the payload, or a name of
//! Wireshark.

use super::bytes::Slice;
use super::check::ResolvedName;
use super::error::Wrong;
use super::fields::{self, WantedField};
use super::names::{self, ANY, Name, ValueType};
use super::quote::quoted;
use super::source::Source;
use super::tree::{Located, Term};
use super::{FIELD, suggest, wireshark};

/// The name of a term, and where its values come from.
pub(super) fn look_up(term: &Term) -> Result<ResolvedName<'_>, Wrong> {
    let name = &term.name;
    let wrong = |what: String| Wrong::at(name.at.0.clone(), what);
    let Some(field) = name.text.strip_prefix(FIELD) else {
        let protocol = term.relation.is_none().then(|| names::protocol(&name.text)).flatten();
        if let Some(source) = protocol {
            return Ok(ResolvedName { name, kind: ValueType::Flag, source, is_since: None });
        }
        if let Some(slice) = slice(name)? {
            let (kind, source) = (ValueType::Bytes, Source::Slice(slice));
            return Ok(ResolvedName { name, kind, source, is_since: None });
        }
        let ours = wireshark::same(&name.text).unwrap_or(&name.text);
        let is_own = |found: &&Name| found.kind != ValueType::Field || found.name == ANY;
        let Some(found) = names::find(ours).filter(is_own) else {
            if let Some((suggestion, difference)) = wireshark::other(&name.text) {
                let what = format!("no name is {}: {difference}", name.text);
                return Err(wrong(what).suggesting(suggestion.map(str::to_owned)));
            }
            let any = || format!("{ANY} contains {}", quoted(&name.text));
            let is_alone = term.relation.is_none() && !name.text.contains('.');
            let suggestion = suggest::name(&name.text).or_else(|| is_alone.then(any));
            return Err(wrong(format!("no name is {}", name.text)).suggesting(suggestion));
        };
        return Ok(ResolvedName {
            name,
            kind: found.kind,
            source: found.source.clone(),
            is_since: None,
        });
    };
    let spaced = if term.quoted { None } else { fields::with_blanks(field) };
    let field = spaced.unwrap_or(field);
    if !term.quoted && spaced.is_none() && !fields::is_known(field) {
        let suggestion = suggest::field(field);
        let how = if suggestion.is_some() || field.is_empty() {
            String::new()
        } else {
            format!("; {FIELD}\"{field}\" asks for any key of that name")
        };
        return Err(wrong(format!("no field is known as {field:?}{how}")).suggesting(suggestion));
    }
    Ok(ResolvedName {
        name,
        kind: ValueType::Field,
        source: Source::Field(WantedField::new(field)),
        is_since: None,
    })
}

/// The slice of the payload that a name is, if it has brackets.
fn slice(name: &Located) -> Result<Option<Slice>, Wrong> {
    let Some((of, slice)) = name.text.split_once('[') else {
        return Ok(None);
    };
    let wrong = |what: String| Wrong::at(name.at.0.clone(), what);
    let ours = wireshark::same(of).unwrap_or(of);
    if !ours.eq_ignore_ascii_case("payload") {
        let suggestion = format!("payload[{slice}");
        return Err(wrong(format!("{of} has no bytes")).suggesting(Some(suggestion)));
    }
    let parsed = Slice::parse(slice.strip_suffix(']').unwrap_or(slice));
    let wanted = "a slice is [offset:length], [first-last] or [offset]";
    parsed.map(Some).ok_or_else(|| wrong(wanted.to_owned()))
}
