-- D18: what a request with an Idempotency-Key was answered.

create table idempotency_keys (
  user_id     bigint not null references users on delete cascade,
  route       text not null,
  key         text not null,
  fingerprint bytea not null,
  -- Counts takers: one whose lease ran out can no longer keep an answer.
  attempt     integer not null,
  lease_until timestamptz not null,
  created_at  timestamptz not null,
  status      integer,
  -- Sealed: an answer may show the password of an extension.
  answer      bytea,
  primary key (user_id, route, key)
);

create index idempotency_keys_by_age on idempotency_keys (created_at);

-- Facts about the installation itself, such as which key sealed its secrets.
create table installation (
  name  text primary key,
  value text not null
);
