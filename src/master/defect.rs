//! Defects that can be switched on, in one table: they test that the conformance cases detect each
//! of them.

macro_rules! defects {
    ($($defect:ident $name:literal $breaks:literal;)+) => {
        /// An intentional fault of a master.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Defect { $(#[doc = $breaks] $defect),+ }

        /// Every defect with its name on the command line and what it breaks.
        pub static DEFECTS: &[(Defect, &str, &str)] = &[$((Defect::$defect, $name, $breaks)),+];
    };
}

defects! {
    NoEndMark "no-end-mark" "lists have no end mark";
    EndMarkEverywhere "end-mark-everywhere" "every packet of a list has the end mark";
    NewEndMark "new-end-mark" "lists for protocols 43 and 45 end as those for later ones do";
    EmptyLastPacket "empty-last-packet" "the end mark of a list comes in a packet of its own";
    LongPackets "long-packets" "the packets of a list are longer than 1400 bytes";
    OnePacket "one-packet" "only the first packet of a list is sent";
    ListsUnverified "lists-unverified" "servers are listed before they answer a challenge";
    AnyChallenge "any-challenge" "any challenge in an answer is right";
    StaleChallenge "stale-challenge" "challenges are valid thirty times as long as they should be";
    ReplayedChallenge "replayed-challenge" "a challenge may be answered more than once";
    ForeignChallenge "foreign-challenge" "a challenge that another server was sent is right too";
    PredictableChallenge "predictable-challenge" "challenges count up";
    ConstantChallenge "constant-challenge" "every challenge is the same";
    ShortChallenge "short-challenge" "challenges have four characters";
    ForbiddenCharacters "forbidden-characters" "challenges hold characters that end texts";
    LeaksEmpty "leaks-empty" "empty servers are listed unasked";
    LeaksFull "leaks-full" "full servers are listed unasked";
    HidesEmpty "hides-empty" "empty servers are not listed when they are asked for";
    HidesFull "hides-full" "full servers are not listed when they are asked for";
    IgnoresProtocol "ignores-protocol" "lists hold servers of all protocols";
    IgnoresGame "ignores-game" "lists hold servers of other games";
    IgnoresGametype "ignores-gametype" "lists are not filtered by the rules that are played";
    IgnoresPassword "ignores-password" "lists are not filtered by whether a password is needed";
    SwappedPort "swapped-port" "the two bytes of a listed port are swapped";
    DoubledEntries "doubled-entries" "every server is listed twice";
    OtherPort "other-port" "answers come from a port that nobody asked";
    NeverForgets "never-forgets" "servers that fall silent stay listed";
    ForgetsEarly "forgets-early" "servers are forgotten in a tenth of the time";
    IgnoresShutdown "ignores-shutdown" "servers that say that they go stay listed";
    KeepsOldState "keeps-old-state" "what a listed server says of itself later is ignored";
    AcceptsNoPlaces "accepts-no-places" "servers without places for players are listed";
    AcceptsMissingKeys "accepts-missing-keys" "answers may lack keys that have to be there";
    AcceptsBadNames "accepts-bad-names" "names of games may hold blanks or be too long";
    AcceptsAnyTag "accepts-any-tag" "heartbeats of unknown tags are answered";
    AcceptsLoopback "accepts-loopback" "servers on loopback addresses are listed";
    AcceptsRegister "accepts-register" "anybody may register servers in others' names";
    NoLimitAnAddress "no-limit-an-address" "one address may have any number of servers";
    NoFloodProtection "no-flood-protection" "floods are answered";
    CrashesOnLongKey "crashes-on-long-key" "a key of more than 64 characters ends the master";
    SilentOnLineFeed "silent-on-line-feed" "list requests that end in a line feed are not answered";
    NoIpv6 "no-ipv6" "extended lists hold no servers with IPv6 addresses";
    WrongMotdChallenge "wrong-motd-challenge" "messages of the day have a challenge of their own";
    AcceptsAnyKey "accepts-any-key" "players are let in who have shown no key";
    NeverAcknowledges "never-acknowledges" "servers that ask whether the master is there hear nothing";
    FourBytesMark "four-bytes-mark" "answers to HexenWorld begin as QuakeWorld's do";
    NoCursor "no-cursor" "Half-Life's lists never say that they go on";
    AnyValidation "any-validation" "GameSpy's servers and clients need not hold their game's key";
    NoFinal "no-final" "GameSpy's lists are not ended";
    PlainForCompressed "plain-for-compressed" "GameSpy's compressed lists come as text";
    OldVersionsAreNew "old-versions-are-new" "nobody is told of a newer version of Doom 3";
    CountingChallenge "counting-challenge" "challenges count up behind a prefix";
    TimeChallenge "time-challenge" "challenges are the time";
    FewChallenges "few-challenges" "challenges are some of eight";
    ChallengeAnyCase "challenge-any-case" "challenges are compared without case";
    ForgetsAfter5s "forgets-after-5s" "servers are forgotten 5 seconds after their last answer";
    WideRecords "wide-records" "records of lists are twice as wide";
    LateRenewal "late-renewal" "a listed server's answer counts though its time is over";
    ListVaries "list-varies" "every second list that a client gets lacks its last server";
    ListsNobody "lists-nobody" "servers register, and no list has any";
}

/// A set of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Defects(u64);

impl Defect {
    /// The defect of this name.
    pub fn named(name: &str) -> Option<Self> {
        DEFECTS.iter().find(|(_, known, _)| *known == name).map(|(defect, ..)| *defect)
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        let known = DEFECTS.iter().find(|(defect, ..)| *defect == self);
        known.map_or("", |(_, name, _)| name)
    }
}

impl Defects {
    /// The same set with one more.
    #[must_use]
    pub fn with(self, defect: Defect) -> Self {
        Self(self.0 | 1 << defect as u32)
    }

    pub fn has(self, defect: Defect) -> bool {
        self.0 & 1 << defect as u32 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_defect_has_a_bit_and_a_name_of_its_own() {
        assert!(DEFECTS.len() <= u64::BITS as usize);
        for (defect, name, _) in DEFECTS {
            assert_eq!(Defect::named(name), Some(*defect));
            assert!(Defects::default().with(*defect).has(*defect));
        }
    }
}
