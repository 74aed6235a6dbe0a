-- Reads tables of texts, each with a NUL behind it: row by row, or field by field.
local parts = reader.parts
local READ, TAKE, item, go = parts.READ, parts.TAKE, parts.item, parts.go
local piece = parts.piece

-- A row of values from this place on, as far as there are some.
local function row(state, name, keys, at)
    local new, place = { name = name, at = at, sub = {} }, at
    for _, key in ipairs(keys) do
        local length, value = TAKE.terminated(state, place)
        if not length then break end
        new.sub[#new.sub + 1] = { key = key, at = place, length = length, value = value }
        place = place + length
    end
    new.length = place - at
    return new
end

-- The keys are the texts that were read before, and the count of rows is in front of them.
function READ.text_rows(step, steps, i, state, at, out, done)
    local before = out
    while before and not before[1].texts do before = before[2] end
    local keys = before and before[1].texts or {}
    local count = before and before[2] and tonumber(before[2][1].value) or 0
    local new = item(step, at, 0)
    new.sub = {}
    local place = at
    for _ = 1, count do
        local values = row(state, step[3], keys, place)
        if values.length == 0 then break end
        new.sub[#new.sub + 1] = values
        place = place + values.length
    end
    new.length = place - at
    return go(steps, i, state, at, out, done, new)
end

-- The place behind the NULs that fill up between two columns: two or more, and a name behind.
local function behind_padding(state, at)
    local next_at = state.bytes:find("[^%z]", at)
    local is_name = next_at and next_at <= state.limit and state.bytes:byte(next_at) >= 32
    return is_name and next_at - at > 1 and next_at or at
end

-- A column at this place; nil if there is none.
local function column(step, state, at)
    local place, name = piece(state, at)
    if name == "" then return nil end
    local new = { name = step[3], at = at, label = name }
    new.sub = { { name = step[4], at = at, length = place - at, value = name } }
    if place <= state.limit then
        new.sub[2] = { name = step[5], at = place, length = 1, value = state.bytes:byte(place) }
        place = place + 1
    end
    while place <= state.limit do
        local behind, value = piece(state, place)
        if value == "" then
            place = behind_padding(state, behind)
            break
        end
        new.sub[#new.sub + 1] = { key = name, at = place, length = behind - place, value = value }
        place = behind
    end
    new.length = place - at
    return new
end

function READ.text_columns(step, steps, i, state, at, out, done)
    local new = item(step, at, 0)
    new.sub = {}
    local place = at
    while place <= state.limit do
        local next_column = column(step, state, place)
        if not next_column then break end
        new.sub[#new.sub + 1] = next_column
        place = place + next_column.length
    end
    new.length = place - at
    return go(steps, i, state, at, out, done, new)
end
