//! Malformed, over-long and random datagrams, and floods: requests are answered as before.

use super::LISTS;
use super::preconditions::ANSWERS;
use super::roles::TeeClient;
use crate::shared::malformed;
use crate::shared::robust::robust_cases;
use crate::{CASE, Case, Done, TestContext};
use simulate::families::teeworlds::messages;

/// What every case needs.
const ANSWERED_CASE: Case = Case { needs: &[&ANSWERS], ..CASE };
/// The released master checks at most 1,200 servers at a time, each for a minute, in which three runs
/// may end.
const FLOOD: usize = 320;
const MARK: &[u8] = &[0xff; 10];

pub(super) static SHARED: &[Case] = robust_cases!(
    "teeworlds/", ANSWERED_CASE,
    survives: survives,
    messages: [
        messages::heartbeat(8303),
        messages::old_heartbeat(8303),
        messages::check_response(),
        messages::old_list_request(),
        messages::count_request(),
    ],
    longest: [MARK.to_vec(), messages::heartbeat(8303), messages::check_response()],
    noise: [MARK.to_vec(), [MARK, b"bea2"].concat(), [MARK, b"fw!!"].concat()],
    heartbeat: messages::heartbeat(8303), "320 heartbeats", FLOOD,
);

/// After these datagrams, requests for the count are answered as before.
fn survives(ctx: &TestContext<'_>, datagrams: &[Vec<u8>]) -> Done {
    let client = TeeClient::new(ctx)?;
    malformed::survives(ctx, LISTS, datagrams, || client.count().map(drop))
}
