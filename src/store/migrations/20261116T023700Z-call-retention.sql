-- D253: removing the oldest calls of an account must not undo the counts of all later ones. A row of call_counts with
-- until '-infinity' has the number of calls that were removed but are still counted in the later rows of the same name.
-- Rows up to the last call removed are deleted, so that every row that is left counts all of them. Names without a row
-- need none.
create or replace function note_removed_calls() returns trigger language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  account bigint;
  last_start timestamptz;
begin
  delete from call_values using changed, unnest(call_search_keys(account_id, metadata)) as gone (key)
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
      union all select distinct '#' || key from unnest(call_search_keys(changed.account_id, changed.metadata)) as key
    ) as removed
    where changed.account_id = account and exists (select from accounts where accounts.id = account)
    group by removed.counted
    having exists (select from call_counts where account_id = account and call_counts.counted = removed.counted)
    on conflict (account_id, counted, until) do update set calls = call_counts.calls + excluded.calls;
  end loop;
  return null;
end
$$;
