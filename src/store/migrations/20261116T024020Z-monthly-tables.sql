-- D254: the audit log and the events in one partition a month (src/store/monthly-tables.ts). What is there becomes the
-- first partition as it is; nothing is copied.

-- The identity goes on where it was. Foreign keys and triggers of the table belong to every partition.
create function partition_by_month(table_name text, by_column text, bound timestamptz) returns void
language plpgsql as $$
declare
  before text := table_name || '_before';
  rest text := table_name || '_rest';
  next_id bigint;
  has_rows boolean;
begin
  execute format('select coalesce(max(id), 0) + 1, count(*) > 0 from (select id from %I order by id desc limit 1) as last',
    table_name) into next_id, has_rows;
  execute format('select greatest($1, last_value + 1) from %s', pg_get_serial_sequence(table_name, 'id'))
    into next_id using next_id;
  execute format('alter table %I rename to %I', table_name, before);
  execute format('alter table %I alter id drop identity', before);
  execute format('create table %I (like %I including defaults) partition by range (%I)', table_name, before, by_column);
  execute format('alter table %I alter id add generated always as identity (start %s)', table_name, next_id);
  execute format('alter table %I add constraint %I foreign key (account_id) references accounts on delete cascade',
    table_name, table_name || '_account_id_fkey');
  execute format('create table %I (like %I including all)', rest, before);
  if table_name = 'events' then alter table events_rest drop constraint events_bound; end if;
  execute format('alter table %I attach partition %I default', table_name, rest);
  if has_rows then
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', table_name, before, bound);
  else
    execute format('drop table %I', before);
  end if;
end
$$;

-- Whole months are dropped: no index by age is needed.
drop index audit_by_age;
do $$
declare
  bound timestamptz;
begin
  select date_trunc('month', greatest(now(), max(at)), 'UTC') + interval '62 days' into bound from audit;
  perform partition_by_month('audit', 'at', date_trunc('month', bound, 'UTC'));
  select (regexp_match(pg_get_constraintdef(oid), '''([^'']+)'''))[1]::timestamptz into bound
  from pg_constraint where conname = 'events_bound' and conrelid = 'events'::regclass;
  perform partition_by_month('events', 'created_at', bound);
end
$$;
drop function partition_by_month;

alter table events_rest set (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

-- Entries of the audit log go with their month or their account, never one by one. The version before this one deletes
-- them by ctid, which is not unique in a partitioned table. Rows of audit_rest are moved to their month.
create function keep_audit() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() > 1 or tg_table_name = 'audit_rest' then return old; end if;
  return null;
end
$$;
create trigger audit_kept before delete on audit for each row execute function keep_audit();
