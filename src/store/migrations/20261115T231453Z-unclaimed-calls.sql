-- D240: a call that was placed at one process for the phone of another waits here until its node claims it. A table of
-- its own: claiming deletes a small row, and the calls themselves are not written once more.
create table unclaimed_calls (
  call_id uuid primary key,
  node text not null,
  -- The process that placed it, and waits for its first event.
  origin text not null,
  claim_until timestamptz not null,
  command jsonb not null
);
create index unclaimed_calls_by_node on unclaimed_calls (node);
