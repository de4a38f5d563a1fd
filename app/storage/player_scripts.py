"""The scripts that write players and their idempotency records; each is one atomic step."""

from __future__ import annotations

from app.storage.script import Script

IF_PLAYER = Script(
    """
-- KEYS[1]  {p:ID}:player  HASH
-- KEYS[2]  {p:ID}:player or {p:ID}:tokens  HASH to write
-- ARGV[1]  field
-- ARGV[2]  value
-- returns  1 written, 0 there is no such player
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return 1
"""
)

RESERVE = Script(
    """
-- KEYS[1]  {p:ID}:once:<SHA-256 of the key>  HASH
-- KEYS[2]  {p:ID}:noted:<SHA-256 of the key>  STRING
-- ARGV[1]  digest of the request
-- ARGV[2]  table id it is to finish under
-- ARGV[3]  ms the record is kept
-- ARGV[4]  ms after which an unfinished request is stale
-- returns  {1 made by this call, digest, table, 1 stale, at or false, after or false, said or false}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if redis.call('EXISTS', KEYS[1]) == 0 then
  local noted = redis.call('GET', KEYS[2])
  if noted and noted ~= ARGV[1] then return {0, noted, '', 0, false, false, false} end
  redis.call('HSET', KEYS[1], 'digest', ARGV[1], 'table', ARGV[2], 'begun', string.format('%d', now))
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return {1, ARGV[1], ARGV[2], 0, false, false, false}
end
local held = redis.call('HMGET', KEYS[1], 'digest', 'table', 'begun', 'at', 'after', 'said')
local stale = 0
if not held[4] and now - tonumber(held[3]) > tonumber(ARGV[4]) then
  stale = 1
  -- Whoever retries takes it over; the next one has to wait again.
  if held[1] == ARGV[1] then redis.call('HSET', KEYS[1], 'begun', string.format('%d', now)) end
end
return {0, held[1], held[2], stale, held[4], held[5], held[6]}
"""
)

SETTLE = Script(
    """
-- KEYS[1]  {p:ID}:once:<SHA-256 of the key>  HASH
-- ARGV[1]  µs since 1970: `now` of the answer
-- ARGV[2]  version of the answer
-- ARGV[3]  what else it says
-- returns  1 noted, 0 there is no such record, or it is done
if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], 'at') == 1 then return 0 end
redis.call('HSET', KEYS[1], 'at', ARGV[1], 'after', ARGV[2], 'said', ARGV[3])
return 1
"""
)

RELEASE = Script(
    """
-- KEYS[1]  {p:ID}:once:<SHA-256 of the key>  HASH
-- returns  1 removed, 0 it is done or not there
if redis.call('HEXISTS', KEYS[1], 'at') == 1 then return 0 end
return redis.call('DEL', KEYS[1])
"""
)


OFFER_LINK = Script(
    """
-- KEYS[1]  {p:ID}:player  HASH
-- KEYS[2]  {p:ID}:link    STRING
-- ARGV[1]  SHA-256 of the code
-- ARGV[2]  ms it lasts
-- returns  1 written, 0 there is no such player
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
return 1
"""
)

USE_LINK = Script(
    """
-- KEYS[1]  {p:ID}:link  STRING
-- ARGV[1]  SHA-256 of the code
-- returns  1 used up by this call, 0 it is not (any more) the player's code
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
"""
)
