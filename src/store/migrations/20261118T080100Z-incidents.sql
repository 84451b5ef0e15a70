-- D626: incidents and maintenance that the operator writes for customers; never removed.
create table incidents (
  id         bigint generated always as identity primary key,
  kind       text not null check (kind in ('incident', 'maintenance')),
  title      text not null,
  -- Null if it was written in Portuguese alone.
  title_en   text,
  components text[] not null,
  -- Null for maintenance.
  impact     text,
  state      text not null,
  starts_at  timestamptz,
  ends_at    timestamptz,
  opened_at  timestamptz not null,
  closed_at  timestamptz,
  -- A list of { at, state, text, textEn }, the oldest first.
  updates    jsonb not null
);
