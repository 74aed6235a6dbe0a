//! The message that is asked with: named, as bytes, or of a capture, and edited.

use std::io::{Read as _, Seek as _, Write as _};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::Command;
use std::str::FromStr;

use anyhow::{Context as _, anyhow, bail};

use super::QueryArgs;
use ::query::{QueryMessage, QueryTarget, message_named};
use analysis::Pipeline;
use capture::Input;
use codec::Kind;
use protocol::Reading;
use render::field_values;

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
    let before: Vec<_> = lines
        .map(|item| format!("{}={}", item.name(), String::from_utf8_lossy(&item.text)))
        .collect();
    let mut file = tempfile::NamedTempFile::new().context("cannot create a temporary file")?;
    writeln!(file, "{}", before.join("\n"))?;
    let editor = std::env::var_os("VISUAL").or_else(|| std::env::var_os("EDITOR"));
    let editor = editor.unwrap_or_else(|| EDITOR.into());
    let status = Command::new(&editor).arg(file.path()).status();
    let name = editor.to_string_lossy().into_owned();
    if !status.with_context(|| format!("cannot run {name}"))?.success() {
        bail!("{name} failed; nothing was sent");
    }
    let mut text = String::new();
    let mut file = file.reopen()?;
    file.rewind()?;
    file.read_to_string(&mut text).context("cannot read the edited values")?;
    let changed = text.lines().filter(|line| !before.iter().any(|known| known == line));
    let values = changed.filter_map(|line| line.split_once('='));
    let values: Vec<_> = values.map(|(name, value)| (name.into(), value.into())).collect();
    Ok(message.with_values(&values)?)
}

#[cfg(test)]
mod tests {
    use super::*;

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
