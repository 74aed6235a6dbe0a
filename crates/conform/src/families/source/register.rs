//! Servers register: 001 10.2 q, 10.1 s, 10.3 0.

use super::preconditions::{CHALLENGED_CASE, LISTED_CASE};
use super::roles::{SteamRole, SteamServer};
use crate::Case;
use crate::families::half_life::register::register_cases;
use crate::families::half_life::roles::filter;
use simulate::families::half_life::registering::{RegionRequest, ServerFilter};

pub(super) static SHARED: &[Case] = register_cases!("source/", SteamRole, "q", answer: 10);

pub(super) static CASES: &[Case] = &[Case {
    id: "source/0/new-state",
    title: "a listed server registers again with another map; a client asks for both maps",
    run: |ctx| {
        let server = SteamServer::new(ctx)?.with("map", "one");
        let (server, client) = server.with_client(ctx)?;
        let server = server.with("map", "two");
        ctx.setup(|| server.register())?;
        let of = |map: &str| format!(r"{}\map\{map}", filter(&server));
        let (before, after) = (of("one"), of("two"));
        client.wait_listed(&server, RegionRequest::everywhere(ServerFilter::Text(&after)))?;
        client.expect_unlisted(&server, RegionRequest::everywhere(ServerFilter::Text(&before)))
    },
    ..LISTED_CASE
}];
