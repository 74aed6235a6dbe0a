//! The columns that several tables have, each declared once.
//!
//! A table names one of them without a type: `game;` in [`row!`](super::row::row).

/// Passes the declaration of a shared column to `row!`.
macro_rules! shared {
    (@declared $($column:ident: $kind:ident $(or $none:ident)? in $unit:literal, $meaning:literal;)+) => {
        shared!(@arms ($) $($column: $kind $(or $none)? in $unit, $meaning;)+);
    };
    (@arms ($d:tt) $($column:ident: $kind:ident $(or $none:ident)? in $unit:literal, $meaning:literal;)+) => {
        macro_rules! shared_column {
            $(
                ($column $d($d then:tt)*) => {
                    $crate::row::row!($d($d then)* $column: $kind $(or $none)? in $unit, $meaning)
                };
            )+
        }
    };
}

shared! { @declared
    file: Text in "", "the capture that it is from, as it was given on the command line; `-` is standard input; of several messages or packets, that of the first";
    number: Number in "", "the frame's number in the capture, from 1; of several files, in the order of their times; where a datagram came in fragments, the last one's";
    time: Time in "UTC", "when that frame was captured";
    source: Address in "", "the sender's address; of an exchange or a flow, that of the sender of the first message or packet";
    source_port: Port in "", "the port of that endpoint";
    source_role: Word in "", "`client`, `server`, `master`, or empty if unknown";
    destination: Address in "", "the receiver's address, of the same message or packet";
    destination_port: Port in "", "the port of that endpoint";
    destination_role: Word in "", "the same as `source_role`, of the receiver";
    transport: Word in "", "`udp` or `tcp`";
    flow: Number in "", "the flow's number, from 1 in the order of the first packets; of an exchange, the flow of its first message; 0 where the table of flows was full";
    flow_id: Word in "", "the same, for joins with other runs: 16 hex digits that identify the captures of the run, a dash, the number";
    community_id: Word or none in "", "the flow's Community ID (version 1, seed 0), as Zeek, Suricata and Wireshark have it; of an exchange, that of its first message; nothing where the row is not of one flow";
    game: Word in "", "the game; empty if no message tells it";
    certainty: Text in "", "how certain the game is: `guess`, `by port`, `by form`, `by protocol number`, `likely`, `certain` or `set` (by the user)";
    protocols: Texts in "", "the protocols of the messages that it sent as a server or master, as far as only one protocol has them";
    knowledge: Json or none in "", "what its messages tell of its roles, protocols and game, for `--known`; nothing where names are replaced";
    message_id: Word in "", "the message's own name among all: its protocol, a dot, a slug";
    server: Address in "", "the server's address";
    server_port: Port in "", "the server's port";
    start_time: Time in "UTC", "when its first packet was captured";
    end_time: Time in "UTC", "when its last packet was captured";
    first_seen: Time in "UTC", "when it was first seen";
    hostname: Text in "", "the server's name as it was sent, with its colour codes; the last that it sent";
    hostname_plain: Text in "", "the same without the codes";
    map_name: Text in "", "the map being played, the last that the server sent";
    protocol: Text in "", "the protocol's number";
    players: Integer or none in "", "how many play, as the server says, or how many players it names";
    max_players: Integer or none in "", "how many may play";
    messages: Number in "", "how many messages it has, both ways";
    bytes: Number in "bytes", "payload from `source` to `destination`";
    bytes_back: Number in "bytes", "payload the other way";
    listed_by: Texts in "", "the masters that listed the server, as `address:port`";
    first_listed: Time or none in "UTC", "when it was first listed";
}

#[allow(clippy::single_component_path_imports, reason = "a macro is named by a path so")]
pub(super) use shared_column;
