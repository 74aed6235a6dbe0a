//! The row of an exchange.

use super::row::row;

row! {
    /// A request, its response, and the outcome.
    SessionRow {
        file;
        exchange: Number in "", "the exchange's number, from 1 in the order of the first messages, which is the order of the rows";
        exchange_id: Word in "", "the same, for joins with other runs: 16 hex digits that identify the captures of the run, a dash, the number";
        kind: Word in "", "its kind: `registration`, `shutdown`, `list`, `query`, `connection`, `authorization`, `motd`, `version`, `validation` or `command`";
        state: Word in "", "the outcome: `answered`, `refused`, `unanswered`, `incomplete` (it stopped on the way), `unsolicited` (an answer to no captured request) or `one-way` (the protocol has no answer)";
        game;
        transport;
        flow;
        flow_id;
        community_id;
        source;
        source_port;
        source_role;
        destination;
        destination_port;
        destination_role;
        server: Text in "", "the server that it is about, as `address:port`; empty where there is none";
        start_time;
        end_time;
        latency_ms: Decimal or none in "milliseconds", "from the first message to the first answer";
        duration_ms: Decimal or none in "milliseconds", "from the first message to the last answer";
        hostname;
        hostname_plain;
        map_name;
        gamename: Text in "", "the game, as its own programs call it; of the answer, else of the request";
        protocol: Text in "", "the protocol's number; of the answer, else of the request";
        players;
        max_players;
        servers_listed: Number or none in "", "how many servers a list has";
        list_packets: Number or none in "", "how many packets a list took";
        challenge: Text in "", "the first challenge that was sent";
        challenge_state: Word in "", "whether the challenge came back: `right`, `wrong`, `missing`, `awaited`, `unknown` where nobody can tell; empty where none was sent";
        retries: Number in "", "how often the request was sent again";
        messages;
        frames: Numbers in "", "the frames of its messages; of long exchanges the first 4096";
        steps: Json in "", "its messages, an array of objects: `number` of the frame, `turn` (`request`, `retry`, `query`, `answer`, `refusal`), and `message`, its own name among all; the first 4096";
        bytes;
        bytes_back;
        request_number: Number or none in "", "the frame of the request";
        request: Text in "", "the request's own name among all messages; empty where none was seen";
        request_fields: Json or none in "", "the decoded values of the request";
        reply_number: Number or none in "", "the frame of the first answer";
        reply: Text in "", "the first answer's own name among all messages; empty where none came";
        reply_fields: Json or none in "", "the decoded values of the answer: of a list or a reply in several datagrams those of all of them, joined";
        icmp_errors: Texts in "", "ICMP errors about its messages";
    }
}
