//! Cases: the challenge of a client comes back, as it was sent. Each question has a client of its own,
//! because an address may get one answer a second.

use super::kind::ServerKind;
use crate::{Done, Failure, ReceivedDatagram, TestContext, TestEndpoint};
use codec::{FieldRole, New};
use protocol::Reading;
use simulate::{recognised, with_changes};

/// Numbers that fit into the narrowest challenge, a byte.
const NUMBERS: [u8; 2] = [77, 200];
/// The length of the challenges of masters (004 2) getinfo), and what none of their characters is.
const LENGTH: usize = 11;
const FORBIDDEN: &[u8] = b"\\/;\"%";

/// The challenge with a number, in the form of a question.
fn challenges(kind: &ServerKind, question: &[u8], number: u8) -> Option<Vec<u8>> {
    let text = format!("{}", 1_051_396_050_445_u64 + u64::from(number));
    let text = New::Bytes(text.into_bytes());
    let as_number = kind.with_challenge(question, &New::Int(number.into()));
    as_number.or_else(|| kind.with_challenge(question, &text))
}

/// The questions that have a challenge of the client's: those of clients, and that of masters; at
/// least one.
fn questions(kind: &ServerKind) -> Result<Vec<Vec<u8>>, Failure> {
    let of_masters = kind.questions.protocol.messages.iter();
    let of_masters = of_masters.filter(|entry| entry.spec.id == kind.of_masters);
    let all = kind.first_questions().chain(of_masters.map(|entry| entry.spec.example.to_vec()));
    let has_challenge = |bytes: &Vec<u8>| challenges(kind, bytes, 1).is_some();
    let mut all: Vec<_> = all.filter(has_challenge).collect();
    let mut known = Vec::new();
    all.retain(|bytes| {
        let is_new = !known.contains(&kind.question(bytes));
        known.push(kind.question(bytes));
        is_new
    });
    if all.is_empty() { Err(Failure::error("no question has a challenge")) } else { Ok(all) }
}

/// The answer to a question that was sent; it has to bring back the question's challenge.
fn expect_echo(kind: &ServerKind, client: &TestEndpoint<'_>, question: &[u8]) -> Done {
    let name = kind.name(question);
    let what = format!("an answer to {name}");
    let answer = client.expect(&what, |datagram| {
        kind.answers(question, &datagram.bytes).map(|entry| (entry, datagram.clone()))
    });
    let (entry, datagram) = answer?;
    let asked = kind.question(question);
    let sent = asked.and_then(|asked| asked.spec.sends?(question));
    let returned = entry.spec.returns.and_then(|returns| returns(&datagram.bytes));
    if sent != returned {
        let what = format!("the challenge of its {name} in {}", entry.spec.name);
        let came = if returned.is_some() { "another one" } else { "none" };
        return Err(Failure::new(what, came).field(&datagram, "challenge"));
    }
    Ok(())
}

/// Several challenges, one after the other.
pub(super) fn echoed(ctx: &TestContext<'_>, kind: &ServerKind) -> Done {
    for question in questions(kind)? {
        for asked in NUMBERS.iter().filter_map(|number| challenges(kind, &question, *number)) {
            let client = kind.client(ctx)?;
            client.send_bytes(&asked)?;
            expect_echo(kind, &client, &asked)?;
        }
    }
    Ok(())
}

/// Two clients ask at the same time.
pub(super) fn of_each_client(ctx: &TestContext<'_>, kind: &ServerKind) -> Done {
    let clients = [kind.client(ctx)?, kind.client(ctx)?];
    let question = questions(kind)?.swap_remove(0);
    let [first, second] = NUMBERS.map(|number| challenges(kind, &question, number));
    let asked: Vec<_> = [first, second].into_iter().flatten().collect();
    for (client, asked) in clients.iter().zip(&asked) {
        client.send_bytes(asked)?;
    }
    for (client, asked) in clients.iter().zip(&asked) {
        expect_echo(kind, client, asked)?;
    }
    Ok(())
}

/// Each character that a challenge of a master may have.
pub(super) fn characters(ctx: &TestContext<'_>, kind: &ServerKind) -> Done {
    let allowed: Vec<u8> = (33..127).filter(|byte| !FORBIDDEN.contains(byte)).collect();
    let question = questions(kind)?.swap_remove(0);
    for text in allowed.chunks(LENGTH) {
        // Programs may read a number in another way.
        let text = New::Bytes([b"c", text].concat());
        let Some(asked) = kind.with_challenge(&question, &text) else {
            return Err(Failure::error("the challenge does not fit"));
        };
        let client = kind.client(ctx)?;
        client.send_bytes(&asked)?;
        expect_echo(kind, &client, &asked)?;
    }
    Ok(())
}

/// A question without a challenge gets an answer without one.
pub(super) fn absent(ctx: &TestContext<'_>, kind: &ServerKind) -> Done {
    for question in questions(kind)? {
        let Some(entry) = kind.question(&question) else { continue };
        let empty = |leaf: &codec::Leaf<'_>| {
            (leaf.field.role == FieldRole::Challenge).then(|| New::Bytes(Vec::new()))
        };
        let Some(asked) = with_changes(entry, &question, empty) else {
            return Err(Failure::error("the challenge cannot be left out"));
        };
        let client = kind.client(ctx)?;
        client.send_bytes(&asked)?;
        let what = format!("an answer to {} without a challenge", kind.name(&question));
        let answer = client.expect(&what, |datagram| {
            kind.answers(&asked, &datagram.bytes).map(|_| datagram.clone())
        })?;
        if let Some(entry) = recognised(kind.questions.protocol, &answer.bytes)
            && has_challenge(entry, &answer)
        {
            let what = format!("no challenge in {}", entry.spec.name);
            return Err(Failure::new(what, "one").field(&answer, "challenge"));
        }
    }
    Ok(())
}

fn has_challenge(entry: &protocol::Entry, datagram: &ReceivedDatagram) -> bool {
    let mut reading = Reading::default();
    render::challenge_of(&mut reading, entry, &datagram.bytes).is_some()
}
