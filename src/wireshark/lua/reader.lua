-- Reads a payload by the steps of a message's grammar. Where the condition of a branch is not in
-- conditions.lua, the branches are tried in order, and the first with which all bytes are read is
-- taken.
local reader = {}

local unsigned = text.unsigned
-- The most steps for one message, so that no payload takes long.
local MOST = 20000

local READ = {}

local function run(steps, i, state, at, out, done)
    local step = steps[i]
    if not step then return done(at, out) end
    state.count = state.count + 1
    if state.count > MOST then return nil end
    return READ[step[1]](step, steps, i, state, at, out, done)
end

-- Reading cannot go on: what was read so far is kept, if it is the most.
local function fail(state, at, out)
    if at > state.farthest then state.farthest, state.best = at, out end
    return nil
end

local function item(step, at, length, value)
    return { name = step[2], at = at, length = length, value = value }
end

-- Continues behind an item.
local function go(steps, i, state, at, out, done, new)
    return run(steps, i + 1, state, at + new.length, { new, out }, done)
end

local function left(state, at) return state.limit - at + 1 end

local function signed(number, width)
    local half = 2 ^ (8 * width - 1)
    return number >= half and number - 2 * half or number
end

local function float(bytes, order)
    local bits = unsigned(bytes, order)
    local sign = bits >= 2 ^ 31 and -1 or 1
    bits = bits % 2 ^ 31
    local exponent, fraction = math.floor(bits / 2 ^ 23), bits % 2 ^ 23
    if exponent == 255 then return fraction == 0 and tostring(sign / 0) or "nan" end
    local value = exponent == 0 and fraction * 2 ^ -149
        or (1 + fraction * 2 ^ -23) * 2 ^ (exponent - 127)
    return ("%.7g"):format(sign * value)
end

local function ipv4(bytes) return ("%d.%d.%d.%d"):format(bytes:byte(1, 4)) end

-- With the longest run of zero groups left out, as RFC 5952 wants it.
local function ipv6(bytes)
    local groups, from, length = {}, nil, 1
    for at = 1, 15, 2 do groups[#groups + 1] = ("%x"):format(unsigned(bytes:sub(at, at + 1))) end
    for first = 1, 8 do
        local behind = first
        while groups[behind] == "0" do behind = behind + 1 end
        if behind - first > length then from, length = first, behind - first end
    end
    if not from then return table.concat(groups, ":") end
    local before = table.concat(groups, ":", 1, from - 1)
    return before .. "::" .. table.concat(groups, ":", from + length, 8)
end

local SHAPES = {
    unsigned_big = function(bytes) return text.decimal(bytes, "big") end,
    unsigned_little = function(bytes) return text.decimal(bytes, "little") end,
    signed_big = function(bytes) return signed(unsigned(bytes, "big"), #bytes) end,
    signed_little = function(bytes) return signed(unsigned(bytes, "little"), #bytes) end,
    float_big = function(bytes) return float(bytes, "big") end,
    float_little = function(bytes) return float(bytes, "little") end,
    ipv4 = ipv4,
    ipv6 = ipv6,
    text = function(bytes) return bytes end,
    raw = function() return nil end,
}

function READ.literal(step, steps, i, state, at, out, done)
    local bytes = step[3]
    if state.bytes:sub(at, math.min(at + #bytes - 1, state.limit)) ~= bytes then
        return fail(state, at, out)
    end
    return go(steps, i, state, at, out, done, item(step, at, #bytes, bytes))
end

function READ.word(step, steps, i, state, at, out, done)
    local word = step[3]
    local found = state.bytes:sub(at, math.min(at + #word - 1, state.limit))
    local is_whole = not step[4] or at + #word > state.limit
        or not state.bytes:find("^[%w_]", at + #word)
    if found:lower() ~= word:lower() or not is_whole then return fail(state, at, out) end
    return go(steps, i, state, at, out, done, item(step, at, #word, found))
end

-- The longest spelling that fits, and its place.
local function spelling(all, state, at)
    local best, place
    for n, form in ipairs(all) do
        local bytes = form[1]
        local fits = at + #bytes - 1 <= state.limit and state.bytes:sub(at, at + #bytes - 1) == bytes
            and (not form[2] or at + #bytes > state.limit)
        if fits and (not best or #bytes > #best[1]) then best, place = form, n end
    end
    if best and best[3] then state.odd = true end
    return best, place
end

function READ.one_of(step, steps, i, state, at, out, done)
    local form = spelling(step[3], state, at)
    if not form then return fail(state, at, out) end
    return go(steps, i, state, at, out, done, item(step, at, #form[1], form[1]))
end

-- The first place at or behind `at` with one of the bytes, or the place behind the end.
local function until_one_of(state, at, stop)
    if stop == "" then return state.limit + 1 end
    local set = "[" .. stop:gsub(".", function(c) return c == "\0" and "%z" or "%" .. c end) .. "]"
    if stop:find("%w") then set = "[" .. stop .. "]" end
    local found = state.bytes:find(set, at)
    return found and found <= state.limit and found or state.limit + 1
end

function READ.text(step, steps, i, state, at, out, done)
    local stop = until_one_of(state, at, step[3])
    local value = state.bytes:sub(at, stop - 1)
    return go(steps, i, state, at, out, done, item(step, at, stop - at, value))
end

function READ.rest(step, _, _, state, at, out, done)
    return done(state.limit + 1, { item(step, at, left(state, at)), out })
end

-- What a member of a record, or a step with a value, takes: the length of all, the value and the
-- items inside; nil if it is cut.
local TAKE = {}

function TAKE.terminated(state, at)
    local stop = until_one_of(state, at, "\0")
    if stop > state.limit then return nil end
    return stop - at + 1, state.bytes:sub(at, stop - 1)
end

function TAKE.bytes(state, at, width, shape)
    if left(state, at) < width then return nil end
    return width, SHAPES[shape](state.bytes:sub(at, at + width - 1))
end

function TAKE.packed(state, at)
    local value, factor, length, is_negative = 0, 64, 0, false
    repeat
        local byte = at + length <= state.limit and length < 5 and state.bytes:byte(at + length)
        if not byte then return nil end
        if length == 0 then
            value, is_negative = byte % 64, byte % 128 >= 64
        else
            value, factor = value + byte % 128 * factor, factor * 128
        end
        length = length + 1
    until byte < 128
    return length, is_negative and -value - 1 or value
end

-- The number in front of a text of Unreal, its length, and whether it counts UTF-16.
local function compact(state, at)
    local first = at <= state.limit and state.bytes:byte(at)
    if not first then return nil end
    local value, factor, length = first % 64, 64, 1
    local has_more = first % 128 >= 64
    while has_more and length < 5 do
        local byte = at + length <= state.limit and state.bytes:byte(at + length)
        if not byte then return nil end
        value, factor, length = value + byte % 128 * factor, factor * 128, length + 1
        has_more = byte >= 128
    end
    return value, length, first >= 128
end

function TAKE.counted(state, at, counting)
    local count, size, is_wide = compact(state, at)
    if counting ~= "unreal" then
        count = at <= state.limit and state.bytes:byte(at)
        size = 1
        if count and counting == "itself" then count = count > 0 and count - 1 end
    end
    if not count then return nil end
    if counting == "unreal" and is_wide then count = 2 * count end
    if left(state, at) < size + count then return nil end
    local value = state.bytes:sub(at + size, at + size + count - 1)
    if counting == "unreal" then
        value = is_wide and value:gsub("(.)%z", "%1"):gsub("%z", "") or value:gsub("%z$", "")
    end
    return size + count, value
end

function TAKE.counted_pairs(state, at, counting)
    local count = at <= state.limit and state.bytes:byte(at)
    local length, sub = 1, {}
    for _ = 1, count or 0 do
        local key_length, key = TAKE.counted(state, at + length, counting)
        local value_length, value = TAKE.counted(state, at + length + (key_length or 0), counting)
        if not key_length or not value_length then return nil end
        local all = key_length + value_length
        sub[#sub + 1] = { key = key, at = at + length, length = all, value = value }
        length = length + all
    end
    return count and length, nil, sub
end

for how, take in pairs(TAKE) do
    READ[how] = function(step, steps, i, state, at, out, done)
        local length, value = take(state, at, step[3], step[4])
        if not length then return fail(state, at, out) end
        return go(steps, i, state, at, out, done, item(step, at, length, value))
    end
end

function READ.decimal(step, steps, i, state, at, out, done)
    local digits = state.bytes:sub(at, math.min(state.limit, at + 20)):match("^[+-]?%d+")
    if not digits then return fail(state, at, out) end
    return go(steps, i, state, at, out, done, item(step, at, #digits, digits))
end

-- The value that was read last under a name.
local function value_in(out)
    return function(name)
        local before = out
        while before and before[1].name ~= name do before = before[2] end
        return before and before[1].value
    end
end

function READ.optional(step, steps, i, state, at, out, done)
    local function behind(next_at, next_out)
        return run(steps, i + 1, state, next_at, next_out, done)
    end
    local condition = reader.conditions.optional[step[4]]
    if not condition then return run(step[3], 1, state, at, out, behind) or behind(at, out) end
    local is_there = condition(value_in(out), state.bytes, state.id)
    if not is_there then return behind(at, out) end
    return run(step[3], 1, state, at, out, behind)
end

function READ.more(step, steps, i, state, at, out, done)
    local function behind(next_at, next_out)
        return run(steps, i + 1, state, next_at, next_out, done)
    end
    if at > state.limit then return behind(at, out) end
    return run(step[3], 1, state, at, out, behind)
end

-- How early a branch is tried: first one whose literal is there, last one with an infostring whose
-- first backslash is not there, which may be anything else.
local function rank_of(branch, state, at)
    local first = branch[1] or {}
    if first[1] == "literal" then
        local is_there = state.bytes:sub(at, math.min(at + #first[3] - 1, state.limit)) == first[3]
        return is_there and 1 or 2
    end
    return first[1] == "infostring" and state.bytes:sub(at, at) ~= "\\" and 3 or 2
end

function READ.choice(step, steps, i, state, at, out, done)
    local function behind(next_at, next_out)
        return run(steps, i + 1, state, next_at, next_out, done)
    end
    local rest, open = state.bytes:sub(at, state.limit), {}
    for n, branch in ipairs(step[3]) do
        local condition = reader.conditions.choice[step[4][n]]
        local holds = condition and condition(rest, state.bytes)
        if holds then return run(branch, 1, state, at, out, behind) end
        if not condition then open[#open + 1] = branch end
    end
    for rank = 1, 3 do
        for _, branch in ipairs(open) do
            local got = rank_of(branch, state, at) == rank and run(branch, 1, state, at, out, behind)
            if got then return got end
        end
    end
end

function READ.led(step, steps, i, state, at, out, done)
    local form, place = spelling(step[3], state, at)
    if not form then return fail(state, at, out) end
    local new = item(step, at, #form[1], form[1])
    if place == 1 then return go(steps, i, state, at, out, done, new) end
    return run(step[4], 1, state, at + new.length, { new, out }, function(next_at, next_out)
        return run(steps, i + 1, state, next_at, next_out, done)
    end)
end

function READ.sized(step, steps, i, state, at, out, done)
    if left(state, at) < 4 then return fail(state, at, out) end
    local number = unsigned(state.bytes:sub(at, at + 3), step[3])
    local count = number - step[4]
    local before, behind = state.limit, at + 4 + count
    if count < 0 or behind - 1 > before then return fail(state, at, out) end
    state.limit = behind - 1
    local new = item(step, at, 4, number)
    local got = run(step[5], 1, state, at + 4, { new, out }, function(next_at, next_out)
        if next_at ~= behind then return fail(state, next_at, next_out) end
        state.limit = before
        local inner = run(steps, i + 1, state, next_at, next_out, done)
        state.limit = behind - 1
        return inner
    end)
    state.limit = before
    return got
end

-- The length of one of Unreal's texts and its value; nil if it is cut.
function reader.text_length(bytes, at)
    return TAKE.counted({ bytes = bytes, limit = #bytes }, at, "unreal")
end

-- The items of a list of pairs, in order.
local function in_order(out)
    local items = {}
    while out do
        table.insert(items, 1, out[1])
        out = out[2]
    end
    return items
end

-- Reads bytes as a message: its items in order, whether all bytes were read, and whether a spelling
-- was unusual.
function reader.read(message, bytes)
    local state = { id = message.id, bytes = bytes, limit = #bytes, count = 0, farthest = 0, odd = false }
    local items = run(message.steps, 1, state, 1, nil, function(at, out)
        if at <= state.limit then return fail(state, at, out) end
        return { out }
    end)
    if items then return in_order(items[1]), true, state.odd end
    return in_order(state.best), false, state.odd
end

-- What the readers of lists need.
reader.parts = {
    READ = READ, TAKE = TAKE, fail = fail, item = item, go = go, left = left, ipv4 = ipv4, ipv6 = ipv6,
    until_one_of = until_one_of,
}

return reader
