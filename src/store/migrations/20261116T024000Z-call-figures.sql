-- D324: statistics that stay quick when an account has millions of calls: what calls come to in every hour, counted
-- ahead by a job.

-- Calls that began in an hour, all of them ended: in total, and apart by extension, user, cause and direction, as they
-- can be asked for by one of these at a time. A row for every combination would be nearly a row a call.
create table call_figures (
  account_id bigint not null references accounts on delete cascade,
  grouped_by text not null check (grouped_by in ('total', 'extension', 'user', 'cause', 'direction')),
  -- The beginning of the hour or, in time zones that need it, of the quarter of an hour.
  began_at   timestamptz not null,
  -- Of the group; empty for the total and for calls without a user.
  name       text not null,
  calls      bigint not null check (calls > 0),
  answered   bigint not null check (answered between 0 and calls),
  seconds    bigint not null,
  cost       bigint not null,
  primary key (account_id, grouped_by, began_at, name)
);

-- How far the figures of an account reach; statistics read later calls themselves.
create table call_figure_ends (
  account_id bigint primary key references accounts on delete cascade,
  until      timestamptz not null,
  -- Of each row of call_figures.
  minutes    integer not null check (minutes in (15, 60))
);

-- As before, and figures too: a call that is added late ends them before the hour in which it began. The
-- job extends them only as far as calls are counted ('*'), and holds the second lock meanwhile.
create or replace function undo_call_counts(account bigint, since timestamptz) returns void language plpgsql
set enable_seqscan = off as $$
declare
  counted_until timestamptz;
  figures_until timestamptz;
begin
  perform pg_advisory_xact_lock_shared(72642510, hashint8(account));
  select greatest(
    (select until from call_counts where account_id = account and counted = '*' order by until desc limit 1),
    (select until from call_figure_ends where account_id = account)) into counted_until;
  if counted_until > since then
    -- One at a time: two that delete the same rows would be a deadlock.
    perform pg_advisory_xact_lock(72642511, hashint8(account));
    delete from call_counts where account_id = account and until > since;
    update call_figure_ends set until = date_bin('1 hour', since, '2000-01-01Z')
    where account_id = account and until > date_bin('1 hour', since, '2000-01-01Z')
    returning until into figures_until;
    delete from call_figures where account_id = account and began_at >= figures_until;
  end if;
end
$$;
