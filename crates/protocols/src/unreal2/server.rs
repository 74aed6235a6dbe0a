//! What a master and a registered server tell each other. Source: OpenSpy, utmaster.

use std::marker::PhantomData;

use super::super::declare::choices;
use super::super::{M2S, S2M};
use super::frames::{FrameKind, is};
use super::master::{SIZE, SIZE_FORM};
use codec::{
    CountedText, Counting::Unreal, Endian::Little, Field, FieldRole, Kind, Pass, RecordForm,
    Records, RecordsEnd, Shape, Size, Walk, bytes, counted,
};
use protocol::{Message, Spec};

static KIND: Field = Field::new("kind", Kind::Command, "what a master tells a server, or is told");
static PORT: Field = Field::number("port", "where the server plays").role(FieldRole::Port);
static QUERY_PORT: Field =
    Field::number("query port", "where the server answers queries").role(FieldRole::Port);
static GAMESPY_PORT: Field =
    Field::number("gamespy port", "where the server answers GameSpy's queries")
        .role(FieldRole::Port);
static HEARTBEAT_ID: Field = Field::number("id", "which of the server's ports is tried");
static CODE: Field = Field::number("code", "the server sends it back").role(FieldRole::Challenge);
static PACKAGES_VERSION: Field =
    Field::number("version", "of the list of packages that the server has");
static PACKAGE_COUNT: Field =
    Field::number("count", "how many packages follow").role(FieldRole::Count);
static PACKAGES: Field = Field::group("packages", "files that clients may have");
static PACKAGE: Field = Field::group("package", "one of them");
static PACKAGE_ID: Field = Field::text("id", "of the package");
static HASH: Field = Field::text("hash", "of its content");
static VERSION: Field = Field::number("version", "of the list since which it is there");
static STATISTICS: Field =
    Field::text("statistics", "of a match, line by line").role(FieldRole::Free);
static FORM: Field = Field::number("form", "of what follows; OpenSpy sends 120");

const PACKAGE_FORM: RecordForm = RecordForm {
    record: &PACKAGE,
    members: &[
        counted(&PACKAGE_ID, Unreal),
        counted(&HASH, Unreal),
        bytes(&VERSION, 4, Shape::Unsigned(Little)),
    ],
    end: RecordsEnd::Rest,
};

choices! {
    /// Which ports a master tells.
    PortsForm { Three "UT2004's", One "UT2003's: one port" }
    |rest| rest.first() == Some(&0);
}

/// The ports at which a master sees a server.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct DetectedPorts<'a> {
    pub size: Size,
    pub form: PortsForm,
    pub number: u32,
    pub zero: u8,
    pub query_port: u32,
    pub port: u32,
    pub gamespy_port: u32,
    pub borrowed: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for DetectedPorts<'a> {
    const SPEC: Spec = Spec::new(
        "TCP detected ports",
        &["009 utmaster"],
        M2S,
        b"\x11\0\0\0\x01\x78\0\0\0\x62\x1e\0\0\x61\x1e\0\0\x6b\x1e\0\0",
    )
    .id("detected-ports")
    .stream()
    .weak()
    .content_match(b"", |bytes| is(bytes, FrameKind::DetectedPorts))
    .answers(&["uplink"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.sized(&SIZE, SIZE_FORM, &mut self.size, |p| {
            p.lit(&KIND, b"\x01")?;
            p.choose(&mut self.form, |p, form| match form {
                PortsForm::Three => {
                    p.int(&FORM, Little, &mut self.number)?;
                    p.int(&QUERY_PORT, Little, &mut self.query_port)?;
                    p.int(&PORT, Little, &mut self.port)?;
                    p.int(&GAMESPY_PORT, Little, &mut self.gamespy_port)
                }
                PortsForm::One => {
                    p.int(&FORM, Little, &mut self.zero)?;
                    p.int(&PORT, Little, &mut self.port)
                }
            })
        })
    }
}

/// A master asks for a heartbeat over UDP, with a code.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct HeartbeatRequest<'a> {
    pub size: Size,
    pub id: u8,
    pub code: u32,
    pub borrowed: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for HeartbeatRequest<'a> {
    const SPEC: Spec =
        Spec::new("TCP heartbeat request", &["009 utmaster"], M2S, b"\x06\0\0\0\0\x01\x57\x04\0\0")
            .id("heartbeat-request")
            .stream()
            .weak()
            .content_match(b"", |bytes| is(bytes, FrameKind::HeartbeatRequest))
            .one_way();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.sized(&SIZE, SIZE_FORM, &mut self.size, |p| {
            p.lit(&KIND, b"\0")?;
            p.int(&HEARTBEAT_ID, Little, &mut self.id)?;
            p.int(&CODE, Little, &mut self.code)
        })
    }
}

/// A server says which list of packages it has.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PackagesVersion<'a> {
    pub size: Size,
    pub version: u32,
    pub borrowed: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for PackagesVersion<'a> {
    const SPEC: Spec =
        Spec::new("TCP packages version", &["009 utmaster"], S2M, b"\x05\0\0\0\x04\x07\0\0\0")
            .id("packages-version")
            .stream()
            .weak()
            .content_match(b"", |bytes| is(bytes, FrameKind::PackagesVersion))
            .one_way();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.sized(&SIZE, SIZE_FORM, &mut self.size, |p| {
            p.lit(&KIND, b"\x04")?;
            p.int(&PACKAGES_VERSION, Little, &mut self.version)
        })
    }
}

/// The packages that a server's list lacks.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Packages<'a> {
    pub size: Size,
    pub count: u8,
    pub packages: Records<'a>,
}

impl<'a> Message<'a> for Packages<'a> {
    const SPEC: Spec = Spec::new(
        "TCP packages",
        &["009 utmaster"],
        M2S,
        b"\x10\0\0\0\x04\x01\x03ab\0\x05beef\0\x08\0\0\0",
    )
    .id("packages")
    .stream()
    .weak()
    .content_match(b"", |bytes| is(bytes, FrameKind::Packages))
    .answers(&["packages-version"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.sized(&SIZE, SIZE_FORM, &mut self.size, |p| {
            p.lit(&KIND, b"\x04")?;
            p.int(&PACKAGE_COUNT, Little, &mut self.count)?;
            p.view(&PACKAGES, PACKAGE_FORM, &mut self.packages)
        })
    }
}

/// What happened in a match.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Statistics<'a> {
    pub size: Size,
    pub statistics: CountedText<'a>,
}

impl<'a> Message<'a> for Statistics<'a> {
    const SPEC: Spec =
        Spec::new("TCP statistics", &["009 utmaster"], S2M, b"\x07\0\0\0\x02\x05line\0")
            .id("statistics")
            .stream()
            .weak()
            .content_match(b"", |bytes| is(bytes, FrameKind::Statistics))
            .one_way();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.sized(&SIZE, SIZE_FORM, &mut self.size, |p| {
            p.lit(&KIND, b"\x02")?;
            p.counted(&STATISTICS, Unreal, &mut self.statistics)
        })
    }
}
