-- Where the first message of a TCP stream ends, for each protocol that has streams.
local streams = {}

local FINAL = "\\final\\"

-- Each gives the length of the message; "more" if it is not known yet; nil if it is none.
local CUTS = {}

function CUTS.gamespy(bytes, is_known)
    local is_pair = bytes:find("^\\%l") or bytes == "\\"
    -- A challenge has no end of its own.
    local first = bytes:match("^\\(%l+)\\")
    if (first == "basic" or first == "secure") and bytes:find("\\secure\\.") then return #bytes end
    if not is_pair and is_known then return "endless" end
    local _, stop = bytes:find(FINAL, 1, true)
    if not stop then return is_pair and "more" or nil end
    local _, number = bytes:find("^\\?queryid\\[%d%.]*", stop + 1)
    if number then stop = bytes:sub(number + 1, number + 1) == "\\" and number + 1 or number end
    local word = bytes:sub(stop + 1)
    local begun = word:gsub("^\\", "")
    if not number and word ~= "" and begun == ("queryid\\"):sub(1, #begun) then return "more" end
    return stop
end

function CUTS.http(bytes)
    local word = bytes:sub(1, 5)
    if word:sub(1, 4) ~= ("GET "):sub(1, #word) and word ~= ("HTTP/"):sub(1, #word) then return nil end
    local _, head = bytes:find("\r?\n\r?\n")
    if not head then return "more" end
    local length = bytes:sub(1, head):lower():match("\ncontent%-length:[ \t]*(%d+)")
    if length then return head + tonumber(length) end
    return word:sub(1, 4) == "GET " and head or "endless"
end

function CUTS.unreal2(bytes, is_known)
    if #bytes < 4 then return nil end
    local length = text.unsigned(bytes:sub(1, 4), "little")
    if length < 1 or length > 16384 then return nil end
    if #bytes >= 4 + length then return matches.unreal_kind(bytes) and 4 + length or nil end
    return (is_known or bytes:byte(5) == length - 1) and "more" or nil
end

CUTS["gamespy-list"] = function(bytes)
    if #bytes < 3 then return nil end
    local length = text.unsigned(bytes:sub(1, 2), "big")
    if bytes:sub(3, 5) == ("\0\1\3"):sub(1, #bytes - 2) then
        return length <= #bytes and length or "more"
    end
    return matches.behind_header(bytes) and "endless" or nil
end

-- The protocol with such a message, and the length of the message. `is_known` tells whether the
-- connection is known to be of a protocol.
function streams.cut(bytes, is_known)
    for at = #DECLARED.protocols, 1, -1 do
        local id = DECLARED.protocols[at].id
        local length = CUTS[id] and CUTS[id](bytes, is_known(id))
        if length then return id, length end
    end
end

return streams
