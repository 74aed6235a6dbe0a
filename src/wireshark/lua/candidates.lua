-- Which messages a payload may be, by its beginning or its content alone.
local candidates = {}

local MARK = "\255\255\255\255"
local MESSAGES = DECLARED.messages

-- Messages by carrier, the first byte, and the byte behind the mark: few are compared with a
-- payload.
local buckets = {}

local function may_begin(message, first, fifth)
    if message.first then return message.first == "" or message.first:find(first, 1, true) end
    for _, prefix in ipairs(message.prefixes) do
        local bytes = prefix[1]
        local is_first = bytes == "" or bytes:sub(1, 1):lower() == first:lower()
        if is_first and (not fifth or #bytes < 5 or bytes:sub(5, 5):lower() == fifth) then
            return true
        end
    end
end

local function bucket(is_stream, bytes)
    local first = bytes:sub(1, 1)
    local fifth = bytes:sub(1, 4) == MARK and bytes:sub(5, 5):lower() or nil
    local key = (is_stream and "s" or "d") .. first .. (fifth or "")
    if not buckets[key] then
        local found = {}
        for _, message in ipairs(MESSAGES) do
            if (message.stream or false) == is_stream and may_begin(message, first, fifth) then
                found[#found + 1] = message
            end
        end
        buckets[key] = found
    end
    return buckets[key]
end

-- How well a payload begins like a prefix: 1 also in what follows the word, 2 if nothing is known
-- of that, 3 badly; nil if it does not.
local function rank(prefix, bytes)
    local literal, bounded, any_case, hint = prefix[1], prefix[2], prefix[3], prefix[4]
    local head = bytes:sub(1, #literal)
    local same = head == literal or any_case and head:lower() == literal:lower()
    if not same or bounded and bytes:find("^[%w_]", #literal + 1) then return nil end
    if hint == "" then return 2 end
    return bytes:sub(#literal + 1, #literal + #hint) == hint and 1 or 3
end

-- The messages that a payload may be, the likeliest first.
function candidates.of(is_stream, bytes)
    local begun, by_content = {}, {}
    for _, message in ipairs(bucket(is_stream, bytes)) do
        if message.first then
            local content = matches.content[message.id]
            if content then
                if content(bytes) then by_content[#by_content + 1] = message end
            else
                local _, is_whole = reader.read(message, bytes)
                if is_whole then by_content[#by_content + 1] = message end
            end
        else
            local best, length
            for _, prefix in ipairs(message.prefixes) do
                local found = rank(prefix, bytes)
                if found and (not best or #prefix[1] > length) then
                    best, length = found, #prefix[1]
                end
            end
            local excluded = message.excluded and matches.excluded[message.id]
            if best and not (excluded and excluded(bytes)) then
                begun[#begun + 1] = { message, best, length }
            end
        end
    end
    table.sort(begun, function(a, b)
        if a[2] ~= b[2] then return a[2] < b[2] end
        if a[3] ~= b[3] then return a[3] > b[3] end
        return a[1].order < b[1].order
    end)
    local all = {}
    for _, found in ipairs(begun) do
        if begun[1][2] ~= 1 or found[2] ~= 3 then all[#all + 1] = found[1] end
    end
    for _, message in ipairs(by_content) do all[#all + 1] = message end
    return all
end

return candidates
