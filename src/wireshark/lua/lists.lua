-- Reads composites: infostrings, lines, lists of servers, records.
local parts = reader.parts
local READ, TAKE, fail, item, go, left = parts.READ, parts.TAKE, parts.fail, parts.item, parts.go, parts.left
local ipv4, ipv6, until_one_of = parts.ipv4, parts.ipv6, parts.until_one_of
local unsigned = text.unsigned

-- An infostring up to a place: a mark stands before each key and value.
local function infostring(step, bytes, at, stop, mark)
    local new = item(step, at, stop - at)
    new.sub = {}
    local place = bytes:sub(at, at + #mark - 1) == mark and at + #mark or at
    while place < stop do
        local key_end = math.min(bytes:find(mark, place, true) or stop, stop)
        local value_at = math.min(key_end + #mark, stop)
        local value_end = math.min(bytes:find(mark, value_at, true) or stop, stop)
        new.sub[#new.sub + 1] = {
            key = bytes:sub(place, key_end - 1), at = place, length = value_end - place,
            value = bytes:sub(value_at, value_end - 1),
        }
        place = value_end + #mark
    end
    return new
end

function READ.infostring(step, steps, i, state, at, out, done)
    local stop = until_one_of(state, at, step[3])
    local before = step[4] ~= "" and state.bytes:find(step[4], at, true)
    if before and before < stop then stop = before end
    local new = infostring(step, state.bytes, at, stop, "\\")
    return go(steps, i, state, at, out, done, new)
end

-- qfusion's columns: two backslashes where others have one.
function READ.wide_infostring(step, steps, i, state, at, out, done)
    local stop = state.bytes:find("\\\\EOT", at, true) or state.limit + 1
    local new = infostring(step, state.bytes, at, stop, "\\\\")
    return go(steps, i, state, at, out, done, new)
end

-- The length of a cell in quotes, of the bytes behind the first quote: in the last such column the
-- last quote of the line closes, because a name may have quotes too.
local function quoted_length(inside, is_last)
    local close
    if is_last then
        close = inside:match('.*()"')
    else
        close = inside:find('" ', 1, true) or inside:match('()"$')
    end
    close = close or inside:find('"', 1, true)
    return close and close - 1
end

-- The cells of a line, up to the first column that is missing.
local function cells(line, columns, at, at_last_quote)
    local all, place, quoted = {}, 1, 0
    for _, column in ipairs(columns) do if column[2] then quoted = quoted + 1 end end
    for _, column in ipairs(columns) do
        local begin, length, is_there = line:find("[^ ]", place), nil, true
        if begin and column[2] then
            quoted = quoted - 1
            begin = line:sub(begin, begin) == '"' and begin + 1
            length = begin and quoted_length(line:sub(begin), at_last_quote and quoted == 0)
        elseif begin then
            length = (line:find(" ", begin, true) or #line + 1) - begin
            is_there = not column[3] or line:sub(begin, begin + length - 1):find("^-?%d+$")
        end
        if is_there then
            if not length then break end
            local value = line:sub(begin, begin + length - 1)
            all[#all + 1] = { name = column[1], at = at + begin - 1, length = length, value = value }
            place = begin + length + (column[2] and 1 or 0)
        end
    end
    return all
end

-- The kind of a line, and where its columns begin.
local function kind_of(line, kinds)
    local first, behind = line:match("^ *([^ ]*)()")
    for _, kind in ipairs(kinds) do
        if kind[2] == first then return kind, behind end
        if not kind[2] then return kind, 1 end
    end
end

function READ.lines(step, steps, i, state, at, out, done)
    local stop = until_one_of(state, at, step[3])
    local new = item(step, at, 0)
    new.sub = {}
    local place = at
    while place < stop and not step[4]:find(state.bytes:sub(place, place), 1, true) do
        local line_end = math.min(state.bytes:find("\n", place, true) or stop, stop)
        local line = state.bytes:sub(place, line_end - 1)
        local kind, behind = kind_of(line, step[5])
        if kind and line ~= "" then
            new.sub[#new.sub + 1] = {
                name = kind[1], at = place, length = line_end - place, label = line,
                sub = cells(line:sub(behind), kind[3], place + behind - 1, kind[4]),
            }
        end
        place = math.min(line_end + 1, stop)
    end
    new.length = place - at
    return go(steps, i, state, at, out, done, new)
end

-- Whether the bytes at this place are the end of a list.
local function is_end(ends, state, at)
    if not ends[1] then return at > state.limit end
    local rest = state.bytes:sub(at, math.min(at + #ends[1] - 1, state.limit))
    if rest == ends[1] then return true end
    if left(state, at) >= #ends[1] then return false end
    for n = 2, #ends do if rest == ends[n] then return true end end
    return rest == ""
end

-- What an IPv4 address has in front of it where an IPv6 address is wanted.
local MAPPED = ("\0"):rep(10) .. "\255\255"

function READ.addresses(step, steps, i, state, at, out, done)
    local separator, separator6, six, linked = step[3], step[4], step[5], step[6]
    local order, is_hex, ends = step[7], step[8], step[9]
    local new = item(step, at, 0)
    new.sub = {}
    local place, is_second = at, false
    while not is_end(ends, state, place) and place <= state.limit do
        local body, is_six = place, six or is_second
        if separator >= 0 then
            local mark = state.bytes:byte(place)
            if mark ~= separator and mark ~= separator6 then break end
            is_six = mark ~= separator
            body = place + 1
        end
        local ip, port = is_six and 16 or is_hex and 8 or 4, is_hex and 4 or 2
        local whole = math.min(body + ip + port - 1, state.limit)
        local record = state.bytes:sub(body, whole)
        if is_hex then record = record:match("^%x*") end
        if record == "" then break end
        local length = body + #record - place
        if #record == ip + port then
            local number = is_hex and tonumber(record:sub(9), 16)
                or unsigned(record:sub(ip + 1), order)
            local is_mapped = is_six and record:sub(1, 12) == MAPPED
            local host = is_mapped and ipv4(record:sub(13, 16))
                or is_six and "[" .. ipv6(record:sub(1, 16)) .. "]"
                or is_hex and ipv4((record:sub(1, 8):gsub("..", function(digits)
                    return string.char(tonumber(digits, 16))
                end))) or ipv4(record)
            new.sub[#new.sub + 1] =
                { name = "servers", at = place, length = length, value = host .. ":" .. number }
        end
        place = place + length
        is_second = linked and not is_second
    end
    new.length = place - at
    return go(steps, i, state, at, out, done, new)
end

function READ.endpoints(step, steps, i, state, at, out, done)
    local lead, ends, following = step[3], step[4], step[5]
    local new = item(step, at, 0)
    new.sub = {}
    local place = at
    while place <= state.limit and state.bytes:sub(place, place + #lead - 1) == lead do
        local body = state.bytes:sub(place + #lead, math.min(place + #lead + 21, state.limit))
        local endpoint = body:match("^%d+%.%d+%.%d+%.%d+:%d+")
        if not endpoint then break end
        local length = #lead + #endpoint
        local is_ended = place + length > state.limit
        for _, mark in ipairs(ends) do
            if state.bytes:sub(place + length, place + length + #mark - 1) == mark then
                length, is_ended = length + #mark, true
                break
            end
        end
        local after = state.bytes:sub(place + length, place + length)
        if not is_ended and not (after ~= "" and following:find(after, 1, true)) then break end
        new.sub[#new.sub + 1] = { name = "servers", at = place, length = length, value = endpoint }
        place = place + length
    end
    new.length = place - at
    return go(steps, i, state, at, out, done, new)
end

-- The number that was read last.
local function last_number(out)
    while out and type(out[1].value) ~= "number" do out = out[2] end
    return out and out[1].value or -1
end

function READ.records(step, steps, i, state, at, out, done)
    local members, last, most = step[4], step[5], step[6]
    local new = item(step, at, 0)
    new.sub = {}
    local place = at
    if most == -2 then most = last_number(out) end
    while place <= state.limit and state.bytes:byte(place) ~= last and #new.sub ~= most do
        local record = { name = step[3], at = place, sub = {} }
        local inside = place
        for _, member in ipairs(members) do
            local length, value, sub = TAKE[member[1]](state, inside, member[3], member[4])
            if not length then
                new.length = place - at
                return fail(state, inside, { new, out })
            end
            local new_member = item(member, inside, length, value)
            new_member.sub = sub
            record.sub[#record.sub + 1] = new_member
            inside = inside + length
        end
        if inside == place then break end
        record.length = inside - place
        new.sub[#new.sub + 1] = record
        place = inside
    end
    new.length = place - at
    return go(steps, i, state, at, out, done, new)
end
