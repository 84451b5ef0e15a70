-- D181: addresses at which the phone of an extension has authenticated, the latest last. There its password is always checked,
-- also after a restart and at another node, however many strangers have guessed at it.
create table phone_addresses (
  extension_id bigint primary key references extensions on delete cascade,
  -- IPv4 addresses, or the first 64 bits of IPv6 addresses.
  blocks       text[] not null
);
