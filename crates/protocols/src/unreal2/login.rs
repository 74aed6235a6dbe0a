//! How clients and servers log in to a master. Sources: OpenSpy, utmaster; qstat's client, ut2004.c.
//! What their authors did not know is named unknown here.

use std::marker::PhantomData;

use super::super::declare::choices;
use super::super::{NO_YES, S2M};
use super::frames::{FrameKind, behind_texts, is};
use super::master::{SIZE, SIZE_FORM};
use codec::{CountedText, Counting::Unreal, Endian::Little, Field, FieldRole, Pass, Size, Walk};
use protocol::{ExchangeKind, Message, Role, Spec};

/// Both clients and servers log in.
const LOGIN: &[(Role, Role)] = &[(Role::Client, Role::Master), (Role::Server, Role::Master)];

static KEY_HASH: Field =
    Field::text("cd key hash", "the MD5 of the CD key").role(FieldRole::Secret);
static RESPONSE: Field =
    Field::text("response", "the MD5 of the CD key and the challenge").role(FieldRole::Secret);
static PROGRAM: Field = Field::text("program", "client or server, of which game");
static PROGRAM_VERSION: Field =
    Field::number("version", "of the game; from 3000 on UT2004's").role(FieldRole::Version);
static SYSTEM: Field = Field::number("system", "on which it runs, and 3 more");
static UNKNOWN: Field = Field::number("unknown", "no source explains it");
static LANGUAGE: Field = Field::text("language", "that the player speaks");
static STATS_ID: Field =
    Field::number("statistics id", "the server's number at the statistics server");
static DEVICE: Field = Field::number("graphics device", "its number");
static VENDOR: Field = Field::number("graphics vendor", "its number");
static CYCLES: Field = Field::number("processor cycles", "how fast the processor is");
static PROCESSOR: Field = Field::number("processor", "its kind");
static BEHIND_NAT: Field =
    Field::number("behind NAT", "whether an address is translated on the way").values(NO_YES);
static GAMESPY: Field =
    Field::number("gamespy", "whether the server registers at GameSpy's master too").values(NO_YES);

choices! {
    /// How a login says on which system a program runs.
    SystemForm { Short "a byte", Long "from UT2003's servers: five bytes" }
    |rest| !is_short(rest);
    /// Whether numbers of the graphics stand in a login.
    HasGraphics { No "a server's", Yes "a client's" }
    |rest| rest.len() > 5;
}

/// Whether a language follows a byte, and behind it what UT2004's servers or clients add, or nothing.
fn is_short(rest: &[u8]) -> bool {
    let tail = rest.get(1..).and_then(|rest| behind_texts(rest, 1));
    tail.is_some_and(|tail| matches!(tail.len(), 0 | 5 | 13))
}

/// Whether a frame is a login.
pub(super) fn is_login(frame: &[u8]) -> bool {
    let Some(rest) = behind_texts(frame, 3).and_then(|rest| rest.get(4..)) else {
        return false;
    };
    let is_long = || rest.get(5..).and_then(|rest| behind_texts(rest, 1)) == Some(&[]);
    is_short(rest) || is_long()
}

/// A client or a server proves its CD key.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Login<'a> {
    pub size: Size,
    pub key_hash: CountedText<'a>,
    pub response: CountedText<'a>,
    pub program: CountedText<'a>,
    pub version: u32,
    pub form: SystemForm,
    pub system: u8,
    pub unknown: u32,
    pub language: CountedText<'a>,
    /// Whether more follows: UT2004's.
    pub has_more: bool,
    pub graphics: HasGraphics,
    /// A client's graphics device, or a server's number at the statistics server.
    pub number: u32,
    pub vendor: u32,
    pub cycles: u32,
    pub processor: u8,
}

impl<'a> Message<'a> for Login<'a> {
    const SPEC: Spec = Spec::new(
        "TCP login",
        &["009 utmaster", "010 ut2004.c"],
        LOGIN,
        b"\x2a\0\0\0\x05hash\0\x07answer\0\x0cUT2K4SERVER\0\x29\x0d\0\0\x03\x04int\0\
          \x01\0\0\0\x02",
    )
    .id("login")
    .stream()
    .weak()
    .content_match(b"", |bytes| is(bytes, FrameKind::Login))
    .exchange(ExchangeKind::Validation);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.sized(&SIZE, SIZE_FORM, &mut self.size, |p| {
            p.counted(&KEY_HASH, Unreal, &mut self.key_hash)?;
            p.counted(&RESPONSE, Unreal, &mut self.response)?;
            p.counted(&PROGRAM, Unreal, &mut self.program)?;
            p.int(&PROGRAM_VERSION, Little, &mut self.version)?;
            p.choose(&mut self.form, |p, form| {
                if form == SystemForm::Long {
                    p.int(&UNKNOWN, Little, &mut self.unknown)?;
                }
                p.int(&SYSTEM, Little, &mut self.system)
            })?;
            p.counted(&LANGUAGE, Unreal, &mut self.language)?;
            p.more(&mut self.has_more, "from UT2004", |p| {
                p.choose(&mut self.graphics, |p, graphics| match graphics {
                    HasGraphics::No => p.int(&STATS_ID, Little, &mut self.number),
                    HasGraphics::Yes => {
                        p.int(&DEVICE, Little, &mut self.number)?;
                        p.int(&VENDOR, Little, &mut self.vendor)?;
                        p.int(&CYCLES, Little, &mut self.cycles)
                    }
                })?;
                p.int(&PROCESSOR, Little, &mut self.processor)
            })
        })
    }
}

/// A server says how it is connected, after it was approved.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Uplink<'a> {
    pub size: Size,
    pub behind_nat: u32,
    pub gamespy: u32,
    pub borrowed: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for Uplink<'a> {
    const SPEC: Spec =
        Spec::new("TCP uplink", &["009 utmaster"], S2M, b"\x08\0\0\0\0\0\0\0\x01\0\0\0")
            .id("uplink")
            .stream()
            .weak()
            .content_match(b"", |bytes| is(bytes, FrameKind::Uplink));

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.sized(&SIZE, SIZE_FORM, &mut self.size, |p| {
            p.int(&BEHIND_NAT, Little, &mut self.behind_nat)?;
            p.int(&GAMESPY, Little, &mut self.gamespy)
        })
    }
}
