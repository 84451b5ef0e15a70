-- How much of each trunk each voice node may use, where there is more than one. A node that is alone has no rows.

create table trunk_shares (
  node text not null references voice_nodes (id) on delete cascade,
  -- Its name in TRUNKS. Empty: the node takes part, also if it has no trunk.
  trunk text not null,
  channels_used integer not null,
  channels integer not null,
  -- Calls begun in a second.
  rate_used double precision not null,
  rate double precision not null,
  primary key (node, trunk)
);
