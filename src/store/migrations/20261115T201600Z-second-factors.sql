-- The second factor of a user: the secret of an authenticator app, and codes for when the app is lost.
create table second_factors (
  user_id    bigint primary key references users (id) on delete cascade,
  -- Encrypted with the secret key.
  secret     bytea not null,
  created_at timestamptz not null,
  -- Null until the first right code.
  enabled_at timestamptz,
  -- The step of time (RFC 6238) of the last code that was used: neither it nor an earlier one is accepted again.
  last_step  bigint not null default 0
);

-- Hashes of the recovery codes that are left.
create table recovery_codes (
  user_id bigint not null references second_factors (user_id) on delete cascade,
  hash    bytea not null,
  primary key (user_id, hash)
);
