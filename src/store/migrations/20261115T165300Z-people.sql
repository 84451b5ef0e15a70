-- Links mailed to users, passwords that are set by them, and how often something may be tried.

-- A user who was invited has no password until they set one.
alter table users
  alter column password_hash drop not null,
  -- The address that will replace `email` once its link is used.
  add column pending_email text check (pending_email = lower(pending_email));

alter table access_tokens
  add column name text,
  add column last_used_address text;

alter table confirmations rename to user_links;
alter table user_links rename constraint confirmations_pkey to user_links_pkey;
alter table user_links rename constraint confirmations_user_id_fkey to user_links_user_id_fkey;
alter index confirmations_expiring rename to user_links_expiring;
drop index confirmations_by_user;

alter table user_links
  add column purpose text not null default 'confirm-email'
    check (purpose in ('confirm-email', 'new-email', 'release-email', 'reset-password', 'invitation')),
  add column created_at timestamptz,
  -- Of a new e-mail: the access token that asked for it, which goes on working.
  add column token_ref uuid;

update user_links set created_at = expires_at - interval '48 hours';
alter table user_links
  alter column purpose drop default,
  alter column created_at set not null,
  -- A newer link replaces the older one.
  add constraint user_links_newest unique (user_id, purpose);

-- Links that somebody asked for by an address alone. A job sends them, so that the answer tells nothing of the address.
create table link_requests (
  id           bigint generated always as identity primary key,
  purpose      text not null check (purpose in ('confirm-email', 'reset-password')),
  email        text not null,
  requested_at timestamptz not null
);

-- Failed logins and requested mails, counted in fixed windows by the hash of what they are counted by.
create table attempts (
  key     bytea primary key,
  count   integer not null,
  ends_at timestamptz not null
);

create index attempts_ended on attempts (ends_at);
