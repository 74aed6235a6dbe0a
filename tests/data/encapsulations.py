"""Makes the captures of encapsulations, with scapy, and a table of what is in them: python3 make.py DIRECTORY.

Each capture has one request and its answer of Quake III between 192.0.2.10:51000 and 198.51.100.20:27960, and where it fits a frame of another protocol (ARP)."""
import struct, subprocess, sys
from scapy.all import *
from scapy.contrib.geneve import GENEVE
from scapy.contrib.mpls import MPLS
from scapy.layers.l2 import Dot1AD
out = sys.argv[1]
A, B = '02:00:00:00:00:01', '02:00:00:00:00:02'
def inner():
    ask = IP(src='192.0.2.10', dst='198.51.100.20', id=1) / UDP(sport=51000, dport=27960) / Raw(b'\xff\xff\xff\xffgetinfo abc')
    reply = IP(src='198.51.100.20', dst='192.0.2.10', id=2) / UDP(sport=27960, dport=51000) / Raw(b'\xff\xff\xff\xffinfoResponse\n\\challenge\\abc\\hostname\\Lab\\mapname\\q3dm6\\protocol\\68')
    return [ask, reply]
def eth(p): return Ether(src=A, dst=B) / p
def outer(): return Ether(src='02:00:00:00:00:11', dst='02:00:00:00:00:12') / IP(src='203.0.113.1', dst='203.0.113.2', id=7)
def in_udp(dport, sport=50000): return outer() / UDP(sport=sport, dport=dport)
sets = {}
def add(name, frames, link=1): sets[name] = ([bytes(f) for f in frames], link)
add('vxlan', [in_udp(4789) / Raw(b'\x08\0\0\0\0\0\x2a\0') / Raw(bytes(eth(p))) for p in inner()])
add('vxlan-gpe', [in_udp(4790) / Raw(b'\x0c\0\0\x01\0\0\x2a\0') / Raw(bytes(p)) for p in inner()])
add('geneve', [in_udp(6081) / GENEVE(vni=5, proto=0x6558) / eth(p) for p in inner()])
add('geneve-options', [in_udp(6081) / Raw(b'\x02\0\x65\x58\0\0\x05\0\x01\x02\x03\x01\0\0\0\x09') / Raw(bytes(eth(p))) for p in inner()])
add('gtp-u', [in_udp(2152) / Raw(struct.pack('>BBHI', 0x30, 0xff, len(p), 9)) / p for p in inner()])
add('gtp-u-extension', [in_udp(2152) / Raw(struct.pack('>BBHI', 0x34, 0xff, len(p) + 8, 9) + b'\0\0\0\x85\x01\x10\0\0') / p for p in inner()])
add('tzsp', [in_udp(37008) / Raw(b'\x01\0\0\x01\x0a\x01\x05\x01') / Raw(bytes(eth(p))) for p in inner()])
add('l2tp', [in_udp(1701, 1701) / Raw(b'\0\x02\0\x01\0\x02\xff\x03\0\x21') / p for p in inner()])
six = lambda p: IPv6(src='2001:0:4136:e378:8000:63bf:3fff:fdd2', dst='2001:db8::1') / p[UDP]
add('teredo', [in_udp(3544, 3544) / Raw(bytes(six(p))) for p in inner()])
add('teredo-origin', [in_udp(3544, 3544) / Raw(b'\0\0\x12\x34\x01\x02\x03\x04') / Raw(bytes(six(p))) for p in inner()])
def with_gre(head, body):
    packet = IP(src='203.0.113.1', dst='203.0.113.2', id=7, proto=47) / Raw(head + body)
    return Ether(src='02:00:00:00:00:11', dst='02:00:00:00:00:12') / packet
add('erspan-1', [with_gre(b'\0\0\x88\xbe', bytes(eth(p))) for p in inner()])
add('erspan-2', [with_gre(b'\x10\0\x88\xbe\0\0\0\x05' + b'\x10\x01\x00\x05\0\0\0\x01', bytes(eth(p))) for p in inner()])
add('erspan-3', [with_gre(b'\x10\0\x22\xeb\0\0\0\x05' + b'\x20\x01\x00\x05\0\0\0\x01\0\0\0\x02', bytes(eth(p))) for p in inner()])
add('eoip', [with_gre(b'\x20\x01\x64\0' + struct.pack('>H', len(eth(p))) + b'\x07\0', bytes(eth(p))) for p in inner()])
add('mpls', [Ether(src=A, dst=B, type=0x8847) / MPLS(label=16, s=0, ttl=9) / MPLS(label=17, s=1, ttl=9) / p for p in inner()])
add('mpls-gre', [with_gre(b'\0\0\x88\x47\0\x01\x01\x40', bytes(p)) for p in inner()])
add('mpls-pseudo-wire', [Ether(src=A, dst=B, type=0x8847) / Raw(b'\0\x01\x01\x40\0\0\0\0') / Raw(bytes(eth(p))) for p in inner()])
add('pbb', [Ether(src=A, dst=B, type=0x88e7) / Raw(b'\0\0\0\x2a') / Raw(bytes(eth(p))) for p in inner()])
add('llc-snap', [Dot3(src=A, dst=B) / LLC(dsap=0xaa, ssap=0xaa, ctrl=3) / SNAP(code=0x0800) / p for p in inner()])
add('qinq', [Ether(src=A, dst=B) / Dot1AD(vlan=5) / Dot1Q(vlan=6) / p for p in inner()])
def ah(p):
    head = b'\x11\x04\0\0\0\0\0\x01\0\0\0\x01' + b'\x77' * 12
    q = IP(src=p[IP].src, dst=p[IP].dst, id=p[IP].id, proto=51) / Raw(head + bytes(p[UDP]))
    return eth(q)
add('ah', [ah(IP(bytes(p))) for p in inner()])
add('etherip', [Ether(src='02:00:00:00:00:11', dst='02:00:00:00:00:12') / IP(src='203.0.113.1', dst='203.0.113.2', proto=97) / Raw(b'\x30\0' + bytes(eth(p))) for p in inner()])
wlan = lambda p: b'\x08\x02\0\0' + b'\x02\0\0\0\0\x02' + b'\x02\0\0\0\0\x09' + b'\x02\0\0\0\0\x01' + b'\x10\0' + b'\xaa\xaa\x03\0\0\0\x08\0' + bytes(p)
add('wlan', [wlan(p) for p in inner()], 105)
add('ppi', [struct.pack('<BBHI', 0, 0, 8, 1) + bytes(eth(p)) for p in inner()], 192)
add('ppi-wlan', [struct.pack('<BBHI', 0, 0, 8, 105) + wlan(p) for p in inner()], 192)
tlv = lambda kind, body: struct.pack('<HH', 4 + len(body), kind) + body + b'\0' * (-len(body) % 4)
add('nflog', [b'\x02\0\0\0' + tlv(1, b'\x08\0\x01\0') + tlv(10, b'log\0') + tlv(9, bytes(p)) for p in inner()], 239)
add('pktap', [struct.pack('<III', 108, 1, 1) + b'en0'.ljust(96, b'\0') + bytes(eth(p)) for p in inner()], 258)
add('pflog', [b'\x3d\x02\0\0' + b'em0'.ljust(16, b'\0') + b'\0' * 41 + b'\0\0\0' + bytes(p) for p in inner()], 117)
add('enc', [struct.pack('<III', 2, 0x1234, 0) + bytes(p) for p in inner()], 109)
add('hdlc', [b'\x0f\0\x08\0' + bytes(p) for p in inner()], 104)
def tagged(p, tag): e = bytes(eth(p)); return e[:12] + tag + e[12:]
add('dsa', [tagged(p, b'\xc0\x08\0\x01') for p in inner()], 283)
add('edsa', [tagged(p, b'\xda\xda\0\0\xc0\x08\0\x01') for p in inner()], 284)
add('dsa-brcm', [tagged(p, b'\x20\0\0\x01') for p in inner()], 281)
add('dsa-brcm-prepend', [b'\x20\0\0\x01' + bytes(eth(p)) for p in inner()], 282)
add('ipoib', [b'\0' * 40 + b'\x08\0\0\0' + bytes(p) for p in inner()], 242)
add('prism', [struct.pack('<II', 0x44, 144) + b'\0' * 136 + wlan(p) for p in inner()], 119)
add('avs', [struct.pack('>II', 0x80211001, 64) + b'\0' * 56 + wlan(p) for p in inner()], 163)
rows = ['capture,link,messages,tshark']
for name, (frames, link) in sorted(sets.items()):
    path = f'{out}/{name}.pcap'
    with open(path, 'wb') as f:
        f.write(struct.pack('<IHHiIII', 0xa1b2c3d4, 2, 4, 0, 0, 262144, link))
        for n, frame in enumerate(frames): f.write(struct.pack('<IIII', 1700000000, n * 20000, len(frame), len(frame)) + frame)
    run = subprocess.run(['tshark', '-r', path, '-o', 'ip.defragment:FALSE', '-Y', 'udp.port == 27960'], capture_output=True, text=True)
    udp = len(run.stdout.splitlines())
    rows.append(f'{name},{link},{len(frames)},{udp}')
print('\n'.join(rows))
