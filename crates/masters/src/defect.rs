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
    WrongPacketCount "wrong-packet-count" "numbered packets of a list say that there is one more";
    NewEndMark "new-end-mark" "lists for protocols 43 and 45 end as those for later ones do";
    EmptyLastPacket "empty-last-packet" "the end mark of a list comes in a packet of its own";
    LongPackets "long-packets" "the packets of a list are longer than 1400 bytes";
    OnePacket "one-packet" "only the first packet of a list is sent";
    ListsUnverified "lists-unverified" "servers are listed before they answer a challenge";
    AnyChallenge "any-challenge" "any challenge in an answer is accepted";
    StaleChallenge "stale-challenge" "challenges are valid 30 times as long";
    ReplayedChallenge "replayed-challenge" "a challenge may be answered more than once";
    ForeignChallenge "foreign-challenge" "a challenge of another server is accepted too";
    PredictableChallenge "predictable-challenge" "challenges count up";
    ConstantChallenge "constant-challenge" "every challenge is the same";
    ShortChallenge "short-challenge" "challenges have four characters";
    ForbiddenCharacters "forbidden-characters" "challenges contain characters that end texts";
    LeaksEmpty "leaks-empty" "empty servers are listed without the filter word";
    LeaksFull "leaks-full" "full servers are listed without the filter word";
    HidesEmpty "hides-empty" "empty servers are not listed with the filter word either";
    HidesFull "hides-full" "full servers are not listed with the filter word either";
    IgnoresProtocol "ignores-protocol" "lists contain servers of all protocols";
    IgnoresGame "ignores-game" "lists contain servers of other games";
    IgnoresGametype "ignores-gametype" "lists are not filtered by game type";
    IgnoresPassword "ignores-password" "lists are not filtered by password";
    SwappedPort "swapped-port" "the two bytes of a listed port are swapped";
    DoubledEntries "doubled-entries" "every server is listed twice";
    OtherPort "other-port" "answers come from another port than the one that was asked";
    NeverForgets "never-forgets" "servers without heartbeats stay listed";
    ForgetsEarly "forgets-early" "servers are forgotten in a tenth of the time";
    IgnoresShutdown "ignores-shutdown" "servers stay listed after their shutdown message";
    KeepsOldState "keeps-old-state" "later values of a listed server are ignored";
    AcceptsNoPlaces "accepts-no-places" "servers without player slots are listed";
    AcceptsMissingKeys "accepts-missing-keys" "answers may lack required keys";
    AcceptsBadNames "accepts-bad-names" "names of games may contain blanks or be too long";
    AcceptsAnyTag "accepts-any-tag" "heartbeats with unknown tags are answered";
    AcceptsLoopback "accepts-loopback" "servers on loopback addresses are listed";
    AcceptsRegister "accepts-register" "anybody may register servers at other addresses";
    NoLimitAnAddress "no-limit-an-address" "one address may have any number of servers";
    NoFloodProtection "no-flood-protection" "floods are answered";
    CrashesOnLongKey "crashes-on-long-key" "a key of more than 64 characters ends the master";
    SilentOnLineFeed "silent-on-line-feed" "list requests that end in a line feed are not answered";
    NoIpv6 "no-ipv6" "extended lists contain no IPv6 addresses";
    WrongMotdChallenge "wrong-motd-challenge" "messages of the day have another challenge than the request";
    AcceptsAnyKey "accepts-any-key" "players without a key are let in";
    NeverAcknowledges "never-acknowledges" "pings of servers and logins at Unreal's masters are not answered, and Teeworlds' servers are not told that they are listed";
    FourBytesMark "four-bytes-mark" "answers to HexenWorld begin as QuakeWorld's do";
    NoCursor "no-cursor" "Half-Life's lists never continue";
    AnyValidation "any-validation" "GameSpy's servers and clients need no key";
    NoFinal "no-final" "GameSpy's lists have no end mark";
    PlainForCompressed "plain-for-compressed" "GameSpy's compressed lists are sent as text";
    OldVersionsAreNew "old-versions-are-new" "newer versions of Doom 3 are not announced";
    CountingChallenge "counting-challenge" "challenges count up behind a prefix";
    TimeChallenge "time-challenge" "challenges are the time";
    FewChallenges "few-challenges" "there are only eight challenges";
    ChallengeAnyCase "challenge-any-case" "challenges are compared case-insensitively";
    ForgetsAfter5s "forgets-after-5s" "servers are forgotten 5 seconds after their last answer";
    WideRecords "wide-records" "records of lists are twice as wide";
    LateRenewal "late-renewal" "a listed server's late answer is accepted";
    ListVaries "list-varies" "every second list of a client lacks the last server";
    ListsNobody "lists-nobody" "servers register, and lists are empty";
    IgnoresRegion "ignores-region" "Half-Life's and Steam's lists contain servers of all regions";
    IgnoresFilter "ignores-filter" "Half-Life's and Steam's lists are filtered by folder and region alone, GameSpy's later ones by game, Unreal Tournament 2004's not at all";
    UngroupedConditions "ungrouped-conditions" "conditions of nor and nand count as if they stood alone";
    WrongCount "wrong-count" "lists of Teeworlds and Unreal Tournament 2004 count one server less than they hold";
    UnmappedAddresses "unmapped-addresses" "IPv4 addresses begin Teeworlds' records, and zeros follow";
    AnyInstance "any-instance" "GameSpy's servers need not repeat their instance key";
    AnswersOnce "answers-once" "heartbeats of listed servers are not answered";
    AcceptsUnasked "accepts-unasked" "answers of servers that were not challenged are accepted";
    CrashesInFlood "crashes-in-flood" "hundreds of heartbeats of a challenged server end the master";
    OtherForm "other-form" "Half-Life's and Steam's challenges have the form of Xash3D's, and these have theirs";
    NoListKey "no-list-key" "Xash3D's lists lack the key of their request";
    IgnoresMaximum "ignores-maximum" "GameSpy's later lists have more servers than were asked for";
    OnePiece "one-piece" "requests over TCP that come in several segments are not answered";
    WrongInstance "wrong-instance" "challenges of GameSpy's later servers lack their instance key";
    WrongAddress "wrong-address" "challenges of GameSpy's later servers have the bytes of the port swapped";
    LongChallenge "long-challenge" "challenges of GameSpy's later servers have more than 64 characters";
    LacksFields "lacks-fields" "GameSpy's later lists lack the values that were asked for";
    GametypePrefix "gametype-prefix" "game types are compared by their beginnings";
    GametypeAnyCase "gametype-any-case" "game types are compared case-insensitively";
    GamePrefix "game-prefix" "names of games are compared by their beginnings";
    GameAnyCase "game-any-case" "names of games are compared case-insensitively";
    NeighbourProtocol "neighbour-protocol" "lists contain servers of the protocol below as well";
    FullEarly "full-early" "servers with one free slot count as full";
    EmptyLate "empty-late" "servers with one player count as empty";
    KeepsOldLists "keeps-old-lists" "a changed server stays in the lists that it was in before";
    ChangesTooSoon "changes-too-soon" "a listed server is in no list between its heartbeat and its answer";
    CrashesOnShutdown "crashes-on-shutdown" "shutdown messages of servers end the master";
    OneOfAnAddress "one-of-an-address" "a new server takes the place of others of its address";
    SignedOctets "signed-octets" "the first byte of addresses above 127 is listed as 127";
    CutsAtMarks "cuts-at-marks" "servers whose address or port has a backslash are not listed";
    LosesLists "loses-lists" "every sixteenth list is not sent";
    LosesChallenges "loses-challenges" "every eighth heartbeat of listed servers is not answered";
    LosesAtPackets "loses-at-packets" "the server that would begin a further packet of a list is lost";
    LosesWhenFull "loses-when-full" "a list that fills its packet lacks its last server";
    SwappedPortIpv6 "swapped-port-ipv6" "the two bytes of the port are swapped in IPv6 records";
    SimilarWords "similar-words" "filter words are compared by their beginnings";
    ChallengesExpireEarly "challenges-expire-early" "challenges are valid for a tenth of their time";
    NoDefaultGametype "no-default-gametype" "servers that tell no game type are in no list of game type 0";
    LooseNumbers "loose-numbers" "a protocol is what digits its value begins with";
    ChallengePrefix "challenge-prefix" "challenges are compared by their beginnings";
}

/// A set of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Defects(u128);

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

    /// Whether a defect is in the set.
    pub fn has(self, defect: Defect) -> bool {
        self.0 & 1 << defect as u32 != 0
    }
}

impl FromIterator<Defect> for Defects {
    fn from_iter<I: IntoIterator<Item = Defect>>(defects: I) -> Self {
        defects.into_iter().fold(Self::default(), Self::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_defect_has_a_bit_and_a_name_of_its_own() {
        assert!(DEFECTS.len() <= u128::BITS as usize);
        for (defect, name, _) in DEFECTS {
            assert_eq!(Defect::named(name), Some(*defect));
            assert!(Defects::default().with(*defect).has(*defect));
        }
    }
}
