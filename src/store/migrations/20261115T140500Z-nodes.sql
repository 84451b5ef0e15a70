-- Every process is a node with one id. Registrations refer to it by that id; before, by the address phones reach it at.

alter table voice_nodes
  -- Where phones reach it; null without the voice role.
  add column address text,
  add column roles text[] not null default '{api,worker,voice}',
  add column state text not null default 'active' check (state in ('active', 'draining', 'stopped'));

-- Phones registered before this migration stay registered: the next process at their node's address takes them over.
insert into voice_nodes (id, started_at, lease_until, address, state)
select gen_random_uuid()::text, now(), now(), node, 'stopped' from (select distinct node from registrations) as known;

update registrations set node = voice_nodes.id from voice_nodes where voice_nodes.address = registrations.node;

create index registrations_by_node on registrations (node);
