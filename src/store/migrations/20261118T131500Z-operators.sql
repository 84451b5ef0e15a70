-- D648: the people who operate the service, each with a password and a second factor of their own.
create table operators (
  id              bigint generated always as identity primary key,
  name            text not null,
  email           text not null constraint operators_email_key unique,
  -- Null until the operator has used the set-up link.
  password_hash   text,
  second_factor   bytea,
  last_step       bigint not null default 0,
  -- The secret that the page of the set-up link shows, until its first code.
  new_factor      bytea,
  -- Of the set-up link, which works once.
  link_hash       bytea constraint operators_link_hash_key unique,
  link_expires_at timestamptz,
  renews_factor   boolean not null default true,
  off_since       timestamptz,
  created_at      timestamptz not null,
  last_login_at   timestamptz
);

create table operator_recovery_codes (
  operator_id bigint not null references operators (id) on delete cascade,
  hash        bytea not null,
  primary key (operator_id, hash)
);

create table operator_sessions (
  hash        bytea primary key,
  operator_id bigint not null references operators (id) on delete cascade,
  created_at  timestamptz not null,
  expires_at  timestamptz not null
);

create index operator_sessions_operator_id on operator_sessions (operator_id);
create index operator_sessions_expires_at on operator_sessions (expires_at);

-- D649: who changed it, an e-mail, `token` or `command line`; null for what was changed before there were names.
alter table operator_log add column operator text;
-- Changes of an account are in its audit log too.
alter table operator_log add column account_id bigint;
