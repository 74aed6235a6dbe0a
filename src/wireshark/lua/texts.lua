-- Reads composites of texts: pairs with a NUL or a size, lists, words.
local parts = reader.parts
local READ, TAKE, fail, item, go = parts.READ, parts.TAKE, parts.fail, parts.item, parts.go
local until_one_of = parts.until_one_of

-- The place behind a text and its NUL, which the last text may lack, and the text.
function parts.piece(state, at)
    local stop = until_one_of(state, at, "\0")
    return math.min(stop, state.limit) + 1, state.bytes:sub(at, stop - 1)
end

-- Pairs from a place on. `take` returns the length of a key or value and its bytes, or nil if it is
-- cut. Also returns whether a value is cut.
local function pairs_of(state, at, take)
    local all, place = {}, at
    while true do
        local key_length, key = take(place)
        if not key or key == "" then return all, place, false end
        local value_length, value = take(place + key_length)
        if not value then return all, place, true end
        local length = key_length + value_length
        all[#all + 1] = { key = key, at = place, length = length, value = value }
        place = place + length
    end
end

local function read_pairs(step, steps, i, state, at, out, done, take)
    local new = item(step, at, 0)
    local place, is_cut
    new.sub, place, is_cut = pairs_of(state, at, take)
    new.length = place - at
    if is_cut then return fail(state, place, { new, out }) end
    return go(steps, i, state, at, out, done, new)
end

-- With a NUL behind each; the datagram may be cut if the step says so.
function READ.terminated_pairs(step, steps, i, state, at, out, done)
    local function take(place)
        if not step[3] then return TAKE.terminated(state, place) end
        local behind, text = parts.piece(state, place)
        return behind - place, text
    end
    if not step[3] and at <= state.limit and state.bytes:byte(at) ~= 0 and not take(at) then
        return fail(state, at, out)
    end
    return read_pairs(step, steps, i, state, at, out, done, take)
end

-- With a size in front of each.
function READ.sized_pairs(step, steps, i, state, at, out, done)
    return read_pairs(step, steps, i, state, at, out, done, function(place)
        return TAKE.counted(state, place, step[3])
    end)
end

-- With a NUL behind each, up to an empty one if the step says so.
function READ.texts(step, steps, i, state, at, out, done)
    local new = item(step, at, 0)
    new.sub, new.texts = {}, {}
    local place = at
    while true do
        local length, value = TAKE.terminated(state, place)
        if not length or step[4] and value == "" then break end
        new.sub[#new.sub + 1] = { name = step[3], at = place, length = length, value = value }
        new.texts[#new.texts + 1] = value
        place = place + length
    end
    new.length = place - at
    return go(steps, i, state, at, out, done, new)
end

-- Parted by blanks, up to one of the bytes.
function READ.words(step, steps, i, state, at, out, done)
    local stop = until_one_of(state, at, step[4])
    local new = item(step, at, stop - at)
    new.sub = {}
    for place, word in state.bytes:sub(at, stop - 1):gmatch("()([^ ]+)") do
        local key, value = word:match("^([^=]+)=(.*)$")
        local is_pair = step[5] and key
        new.sub[#new.sub + 1] = {
            name = step[3], key = is_pair and key or nil, at = at + place - 1, length = #word,
            value = is_pair and value or word,
        }
    end
    return go(steps, i, state, at, out, done, new)
end

-- Quake 2's line: name, map, players and places from the right.
function READ.padded_info(step, steps, i, state, at, out, done)
    local line = state.bytes:sub(at, state.limit):gsub("\n*$", "")
    local new = item(step, at, #line)
    local name_at, name, map_at, map, players_at, players, places_at, places =
        line:match("^ *()(.*)[ \n]()([^ \n]+)%s+()(%d+)/ *()(%d+)$")
    new.sub = {}
    local function add(field, place, value)
        new.sub[#new.sub + 1] = { name = field, at = at + place - 1, length = #value, value = value }
    end
    if not name_at then
        add("name", 1, line)
    else
        add("name", name_at, (name:gsub("%s+$", "")))
        add("map", map_at, map)
        add("players", players_at, players)
        add("places", places_at, places)
    end
    return go(steps, i, state, at, out, done, new)
end

-- A count in one byte and so many numbers in one byte each; 255 counts nothing.
function READ.numbers(step, steps, i, state, at, out, done)
    local count = at <= state.limit and state.bytes:byte(at)
    local more = count and count ~= 255 and count or 0
    if not count or at + more > state.limit then return fail(state, at, out) end
    local new = item(step, at, 1 + more)
    new.sub = { { name = step[3], at = at, length = 1, value = count } }
    for place = at + 1, at + more do
        new.sub[#new.sub + 1] =
            { name = step[4], at = place, length = 1, value = state.bytes:byte(place) }
    end
    return go(steps, i, state, at, out, done, new)
end

-- Records of texts with a size in front of each; the bits of the first byte say of which fields.
function READ.flagged_texts(step, steps, i, state, at, out, done)
    local new = item(step, at, 0)
    new.sub = {}
    local place = at
    while place <= state.limit do
        local flags, inside = state.bytes:byte(place), place + 1
        local record = { name = step[3], at = place, sub = {} }
        for _, field in ipairs(step[5]) do
            if flags % (2 * field[1]) >= field[1] then
                local length, value = TAKE.counted(state, inside, step[4])
                if not length then
                    new.length = place - at
                    return fail(state, place, { new, out })
                end
                record.sub[#record.sub + 1] =
                    { name = field[2], at = inside, length = length, value = value }
                inside = inside + length
            end
        end
        record.length = inside - place
        new.sub[#new.sub + 1] = record
        place = inside
    end
    new.length = place - at
    return go(steps, i, state, at, out, done, new)
end
