-- The processes that run now, the secret keys they have and the one they seal with (D207).
create table key_holders (
  process text primary key,
  keys text[] not null,
  seals_with text not null,
  seen_at timestamptz not null
);

-- Keys of our own making, sealed with the secret key: they stay the same when it is rotated.
create table stored_keys (
  name text primary key,
  key bytea not null
);
