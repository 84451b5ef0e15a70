-- D623: what the operator changed that belongs to no account, with the reason; never removed.
create table operator_log (
  id      bigint generated always as identity primary key,
  at      timestamptz not null,
  action  text not null,
  -- The name of what was changed; null if there is only one.
  subject text,
  -- Null if the command has no place for one.
  reason  text,
  details jsonb not null
);
