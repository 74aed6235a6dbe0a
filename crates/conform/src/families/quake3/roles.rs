//! Servers and clients of the Quake III family, and the lists that clients get.

use super::LISTS;
use crate::client::ListClient;
use crate::list::ReceivedList;
use crate::server::{MasterRequest, TestRole, TestServer};
use crate::{Done, Failure, TestContext};
use simulate::families::MasterMessages;
use simulate::families::quake3::messages::{self, Quake3ListRequest};
use simulate::{ListForm, ServerInfo};

/// A server, and a client.
pub type Quake3Server<'s> = TestServer<'s, Quake3Role>;
pub type Quake3Client<'s> = ListClient<'s, Quake3Role>;

/// Quake III's protocol, and that of games that name themselves.
const PROTOCOL: u32 = 68;
const NAMED_PROTOCOL: i64 = 3;
/// The words that select all servers.
const ALL: &str = "empty full";

/// A request for all Quake III servers of this case's protocol: 68, if servers have their own
/// endpoints, else a number that no other case has. Where a game is assumed, it is for that.
pub fn all<'c>(ctx: &'c TestContext<'_>) -> Quake3ListRequest<'c> {
    of_protocol(ctx, PROTOCOL)
}

/// The same for another protocol.
pub fn of_protocol<'c>(ctx: &'c TestContext<'_>, protocol: u32) -> Quake3ListRequest<'c> {
    let assumed = ctx.assumed().game();
    let protocol = assumed.protocol.unwrap_or_else(|| ctx.protocol(protocol));
    // Clients of Unvanquished name their game in extended requests alone.
    let is_named = ctx.assumed().settings().list_form != ListForm::Daemon;
    let game = assumed.name.as_deref().filter(|_| is_named).unwrap_or_default();
    Quake3ListRequest { game, protocol, words: ALL, line_feed: false }
}

/// The name of a game that names itself: the assumed one, else one that no other case has.
pub fn named_game(ctx: &TestContext<'_>) -> String {
    ctx.assumed().game().name.clone().unwrap_or_else(|| ctx.game())
}

/// The name of a game that names itself and that no other case has; skipped if the target lists one
/// game alone.
pub fn own_game(ctx: &TestContext<'_>) -> Result<String, Failure> {
    match &ctx.assumed().game().name {
        None => Ok(ctx.game()),
        Some(name) => Err(Failure::skipped(format!("the target is assumed to list {name} alone"))),
    }
}

/// The protocol of games that name themselves.
pub fn named_protocol(ctx: &TestContext<'_>) -> i64 {
    ctx.assumed().game().protocol.unwrap_or(NAMED_PROTOCOL)
}

/// Another protocol, in which none of their servers is listed at first.
pub fn next_protocol(ctx: &TestContext<'_>) -> i64 {
    named_protocol(ctx) + 1
}

/// Passes this protocol of further servers on; skipped if the target lists one protocol alone.
pub fn if_listed(ctx: &TestContext<'_>, protocol: i64) -> Result<i64, Failure> {
    match ctx.assumed().game().protocol {
        None => Ok(protocol),
        Some(one) => {
            Err(Failure::skipped(format!("the target is assumed to list protocol {one} alone")))
        }
    }
}

/// All servers of a game that names itself.
pub fn of_game<'g>(ctx: &TestContext<'_>, game: &'g str) -> Quake3ListRequest<'g> {
    Quake3ListRequest { game, protocol: named_protocol(ctx), words: ALL, line_feed: false }
}

/// The servers of cases, and the lists that hold them.
pub struct Quake3Role;

impl TestRole for Quake3Role {
    const SERVICE: &'static str = LISTS;
    const REQUEST: &'static str = "a getinfo or a getstatus in answer to the heartbeat";
    const ANSWERS_ANY_PORT: bool = true;
    const MASTER: &'static MasterMessages = &simulate::families::quake3::master::QUAKE3_LIST;
    type Server = messages::RegisteringQuake3;
    type List<'l> = Quake3ListRequest<'l>;

    /// A Quake III server with one player on eight places, or one of the game that is assumed, whose
    /// heartbeats have DarkPlaces' tag as those of all games that name themselves.
    fn new(ctx: &TestContext<'_>) -> (messages::RegisteringQuake3, ServerInfo) {
        let list = all(ctx);
        let info = messages::server_info(&list.protocol.to_string());
        match list.game {
            "" => (messages::RegisteringQuake3 { tag: messages::QUAKE }, info),
            name => {
                let info = info.with("gamename", name);
                (messages::RegisteringQuake3 { tag: messages::DARKPLACES }, info)
            }
        }
    }

    /// All servers of its game and protocol.
    fn list<'l>(server: &'l Quake3Server<'_>) -> Quake3ListRequest<'l> {
        let text = |key| server.info.get(key).and_then(|text| std::str::from_utf8(text).ok());
        let protocol = text("protocol").and_then(|text| text.parse().ok()).unwrap_or_default();
        let game = text("gamename").unwrap_or_default();
        Quake3ListRequest { game, protocol, words: ALL, line_feed: false }
    }

    fn collect_any(
        client: &Quake3Client<'_>,
        list: Quake3ListRequest<'_>,
    ) -> Result<ReceivedList, Failure> {
        client.request_any(&client.encode(list))
    }
}

impl<'s> Quake3Server<'s> {
    /// A Quake III server of another protocol.
    pub fn of_protocol(ctx: &'s TestContext<'_>, protocol: u32) -> Result<Self, Failure> {
        Ok(Self::new(ctx)?.with("protocol", &of_protocol(ctx, protocol).protocol.to_string()))
    }

    /// A server of the DarkPlaces family, of a game of this name.
    pub fn darkplaces(ctx: &'s TestContext<'_>, game: &str) -> Result<Self, Failure> {
        Self::with_info(
            ctx,
            messages::DARKPLACES,
            messages::server_info(&named_protocol(ctx).to_string()).with("gamename", game),
        )
    }

    /// The same of the assumed game, else of one that no other case has.
    pub fn named(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        Self::darkplaces(ctx, &named_game(ctx))
    }

    /// A server with this tag and these values.
    pub fn with_info(
        ctx: &'s TestContext<'_>,
        tag: &'static str,
        info: ServerInfo,
    ) -> Result<Self, Failure> {
        Ok(Self { info, ..Self::new(ctx)?.tagged(tag) })
    }

    /// The same server with this tag.
    #[must_use]
    pub fn tagged(self, tag: &'static str) -> Self {
        Self { state: messages::RegisteringQuake3 { tag }, ..self }
    }

    /// Answers with this challenge, whatever the master's was.
    pub fn answer_with(&self, challenge: &[u8]) -> Done {
        self.answer(&challenge.to_vec())
    }
}

/// Registers a server that a master has to refuse: none of these lists has it.
pub fn is_refused(server: &Quake3Server<'_>, lists: &[Quake3ListRequest<'_>]) -> Done {
    let client = Quake3Client::new(server.end.ctx())?;
    let request = client.setup_request(server, lists)?;
    server.answer_request(&request)?;
    lists.iter().try_for_each(|list| client.expect_unlisted(server, *list))
}

impl Quake3Client<'_> {
    /// A server registers and is listed: the setup of a case.
    pub fn setup_listed(
        &self,
        server: &Quake3Server<'_>,
        list: Quake3ListRequest<'_>,
    ) -> Result<ReceivedList, Failure> {
        self.end.ctx().setup(|| {
            server.register()?;
            self.wait_listed(server, list)
        })
    }

    /// A server sends a heartbeat and gets a getinfo; before it answers, none of these lists has
    /// it: the setup of a case about its answer.
    pub fn setup_request(
        &self,
        server: &Quake3Server<'_>,
        lists: &[Quake3ListRequest<'_>],
    ) -> Result<MasterRequest<Quake3Role>, Failure> {
        self.end.ctx().setup(|| {
            server.send_heartbeat()?;
            let request = server.recv_challenge()?;
            lists.iter().try_for_each(|list| self.expect_unlisted(server, *list))?;
            Ok(request)
        })
    }
}

/// Only whole records are between the command and the end of a packet.
pub fn expect_whole_records(listed: &ReceivedList) -> Done {
    for ((packet, _, end), records) in listed.ends().zip(&listed.records) {
        let of_records: usize = records.servers.iter().map(|(_, bytes)| bytes.len()).sum();
        let over = records.end - records.at - of_records;
        if over > 0 || !(end.is_empty() || end.starts_with(b"\\")) {
            let came = format!("{} bytes that belong to no record", over + end.len());
            return Err(Failure::new("whole records to the end mark", came).at(packet));
        }
    }
    Ok(())
}
