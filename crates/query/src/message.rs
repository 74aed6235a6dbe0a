//! A message that the user names, with the values that the user gives.

use codec::{EditError, Leaf, New, Scratch};
use protocol::{Carrier, Direction, Entry, Protocol, Reading, Role};
use protocols::registry;
use render::{field_values, with_pair};
use simulate::families::queried;
use text::{nearest, suggested};

/// A message to be sent.
#[derive(Debug, Clone)]
pub struct QueryMessage {
    /// What it is; `None` for bytes that are no message.
    pub entry: Option<&'static Entry>,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Why a message cannot be made.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the text of each error says it")]
pub enum MessageError {
    #[error("{field} is no field of {message}{known}")]
    Field { field: String, message: String, known: String },
    #[error("{field}={value}: {why}")]
    Value { field: String, value: String, why: &'static str },
}

/// A message by the name that filters have for it, `quake3.getservers`, or by its name alone where
/// only one protocol has it, or only one of the `preferred` ones.
///
/// # Errors
/// What is wrong with the name, for the user.
pub fn message_named(
    name: &str,
    preferred: &[&'static Protocol],
) -> Result<&'static Entry, String> {
    let entries = registry().entries();
    if let Some(entry) = entries.iter().find(|entry| full_name(entry).eq_ignore_ascii_case(name)) {
        return Ok(entry);
    }
    let is_named = |of: &str| of.eq_ignore_ascii_case(name);
    let alike = entries.iter().filter(|entry| is_named(entry.spec.id) || is_named(entry.spec.name));
    let alike: Vec<_> = alike.copied().collect();
    let is_preferred = |protocol: &Protocol| alike.iter().find(|entry| entry.protocol == protocol);
    if let Some(entry) = preferred.iter().find_map(|protocol| is_preferred(protocol)) {
        return Ok(entry);
    }
    match alike.as_slice() {
        [only] => Ok(only),
        [] => {
            let most = (name.chars().count() / 3).max(1);
            let full: Vec<_> = entries.iter().map(|entry| full_name(entry)).collect();
            let short = entries.iter().flat_map(|entry| [entry.spec.id, entry.spec.name]);
            let near = nearest(name, full.iter().map(String::as_str).chain(short), most);
            let near = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
            Err(format!("unknown message{near}; `fragshark catalogue` lists all"))
        }
        several => {
            let names: Vec<_> = several.iter().map(|entry| full_name(entry)).collect();
            Err(format!("several protocols have it: {}", names.join(", ")))
        }
    }
}

/// `quake3.getservers`.
fn full_name(entry: &Entry) -> String {
    format!("{}.{}", entry.protocol.id, entry.spec.id)
}

impl QueryMessage {
    /// A message as clients of its family send it, else as its document has it.
    pub fn usual(entry: &'static Entry) -> Self {
        let direction = Direction { from: Some(Role::Client), to: None };
        let of_clients = queried().filter(|query| query.protocol == entry.protocol);
        let mut questions = of_clients.flat_map(|query| query.questions);
        let own = questions.find_map(|question| {
            let bytes = (question.ask)(None)?;
            let is_it = protocols::recognise(entry.protocol, Carrier::Datagram, &bytes, direction)
                .is_some_and(|found| found == entry);
            is_it.then_some(bytes)
        });
        let bytes = own.unwrap_or_else(|| entry.spec.example.to_vec());
        Self { entry: Some(entry), bytes }
    }

    /// These bytes, which are the likeliest message of one of these protocols, or of any.
    pub fn from_bytes(bytes: Vec<u8>, preferred: &[&'static Protocol]) -> Self {
        let found = preferred.iter().find_map(|protocol| {
            protocols::recognise(protocol, Carrier::Datagram, &bytes, Direction::default())
        });
        let entry = found.or_else(|| registry().recognise(&bytes));
        Self { entry, bytes }
    }

    /// The same with other values of fields, which are named as in filters and in annotated dumps, or
    /// by the keys of an infostring.
    ///
    /// # Errors
    /// If the message has no such field, or the field cannot hold the value.
    pub fn with_values(mut self, values: &[(String, String)]) -> Result<Self, MessageError> {
        let Some(entry) = self.entry.filter(|_| !values.is_empty()) else {
            return match values.first() {
                None => Ok(self),
                Some((field, _)) => Err(MessageError::Field {
                    field: field.clone(),
                    message: "bytes that are no message".to_owned(),
                    known: String::new(),
                }),
            };
        };
        let mut reading = Reading::default();
        for (field, value) in values {
            let edited = edited(entry, &self.bytes, field, value);

            self.bytes = match edited {
                Ok(Some(bytes)) => bytes,
                Ok(None) => match with_pair(
                    &mut reading,
                    entry,
                    &self.bytes,
                    field.as_bytes(),
                    value.as_bytes(),
                ) {
                    Some(bytes) => bytes,
                    None => return Err(unknown_field(entry, &self.bytes, field)),
                },
                Err(why) => {
                    let why = match why {
                        EditError::Refused(why) => why,
                        EditError::Coding(_) => "it cannot be coded",
                        EditError::ReadsOtherwise => {
                            "the message would have another value there: it ends the field"
                        }
                    };
                    let (field, value) = (field.clone(), value.clone());
                    return Err(MessageError::Value { field, value, why });
                }
            };
        }
        Ok(self)
    }

    /// Whether a client sends it to a server or a master: a question.
    pub fn is_of_clients(&self) -> bool {
        let is_client = |(from, _): &(Role, Role)| *from == Role::Client;
        self.entry.is_some_and(|entry| entry.spec.all_directions().any(is_client))
    }

    /// What carries it.
    pub fn carrier(&self) -> Carrier {
        self.entry.map_or(Carrier::Datagram, |entry| entry.spec.carrier)
    }
}

/// A message with another value in the first field of this name; `None` if it has none.
fn edited(
    entry: &Entry,
    bytes: &[u8],
    field: &str,
    value: &str,
) -> Result<Option<Vec<u8>>, EditError> {
    let mut is_done = false;
    let mut change = |leaf: &Leaf<'_>| {
        let is_key = leaf.key.eq_ignore_ascii_case(field.as_bytes());
        let is_it = is_key || leaf.field.is_data() && leaf.field.name.eq_ignore_ascii_case(field);
        if is_done || !is_it {
            return None;
        }
        is_done = true;
        Some(New::Bytes(value.as_bytes().to_vec()))
    };
    let (mut out, mut scratch) = (Vec::new(), Scratch::default());
    entry.edit(bytes, &mut scratch, &mut change, &mut out)?;
    Ok(is_done.then_some(out))
}

fn unknown_field(entry: &Entry, bytes: &[u8], field: &str) -> MessageError {
    let values = field_values(&mut Reading::default(), entry, bytes);
    let data = values.iter().filter(|item| item.field.is_data());
    let mut names: Vec<_> = data.map(|item| item.name().into_owned()).collect();
    names.dedup();
    let known = suggested(field, "fields", names.iter().map(String::as_str));
    MessageError::Field { field: field.to_owned(), message: full_name(entry), known }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(name: &str, values: &[(&str, &str)]) -> Result<String, String> {
        let owned: Vec<_> =
            values.iter().map(|(field, value)| ((*field).into(), (*value).into())).collect();
        let message = QueryMessage::usual(message_named(name, &[])?).with_values(&owned);
        message.map(|it| it.bytes.escape_ascii().to_string()).map_err(|why| why.to_string())
    }

    #[test]
    fn values_are_given_by_the_names_of_fields() {
        for (name, values, expected) in [
            ("quake3.getstatus", &[][..], r"\xff\xff\xff\xffgetstatus fragshark"),
            ("quake3.getstatus", &[("challenge", "x1")], r"\xff\xff\xff\xffgetstatus x1"),
            ("quake3.getinfo", &[("challenge", "x1")], r"\xff\xff\xff\xffgetinfo x1"),
            ("source.a2s-rules", &[("challenge", "1")], r"\xff\xff\xff\xffV\x01\x00\x00\x00"),
        ] {
            assert_eq!(made(name, values).unwrap(), expected, "{name}");
        }
        let why = made("quake3.getstatus", &[("chalenge", "x")]).unwrap_err();
        assert_eq!(why, "chalenge is no field of quake3.getstatus; did you mean challenge?");
        let why = made("source.a2s-rules", &[("challenge", "x")]).unwrap_err();
        assert!(why.starts_with("challenge=x: "), "{why}");
    }

    #[test]
    fn a_shared_name_is_that_of_the_protocol_of_the_target() {
        let several = message_named("status", &[]).unwrap_err();
        assert!(several.starts_with("several protocols have it: quake2.status"), "{several}");
        let quakeworld = registry().protocol("quakeworld").unwrap();
        let entry = message_named("status", &[quakeworld]).unwrap();
        assert_eq!(full_name(entry), "quakeworld.status");
    }
}
