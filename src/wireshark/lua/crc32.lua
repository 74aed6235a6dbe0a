-- CRC-32, without operators on bits, which Lua 5.2 does not have.
local crc32 = {}

-- The exclusive or of two numbers of four bits.
local HALVES = {}
for one = 0, 15 do
    for other = 0, 15 do
        local result, bit, a, b = 0, 1, one, other
        while bit < 16 do
            if a % 2 ~= b % 2 then result = result + bit end
            bit, a, b = 2 * bit, math.floor(a / 2), math.floor(b / 2)
        end
        HALVES[16 * one + other] = result
    end
end

local function xor_bytes(one, other)
    local low, high = one % 16 * 16 + other % 16, one - one % 16 + math.floor(other / 16)
    return HALVES[high] * 16 + HALVES[low]
end

-- The four bytes for each byte, the lowest first.
local TABLE = {}
for byte = 0, 255 do
    local bytes = { byte, 0, 0, 0 }
    for _ = 1, 8 do
        local carry = bytes[1] % 2
        for at = 1, 4 do
            local above = bytes[at + 1] or 0
            bytes[at] = math.floor(bytes[at] / 2) + above % 2 * 128
        end
        if carry == 1 then
            for at, of in ipairs({ 0x20, 0x83, 0xB8, 0xED }) do bytes[at] = xor_bytes(bytes[at], of) end
        end
    end
    TABLE[byte] = bytes
end

-- The checksum of bytes, as a number.
function crc32.of(bytes)
    local a, b, c, d = 255, 255, 255, 255
    for at = 1, #bytes do
        local row = TABLE[xor_bytes(a, bytes:byte(at))]
        a, b, c, d = xor_bytes(b, row[1]), xor_bytes(c, row[2]), xor_bytes(d, row[3]), row[4]
    end
    return 255 - a + 256 * (255 - b) + 65536 * (255 - c) + 16777216 * (255 - d)
end

return crc32
