-- D625: whether the parts that a process uses (payments, recordings, webhooks) work, as it reports with its lease.
alter table voice_nodes add column parts jsonb default '{}' not null;
