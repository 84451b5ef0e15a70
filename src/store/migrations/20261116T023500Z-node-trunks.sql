-- D321: the trunks of a node and what is wrong with them, as it reports them with every renewal.
alter table voice_nodes add column trunks jsonb not null default '[]';
