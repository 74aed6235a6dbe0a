//! The message that is asked with: named, as bytes, or of a capture, and edited.

use std::fs;
use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::str::FromStr;

use anyhow::{Context as _, anyhow, bail};

use super::QueryArgs;
use ::query::{QueryMessage, QueryTarget, message_named};
use analysis::Pipeline;
use capture::Input;
use codec::Kind;
use protocol::Reading;
use render::field_values;
use text::{escaped_bytes, shown, unescaped};

/// What runs if neither `VISUAL` nor `EDITOR` is set.
const EDITOR: &str = "vi";
/// The maximum bytes of a datagram.
const LONGEST: usize = 65_507;

/// Bytes of `--hex`.
#[derive(Debug, Clone)]
pub(super) struct HexBytes(pub Vec<u8>);

/// Parses bytes in hexadecimal; blanks and colons between them do not count.
pub(super) fn hex(text: &str) -> Result<HexBytes, String> {
    let digits: Vec<char> = text.chars().filter(|c| !c.is_whitespace() && *c != ':').collect();
    let digits = digits.strip_prefix(&['0', 'x']).unwrap_or(&digits);
    let pairs = digits.chunks(2).map(|pair| {
        let pair: String = pair.iter().collect();
        u8::from_str_radix(&pair, 16).ok().filter(|_| pair.len() == 2 && !pair.starts_with('+'))
    });
    let bytes: Option<Vec<u8>> = pairs.collect();
    let bytes = bytes.filter(|bytes| !bytes.is_empty() && bytes.len() <= LONGEST);
    bytes.map(HexBytes).ok_or_else(|| "expected bytes such as ff ff ff ff 67 65 74".to_owned())
}

/// `FILE#FRAME`.
#[derive(Debug, Clone)]
pub(super) struct FrameOfFile {
    file: PathBuf,
    number: u64,
}

impl FromStr for FrameOfFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (file, number) = text.rsplit_once('#').unwrap_or(("", text));
        let number = number.parse().ok().filter(|number| *number > 0 && !file.is_empty());
        let number = number.ok_or("expected FILE#FRAME, such as capture.pcapng#12")?;
        Ok(Self { file: file.into(), number })
    }
}

impl FrameOfFile {
    fn message(&self) -> anyhow::Result<QueryMessage> {
        let mut pipeline = Pipeline::open(vec![Input::File(self.file.clone())], Vec::new())?;
        let found = pipeline.messages(|message| {
            if message.header.number != self.number {
                return ControlFlow::Continue(());
            }
            let (entry, bytes) = (Some(message.header.entry), message.payload.to_vec());
            ControlFlow::Break(QueryMessage { entry, bytes })
        })?;
        found.with_context(|| {
            format!("{} has no message in frame {}", self.file.display(), self.number)
        })
    }
}

impl QueryArgs {
    /// The message to be sent; `None` for the question for the state.
    pub(super) fn message(&self, target: &QueryTarget) -> anyhow::Result<Option<QueryMessage>> {
        let protocols = target.protocols();
        let is_value = |word: &&String| word.contains('=');
        let (values, names): (Vec<_>, Vec<_>) = self.message.iter().partition(is_value);
        let given = match (&self.hex, &self.from) {
            (Some(HexBytes(bytes)), _) => Some(QueryMessage::from_bytes(bytes.clone(), &protocols)),
            (None, Some(frame)) => Some(frame.message()?),
            (None, None) => None,
        };
        let message = match (given, names.as_slice()) {
            (Some(message), []) => message,
            (Some(_), _) => bail!("a message is given twice: by its name and by --hex or --from"),
            (None, [name]) => {
                let named = message_named(name, &protocols);
                QueryMessage::usual(named.map_err(|why| anyhow!("{name}: {why}"))?)
            }
            (None, []) if values.is_empty() && !self.edit => return Ok(None),
            (None, []) => {
                bail!("values belong to a message: fragshark query TARGET MESSAGE FIELD=VALUE")
            }
            (None, [_, second, ..]) => {
                bail!("{second} is neither the message, which stands first, nor FIELD=VALUE")
            }
        };
        let values = values.iter().filter_map(|value| value.split_once('='));
        let values: Vec<_> = values.map(|(name, value)| (name.into(), value.into())).collect();
        let message = message.with_values(&values)?;
        if self.edit { edited(message).map(Some) } else { Ok(Some(message)) }
    }

    /// A message that no client sends changes what others see: a heartbeat registers a server.
    pub(super) fn check_permission(
        &self,
        target: &QueryTarget,
        message: &QueryMessage,
    ) -> anyhow::Result<()> {
        let is_question = message.is_of_clients();
        if self.authorized || is_question || target.target.is_local() {
            return Ok(());
        }
        bail!(
            "clients do not send this message; --authorized says that whoever runs {} agrees",
            target.target
        )
    }
}

/// The message with the values that the user has written in an editor.
fn edited(message: QueryMessage) -> anyhow::Result<QueryMessage> {
    let entry = message.entry.context("bytes that are no message have no values to edit")?;
    let items = field_values(&mut Reading::default(), entry, &message.bytes);
    let is_value = |kind| !matches!(kind, Kind::Separator | Kind::Mark | Kind::Command);
    let lines = items.iter().filter(|item| is_value(item.field.kind) && !item.listed);
    let before: Vec<_> =
        lines.map(|item| format!("{}={}", item.name(), escaped_bytes(&item.text))).collect();
    let mut file = tempfile::NamedTempFile::new().context("cannot create a temporary file")?;
    writeln!(file, "{}", before.join("\n"))?;
    let (name, status) = run_editor(file.path());
    if !status.with_context(|| format!("cannot run {name}"))?.success() {
        bail!("{name} failed; nothing was sent");
    }
    // By its name: editors write a new file in place of the one that they opened.
    let text = fs::read_to_string(file.path()).context("cannot read the edited values")?;
    Ok(message.with_values(&changed_values(&before, &text)?)?)
}

/// Runs the user's editor on a file: its words are a program and its options. Returns its name, too.
fn run_editor(file: &Path) -> (String, io::Result<ExitStatus>) {
    let chosen = |name| std::env::var(name).ok().filter(|words| !words.trim().is_empty());
    let editor = chosen("VISUAL").or_else(|| chosen("EDITOR"));
    let editor = editor.unwrap_or_else(|| EDITOR.to_owned());
    let mut words = editor.split_whitespace();
    let status = Command::new(words.next().unwrap_or(EDITOR)).args(words).arg(file).status();
    (editor, status)
}

/// The values that an edited text has in place of these `NAME=VALUE` lines, with escapes.
fn changed_values(before: &[String], text: &str) -> anyhow::Result<Vec<(String, String)>> {
    let is_new = |line: &&str| !line.trim().is_empty() && !before.iter().any(|one| one == line);
    let name_of = |line: &str| line.split_once('=').map(|(name, _)| name.to_owned());
    let mut values = Vec::new();
    for line in text.lines().filter(is_new) {
        let (name, value) = line.split_once('=').with_context(|| {
            format!("{}: neither a value that was there nor NAME=VALUE", shown(line.as_bytes()))
        })?;
        if before.iter().filter(|one| name_of(one).as_deref() == Some(name)).count() > 1 {
            bail!("{name}: several values have this name; send the bytes with --hex");
        }
        let value = unescaped(value).and_then(|bytes| String::from_utf8(bytes).ok());
        let value = value.with_context(|| format!("{name}: the value has no valid escapes"))?;
        values.push((name.to_owned(), value));
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edited_lines_are_values_or_errors() {
        let before = ["challenge=x".to_owned(), "game=a".to_owned(), "game=b".to_owned()];
        for (text, expected) in [
            ("challenge=x\ngame=a\ngame=b\n", Ok(vec![])),
            ("challenge=y\n\ngame=a\ngame=b", Ok(vec![("challenge", "y")])),
            (r"challenge=a\nb\\", Ok(vec![("challenge", "a\nb\\")])),
            ("challenge=\nnew=a=b", Ok(vec![("challenge", ""), ("new", "a=b")])),
            // A line that is gone leaves its value.
            ("", Ok(vec![])),
            ("game=c", Err("game: several values have this name; send the bytes with --hex")),
            ("nonsense", Err("nonsense: neither a value that was there nor NAME=VALUE")),
            (r"challenge=\xff", Err("challenge: the value has no valid escapes")),
        ] {
            let found = changed_values(&before, text).map_err(|why| why.to_string());
            let owned = |values: Vec<(&str, &str)>| -> Vec<(String, String)> {
                values.into_iter().map(|(name, value)| (name.into(), value.into())).collect()
            };
            assert_eq!(found, expected.map(owned).map_err(str::to_owned), "{text}");
        }
    }

    #[test]
    fn bytes_and_frames_are_parsed_or_refused() {
        assert_eq!(hex("ff FF:ff0xff").ok().map(|it| it.0), None);
        assert_eq!(hex("0xff fe").unwrap().0, [0xff, 0xfe]);
        assert_eq!(hex("ff:00").unwrap().0, [0xff, 0]);
        for wrong in ["", "f", "+f", "xx", "fff"] {
            assert!(hex(wrong).is_err(), "{wrong}");
        }
        let frame: FrameOfFile = "a#b.pcap#12".parse().unwrap();
        assert_eq!((frame.file, frame.number), (PathBuf::from("a#b.pcap"), 12));
        for wrong in ["12", "#12", "a.pcap#", "a.pcap#0"] {
            assert!(wrong.parse::<FrameOfFile>().is_err(), "{wrong}");
        }
    }
}
