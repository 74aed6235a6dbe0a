#!/usr/bin/env python3
"""Writes the benchmark capture: gen_big.py OUT.pcap PACKETS [--seed N] [--flows N]

A classic pcap of Ethernet and IPv4 as a busy network might see it: 60 % of the packets are those
of game servers, their masters and their clients, 30 % unrelated UDP, 10 % TCP. The same arguments
always give the same bytes; a million packets are 240 MB. Addresses stand in the file only, nothing
is sent. What the file holds is printed to standard output as JSON, for the reader to be checked
against.

Without --flows some 27,000 pairs of endpoints talk, each as often as chance has it. With it there
are so many flows, each kind of conversation has its share of them, and they take turns, so that
each has about as many packets as any other.
"""
import argparse
import itertools
import json
import random
import struct
import sys
from collections import Counter

OOB = b"\xff\xff\xff\xff"
ETHERNET = bytes.fromhex("020000000002" "020000000001" "0800")
IP, UDP, TCP = struct.Struct(">BBHHHBBHII"), struct.Struct(">HHHH"), struct.Struct(">HHIIBBHHH")
RECORD, ENDPOINT = struct.Struct("<IIII"), struct.Struct(">IH")

MAPS = ["q3dm17", "q3dm6", "dm6ish", "oasago2", "ctf_gate1", "aggressor", "pul1ctf", "wrackdm17",
        "silverlode", "dm4", "dm2", "aerowalk", "q2dm1"]
MODS = ["baseq3", "baseoa", "cpma", "excessiveplus", "osp", "data", "ctf"]
NAMES = ["UnnamedPlayer", "^1Red^7Baron", "n00b", "[KSK] Fragger", "Sarge", 'Grunt "x"',
         "Anarki^4!", "player", "Visor", "Keel"]
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

# A server of the Quake III family plays one game: its tag, gamename and protocol number follow
# from its address.
GAMES = [
    ("quake3", b"QuakeArena-1", "Quake3Arena", 68),
    ("darkplaces", b"DarkPlaces", "Xonotic", 3),
    ("rtcw", b"Wolfenstein-1", "wolfmp", 60),
    ("enemy-territory", b"EnemyTerritory-1", "et", 84),
]
# What such a server says, and so is of its game.
SAID_BY_SERVERS = {"heartbeat", "infoResponse", "statusResponse"}

R = None  # the one source of chance, seeded in main()


def below(*span):
    return R.randrange(*span)


def pick(of):
    return R.choice(of)


def address():
    return (below(1, 223) << 24) | R.getrandbits(24)


def game(server):
    return GAMES[server[0] & 3]


def infostring(pairs):
    return ("\\" + "\\".join(str(part) for pair in pairs for part in pair)).encode()


def info(server, challenge):
    _, _, gamename, protocol = game(server)
    hostname = "^%dServer %d of %s" % (below(8), below(5000), pick(("OA", "Q3", "CPMA", "Fun")))
    return infostring([
        ("challenge", challenge), ("protocol", protocol), ("hostname", hostname),
        ("mapname", pick(MAPS)), ("clients", below(16)),
        ("sv_maxclients", pick((8, 12, 16, 24, 32))), ("gametype", below(8)), ("pure", 1),
        ("gamename", gamename), ("voip", "opus"), ("g_needpass", 0),
    ])


def settings(protocol=68, gamename=None):
    return infostring([
        ("version", "engine 1.36_SVN%d linux-x86_64" % below(2300)),
        ("sv_hostname", "Server %d" % below(9999)), ("mapname", pick(MAPS)), ("fraglimit", 20),
        ("timelimit", 15), ("g_gametype", below(8)), ("sv_maxclients", 16), ("sv_maxRate", 25000),
        ("sv_minPing", 0), ("sv_maxPing", 0), ("sv_floodProtect", 1), ("dmflags", 0),
        ("protocol", protocol), ("gamename", gamename or pick(MODS)), ("sv_privateClients", 0),
        ("sv_allowDownload", 0), ("bot_minplayers", 0), ("g_needpass", 0), ("g_maxGameClients", 0),
        ("capturelimit", 8),
    ])


def quotable():
    return pick(NAMES).replace('"', "'").encode()


def players(count):
    return b"".join(b'%d %d "%s"\n' % (below(60) - 3, below(200), quotable()) for _ in range(count))


def challenge():
    return "".join(R.choices(LETTERS, k=11))


def endpoints(count, port):
    return b"".join(ENDPOINT.pack(pick(SERVERS)[0], port) for _ in range(count))


# A message: who sends it, who gets it, the payload. `c` is a client, `s` a server.

def getservers(c, s):
    if R.getrandbits(1):
        asked = b"getservers %d empty full" % pick((66, 67, 68, 71))
    else:
        asked = b"getservers %s 3 empty" % pick((b"Nexuiz", b"Xonotic", b"Quake3Arena"))
    return c, MASTERS[c[1] & 3], OOB + asked


def getserversResponse(c, s):
    listed = b"".join(b"\\" + ENDPOINT.pack(*pick(SERVERS)) for _ in range(112))
    end = b"\\EOT\0\0\0" if below(4) == 0 else b""
    return MASTERS[c[1] & 3], c, OOB + b"getserversResponse" + listed + end


def heartbeat(c, s):
    return s, MASTERS[c[1] & 3], OOB + b"heartbeat " + game(s)[1] + b"\n"


def getinfo(c, s):
    return c, s, OOB + b"getinfo " + challenge().encode()


def infoResponse(c, s):
    return s, c, OOB + b"infoResponse\n" + info(s, challenge())


def getstatus(c, s):
    return c, s, OOB + b"getstatus " + challenge().encode()


def statusResponse(c, s):
    _, _, gamename, protocol = game(s)
    text = settings(protocol, gamename) + b"\n" + players(below(17))
    return s, c, OOB + b"statusResponse\n" + text


def qw_status(c, s):
    return c, (s[0], 27500), OOB + b"status 23\n\0"


def qw_statusResp(c, s):
    lines = b"".join(
        b'%d %d %d %d "%s" "base" %d %d\n'
        % (i + 1, below(50), below(30), below(120), quotable(), below(14), below(14))
        for i in range(below(12)))
    return (s[0], 27500), c, OOB + b"n" + settings() + b"\n" + lines + b"\0"


def qwm_query(c, s):
    return c, (0xC0A80105, 27000), b"c\n\0"


def qwm_resp(c, s):
    return (0xC0A80105, 27000), c, OOB + b"d\n" + endpoints(below(1, 200), 27500)


def q2_status(c, s):
    return c, (s[0], 27910), OOB + b"status"


def q2_print(c, s):
    return (s[0], 27910), c, OOB + b"print\n" + settings() + b"\n" + players(below(12))


def q2m_query(c, s):
    return c, (0xC0A80106, 27900), b"query"


def q2m_servers(c, s):
    return (0xC0A80106, 27900), c, OOB + b"servers " + endpoints(below(1, 150), 27910)


def d3_getInfo(c, s):
    return c, (s[0], 27666), b"\xff\xffgetInfo\0" + struct.pack("<I", R.getrandbits(32))


def d3_infoResponse(c, s):
    pairs = ((b"fs_game", b""), (b"si_map", pick(MAPS).encode()),
             (b"si_name", b"D3 %d" % below(999)), (b"si_maxPlayers", b"8"),
             (b"si_gameType", b"Deathmatch"), (b"si_version", b"DOOM 1.3.1.1304 linux-x86"))
    pairs = b"".join(key + b"\0" + value + b"\0" for key, value in pairs)
    who = b"".join(bytes([i]) + struct.pack("<HI", below(200), 16000) + pick(NAMES).encode() + b"\0"
                   for i in range(below(8)))
    head = struct.pack("<II", R.getrandbits(32), 0x10029)
    tail = b"\x20" + struct.pack("<I", 0)
    return (s[0], 27666), c, b"\xff\xffinfoResponse\0" + head + pairs + b"\0\0" + who + tail


def gs_query(c, s):
    return c, (s[0], 7778), pick((b"\\status\\", b"\\info\\", b"\\basic\\", b"\\rules\\"))


def gs_resp(c, s):
    text = (b"\\gamename\\ut\\gamever\\451\\hostname\\UT %d\\hostport\\7777\\mapname\\%s"
            b"\\gametype\\CTFGame\\numplayers\\%d\\maxplayers\\16"
            % (below(999), pick(MAPS).encode(), below(16)))
    text += b"".join(b"\\player_%d\\%s\\frags_%d\\%d\\ping_%d\\ %d\\team_%d\\%d"
                     % (i, pick(NAMES).encode(), i, below(50), i, below(200), i, below(2))
                     for i in range(below(10)))
    return (s[0], 7778), c, text + b"\\queryid\\%d.1\\final\\" % below(100)


def gs_heartbeat(c, s):
    return (s[0], 7778), (0xC0A80107, 27900), b"\\heartbeat\\7778\\gamename\\ut"


def a2s_info(c, s):
    return c, (s[0], 27015), OOB + b"TSource Engine Query\0"


def a2s_info_resp(c, s):
    text = b"I\x30HL %d\0%s\0valve\0Half-Life\0" % (below(999), pick(MAPS).encode())
    rest = struct.pack("<HBBB", 70, below(32), 32, 0) + b"dl\0\x01" + b"1.1.2.7/Stdio\0\0"
    return (s[0], 27015), c, OOB + text + rest


def a2s_players(c, s):
    return c, (s[0], 27015), OOB + b"U" + struct.pack("<I", R.getrandbits(32))


def a2s_players_resp(c, s):
    count = below(20)
    who = b"".join(
        bytes([i]) + pick(NAMES).encode() + b"\0" + struct.pack("<if", below(50), below(3600))
        for i in range(count))
    return (s[0], 27015), c, OOB + b"D" + bytes([count]) + who


def hlm_query(c, s):
    return c, (0xC0A80108, 27010), b"1\xff0.0.0.0:0\0\\gamedir\\valve\0"


def hlm_resp(c, s):
    return (0xC0A80108, 27010), c, OOB + b"f\n" + endpoints(below(1, 231), 27015) + b"\0" * 6


# Each message's share, and the conversations that it belongs to.
MESSAGES = [
    (getservers, 30, "q3m"), (getserversResponse, 45, "q3m"), (heartbeat, 60, "hb"),
    (getinfo, 95, "q3"), (infoResponse, 90, "q3"),
    (getstatus, 60, "q3"), (statusResponse, 55, "q3"),
    (qw_status, 15, "qw"), (qw_statusResp, 13, "qw"), (qwm_query, 3, "qwm"), (qwm_resp, 3, "qwm"),
    (q2_status, 15, "q2"), (q2_print, 13, "q2"), (q2m_query, 3, "q2m"), (q2m_servers, 3, "q2m"),
    (d3_getInfo, 13, "d3"), (d3_infoResponse, 12, "d3"),
    (gs_query, 18, "gs"), (gs_resp, 16, "gs"), (gs_heartbeat, 6, "hb_gs"),
    (a2s_info, 10, "hl"), (a2s_info_resp, 9, "hl"),
    (a2s_players, 7, "hl"), (a2s_players_resp, 6, "hl"),
    (hlm_query, 4, "hlm"), (hlm_resp, 4, "hlm"),
]
# How many pairs of ends talk in each kind of conversation, so that flows have several packets.
PAIRS = {"q3": 6000, "q3m": 4000, "hb": 2500, "qw": 1200, "qwm": 500, "q2": 1200, "q2m": 500,
         "d3": 900, "gs": 1500, "hb_gs": 500, "hl": 1200, "hlm": 500, "dns": 2500, "rnd": 2000,
         "tcp": 2500}
MASTERS = [(0xC0A80101 + i, 27950) for i in range(4)]
SERVERS = []


def dns(c):
    name = b"%s%d.example.com" % (pick((b"www", b"cdn", b"api", b"img")), below(100000))
    name = b"".join(bytes([len(label)]) + label for label in name.split(b".")) + b"\0"
    server = (0x0A000001, 53)
    if R.getrandbits(1):
        head = struct.pack(">HHHHHH", R.getrandbits(16), 0x0100, 1, 0, 0, 0)
        return c, server, head + name + b"\0\1\0\1"
    head = struct.pack(">HHHHHH", R.getrandbits(16), 0x8180, 1, 1, 0, 0)
    answer = b"\xc0\x0c\0\1\0\1" + struct.pack(">IHI", 300, 4, address())
    return server, c, head + name + b"\0\1\0\1" + answer


CONVERSATION = {maker: conversation for maker, _, conversation in MESSAGES}
# Packets in a hundred: messages of games, and with them unrelated UDP; the rest is TCP.
GAME_PACKETS, UDP_PACKETS = 60, 90


def random_pairs():
    """The pairs of endpoints of each kind of conversation, and how the next is chosen: by chance.
    A pair is a client, a server, and an endpoint that is neither."""
    SERVERS.extend((address(), 27960 + below(8)) for _ in range(6000))
    clients = [(0x0A000000 | R.getrandbits(24), below(1024, 65535)) for _ in range(8000)]
    pool = {kind: [(pick(clients), pick(SERVERS), (address(), below(1024, 65535)))
                   for _ in range(pairs)] for kind, pairs in PAIRS.items()}
    return pool, lambda kind: pick(pool[kind])


def pairs_of_flows(flows):
    """The same for so many flows: each pair is a flow, and the pairs of a kind take turns."""
    counts = flows_of_kinds(flows)
    SERVERS.extend((address(), 27960 + below(8)) for _ in range(max(10, flows // 5)))
    number = itertools.count()
    pool = {kind: [(client(next(number)), SERVERS[i % len(SERVERS)], (address(), below(1024, 65535)))
                   for i in range(count)] for kind, count in counts.items()}
    turns = {kind: itertools.cycle(pairs) for kind, pairs in pool.items()}
    return pool, lambda kind: next(turns[kind])


def client(number):
    """The client with this number; no two have the same address and port."""
    return 0x0A000000 | (number * 2654435761 & 0xFFFFFF), 1024 + (number >> 24) + below(4) * 16000


def flows_of_kinds(flows):
    """How many flows each kind of conversation has: its share of the packets, largest first."""
    shares = Counter({"dns": (UDP_PACKETS - GAME_PACKETS) * 2 / 3,
                      "rnd": (UDP_PACKETS - GAME_PACKETS) / 3, "tcp": 100 - UDP_PACKETS})
    total = sum(share for _, share, _ in MESSAGES)
    for _, share, conversation in MESSAGES:
        shares[conversation] += GAME_PACKETS * share / total
    exact = {kind: flows * share / 100 for kind, share in shares.items()}
    counts = {kind: int(of) for kind, of in exact.items()}
    left = sorted(exact, key=lambda kind: counts[kind] - exact[kind])
    for kind in left[:flows - sum(counts.values())]:
        counts[kind] += 1
    return counts


def packet(next_pair, makers, shares):
    """One packet's kind, IP protocol, source, destination and payload; and the game, if it says."""
    chance = below(100)
    if chance < GAME_PACKETS:
        maker = R.choices(makers, cum_weights=shares)[0]
        client, server, _ = next_pair(CONVERSATION[maker])
        says = game(server)[0] if maker.__name__ in SAID_BY_SERVERS else None
        return maker.__name__, 17, *maker(client, server), says
    if chance < UDP_PACKETS:
        is_dns = below(3)
        client, _, stranger = next_pair("dns" if is_dns else "rnd")
        if is_dns:
            return "noise_dns", 17, *dns(client), None
        return "noise_random", 17, stranger, client, R.randbytes(below(8, 700)), None
    client, _, stranger = next_pair("tcp")
    server = (stranger[0], (80, 443, 22, 28900)[stranger[1] & 3])
    return "noise_tcp", 6, client, server, R.randbytes(pick((0, 0, 0, 12, 120, 512, 900))), None


def with_checksum(header):
    total = sum(struct.unpack(">10H", header))
    total = (total & 0xFFFF) + (total >> 16)
    total = (total & 0xFFFF) + (total >> 16)
    return header[:10] + struct.pack(">H", ~total & 0xFFFF) + header[12:]


def frame(number, protocol, source, destination, payload):
    if protocol == 17:
        header = UDP.pack(source[1], destination[1], 8 + len(payload), 0)
    else:
        sequence, acknowledged = R.getrandbits(32), R.getrandbits(32)
        flags = 0x18 if payload else 0x10
        header = TCP.pack(source[1], destination[1], sequence, acknowledged, 0x50, flags, 64240,
                          0, 0)
    length = IP.size + len(header) + len(payload)
    ip = IP.pack(0x45, 0, length, number & 0xFFFF, 0x4000, 64, protocol, 0, source[0],
                 destination[0])
    return ETHERNET + with_checksum(ip) + header + payload


def main(out, count, seed, flows_wanted):
    global R
    R = random.Random(seed)
    pool, next_pair = pairs_of_flows(flows_wanted) if flows_wanted else random_pairs()
    messages = [message for message in MESSAGES if pool[message[2]]]
    makers = [maker for maker, _, _ in messages]
    shares = list(itertools.accumulate(share for _, share, _ in messages))
    kinds, protocols, flows = Counter(), Counter(), set()
    games = {id: Counter() for id, *_ in GAMES}
    time, size = 1_700_000_000_000_000, 24
    with open(out, "wb", buffering=1 << 20) as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        for number in range(count):
            time += below(40, 1900)
            kind, protocol, source, destination, payload, says = packet(next_pair, makers, shares)
            kinds[kind] += 1
            protocols[protocol] += 1
            flows.add((protocol, *sorted((source, destination))))
            if says:
                games[says][kind] += 1
            whole = frame(number, protocol, source, destination, payload)
            file.write(RECORD.pack(*divmod(time, 1_000_000), len(whole), len(whole)) + whole)
            size += RECORD.size + len(whole)
    truth = {"packets": count, "bytes": size, "datagrams": protocols[17],
             "segments": protocols[6], "flows": len(flows), "kinds": kinds, "games": games}
    json.dump(truth, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    raw = argparse.RawDescriptionHelpFormatter
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    arguments.add_argument("out", metavar="OUT.pcap")
    arguments.add_argument("packets", type=int, metavar="PACKETS")
    arguments.add_argument("--seed", type=int, default=20261121)
    arguments.add_argument("--flows", type=int, help="10 or more, and no more than packets")
    options = arguments.parse_args()
    if options.flows is not None and not 10 <= options.flows <= options.packets:
        arguments.error("--flows is a number from 10 to that of packets")
    main(options.out, options.packets, options.seed, options.flows)
