"""Captures with much to keep of each host, exchange or message: long values, many of them, and values
that become longer when they are shown.

They are added to `SHAPES` of hostile_captures.py, which says what a shape is.
"""
import itertools
import random
import struct

from hostile_captures import (
    CLIENT, ICMP, MASTER, SERVER, block, datagram, enhanced, fragments, host, interface, ip, listing, oob, option,
    pcap, section, shape, tcp, timed, udp, BEGIN, PUSH, SYN, UDP)
from hostile_messages import ALL_OF_IT, LONG, QUERY, SOURCE, answers, asked, table

SECOND = 10**6
# What an infostring's value is cut to where it is kept.
NAME = 250


# Of servers

@shape(5_000)
def long_values_of_servers(n):
    """Half-Life's servers tell masters long values of all keys by which lists are filtered; first in
    short, until the table is full."""
    keys = (b"gamedir", b"map", b"protocol", b"nat", b"region")
    def packets():
        for long in (b"1", b"v" * 60):
            for i in range(n):
                values = b"".join(b"\\%b\\%b%d" % (key, long, i) for key in keys)
                yield udp(host(i), MASTER, b"q", (27015, 27010))
                yield udp(MASTER, host(i), oob(b"s\n") + struct.pack("<I", i), (27010, 27015))
                yield udp(host(i), MASTER, b"0\n\\challenge\\%d" % i + values + b"\n", (27015, 27010))
    return pcap(packets())


@shape(5_000)
def long_names_of_games(n):
    """Servers register with long names of their games, maps and mods."""
    def packets():
        for i in range(n):
            values = b"".join(b"\\%b\\%06d%b" % (key, i, b"x" * NAME) for key in (
                b"gamename", b"hostname", b"mapname", b"modname", b"protocol"))
            yield udp(host(i), MASTER, oob(b"heartbeat DarkPlaces\n"), (26000, 27950))
            yield udp(MASTER, host(i), oob(b"getinfo %010d" % i), (27950, 26000))
            yield udp(host(i), MASTER, oob(b"infoResponse\n\\challenge\\%010d" % i + values), (26000, 27950))
    return pcap(packets())


@shape(5_000)
def servers_of_ipv6(n):
    def address(number):
        return bytes.fromhex("20010db8") + struct.pack(">QI", number, 1)
    def udp6(source, destination, payload, ports):
        body = datagram(payload, ports)
        return struct.pack(">IHBB", 0x60000000, len(body), UDP, 64) + source + destination + body
    def packets():
        master = address(2**40)
        for i in range(n):
            info = oob(b"infoResponse\n\\challenge\\%010d\\hostname\\" % i + b"n" * NAME)
            yield udp6(address(i), master, oob(b"heartbeat DarkPlaces\n"), (27960, 27950))
            yield udp6(master, address(i), oob(b"getinfo %010d" % i), (27950, 27960))
            yield udp6(address(i), master, info, (27960, 27950))
    return pcap(packets())


# Of masters and lists

@shape(2_000)
def filters_of_many_conditions(n):
    """Each list is asked for with another filter of many conditions."""
    def packets():
        for i in range(n):
            filter = b"".join(b"\\k%d\\%x" % (j, i) for j in range(30))[:230]
            yield udp(CLIENT, MASTER, b"1\xff0.0.0.0:0\0" + filter + b"\0", (40000, 27011))
            servers = b"".join(host(30 * i + j) + struct.pack(">H", 27015) for j in range(30))
            yield udp(MASTER, CLIENT, oob(b"f\n" + servers + bytes(6)), (27011, 40000))
    return pcap(packets(), step=1_000)


@shape(2_000)
def heartbeats_that_nobody_answers(n):
    """Many servers, each of which sends many heartbeats in vain, for hours."""
    def packets():
        for round in range(20):
            for i in range(n):
                yield BEGIN + (round * 300 + i % 200) * SECOND + i, udp(
                    host(i), MASTER, oob(b"heartbeat QuakeArena-1\n"))
    return timed(packets())


# Of exchanges

@shape(15_000)
def names_of_one_exchange(n):
    """Every answer to one question has another long name and another map."""
    replies = (oob(b"statusResponse\n\\hostname\\%d%b\\mapname\\%d%b\n" % (i, b"h" * NAME, i, b"m" * NAME))
               for i in range(n))
    return asked(oob(b"getstatus x"), replies, (27960, 40000))


@shape(2_000)
def retries_without_end(n):
    """Many questions of which each is asked again a hundred times."""
    ask = oob(b"getinfo xyz12345678")
    return pcap(udp(CLIENT, host(i), ask, (40000, 27960)) for _ in range(100) for i in range(n // 20))


@shape(500)
def errors_with_long_quotes(n):
    """ICMP errors that quote all of a long packet, sixteen of each flow."""
    def packets():
        for i in range(n):
            lost = udp(CLIENT, host(i), oob(b"getinfo ") + b"x" * 500, (40000, 27950))
            yield lost
            for _ in range(16):
                yield ip(host(i), CLIENT, ICMP, b"\x03\x03" + bytes(6) + lost)
    return pcap(packets())


# Of messages

@shape(4)
def names_of_columns(n):
    """Tables of players whose columns have long names, and as many rows: the messages are longer in
    larger captures, up to 60 KB."""
    length = LONG // 64 * min(n, 32)
    one = table([b"c" * length + b"_"], b"a\0" * (length // 2))
    many = table([b"%02d" % j + b"n" * (length // 20) + b"_" for j in range(20)], b"a\0" * (length // 2))
    return asked(ALL_OF_IT, [one, many] * 20, (QUERY, 40000))


@shape(4)
def names_of_player_fields(n):
    """The same of GameSpy's players, each of whom has another long key."""
    keys = b"".join(b"\\%b_%d\\1" % (b"k" * 200, i) for i in range(280))
    many = b"\\gamename\\ut" + keys + b"\\final\\\\queryid\\1.1"
    return answers([many] * (10 * n), (7778, 40000))


@shape(12)
def marks_without_width(n):
    """Names of signs that take no column: combining marks, joiners, and the like."""
    marks = ("\u0301\u200d\u2060\ufe0f" * 8_000).encode()[:LONG // 2]
    return answers(oob(b"statusResponse\n\\hostname\\" + marks + b"\n0 0 \"" + marks[:20_000] + b"\"\n")
                   for _ in range(n))


@shape(12)
def rules_of_one_letter(n):
    """Source's rules: as many as a message can have, and their names all alike or all different."""
    whole = b"\xff\xff\xff\xffE" + struct.pack("<H", 20_000)
    kinds = (whole + b"a\0\0" * 19_900, whole + b"".join(b"%x\0\0" % i for i in range(10_000)))
    replies = itertools.islice(itertools.cycle(kinds), n)
    return asked(b"\xff\xff\xff\xffV\1\2\3\4", replies, (SOURCE, 40000))


@shape(12)
def long_unknown_datagrams(n):
    """What no protocol reads, between hosts that speak one otherwise."""
    draw = random.Random(4)
    def packets():
        for i in range(n):
            yield udp(CLIENT, host(i), oob(b"getinfo x"), (40000, 27960))
            yield udp(host(i), CLIENT, oob(b"infoResponse\n\\hostname\\x\\mapname\\y"), (27960, 40000))
            yield from fragments(host(i), CLIENT, draw.randbytes(LONG), i, (27960, 40000))
    return pcap(packets())


# Of other protocols

@shape(4_000)
def names_in_dns(n):
    """Answers of a DNS server that name thirty addresses each, with names as long as they may be."""
    def packets():
        for i in range(n):
            labels = [b"%06d" % i + b"d" * 50] * 4
            name = b"".join(bytes([len(label)]) + label for label in labels) + b"\0"
            records = b"".join(b"\xc0\x0c\0\1\0\1\0\0\x0e\x10\0\4" + host(30 * i + j) for j in range(30))
            answer = struct.pack(">HHHHHH", i % 2**16, 0x8180, 1, 30, 0, 0) + name + b"\0\1\0\1" + records
            yield udp(MASTER, CLIENT, answer, (53, 40000))
            yield udp(host(i), MASTER, oob(b"heartbeat QuakeArena-1\n"))
    return pcap(packets())


@shape(100)
def feeds_of_servers(n):
    """Lists in HTTP, each on a connection of its own, of 60 KB."""
    body = b"".join(b"192.0.2.%d:%d\n" % (i % 256, 27733 + i % 9) for i in range(3_300))
    head = b"HTTP/1.0 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body)
    ask = b"GET /serverfeed HTTP/1.0\r\nHost: etqw.example\r\n\r\n"
    def packets():
        for i in range(n):
            ports = (40000 + i % 20_000, 80)
            yield tcp(CLIENT, MASTER, 0, flags=SYN, ports=ports)
            yield tcp(CLIENT, MASTER, 1, ask, PUSH, ports)
            for at in range(0, len(head + body), 1_400):
                yield tcp(MASTER, CLIENT, 1 + at, (head + body)[at:at + 1_400], PUSH, ports[::-1])
    return pcap(packets())


@shape(100)
def lists_on_connections(n):
    """GameSpy's lists, each on a connection of its own, of 60 KB."""
    body = b"\\ip\\192.0.2.1:7778" * 3_300 + b"\\final\\"
    def packets():
        for i in range(n):
            ports = (40000 + i % 20_000, 28900)
            yield tcp(MASTER, CLIENT, 0, rb"\basic\\secure\WOOKIE", PUSH, ports[::-1])
            yield tcp(CLIENT, MASTER, 1, rb"\gamename\ut\location\0\validate\abc\final\\list\\gamename\ut\final" + b"\\",
                      PUSH, ports)
            for at in range(0, len(body), 1_400):
                yield tcp(MASTER, CLIENT, 21 + at, body[at:at + 1_400], PUSH, ports[::-1])
    return pcap(packets())


# Of files

@shape(2_000)
def names_in_blocks(n):
    """Blocks of names, of statistics, of secrets and of kinds that nobody knows, with long options."""
    names = struct.pack("<HH", 1, 4 + 200) + b"\xc0\0\2\1" + b"r" * 199 + b"\0" + bytes(4)
    kinds = [block(4, names), block(5, struct.pack("<III", 0, 0, 0) + option(1, b"s" * 900)),
             block(10, struct.pack("<II", 0x544C534B, 800) + b"k" * 800), block(0xBAD, b"?" * 900)]
    heartbeat = udp(SERVER, MASTER, oob(b"heartbeat QuakeArena-1\n"))
    yield section() + interface()
    for i in range(n):
        options = option(1, b"c%d" % i + b"c" * 300) + option(2988, b"u" * 500) + option(0, b"")
        yield kinds[i % 4] + enhanced(heartbeat, options, time=BEGIN + i)


# Of everything

@shape(2_500)
def everything_with_errors(n):
    """Servers with long names, masters, lists with filters, errors, names, and answers in parts, so
    that all tables are full together, and exchanges are open for as long as they may be."""
    def packets():
        for i in range(n):
            name = b"%06d" % i + b"n" * NAME
            info = b"\\hostname\\" + name + b"\\mapname\\" + name + b"\\gamename\\" + name
            master = host(2**22 + i % 4_096)
            lost = udp(CLIENT, host(2**23 + i), oob(b"getinfo ") + b"x" * 180, (40000, 27950))
            ask = oob(b"getservers %06d " % i + b"f" * 200 + b" empty full")
            labels = bytes([60]) + b"%06d" % i + b"d" * 54 + b"\0"
            yield udp(host(i), master, oob(b"heartbeat DarkPlaces\n"), (26000, 27950))
            yield udp(master, host(i), oob(b"getinfo %010d" % i), (27950, 26000))
            yield udp(host(i), master, oob(b"infoResponse\n\\challenge\\%010d" % i + info), (26000, 27950))
            yield udp(CLIENT, master, ask, (40000, 27950))
            yield udp(master, CLIENT, oob(b"getserversResponse" + listing(range(20 * i, 20 * i + 20)) + b"\\"),
                      (27950, 40000))
            yield lost
            yield from (ip(host(2**23 + i), CLIENT, ICMP, b"\x03\x03" + bytes(6) + lost) for _ in range(4))
            yield udp(CLIENT, host(i), b"\\status\\", (40000, 7778))
            yield udp(host(i), CLIENT, info + b"\\queryid\\%d.2" % i, (7778, 40000))
            yield udp(MASTER, CLIENT, struct.pack(">HHHHHH", i % 2**16, 0x8180, 1, 1, 0, 0) + labels
                      + b"\0\1\0\1\xc0\x0c\0\1\0\1\0\0\x0e\x10\0\4" + host(i), (53, 40000))
            yield from fragments(host(i), CLIENT, oob(b"statusResponse\n") + info + b"\n" + b"p" * 900, i, size=600)
    return pcap(packets(), step=200)
