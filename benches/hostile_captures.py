"""Captures that are made to fill every table and to slow down every search.

`SHAPES` has them by name: each makes a capture of a size `n` that the caller chooses, twice the
size for twice the `n`, as an iterator of bytes. Nothing in them is random. Addresses are those that
are reserved for documentation, or of 10.0.0.0/8 where a shape needs millions of them.
"""
import itertools
import struct
from dataclasses import dataclass
from typing import Callable

MASTER, SERVER, CLIENT = bytes([203, 0, 113, 1]), bytes([192, 0, 2, 10]), bytes([198, 51, 100, 7])
UDP, TCP, ICMP = 17, 6, 1
SYN, ACK, PUSH = 0x02, 0x10, 0x18
HEARTBEAT = b"\xff\xff\xff\xffheartbeat QuakeArena-1\n"
GREETING = rb"\basic\\secure\WOOKIE"
RAW, ETHERNET = 101, 1
# Where captures begin, in microseconds since the Unix epoch.
BEGIN = 1_000_000_000_000_000


@dataclass(frozen=True)
class Shape:
    make: Callable
    # `n` of the smallest of its captures: so much that a command has something to do.
    n: int
    # What has to be warned of with the largest one (eight times that), as a regular expression, by
    # `check` and `open`.
    warning: str = ""


SHAPES = {}


def shape(n, warning=""):
    def add(make):
        SHAPES[make.__name__.replace("_", "-")] = Shape(make, n, warning)
        return make
    return add


# Packets

def host(number):
    """An address of 10.0.0.0/8 and beyond, another one for every number."""
    return struct.pack(">I", 0x0A000000 + number)


def ip(source, destination, protocol, body, ident=0, fragment=0):
    head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(body), ident & 0xFFFF, fragment, 64, protocol, 0)
    return head + source + destination + body


def datagram(payload, ports=(27960, 27950), length=None):
    return struct.pack(">HHHH", *ports, length or 8 + len(payload), 0) + payload


def udp(source, destination, payload, ports=(27960, 27950)):
    return ip(source, destination, UDP, datagram(payload, ports))


def tcp(source, destination, sequence, payload=b"", flags=PUSH, ports=(28900, 40000)):
    head = struct.pack(">HHIIBBHHH", *ports, sequence % 2**32, 1, 0x50, flags, 65535, 0, 0)
    return ip(source, destination, TCP, head + payload)


def fragments(source, destination, payload, ident, ports=(27960, 40000), size=32_760):
    """One datagram of up to 64 KiB, in pieces that a capture can hold."""
    whole = datagram(payload, ports)
    for at in range(0, len(whole), size):
        more = 0x2000 if at + size < len(whole) else 0
        yield ip(source, destination, UDP, whole[at:at + size], ident, at // 8 | more)


# Files

def record(time, packet):
    return struct.pack("<IIII", time // 10**6 % 2**32, time % 10**6, len(packet), len(packet)) + packet


def pcap(packets, link=RAW, step=10):
    """Packets, each `step` microseconds behind the one before."""
    yield struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262_144, link)
    for time, packet in zip(itertools.count(BEGIN, step), packets):
        yield record(time, packet)


def timed(packets):
    """Packets with their times, in microseconds."""
    yield from pcap([])
    for time, packet in packets:
        yield record(time, packet)


def block(kind, body):
    body += b"\0" * (-len(body) % 4)
    length = struct.pack("<I", 12 + len(body))
    return struct.pack("<I", kind) + length + body + length


def section():
    return block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))


def option(code, value):
    return struct.pack("<HH", code, len(value)) + value + b"\0" * (-len(value) % 4)


def interface(options=b""):
    return block(1, struct.pack("<HHI", RAW, 0, 0) + options)


def enhanced(packet, options=b"", number=0, time=BEGIN):
    head = struct.pack("<IIIII", number, time >> 32, time % 2**32, len(packet), len(packet))
    return block(6, head + packet + b"\0" * (-len(packet) % 4) + options)


BEAT = udp(SERVER, MASTER, HEARTBEAT)


def oob(text):
    return b"\xff\xff\xff\xff" + text


# Many of everything

@shape(50_000, "flows beyond")
def one_packet_flows(n):
    ask = oob(b"getinfo xyz12345678")
    return pcap(udp(CLIENT, host(i), ask, (1024 + i % 60_000, 27960)) for i in range(n))


@shape(50_000, "flows beyond")
def unknown_flows(n):
    return pcap(udp(host(i), host(2**24 + 7 * i), b"hello%d" % i, (1024 + i % 60_000, 5_000 + i % 50_000))
                for i in range(n))


@shape(50_000, "exchanges were ended early")
def heartbeats_of_many(n):
    return pcap(udp(host(i), MASTER, HEARTBEAT) for i in range(n))


@shape(20_000, "exchanges were ended early")
def false_registrations(n):
    """Every server brings back another challenge than it was sent."""
    def packets():
        for i in range(n):
            info = oob(rb"infoResponse" + b"\n" + rb"\challenge\no%d\protocol\68\sv_maxclients\8\clients\0" % i)
            yield udp(host(i), MASTER, HEARTBEAT)
            yield udp(MASTER, host(i), oob(b"getinfo %010d" % i), (27950, 27960))
            yield udp(host(i), MASTER, info)
    return pcap(packets())


@shape(50_000)
def one_flow(n):
    return pcap(BEAT for _ in range(n))


@shape(100_000)
def clock_stands_still(n):
    """The same question again and again, in the same microsecond."""
    ask = udp(CLIENT, SERVER, oob(b"getinfo xxx"), (27961, 27960))
    return pcap((ask for _ in range(n)), step=0)


@shape(50_000, "flows beyond")
def masters(n):
    ask = oob(b"getservers 68 empty full")
    return pcap(udp(CLIENT, host(i), ask, (40000, 27950)) for i in range(n))


def listing(numbers):
    return b"".join(b"\\" + host(i) + struct.pack(">H", 27960 + i % 100) for i in numbers)


@shape(100_000, "sightings of servers")
def lists(n):
    def packets():
        for at in range(0, n, 180):
            ports = (27950, 40000 + at // 180 % 20_000)
            yield udp(CLIENT, MASTER, oob(b"getservers 68 empty full"), ports[::-1])
            body = listing(range(at, min(n, at + 180)))
            yield udp(MASTER, CLIENT, oob(b"getserversResponse" + body + b"\\EOT\0\0\0"), ports)
    return pcap(packets(), step=500)


@shape(100_000, "sightings of servers")
def one_list(n):
    def packets():
        yield udp(CLIENT, MASTER, oob(b"getservers 68 empty full"), (40000, 27950))
        for at in range(0, n, 180):
            body = listing(range(at, min(n, at + 180)))
            yield udp(MASTER, CLIENT, oob(b"getserversResponse" + body + b"\\"), (27950, 40000))
    return pcap(packets())


@shape(4_000)
def lists_under_way(n):
    """Each client waits for more of its list."""
    body = oob(b"getserversResponse" + listing(range(180)) + b"\\")
    def packets():
        for i in range(n):
            yield udp(host(i), MASTER, oob(b"getservers 68"), (40000, 27950))
            yield udp(MASTER, host(i), body, (27950, 40000))
    return pcap(packets())


@shape(8_000)
def many_kinds_a_flow(n):
    """Every flow has requests of many kinds that wait."""
    asks = [oob(word) for word in (b"getinfo a", b"getstatus a", b"getchallenge", b"getservers 68",
                                   b"heartbeat QuakeArena-1\n", b"getKeyAuthorize 0 a", b"rcon a b",
                                   b"getmotd \"\\challenge\\1\"\n")] + [rb"\status" + b"\\", rb"\info" + b"\\"]
    return pcap(udp(host(i), SERVER, ask, (1024 + i % 60_000, 27960)) for i in range(n) for ask in asks)


@shape(8_000)
def servers_with_many_masters(n):
    return pcap(udp(host(i), bytes([203, 0, 113, 1 + k]), HEARTBEAT) for k in range(10) for i in range(n))


@shape(10_000)
def one_server_with_many_masters(n):
    """All of them ask back and list it."""
    def packets():
        for i in range(n):
            yield udp(SERVER, host(i), HEARTBEAT)
            yield udp(host(i), SERVER, oob(b"getinfo %d" % i), (27950, 27960))
            yield udp(CLIENT, host(i), oob(b"getservers 68"), (40000, 27950))
            yield udp(host(i), CLIENT, oob(b"getserversResponse\\\xc0\0\x02\x0a\x6d\x38\\EOT\0\0\0"), (27950, 40000))
    return pcap(packets())


@shape(10_000)
def everything_at_once(n):
    """Servers, masters, lists, faults and connections, so that all tables are full together."""
    name = b"n" * 200
    def packets():
        for i in range(n):
            info = oob(b"infoResponse\n\\challenge\\%d\\hostname\\" % -i + name + b"\\mapname\\" + name)
            yield udp(host(i), MASTER, HEARTBEAT)
            yield udp(MASTER, host(i), oob(b"getinfo %010d" % i), (27950, 27960))
            yield udp(host(i), MASTER, info)
            yield udp(CLIENT, host(2**22 + i), oob(b"getservers 68 empty full"), (40000, 27950))
            if i % 20 == 0:
                body = oob(b"getserversResponse" + listing(range(9 * i, 9 * i + 180)) + b"\\")
                yield udp(host(2**22 + i), CLIENT, body, (27950, 40000))
            yield tcp(MASTER, host(2**21 + i), 1, flags=SYN | ACK)
            yield tcp(MASTER, host(2**21 + i), 2, GREETING + rb"\a\b" * 340)
            yield udp(CLIENT, host(2**23 + i), rb"\status" + b"\\", (1024 + i % 60_000, 7778))
    return pcap(packets(), step=100)


@shape(8_000)
def long_names(n):
    name = b"n" * 250
    info = oob(b"infoResponse\n\\challenge\\x\\hostname\\" + name + b"\\mapname\\" + name + b"\\protocol\\" + name)
    return pcap(udp(host(i), CLIENT, info, (27960, 40000)) for i in range(n))


@shape(20_000)
def port_unreachable(n):
    def packets():
        for i in range(n):
            lost = udp(CLIENT, host(i), oob(b"getinfo x"), (40000, 27950))
            yield ip(host(i), CLIENT, ICMP, b"\x03\x03" + bytes(6) + lost)
    return pcap(packets())


@shape(20_000)
def errors_of_each_flow(n):
    lost = [udp(CLIENT, host(i), oob(b"getinfo x"), (40000, 27950)) for i in range(max(1, n // 16))]
    error = b"\x03\x03" + bytes(6)
    return pcap(ip(packet[16:20], CLIENT, ICMP, error + packet) for packet in lost for _ in range(16))


# Long messages

def long_messages(payloads, ports=(27960, 40000)):
    return pcap(packet for i, payload in enumerate(payloads)
                for packet in fragments(SERVER, CLIENT, payload, i, ports))


@shape(15)
def lists_of_64k(n):
    bodies = (listing(range(9_300 * q, 9_300 * (q + 1))) for q in range(n))
    return pcap(packet for q, body in enumerate(bodies) for packet in fragments(
        MASTER, CLIENT, oob(b"getserversResponse" + body + b"\\EOT\0\0\0"), q, (27950, 40000)))


@shape(15)
def many_keys(n):
    keys = b"".join(b"\\%x\\" % key for key in range(11_000))
    return long_messages([oob(b"statusResponse\n" + keys[:65_000] + b"\n")] * n)


@shape(15)
def one_key_again(n):
    return long_messages([oob(b"statusResponse\n" + rb"\a\b" * 16_000 + b"\n")] * n)


@shape(40)
def one_long_value(n):
    return long_messages([oob(b"statusResponse\n\\hostname\\" + b"x" * 60_000 + b"\n")] * n)


@shape(15)
def only_backslashes(n):
    return long_messages([oob(b"statusResponse\n" + b"\\" * 65_000)] * n)


@shape(15)
def many_players(n):
    return long_messages([oob(b"statusResponse\n\\a\\b\n" + b'0 0 ""\n' * 9_200)] * n)


@shape(15)
def only_escapes(n):
    return long_messages([oob(b"statusResponse\n\\hostname\\" + b"\x1b" * 60_000 + b"\n")] * n)


@shape(15)
def gamespy_players(n):
    players = b"".join(b"\\player_%d\\x" % i for i in range(4_200))
    answer = b"\\gamename\\ut" + players[:63_900] + b"\\final\\\\queryid\\1.1"
    return long_messages([answer] * n, (7778, 40000))


@shape(20_000)
def endless_parts(n):
    part = b"\\gamename\\ut\\player_%d\\x\\queryid\\1.%d"
    return pcap(udp(SERVER, CLIENT, part % (i, i + 1), (7778, 40000)) for i in range(n))


# Fragments

@shape(20_000, "fragmented packets")
def first_fragments(n):
    piece = datagram(b"x" * 1_472, length=9_000)
    return pcap(ip(host(i >> 16), MASTER, UDP, piece, i, 0x2000) for i in range(n))


@shape(20_000, "fragmented packets")
def tiny_fragments(n):
    return pcap(ip(SERVER, MASTER, UDP, b"12345678", i // 8_000, i % 8_000 + 1 | 0x2000) for i in range(n))


@shape(10_000)
def overlapping_fragments(n):
    def packets():
        for i in range(n):
            yield ip(SERVER, MASTER, UDP, datagram(HEARTBEAT + b"x" * 25, length=60), i, 0x2000)
            yield ip(SERVER, MASTER, UDP, b"y" * 24, i, 3 | 0x2000)
            yield ip(SERVER, MASTER, UDP, b"z" * 40, i, 2)
    return pcap(packets())


@shape(10_000)
def fragments_from_the_end(n):
    return pcap(ip(SERVER, MASTER, UDP, b"12345678" * 64, 7, 8_000 - i % 8_000 | 0x2000) for i in range(n))


# TCP

@shape(10_000, "TCP connections were forgotten")
def half_open(n):
    def packets():
        for i in range(n):
            yield tcp(MASTER, host(i), 1, flags=SYN | ACK)
            yield tcp(MASTER, host(i), 2, GREETING)
    return pcap(packets())


@shape(5_000, "TCP connections were forgotten")
def half_open_with_much(n):
    def packets():
        for i in range(n):
            yield tcp(MASTER, host(i), 1, flags=SYN | ACK)
            yield tcp(MASTER, host(i), 2, GREETING + rb"\a\b" * 340)
    return pcap(packets())


@shape(300, "TCP connections were forgotten")
def half_messages_of_64k(n):
    return pcap(tcp(MASTER, host(i), 2 + 1_400 * k, (GREETING if k == 0 else b"") + rb"\a\b" * 345)
                for i in range(n) for k in range(47))


@shape(20_000, "TCP connections were forgotten")
def only_openings(n):
    return pcap(tcp(host(i), MASTER, 1, flags=SYN, ports=(40000, 28900)) for i in range(n))


@shape(5_000, "TCP connections were forgotten")
def gaps_of_many(n):
    def packets():
        for i in range(n):
            yield tcp(host(i), MASTER, 1, flags=SYN, ports=(40000, 28900))
            yield tcp(host(i), MASTER, 1_000, rb"\gamename\ut" * 100, ports=(40000, 28900))
    return pcap(packets())


def one_connection(segments, ports=(40000, 28900)):
    opening = tcp(CLIENT, MASTER, 0, flags=SYN, ports=ports)
    data = (tcp(CLIENT, MASTER, sequence, payload, ports=ports) for sequence, payload in segments)
    return pcap(itertools.chain([opening], data))


@shape(20_000)
def segments_backwards(n):
    return one_connection((2**24 + 4 * (n - i), rb"\a\b") for i in range(n))


@shape(20_000, "gaps in TCP streams")
def every_second_segment(n):
    return one_connection((5 + 8 * i, rb"\a\b") for i in range(n))


@shape(20_000)
def byte_by_byte(n):
    letters = itertools.chain([GREETING], itertools.cycle([b"\\", b"a"]))
    at = itertools.accumulate(itertools.chain([1, len(GREETING)], itertools.repeat(1)))
    return one_connection(zip(at, itertools.islice(letters, n)))


@shape(20_000)
def numbers_that_wrap(n):
    first = 2**32 - 4_096
    opening = tcp(MASTER, CLIENT, first - 1, flags=SYN | ACK)
    data = (tcp(MASTER, CLIENT, first + len(GREETING) * i, GREETING) for i in range(n))
    return pcap(itertools.chain([opening], data))


@shape(30)
def messages_of_seven_bytes(n):
    whole = rb"\final" + b"\\"
    return one_connection((1 + 63_000 * i, whole * 9_000) for i in range(n))


def http(parts):
    """A request, and the parts of a reply."""
    ask, ports = b"GET /motd HTTP/1.0\r\n\r\n", (40000, 80)
    def packets():
        yield tcp(CLIENT, MASTER, 0, flags=SYN, ports=ports)
        yield tcp(MASTER, CLIENT, 0, flags=SYN | ACK, ports=ports[::-1])
        yield tcp(CLIENT, MASTER, 1, ask, ports=ports)
        at = 1
        for part in parts:
            yield tcp(MASTER, CLIENT, at, part, ports=ports[::-1])
            at += len(part)
    return pcap(packets())


@shape(20_000)
def endless_headers(n):
    return http(itertools.chain([b"HTTP/1.0 200 OK\r\n"], (b"X-%d: y\r\n" % i for i in range(n))))


@shape(20_000)
def one_endless_header(n):
    return http(itertools.chain([b"HTTP/1.0 200 OK\r\nX: "], itertools.repeat(b"y", n)))


@shape(20_000)
def body_byte_by_byte(n):
    headers = b"".join(b"X-%d: y\r\n" % i for i in range(2_000))
    return http(itertools.chain([b"HTTP/1.0 200 OK\r\n" + headers + b"\r\n"], itertools.repeat(b"x", n)))


# Layers and times

@shape(10_000)
def a_hundred_vlans(n):
    frame = b"\2" * 12 + b"\x81\0\0\1" * 100 + b"\x08\0" + BEAT
    return pcap((frame for _ in range(n)), ETHERNET)


@shape(1_000)
def a_thousand_extensions(n):
    ends = bytes.fromhex("20010db8000000000000000000000001" "20010db8000000000000000000000002")
    headers = b"\x3c\0\1\4\0\0\0\0" * 999 + b"\x11\0\1\4\0\0\0\0"
    body = headers + datagram(HEARTBEAT)
    packet = struct.pack(">IHBB", 0x60000000, len(body), 60, 64) + ends + body
    return pcap(packet for _ in range(n))


@shape(20_000)
def times_that_jump(n):
    times = (0, (2**32 - 1) * 10**6, BEGIN, (2**32 - 1) * 10**6 + 999_999)
    return timed((times[i % 4] + i % 1_000, udp(host(i % 5_000), MASTER, HEARTBEAT)) for i in range(n))


@shape(20_000)
def times_that_fall(n):
    return timed((2 * BEGIN - i * 10**6, udp(host(i % 50_000), MASTER, HEARTBEAT)) for i in range(n))


@shape(50_000)
def records_of_nothing(n):
    return itertools.chain(pcap([]), itertools.repeat(b"\0" * 16, n))


# pcapng

@shape(10_000)
def interfaces(n):
    yield section()
    yield from (interface(option(2, b"if%d" % i)) for i in range(n))
    yield from (enhanced(BEAT, number=i) for i in range(0, n, 100))


@shape(20_000)
def sections(n):
    return itertools.repeat(section() + interface() + enhanced(BEAT), n)


@shape(100)
def long_comments(n):
    comment = option(1, b"c" * 60_000) + option(0, b"")
    return itertools.chain([section(), interface()], itertools.repeat(enhanced(BEAT, comment), n))


@shape(100_000)
def empty_comments(n):
    yield section() + interface()
    yield enhanced(BEAT, option(1, b"") * n)


@shape(100)
def long_interface_names(n):
    yield section()
    yield from itertools.repeat(interface(option(2, b"n" * 60_000)), n)
    yield enhanced(BEAT)


@shape(20_000, "were skipped")
def packets_of_no_interface(n):
    yield section() + interface()
    yield from itertools.repeat(enhanced(BEAT, number=77) + enhanced(BEAT), n)


@shape(20_000, "were skipped")
def lengths_that_lie(n):
    lie = struct.pack("<II", 6, 0x10000000) + b"lies" * 4
    yield section() + interface()
    yield from itertools.repeat(lie + enhanced(BEAT), n)
