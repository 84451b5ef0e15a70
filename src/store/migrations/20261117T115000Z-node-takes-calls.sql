-- D502: a draining node takes calls for the phones it still has, until it is about to stop.
alter table voice_nodes add column takes_calls boolean not null default true;
