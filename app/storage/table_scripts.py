"""The scripts that write a table; each is one atomic step."""

from __future__ import annotations

from app.storage.script import Script

WRITTEN = 1
ALREADY_WRITTEN = 2
"""What `COMMIT` returns, besides 0."""

COMMIT = Script(
    """
-- KEYS[1]  {t:ID}:table   HASH
-- KEYS[2]  {t:ID}:events  STREAM
-- KEYS[3]  {t:ID}:seen    HASH
-- KEYS[4]  {t:ID}:client_seeds  HASH
-- KEYS[5]  {t:ID}:premoves  HASH
-- KEYS[6]  {t:ID}:analyses  HASH, which only expires with the others
-- ARGV[1]  version the table must have; 0: it must not exist
-- ARGV[2]  version after the step
-- ARGV[3]  status after the step
-- ARGV[4]  schema number of the state
-- ARGV[5]  state, msgpack
-- ARGV[6]  receipts, msgpack
-- ARGV[7]  ms the keys live from now
-- ARGV[8]  name of this commit, the same when it is sent again
-- ARGV[9]  pub/sub channel to ring; empty: do not ring
-- ARGV[10] what to say there
-- ARGV[11] player who brings a client seed; empty: nobody does
-- ARGV[12] that seed
-- ARGV[13] how often pre-moves must have changed so far; empty: not looked at
-- ARGV[14] seats whose pre-moves are used up, separated by blanks
-- ARGV[15] and on: the events, msgpack, seq ARGV[1] + 1 and on
-- returns  1 written, 2 it had been written before by this same commit, 0 the table has moved on
local before = tonumber(ARGV[1])
local version = tonumber(redis.call('HGET', KEYS[1], 'version') or 0)
if version ~= before then
  if version > before then
    local first = string.format('%d-0', before + 1)
    local entry = redis.call('XRANGE', KEYS[2], first, first)[1]
    if entry and entry[2][4] == ARGV[8] then return 2 end
  end
  return 0
end
if ARGV[13] ~= '' and (redis.call('HGET', KEYS[5], 'n') or '0') ~= ARGV[13] then return 0 end
-- The log first: if it refuses, nothing has been written yet.
for i = 15, #ARGV do
  local seq = string.format('%d-0', before + i - 14)
  if i == 15 then
    redis.call('XADD', KEYS[2], seq, 'e', ARGV[i], 'n', ARGV[8])
  else
    redis.call('XADD', KEYS[2], seq, 'e', ARGV[i])
  end
end
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'status', ARGV[3], 'schema', ARGV[4], 'state', ARGV[5],
  'receipts', ARGV[6])
if ARGV[11] ~= '' then redis.call('HSET', KEYS[4], ARGV[11], ARGV[12]) end
for seat in string.gmatch(ARGV[14], '%d+') do redis.call('HDEL', KEYS[5], seat) end
for _, key in ipairs(KEYS) do
  redis.call('PEXPIRE', key, ARGV[7])
end
if ARGV[9] ~= '' then redis.call('PUBLISH', ARGV[9], ARGV[10]) end
return 1
"""
)

CONFIRM = Script(
    """
-- KEYS[1]  {t:ID}:table  HASH
-- ARGV[1]  version that a replica has
-- ARGV[2]  pub/sub channel to ring
-- ARGV[3]  what to say there
-- returns  1 noted, 0 it was known, or there is no such table
local version = redis.call('HGET', KEYS[1], 'version')
if not version then return 0 end
if tonumber(redis.call('HGET', KEYS[1], 'confirmed') or 0) >= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'confirmed', ARGV[1])
redis.call('PUBLISH', ARGV[2], ARGV[3])
return 1
"""
)


BRING_SEED = Script(
    """
-- KEYS[1]  {t:ID}:table  HASH
-- KEYS[2]  {t:ID}:client_seeds  HASH player -> seed
-- ARGV[1]  player
-- ARGV[2]  seed
-- returns  1 noted, 0 there is no such table
local left = redis.call('PTTL', KEYS[1])
if left == -2 then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
if left > 0 then redis.call('PEXPIRE', KEYS[2], left) end
return 1
"""
)

PREMOVE = Script(
    """
-- KEYS[1]  {t:ID}:table     HASH
-- KEYS[2]  {t:ID}:premoves  HASH
-- ARGV[1]  version the table must have
-- ARGV[2]  seat
-- ARGV[3]  its pre-move, msgpack; empty: none
-- returns  1 noted, 0 the table has moved on
if redis.call('HGET', KEYS[1], 'version') ~= ARGV[1] then return 0 end
if ARGV[3] == '' then
  redis.call('HDEL', KEYS[2], ARGV[2])
else
  redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
end
redis.call('HINCRBY', KEYS[2], 'n', 1)
local left = redis.call('PTTL', KEYS[1])
if left > 0 then redis.call('PEXPIRE', KEYS[2], left) end
return 1
"""
)
