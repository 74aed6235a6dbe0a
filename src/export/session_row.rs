//! The row of an exchange.

use super::row::row;

row! {
    /// A request, its response, and the outcome.
    SessionRow {
        exchange: Number in "", "the exchange's number, from 1 in the order of the first messages, which is the order of the rows";
        kind: Word in "", "what it is about: `registration`, `shutdown`, `list`, `query`, `connection`, `authorization`, `motd`, `version`, `validation` or `command`";
        state: Word in "", "what came of it: `answered`, `refused`, `unanswered`, `half` (it stopped on the way), `unsolicited` (an answer to nothing that was seen) or `told` (nothing has to come back)";
        game: Word in "", "the game that the conversation speaks";
        transport: Word in "", "`udp` or `tcp`";
        flow: Number in "", "the conversation of its first message";
        source: Address in "", "the address of whoever asked";
        source_port: Number in "", "the port of that end";
        source_role: Word in "", "`client`, `server`, `master`, or empty where nothing tells";
        destination: Address in "", "the address of whoever was asked";
        destination_port: Number in "", "the port of that end";
        destination_role: Word in "", "the same as `source_role`, of that end";
        server: Text in "", "the server that it is about, as `address:port`; empty where there is none";
        first: Time in "UTC", "when its first message was captured";
        last: Time in "UTC", "when its last message was captured";
        latency_ms: Decimal or none in "milliseconds", "from the first message to the first answer";
        duration_ms: Decimal or none in "milliseconds", "from the first message to the last answer";
        hostname: Text in "", "the server's name as it was sent, with its colours' codes";
        hostname_plain: Text in "", "the same without the codes";
        map_name: Text in "", "the map being played";
        gamename: Text in "", "the game, as its own programs call it; of the answer, else of the request";
        protocol: Text in "", "the protocol's number; of the answer, else of the request";
        players: Integer or none in "", "how many play, as the server says, or how many players it names";
        max_players: Integer or none in "", "how many may play";
        servers_listed: Number or none in "", "how many servers a list has";
        list_packets: Number or none in "", "how many packets a list took";
        challenge: Text in "", "the first challenge that was sent";
        challenge_state: Word in "", "whether the challenge came back: `right`, `wrong`, `missing`, `awaited`, `unknown` where nobody can tell; empty where none was sent";
        retries: Number in "", "how often the same was asked again";
        messages: Number in "", "how many messages it has";
        frames: Json in "", "the frames of its messages, an array of numbers; of long exchanges the first 4096";
        steps: Json in "", "its messages, an array of objects: `number` of the frame, `turn` (`asks`, `asks again`, `asks back`, `answers`, `refuses`), and `message`, its own name among all; the first 4096";
        bytes: Number in "bytes", "payload from `source`";
        bytes_back: Number in "bytes", "payload the other way";
        request_number: Number or none in "", "the frame of the request";
        request: Text in "", "the request's own name among all messages; empty where none was seen";
        request_fields: Json or none in "", "the decoded values of the request";
        reply_number: Number or none in "", "the frame of the first answer";
        reply: Text in "", "the first answer's own name among all messages; empty where none came";
        reply_fields: Json or none in "", "the decoded values of the answer: of a list or a reply in several datagrams those of all of them, joined";
        icmp_errors: Json in "", "what the network said of its messages, an array of texts";
    }
}
