-- D440: calls are found by the names, the e-mail and the caller ID of their caller as by values in their metadata: every
-- call has a key for each of them in call_values. An index on calls for each would cost more: its entries are written
-- again whenever a call changes.

-- The values that calls of an account have, for searches by a part of one.
create table caller_values (
  account_id bigint not null references accounts on delete cascade,
  field      text not null,
  value      text not null,
  primary key (account_id, field, value)
);

-- Accounts with calls from before: a job adds the keys of calls that began before `until`, and has come to `done`.
-- Searches do without the keys until then.
create table caller_values_missing (
  account_id bigint primary key references accounts on delete cascade,
  done       timestamptz not null,
  until      timestamptz not null
);

-- Null for a caller ID that there is none of. A text has other keys here than in metadata.
create function caller_search_keys(
  account_id bigint, first_name text, last_name text, email text, caller_number text
) returns bigint[] language sql immutable parallel safe as $$
  select array[
    hashtextextended(first_name collate "C", hashtextextended('first_name', hashint8extended(account_id, 1))),
    hashtextextended(last_name collate "C", hashtextextended('last_name', hashint8extended(account_id, 1))),
    hashtextextended(email collate "C", hashtextextended('email', hashint8extended(account_id, 1))),
    hashtextextended(caller_number collate "C", hashtextextended('caller_number', hashint8extended(account_id, 1)))]
$$;

-- The lock that undo_call_counts takes comes first: the job that forgets values without calls holds it alone.
create or replace function note_added_calls() returns trigger language plpgsql as $$
begin
  perform undo_call_counts(account_id, min(started_at)) from changed group by account_id order by account_id;
  insert into call_values (key, started_at, call_id)
  select distinct key, started_at, id from changed, unnest(call_search_keys(account_id, metadata)
    || caller_search_keys(account_id, first_name, last_name, email, caller_number)) as key
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

create or replace function note_removed_calls() returns trigger language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  account bigint;
  last_start timestamptz;
begin
  delete from call_values using changed, unnest(call_search_keys(account_id, metadata)
    || caller_search_keys(account_id, first_name, last_name, email, caller_number)) as gone (key)
  where call_values.key = gone.key and call_values.started_at = changed.started_at and call_id = changed.id;
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
  return null;
end
$$;

create or replace function refuse_call_change() returns trigger language plpgsql as $$
begin
  raise exception 'a call keeps its account, its start, where it is from, its caller and its metadata';
end
$$;
drop trigger calls_keep on calls;
create trigger calls_keep before update of account_id, started_at, from_number, first_name, last_name, email,
    caller_number, metadata, metadata_sent on calls
  for each row when ((old.account_id, old.started_at, old.from_number, old.first_name, old.last_name, old.email,
      old.caller_number, old.metadata, old.metadata_sent)
    is distinct from (new.account_id, new.started_at, new.from_number, new.first_name, new.last_name, new.email,
      new.caller_number, new.metadata, new.metadata_sent))
  execute function refuse_call_change();

-- Calls that are being stored while this is applied may have none of the new keys: the job includes them.
insert into caller_values_missing (account_id, done, until)
select id, '-infinity', now() + interval '5 minutes' from accounts
where exists (select from calls where calls.account_id = accounts.id);

-- D441: a total that is at least so much, not exactly.
alter table page_ends add column at_least boolean not null default false;
