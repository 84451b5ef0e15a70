alter table events validate constraint events_bound;
