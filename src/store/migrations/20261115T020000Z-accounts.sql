-- Accounts, their users, how users prove who they are, and what they did.

create extension if not exists pg_trgm;

create table accounts (
  id            bigint generated always as identity primary key,
  uuid          uuid not null unique,
  domain        text not null constraint accounts_domain_key unique,
  name          text not null,
  email         text not null,
  phone         text not null,
  crm           text not null,
  user_quantity text not null,
  time_zone     text not null,
  activated_at  timestamptz,
  created_at    timestamptz not null,
  updated_at    timestamptz not null
);

-- D57: what was never confirmed frees itself; the sweep looks only at those.
create index accounts_unconfirmed on accounts (created_at) where activated_at is null;

create table users (
  id             bigint generated always as identity primary key,
  uuid           uuid not null unique,
  account_id     bigint not null references accounts on delete cascade,
  name           text not null,
  -- Lower case: the uniqueness of an address does not depend on its spelling.
  email          text not null constraint users_email_key unique check (email = lower(email)),
  phone          text not null,
  role           text not null check (role in ('ADMIN', 'USER')),
  password_hash  text not null,
  email_verified boolean not null,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  last_login_at  timestamptz
);

create index users_by_account on users (account_id, created_at, id);
-- Part of an e-mail address or a name is found without reading every user of a large account.
create index users_search on users using gin (email gin_trgm_ops, name gin_trgm_ops);

create table access_tokens (
  hash         bytea primary key,
  ref          uuid not null unique,
  user_id      bigint not null references users on delete cascade,
  last_four    text not null,
  ttl          integer not null,
  created_at   timestamptz not null,
  expires_at   timestamptz,
  last_used_at timestamptz
);

create index access_tokens_by_user on access_tokens (user_id, created_at);
create index access_tokens_expiring on access_tokens (expires_at) where expires_at is not null;

create table confirmations (
  hash       bytea primary key,
  user_id    bigint not null references users on delete cascade,
  email      text not null,
  expires_at timestamptz not null
);

create index confirmations_by_user on confirmations (user_id);
create index confirmations_expiring on confirmations (expires_at);

create table audit (
  id         bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  at         timestamptz not null,
  action     text not null,
  -- Who did it, as they were called then; null when it was not a user.
  actor      text,
  subject    text,
  details    jsonb not null
);

create index audit_newest on audit (account_id, at, id);
