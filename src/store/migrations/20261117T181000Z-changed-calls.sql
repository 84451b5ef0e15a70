-- D575: when a call was changed last, for programs that keep a copy of the calls. Rows from before count as changed now.

-- The transaction has its id before it reads the clock: a row with a time before the start of the oldest transaction that
-- has one is committed, or was rolled back.
create function change_time() returns timestamptz language sql volatile as $$
  select case when pg_current_xact_id() is not null then clock_timestamp() end
$$;

create function note_change() returns trigger language plpgsql as $$
begin
  new.changed_at := change_time();
  return new;
end
$$;

alter table calls add column changed_at timestamptz not null default now();
alter table calls alter changed_at set default change_time();
create index calls_by_change on calls (account_id, changed_at, id);

-- Not while it rings: these changes are the many, and without a new index entry they stay within their page.
create trigger calls_changed before update of status, answered_at, ended_at, duration, hangup_cause, minute_price,
    call_price, recording, link_version on calls
  for each row when (new.status not in ('queued', 'ringing', 'connecting'))
  execute function note_change();
