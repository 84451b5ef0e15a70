-- D254: a bound for all events that are there, so that they become a partition without being read while others wait.
-- Checked by the next migration, which does not lock anybody out.
do $$
declare
  bound timestamptz;
begin
  select date_trunc('month', greatest(now(), max(created_at)), 'UTC') + interval '62 days' into bound from events;
  bound := date_trunc('month', bound, 'UTC');
  execute format('alter table events add constraint events_bound check (created_at < %L) not valid', bound);
end
$$;
