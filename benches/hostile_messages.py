"""Captures whose messages are made to hurt: long ones, ones of many parts, and ones that say much in
few bytes.

They are added to `SHAPES` of hostile_captures.py, which says what a shape is. Where a message needs
contents, they are random from a written seed, or none.
"""
import bz2
import itertools
import random
import struct
import zlib

from hostile_captures import (
    CLIENT, MASTER, SERVER, SYN, host, listing, oob, one_connection, pcap, shape, tcp, udp)

QUERY, TEEWORLDS, SOURCE = 29900, 8303, 27015
# The head of a reply to GameSpy 2's and 3's queries: the id that the request had.
REPLY = b"\0\x10\x20\x30\x40"
ALL_OF_IT = b"\xfe\xfd\0\x10\x20\x30\x40\xff\xff\xff"
# About what one datagram holds.
LONG = 60_000


def answers(payloads, ports=(27960, 40000)):
    """Each payload in a datagram from the server to the client."""
    return pcap(udp(SERVER, CLIENT, payload, ports) for payload in payloads)


def asked(request, replies, ports):
    """A request in front of all replies."""
    question = udp(CLIENT, SERVER, request, ports[::-1])
    return pcap(itertools.chain([question], (udp(SERVER, CLIENT, reply, ports) for reply in replies)))


# Infostrings and texts

@shape(20)
def different_keys(n):
    keys = (b"".join(b"\\k%x\\%x" % (7_000 * i + j, j) for j in range(7_000)) for i in range(n))
    return answers(oob(b"statusResponse\n" + text[:LONG] + b"\n") for text in keys)


@shape(2_500)
def different_keys_of_many(n):
    def info(i):
        keys = b"".join(b"\\k%x\\%x" % (60 * i + j, j) for j in range(60))
        return oob(b"infoResponse\n\\hostname\\" + b"n" * 300 + b"\\mapname\\q3dm17" + keys)
    return pcap(udp(host(i), CLIENT, info(i), (27960, 40000)) for i in range(n))


@shape(12)
def settings_with_secrets(n):
    setting = b'"rconpassword" is:"a" default:"b" password= token= '
    return answers([oob(b"print\n" + setting * (LONG // len(setting)))] * n)


def printed_again_and_again(n, texts):
    """Printed texts of the longest length, each of one of these again and again."""
    each = itertools.islice(itertools.cycle(texts), n)
    return answers(oob(b"print\n" + (text * LONG)[:LONG]) for text in each)


@shape(12)
def secrets_without_end(n):
    """Names of secrets, each of which could have all that follows it for its value."""
    return printed_again_and_again(n, (
        b"rcon=", b"]rcon ", b'set password "', b"token is ", b"\\rcon_", b"password\0"))


@shape(12)
def names_of_secrets(n):
    return pcap(udp(CLIENT, SERVER, oob(b"zz " + b"rcon_" * 12_000), (40000, 27960)) for _ in range(n))


@shape(12)
def parts_of_names_of_secrets(n):
    """Ends of words that are names of secrets only where they begin a field."""
    return answers([oob(b"statusResponse\n" + rb"\xpass\1" * 7_000 + b"\n")] * n)


@shape(12)
def only_colours(n):
    name = b"".join(b"^%da" % (i % 8) for i in range(20_000))
    return answers([oob(b"statusResponse\n\\hostname\\" + name + b"\n0 0 \"" + name[:4_000] + b"\"\n")] * n)


@shape(10_000)
def names_that_change(n):
    def info(i):
        names = b"\\challenge\\c%d\\hostname\\name%d\\mapname\\map%d\\gamename\\g%d\\protocol\\%d" % ((i,) * 5)
        return oob(b"infoResponse\n" + names + b"\\clients\\1\\sv_maxclients\\2")
    return pcap(udp(SERVER, MASTER, info(i), (27960, 27950)) for i in range(n))


@shape(10_000)
def challenges_without_answers(n):
    return pcap(udp(MASTER, SERVER, oob(b"getinfo ch%d" % i), (27950, 27960)) for i in range(n))


@shape(12)
def parts_of_addresses(n):
    """Texts in which an address may begin everywhere."""
    return printed_again_and_again(n, (b":", b".", b"1.", b"1:", b"a.1-", b"0:::"))


# Players

@shape(20)
def players_of_three_thousand(n):
    players = (b"".join(b"%d 20 \"p%d\"\n" % (j, 3_000 * i + j) for j in range(3_000)) for i in range(n))
    return answers(oob(b"statusResponse\n\\hostname\\x\\mapname\\y\n" + lines) for lines in players)


@shape(12)
def one_player_with_many_values(n):
    values = b"".join(b"\\a%x_0\\x" % i for i in range(6_000))
    return answers([b"\\gamename\\ut\\player_0\\x" + values + b"\\final\\\\queryid\\1.1"] * n, (7778, 40000))


def table(names, rows, count=0xffff):
    """The end of a GameSpy 2 reply: a table of players."""
    fields = b"".join(name + b"\0" for name in names) + b"\0"
    return REPLY + b"hostname\0A\0mapname\0b\0\0" + struct.pack(">H", count) + fields + rows


@shape(6)
def rows_of_nothing(n):
    replies = [table([b"p_"], b"\0" * LONG)] * n
    return asked(ALL_OF_IT, replies, (QUERY, 40000))


@shape(8)
def rows_of_a_letter(n):
    replies = [table([b"player_"], b"a\0" * (LONG // 2))] * n
    return asked(ALL_OF_IT, replies, (QUERY, 40000))


@shape(20)
def columns_without_end(n):
    replies = [table([b"c%d_" % i for i in range(7_000)], b"\0" * 7_000)] * n
    return asked(ALL_OF_IT, replies, (QUERY, 40000))


@shape(2_000)
def columns_in_parts(n):
    def part(i):
        players = b"".join(b"P%d_%d\0" % (i, j) for j in range(120))
        return REPLY + b"splitnum\0" + bytes([i % 128]) + b"\x01player_\0" + bytes([i % 256]) + players + b"\0\0"
    return asked(ALL_OF_IT + b"\x01", map(part, range(n)), (QUERY, 40000))


@shape(12)
def one_column_of_all(n):
    part = REPLY + b"splitnum\0\x80\x01player_\0\0" + b"a\0" * (LONG // 2) + b"\0\0"
    return asked(ALL_OF_IT + b"\x01", [part] * n, (QUERY, 40000))


@shape(2_000)
def names_without_end(n):
    part = b"\\player_%d\\" + b"N" * 1_000 + b"\\frags_%d\\3\\queryid\\77.%d"
    return asked(b"\\status\\", (part % (i, i, i + 1) for i in range(n)), (7778, 40000))


@shape(10_000)
def second_parts_of_many(n):
    part = b"\\hostname\\x%d\\hostport\\7777\\mapname\\a\\queryid\\%d.2"
    return pcap(udp(host(i), CLIENT, part % (i, i), (7778, 40000)) for i in range(n))


@shape(5)
def long_parts_of_one_answer(n):
    """Parts of 64 KB with different keys, all of one answer."""
    def part(i):
        keys = b"".join(b"\\k%x\\x" % (6_000 * i + j) for j in range(6_000))
        return b"\\gamename\\ut" + keys + b"\\queryid\\1.%d" % (i + 1)
    return asked(b"\\status\\", map(part, range(n)), (7778, 40000))


@shape(20)
def numbers_without_end(n):
    """Teeworlds' packed numbers that go on, and as many clients as there is space for."""
    head, more = b"\xff" * 10 + b"iext", b"\xff" * 10 + b"inf3"
    clients = b"1\x000.6\0n\0m\0g\x000\x001\x0016\x001\x0016\0" + b"a\0b\0-1\x001\x001\0" * 4_000
    kinds = (head + b"\xff" * LONG, more + b"\x80" * LONG, more + clients)
    return answers(itertools.islice(itertools.cycle(kinds), n), (TEEWORLDS, 40000))


@shape(20)
def numbers_of_seven(n):
    """The same of Teeworlds 0.7."""
    head = b"\x21" + struct.pack(">II", 1, 2) + b"\xff" * 4 + b"inf3\xbf"
    return answers([head + b"\xff" * (LONG - 10)] * n, (TEEWORLDS, 40000))


@shape(20)
def pairs_in_records(n):
    """Players of Unreal II XMP, each with properties of its own."""
    player = struct.pack("<II", 1, 0) + b"\x02a\0" + struct.pack("<III", 1, 2, 0) + b"\x01\x02k\0\x02v\0"
    return answers([b"\x7e\0\0\0\x02" + player * (LONG // len(player))] * n, (7778, 40000))


@shape(20)
def flags_without_texts(n):
    """All-Seeing Eye's players who have no field at all."""
    head = b"EYE1" + b"".join(bytes([len(text) + 1]) + text for text in (
        b"mtasa", b"22003", b"a server", b"mode", b"map", b"1.5", b"0", b"1", b"32"))
    return answers([head + b"\x01" + b"\0" * LONG] * n, (22126, 40000))


@shape(20)
def lines_of_nothing(n):
    return answers([oob(b"n\\hostname\\x\n" + b"\n" * LONG)] * n, (27500, 40000))


# Lists

@shape(2_500)
def list_without_end(n):
    bodies = (oob(b"getserversResponse" + listing(range(200 * i, 200 * i + 200))) for i in range(n))
    return asked(oob(b"getservers 68 empty full"), bodies, (27950, 40000))


@shape(20)
def long_list_without_end(n):
    bodies = (oob(b"getserversResponse" + listing(range(9_300 * i, 9_300 * (i + 1)))) for i in range(n))
    return asked(oob(b"getservers 68 empty full"), bodies, (27950, 40000))


@shape(2_500)
def half_life_list_without_end(n):
    servers = (b"".join(host(200 * i + j) + struct.pack(">H", 27015) for j in range(200)) for i in range(n))
    return asked(b"1\xff0.0.0.0:0\0\0", (oob(b"f\n" + some) for some in servers), (27011, 40000))


@shape(2_000)
def lists_to_many(n):
    def packets():
        for i in range(n):
            body = oob(b"getserversResponse" + listing(range(200 * i, 200 * i + 200)))
            yield udp(host(i), MASTER, oob(b"getservers 68 empty full"), (40000, 27950))
            yield udp(MASTER, host(i), body, (27950, 40000))
    return pcap(packets())


@shape(8_000)
def lists_of_many_games(n):
    def packets():
        for i in range(n):
            yield udp(CLIENT, MASTER, oob(b"getservers game%d %d empty full" % (i, i)), (40000, 27950))
            body = oob(b"getserversResponse" + listing([i]) + b"\\EOT\0\0\0")
            yield udp(MASTER, CLIENT, body, (27950, 40000))
    return pcap(packets())


@shape(20)
def groups_in_groups(n):
    """Filters of Half-Life's list: groups of conditions in groups."""
    kinds = (rb"\nor\1" * 9_000, rb"\nand\2\map\a" * 4_500, rb"\nor\4294967295\map\a" * 2_600)
    asks = (b"1\xff0.0.0.0:0\0" + kind[:LONG] + b"\0" for kind in itertools.islice(itertools.cycle(kinds), n))
    return pcap(udp(CLIENT, MASTER, ask, (40000, 27011)) for ask in asks)


# Split and compressed messages

def split(id, total, number, body):
    """A part in Source's form."""
    return b"\xfe\xff\xff\xff" + struct.pack("<IBBH", id, total, number, 1_248) + body


def rules(count):
    return b"\xff\xff\xff\xffE" + struct.pack("<H", count % 2**16) + b"".join(b"r%d\x000\0" % i for i in range(count))


def in_parts(message, id, size=1_248):
    pieces = [message[at:at + size] for at in range(0, len(message), size)]
    return (split(id, len(pieces), number, piece) for number, piece in enumerate(pieces))


def compressed(message, id):
    """The same, compressed, in two parts or more."""
    head = struct.pack("<II", len(message), zlib.crc32(message))
    packed = head + bz2.compress(message, 9)
    return in_parts(packed, id | 1 << 31, min(1_248, len(packed) // 2 + 1))


@shape(2_500)
def parts_that_contradict(n):
    draw = random.Random(1)
    def part(i):
        total = draw.choice([2, 3, 16, 32, 255])
        number = draw.randrange(total + 2) % 256
        head = rules(0) if number == 0 else b""
        return split(42 + i % 7, total, number, head + (b"sv_x%05d\x001\0" % i) * 90)
    return answers(map(part, range(n)), (SOURCE, 40000))


@shape(2_500)
def last_parts_that_lack(n):
    def packets():
        for i in range(n):
            whole, number = divmod(i, 254)
            body = (rules(0) if number == 0 else b"") + b"A" * 1_200
            yield udp(host(whole), CLIENT, split(whole, 255, number, body), (SOURCE, 40000))
    return pcap(packets())


@shape(5)
def replies_of_a_megabyte(n):
    """As long as a joined message may be, in 255 parts."""
    whole = b"\xff\xff\xff\xffE\xff\xff" + b"a\0b\0" * 79_000
    return answers((part for i in range(n) for part in in_parts(whole, i)), (SOURCE, 40000))


@shape(100)
def bytes_that_become_megabytes(n):
    """Compressed replies of a megabyte in a hundred bytes, some of which claim less."""
    whole = b"\xff\xff\xff\xffE\xff\xff" + b"a\0b\0" * 250_000
    lie = list(compressed(whole, 0))
    lie[0] = lie[0][:12] + struct.pack("<I", 1_000) + lie[0][16:]
    kinds = (list(compressed(whole, 1)), lie, list(compressed(whole * 9, 2)))
    def parts():
        for i in range(n):
            for part in kinds[i % 3]:
                yield part[:4] + struct.pack("<I", 1 << 31 | i) + part[8:]
    return answers(parts(), (SOURCE, 40000))


@shape(12)
def compressed_settings(n):
    """Compressed replies of servers with many settings, as long as they may be."""
    draw = random.Random(2)
    words = [b"%x" % draw.randrange(16**5) for _ in range(2_000)]
    whole = b"\xff\xff\xff\xffE\xff\xff" + b"".join(word + b"\x001\0" for word in words * 4)
    return answers((part for i in range(n) for part in compressed(whole, i)), (SOURCE, 40000))


# TCP

@shape(15_000)
def overwritten_segments(n):
    """64 connections whose numbers wrap, with gaps that other bytes fill later."""
    def packets():
        at = [2**32 - 3_000] * 64
        for port in range(64):
            yield tcp(SERVER, MASTER, at[port] - 1, flags=SYN, ports=(1_000 + port, 28900))
        for i in range(n):
            turn, port = divmod(i, 64)
            at[port] += turn % 3 == 1
            if turn % 7 == 6:
                yield tcp(SERVER, MASTER, at[port] - 400, b"Z" * 395, ports=(1_000 + port, 28900))
            text = rb"\gamename\ut\gamever"
            yield tcp(SERVER, MASTER, at[port], text, ports=(1_000 + port, 28900))
            at[port] += len(text)
    return pcap(packets())


@shape(15_000)
def segments_in_any_order(n):
    draw = random.Random(3)
    return one_connection((100 + draw.randrange(262_000), bytes([draw.randrange(256)]) * draw.randrange(1, 50))
                          for _ in range(n))


@shape(15_000)
def lengths_of_gigabytes(n):
    lengths = (0x7fffffff, 0xffffffff, 3, 0)
    return one_connection(((1 + 8 * i, struct.pack("<I", lengths[i % 4]) + b"\0abc") for i in range(n)),
                          (40000, 28902))
