-- Lists of calls that stay quick when an account has millions: exact totals without counting everything, and calls
-- found by what is in their metadata, newest first, however many there are.

-- How many calls of the account began before a moment: all of them (counted '*'), those from one number ('=1000'),
-- those with one value in their metadata ('#' and its key below). A total is the last of these plus the few calls since.
-- Made by a loop, never by an insert: one row that every placing changes would make them wait for each other.
create table call_counts (
  account_id bigint not null references accounts on delete cascade,
  counted    text not null,
  until      timestamptz not null,
  calls      bigint not null check (calls >= 0),
  -- Calls since the row before this one.
  step       bigint not null check (step >= 0),
  primary key (account_id, counted, until)
);

-- The values in the metadata of calls, by the key that json_search_keys makes of account, path and value. Written and
-- removed with the calls, by the triggers below.
create table call_values (
  key        bigint not null,
  started_at timestamptz not null,
  call_id    uuid not null,
  primary key (key, started_at, call_id)
);

-- One key for every text, number and boolean in a document, together with its path and what the document belongs to
-- (the seed): what a filter compares by equality. Numbers of equal value give the same. A document with more than
-- `most` of them gives only the seed.
create function json_search_keys(seed bigint, document jsonb, most integer, depth integer default 1) returns bigint[]
language plpgsql immutable parallel safe as $$
declare
  keys bigint[] := '{}';
  name text;
  inside jsonb;
  path bigint;
begin
  for name, inside in select e.key, e.value from jsonb_each(document) e loop
    path := hashtextextended(name collate "C", seed);
    case jsonb_typeof(inside)
      when 'string', 'boolean' then keys := keys || hashtextextended((inside #>> '{}') collate "C", path);
      when 'number' then keys := keys || hash_numeric_extended((inside #>> '{}')::numeric, path);
      when 'object' then
        -- Deeper than any path of a filter.
        if depth < 8 then keys := keys || json_search_keys(path, inside, most, depth + 1); end if;
      else null;
    end case;
    if cardinality(keys) > most then
      exit when depth > 1;
      return array[seed];
    end if;
  end loop;
  return keys;
end
$$;

create function call_search_keys(account_id bigint, metadata jsonb) returns bigint[]
language sql immutable parallel safe as $$
  select json_search_keys(hashint8extended(account_id, 0), metadata, 64)
$$;

-- A call that comes with a start before what was counted, or goes, undoes the counts after it; the loop makes them anew.
-- Whoever changes calls holds the lock of the account shared until the end of the transaction, who counts holds it
-- alone: either the count sees the call, or the call sees the count.
create function undo_call_counts(account bigint, since timestamptz) returns void language plpgsql
-- A plan is kept as long as the session: it must not have been made while the table was small enough to be read whole.
set enable_seqscan = off as $$
declare
  counted_until timestamptz;
begin
  perform pg_advisory_xact_lock_shared(72642510, hashint8(account));
  select until into counted_until from call_counts
  where account_id = account and counted = '*' order by until desc limit 1;
  if counted_until > since then
    -- One at a time: two that undo the same rows would wait for each other crosswise.
    perform pg_advisory_xact_lock(72642511, hashint8(account));
    delete from call_counts where account_id = account and until > since;
  end if;
end
$$;

create function note_added_calls() returns trigger language plpgsql as $$
begin
  insert into call_values (key, started_at, call_id)
  select distinct key, started_at, id from changed, unnest(call_search_keys(account_id, metadata)) as key;
  perform undo_call_counts(account_id, min(started_at)) from changed group by account_id order by account_id;
  return null;
end
$$;
create trigger calls_added after insert on calls referencing new table as changed
  for each statement execute function note_added_calls();

create function note_removed_calls() returns trigger language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  delete from call_values using changed, unnest(call_search_keys(account_id, metadata)) as gone (key)
  where call_values.key = gone.key and call_values.started_at = changed.started_at and call_id = changed.id;
  perform undo_call_counts(account_id, min(started_at)) from changed group by account_id order by account_id;
  return null;
end
$$;
create trigger calls_removed after delete on calls referencing old table as changed
  for each statement execute function note_removed_calls();

create function refuse_call_change() returns trigger language plpgsql as $$
begin
  raise exception 'a call keeps its account, its start, where it is from and its metadata';
end
$$;
create trigger calls_keep before update of account_id, started_at, from_number, metadata on calls
  for each row when ((old.account_id, old.started_at, old.from_number, old.metadata)
    is distinct from (new.account_id, new.started_at, new.from_number, new.metadata))
  execute function refuse_call_change();

create index calls_recorded on calls (ended_at) where recording in ('spooled', 'stored');

-- Room in every page for the changes of a young call; and tidied long before a fifth of millions has changed, since
-- totals are read from indexes alone where nothing has changed lately.
alter table calls set (
  fillfactor = 85,
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02
);
alter table call_values set (
  autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02
);
