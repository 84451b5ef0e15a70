-- What `ramal nodes` shows of a node, and the operator's request that it drains. The node writes all but the request.

alter table voice_nodes
  -- The machine's name.
  add column host text,
  add column version text,
  add column calls integer not null default 0,
  add column phones integer not null default 0,
  -- How far its clock is ahead of the database's; null until it was measured.
  add column clock_offset_ms integer,
  add column drain_requested_at timestamptz;
