-- D442: calls are found by the last four digits of their destination: every call has a key for them in call_values. An
-- index on calls would cost more: its entries are written again whenever a call changes. No call changes its destination.

-- Accounts with calls from before, as in caller_values_missing.
create table destination_ends_missing (
  account_id bigint primary key references accounts on delete cascade,
  done       timestamptz not null,
  until      timestamptz not null
);

create function destination_search_key(account_id bigint, to_number text)
returns bigint language sql immutable parallel safe as $$
  select hashtextextended(right(to_number, 4) collate "C", hashtextextended('to_number', hashint8extended(account_id, 1)))
$$;

create or replace function note_added_calls() returns trigger language plpgsql as $$
begin
  perform undo_call_counts(account_id, min(started_at)) from changed group by account_id order by account_id;
  insert into call_values (key, started_at, call_id)
  select distinct key, started_at, id from changed, unnest(call_search_keys(account_id, metadata)
    || caller_search_keys(account_id, first_name, last_name, email, caller_number)
    || destination_search_key(account_id, to_number)) as key
  where key is not null;
  -- In order: two that add the same values would otherwise be a deadlock.
  insert into caller_values (account_id, field, value)
  select distinct account_id, field, value from changed, lateral (values ('first_name', first_name),
    ('last_name', last_name), ('email', email), ('caller_number', caller_number)) as given (field, value)
  where value is not null
  order by account_id, field, value
  on conflict do nothing;
  return null;
end
$$;

-- Keys of destinations are not counted ahead: each is that of few calls.
create or replace function note_removed_calls() returns trigger language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  account bigint;
  last_start timestamptz;
begin
  for account, last_start in
    select account_id, max(started_at) from changed group by account_id order by account_id
  loop
    -- As in undo_call_counts: not while calls are counted, and one that changes counts at a time.
    perform pg_advisory_xact_lock_shared(72642510, hashint8(account));
    perform pg_advisory_xact_lock(72642511, hashint8(account));
    delete from call_counts where account_id = account and until > '-infinity' and until <= last_start;
    -- A step of this size is never continued: the next count begins a row after it. An account that is being deleted
    -- takes its counts along.
    insert into call_counts (account_id, counted, until, calls, step)
    select account, removed.counted, '-infinity', count(*), 1000000000000
    from changed cross join lateral (
      select '*' as counted
      union all select '=' || changed.from_number
      union all select distinct '#' || key from unnest(call_search_keys(changed.account_id, changed.metadata)
        || caller_search_keys(changed.account_id, changed.first_name, changed.last_name, changed.email,
          changed.caller_number)) as key
        where key is not null
    ) as removed
    where changed.account_id = account and exists (select from accounts where accounts.id = account)
    group by removed.counted
    having exists (select from call_counts where account_id = account and call_counts.counted = removed.counted)
    on conflict (account_id, counted, until) do update set calls = call_counts.calls + excluded.calls;
  end loop;
  -- Under the locks: the job that adds keys to earlier calls may have been at these.
  delete from call_values using changed, unnest(call_search_keys(account_id, metadata)
    || caller_search_keys(account_id, first_name, last_name, email, caller_number)
    || destination_search_key(account_id, to_number)) as gone (key)
  where call_values.key = gone.key and call_values.started_at = changed.started_at and call_id = changed.id;
  return null;
end
$$;

-- Calls that are being stored while this is applied may have no such key: the job includes them.
insert into destination_ends_missing (account_id, done, until)
select id, '-infinity', now() + interval '5 minutes' from accounts
where exists (select from calls where calls.account_id = accounts.id);
