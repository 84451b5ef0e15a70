-- D300: where phones reach a node, by protocol, as it reports it with every renewal.
alter table voice_nodes add column phone_addresses jsonb not null default '{}';
