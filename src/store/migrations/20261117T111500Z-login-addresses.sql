-- D146: addresses from which a user has logged in. Failed logins of strangers elsewhere do not count there.
create table login_addresses (
  user_id bigint not null references users on delete cascade,
  -- An IPv4 address, or the first 64 bits of an IPv6 address.
  block   text not null,
  seen_at timestamptz not null,
  primary key (user_id, block)
);
