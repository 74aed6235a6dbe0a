-- Decompresses bzip2: the joined parts of a reply of Source's engine. Written without operators on
-- bits, which Lua 5.2 does not have.
local bzip2 = {}

-- The most bytes of a reply: no packets may take long.
local LONGEST = 131072
local BLOCK, END = 0x314159265359, 0x177245385090
-- How many symbols are coded with the same table.
local GROUP = 50

-- Reads so many bits, the highest first.
local function bits_of(bytes)
    local at, value, count = 1, 0, 0
    return function(wanted)
        while count < wanted do
            value, count = value * 256 + assert(bytes:byte(at), "too short"), count + 8
            at = at + 1
        end
        count = count - wanted
        local unit = 2 ^ count
        local bits = math.floor(value / unit)
        value = value - bits * unit
        return bits
    end
end

-- A table of codes from their lengths, by symbol: for each length the first code behind those of
-- that length, and what gives the place of a code among the symbols.
local function codes_of(lengths)
    local symbols, last, offset = {}, {}, {}
    local code, count = 0, 0
    for length = 1, 20 do
        offset[length] = count - code
        for symbol = 0, #lengths do
            if lengths[symbol] == length then
                symbols[count] = symbol
                code, count = code + 1, count + 1
            end
        end
        last[length] = code
        code = 2 * code
    end
    return { symbols = symbols, last = last, offset = offset }
end

local function read_symbol(bits, codes)
    local code = 0
    for length = 1, 20 do
        code = 2 * code + bits(1)
        if code < codes.last[length] then return codes.symbols[code + codes.offset[length]] end
    end
    error("no such code")
end

-- The bytes that occur in a block.
local function read_alphabet(bits)
    local rows, all = {}, {}
    for row = 0, 15 do rows[row] = bits(1) == 1 end
    for row = 0, 15 do
        for column = 0, rows[row] and 15 or -1 do
            if bits(1) == 1 then all[#all + 1] = 16 * row + column end
        end
    end
    assert(#all > 0, "no bytes")
    return all
end

-- Which table of codes each group of symbols has.
local function read_selectors(bits, tables)
    local order, selectors = {}, {}
    for at = 1, tables do order[at] = at end
    local count = bits(15)
    assert(count > 0, "no groups")
    for group = 1, count do
        local place = 1
        while bits(1) == 1 do place = place + 1 end
        local found = assert(table.remove(order, place), "no such table")
        table.insert(order, 1, found)
        selectors[group] = found
    end
    return selectors
end

local function read_tables(bits, count, symbols)
    local tables = {}
    for at = 1, count do
        local lengths, length = {}, bits(5)
        for symbol = 0, symbols - 1 do
            while bits(1) == 1 do length = length + 1 - 2 * bits(1) end
            assert(length >= 1 and length <= 20, "no such length")
            lengths[symbol] = length
        end
        tables[at] = codes_of(lengths)
    end
    return tables
end

-- The bytes of a block, in the order of their contexts, from 0.
local function read_sorted(bits, most)
    local alphabet = read_alphabet(bits)
    local count = bits(3)
    assert(count >= 2 and count <= 6, "no tables")
    local selectors = read_selectors(bits, count)
    local tables = read_tables(bits, count, #alphabet + 2)
    local sorted, length, run, weight, taken = {}, 0, 0, 1, 0
    while true do
        local codes = assert(tables[selectors[math.floor(taken / GROUP) + 1]], "too many groups")
        local symbol = read_symbol(bits, codes)
        taken = taken + 1
        if symbol <= 1 then
            run, weight = run + weight * (symbol + 1), 2 * weight
            assert(length + run <= most, "too long")
        else
            for _ = 1, run do
                sorted[length], length = alphabet[1], length + 1
            end
            run, weight = 0, 1
            if symbol == #alphabet + 1 then return sorted, length end
            local byte = table.remove(alphabet, symbol)
            table.insert(alphabet, 1, byte)
            assert(length < most, "too long")
            sorted[length], length = byte, length + 1
        end
    end
end

-- Adds the bytes of a block to `out`, in their order; no more than `longest` in all.
local function read_block(bits, most, out, longest)
    bits(32)
    assert(bits(1) == 0, "an old form")
    local at = bits(24)
    local sorted, length = read_sorted(bits, most)
    local before, count = {}, {}
    for byte = 0, 255 do count[byte] = 0 end
    for place = 0, length - 1 do count[sorted[place]] = count[sorted[place]] + 1 end
    local sum = 0
    for byte = 0, 255 do
        count[byte], sum = sum, sum + count[byte]
    end
    for place = 0, length - 1 do
        local byte = sorted[place]
        before[count[byte]], count[byte] = place, count[byte] + 1
    end
    -- After four equal bytes stands how many more there are.
    local last, same = nil, 0
    for _ = 1, length do
        at = assert(before[at], "no such place")
        local byte = sorted[at]
        if same == 4 then
            assert(#out + byte <= longest, "too long")
            for _ = 1, byte do out[#out + 1] = last end
            last, same = nil, 0
        else
            last, same = string.char(byte), last == string.char(byte) and same + 1 or 1
            out[#out + 1] = last
            assert(#out <= longest, "too long")
        end
    end
end

local function decompress(bytes, longest)
    local level = bytes:match("^BZh([1-9])")
    local bits, out = bits_of(bytes:sub(5)), {}
    assert(level, "no bzip2")
    while true do
        local mark = bits(24) * 2 ^ 24 + bits(24)
        if mark == END then return table.concat(out) end
        assert(mark == BLOCK, "no block")
        -- At most five bytes of a block stand for four of its text.
        read_block(bits, math.min(100000 * tonumber(level), 2 * longest), out, longest)
    end
end

-- The plain bytes, of which there are `length`; nil if they are damaged.
function bzip2.plain(bytes, length)
    local done, plain = pcall(decompress, bytes, math.min(length, LONGEST))
    return done and #plain == length and plain or nil
end

return bzip2
