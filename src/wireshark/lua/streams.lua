-- Where the first message of a TCP stream ends, for each protocol that has streams.
local streams = {}

local FINAL = "\\final\\"

-- Each gives the length of the message; "more" if it is not known yet; nil if it is none.
local CUTS = {}

function CUTS.gamespy(bytes)
    local is_pair = bytes:find("^\\%l") or bytes == "\\"
    local _, stop = bytes:find(FINAL, 1, true)
    if not stop then return is_pair and "more" or nil end
    local _, number = bytes:find("^\\?queryid\\[%d%.]*", stop + 1)
    if number then stop = bytes:sub(number + 1, number + 1) == "\\" and number + 1 or number end
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

function CUTS.unreal2(bytes)
    if #bytes < 4 then return nil end
    local length = text.unsigned(bytes:sub(1, 4), "little")
    if length < 1 or length > 16384 then return nil end
    return #bytes >= 4 + length and 4 + length or "more"
end

CUTS["gamespy-list"] = function(bytes)
    if #bytes < 3 then return nil end
    local length = text.unsigned(bytes:sub(1, 2), "big")
    if bytes:sub(3, 5) == ("\0\1\3"):sub(1, #bytes - 2) then
        return length <= #bytes and length or "more"
    end
    return "endless"
end

-- The protocol with such a message, and the length of the message.
function streams.cut(bytes)
    for at = #DECLARED.protocols, 1, -1 do
        local id = DECLARED.protocols[at].id
        local length = CUTS[id] and CUTS[id](bytes)
        if length then return id, length end
    end
end

return streams
