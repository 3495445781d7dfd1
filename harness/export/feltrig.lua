-- Frames of feltrig's open serial protocol (docs/serial.md) in Wireshark: 00 | COBS(address, seq, code, data, CRC) | 00
--
-- `feltrig export RUN --pcapng FILE` names these dissectors, one for each kind of device. Wireshark finds this file in
-- its folder of plug-ins (Help, About, Folders, Personal Lua Plugins); tshark by -X lua_script:feltrig.lua

local COMMON = { [0x01] = "identify", [0x02] = "status", [0x03] = "events", [0x04] = "reset", [0x05] = "challenge" }
local KINDS = {
  rng = { [0x10] = "select", [0x11] = "display", [0x12] = "blank" },
  shaker = { [0x10] = "shake", [0x11] = "uncover", [0x12] = "cover" },
  shuffler = { [0x10] = "shuffle" },
  shoe = { [0x10] = "dispense", [0x11] = "unlock", [0x12] = "lock" },
  reader = { [0x10] = "scan", [0x11] = "faces" },
}
local ERRORS = {
  [0] = "ok", [1] = "unknown command", [2] = "bad argument", [3] = "wrong state", [4] = "empty", [5] = "malformed",
}
local ANSWER = 0x80

local serial = Proto("feltrig", "feltrig serial protocol")
local address = ProtoField.uint8("feltrig.address", "Address")
local seq = ProtoField.uint8("feltrig.seq", "Seq")
local code = ProtoField.uint8("feltrig.code", "Code", base.HEX)
local command = ProtoField.string("feltrig.command", "Command")
local answer = ProtoField.bool("feltrig.answer", "Answer")
local err = ProtoField.uint8("feltrig.error", "Error", base.DEC, ERRORS)
local data = ProtoField.bytes("feltrig.data", "Data")
local crc = ProtoField.uint16("feltrig.crc", "CRC", base.HEX)
local crc_good = ProtoField.bool("feltrig.crc.good", "CRC is right")
serial.fields = { address, seq, code, command, answer, err, data, crc, crc_good }

-- What stands between the zeros without its stuffing; nil if it cannot be read.
local function unstuffed(frame)
  local plain, at, last = ByteArray.new(), 1, frame:len() - 2
  plain:set_size(math.max(last - 1, 0))
  local size = 0
  while at <= last do
    local length = frame:get_index(at)
    if length == 0 or at + length - 1 > last then return nil end
    for place = at + 1, at + length - 1 do
      plain:set_index(size, frame:get_index(place))
      size = size + 1
    end
    at = at + length
    if at <= last then
      plain:set_index(size, 0)
      size = size + 1
    end
  end
  plain:set_size(size)
  return plain
end

-- CRC-16/CCITT-FALSE of the first bytes.
local function checksum(plain, size)
  local sum = 0xFFFF
  for place = 0, size - 1 do
    sum = bit.bxor(sum, bit.lshift(plain:get_index(place), 8))
    for _ = 1, 8 do
      local carry = bit.band(sum, 0x8000) ~= 0
      sum = bit.band(bit.lshift(sum, 1), 0xFFFF)
      if carry then sum = bit.bxor(sum, 0x1021) end
    end
  end
  return sum
end

local function dissect(commands, buffer, packet, tree)
  local plain = unstuffed(buffer:bytes())
  if plain == nil or plain:len() < 5 then return 0 end
  local body = plain:tvb("Without stuffing")
  local size = plain:len()
  local number = body(2, 1):uint()
  local is_answer = number >= ANSWER
  local asked = bit.band(number, 0x7F)
  local name = COMMON[asked] or commands[asked] or string.format("command 0x%02x", asked)
  local branch = tree:add(serial, body())
  branch:add(address, body(0, 1))
  branch:add(seq, body(1, 1))
  branch:add(code, body(2, 1))
  branch:add(command, body(2, 1), name)
  branch:add(answer, body(2, 1), is_answer)
  local said = is_answer and "answer" or "question"
  if is_answer and size > 5 then
    branch:add(err, body(3, 1))
    said = ERRORS[body(3, 1):uint()] or "unknown error"
  end
  if size > 5 then branch:add(data, body(3, size - 5)) end
  branch:add_le(crc, body(size - 2, 2))
  branch:add(crc_good, body(size - 2, 2), checksum(plain, size - 2) == body(size - 2, 2):le_uint())
  packet.cols.protocol = "feltrig"
  packet.cols.info = string.format("%s: %s, address %d, seq %d", name, said, body(0, 1):uint(), body(1, 1):uint())
  return buffer:len()
end

function serial.dissector(buffer, packet, tree)
  return dissect({}, buffer, packet, tree)
end

for kind, commands in pairs(KINDS) do
  local own = Proto("feltrig_" .. kind, "feltrig serial protocol, " .. kind)
  function own.dissector(buffer, packet, tree)
    return dissect(commands, buffer, packet, tree)
  end
end
