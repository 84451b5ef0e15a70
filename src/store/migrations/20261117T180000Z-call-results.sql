-- D592: what came of a call, as a person says it. Apart from calls, whose rows are written while calls are placed and end.
create table call_results (
  call_id    uuid primary key references calls on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  -- Of the call, which never changes: results are counted by it.
  started_at timestamptz not null,
  outcome    text,
  notes      text not null default '',
  -- How often it was changed.
  revision   integer not null default 0
);
create index call_results_by_outcome on call_results (account_id, outcome, call_id) where outcome is not null;
create index call_results_by_start on call_results (account_id, started_at) where outcome is not null;

create table call_tags (
  call_id    uuid not null references call_results on delete cascade,
  tag        text not null,
  account_id bigint not null references accounts on delete cascade,
  primary key (call_id, tag)
);
create index call_tags_by_tag on call_tags (account_id, tag, call_id);

-- Each row is the result after a change, with the user who made it as they were named then.
create table call_changes (
  call_id   uuid not null references call_results on delete cascade,
  revision  integer not null,
  at        timestamptz not null,
  user_uuid uuid not null,
  user_name text not null,
  outcome   text,
  tags      text[] not null,
  notes     text not null,
  primary key (call_id, revision)
);

-- D593: the outcomes that an account chooses from; none before it sets them.
create table call_outcomes (
  account_id bigint not null references accounts on delete cascade,
  position   smallint not null,
  key        text not null,
  label      text not null,
  primary key (account_id, position),
  unique (account_id, key)
);
