//! Declares a protocol and a game of its own, and decodes one message of it with the registry of
//! that protocol alone.
//!
//! ```text
//! cargo run --example custom_game
//! ```

use fragshark::codec::{CommandWord, Field, FieldRole, Kind, Pass, Walk};
use fragshark::protocol::{
    Carrier, Confidence, Direction, Game, Message, Pattern, Port, Reading, Registry, Role,
    Signature, SignatureSource, Spec,
};
use fragshark::render::{Rendered, Separators};
use fragshark::text::Secrets;

static COMMAND: Field = Field::new("command", Kind::Command, "what is announced");
static BLANK: Field = Field::separator("blank", "stands between the values");
static MODE: Field = Field::text("mode", "the game mode").role(FieldRole::Game);
static PLAYERS: Field = Field::text("players", "how many players there are");

/// `ANNOUNCE mode players`: a server's heartbeat.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Announce<'a> {
    command: CommandWord<'a>,
    mode: &'a [u8],
    players: &'a [u8],
}

impl<'a> Message<'a> for Announce<'a> {
    const SPEC: Spec = Spec::new(
        "announce",
        &["the game's source"],
        &[(Role::Server, Role::Master)],
        b"ANNOUNCE ctf 3",
    );

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.word(&COMMAND, b"ANNOUNCE", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.text(&MODE, b" ", &mut self.mode)?;
        p.lit(&BLANK, b" ")?;
        p.text(&PLAYERS, b"", &mut self.players)
    }
}

static GAME: Game = Game {
    id: "pong",
    title: "Pong Arena",
    protocol: &PROTOCOL,
    ports: &[Port::new(4000, Role::Server)],
    signatures: &[Signature::new(
        SignatureSource::Field("mode", Pattern::Is(&["ctf", "duel"])),
        Confidence::Certain,
    )],
    required_keys: &[],
};

fragshark::protocol::protocol! {
    /// One message of the protocol.
    Pong: "pong", "Pong Arena", &[&GAME], [Announce]; page: ""
}

fn main() {
    let registry = Registry::new(&[&PROTOCOL]);
    let payload = b"ANNOUNCE duel 2";
    let direction = Direction { from: Some(Role::Server), to: Some(Role::Master) };
    for entry in registry.recognise_all(Carrier::Datagram, payload, direction) {
        let mut reading = Reading::default();
        reading.read_message(entry, payload);
        println!("{} of {}", entry.spec.name, entry.protocol.title);
        for line in Rendered::new(&reading, payload, Secrets::Masked).tree(Separators::Hidden) {
            println!("  {}: {}", line.label, line.value);
        }
        if let Some(confidence) = GAME.evidence(entry, "mode", b"duel") {
            println!("game: {} ({confidence})", GAME.title);
        }
    }
}
