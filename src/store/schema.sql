-- The whole database at a glance, written by `npm run schema` from the migrations. Not run by anything.

create extension pg_trgm;

create table access_tokens (
  hash bytea not null,
  ref uuid not null,
  user_id bigint not null,
  last_four text not null,
  ttl integer not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  constraint access_tokens_ref_key UNIQUE (ref),
  constraint access_tokens_pkey PRIMARY KEY (hash),
  constraint access_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX access_tokens_by_user ON access_tokens USING btree (user_id, created_at);
CREATE INDEX access_tokens_expiring ON access_tokens USING btree (expires_at) WHERE (expires_at IS NOT NULL);


create table accounts (
  id bigint generated always as identity not null,
  uuid uuid not null,
  domain text not null,
  name text not null,
  email text not null,
  phone text not null,
  crm text not null,
  user_quantity text not null,
  time_zone text not null,
  activated_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint accounts_domain_key UNIQUE (domain),
  constraint accounts_uuid_key UNIQUE (uuid),
  constraint accounts_pkey PRIMARY KEY (id)
);
CREATE INDEX accounts_unconfirmed ON accounts USING btree (created_at) WHERE (activated_at IS NULL);


create table audit (
  id bigint generated always as identity not null,
  account_id bigint not null,
  at timestamp with time zone not null,
  action text not null,
  actor text,
  subject text,
  details jsonb not null,
  constraint audit_pkey PRIMARY KEY (id),
  constraint audit_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX audit_newest ON audit USING btree (account_id, at, id);


create table confirmations (
  hash bytea not null,
  user_id bigint not null,
  email text not null,
  expires_at timestamp with time zone not null,
  constraint confirmations_pkey PRIMARY KEY (hash),
  constraint confirmations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX confirmations_by_user ON confirmations USING btree (user_id);
CREATE INDEX confirmations_expiring ON confirmations USING btree (expires_at);


create table extensions (
  id bigint generated always as identity not null,
  account_id bigint not null,
  number text not null,
  password bytea not null,
  caller_id text,
  caller_number text,
  first_name text not null,
  last_name text not null,
  email text not null,
  record_calls boolean not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint extensions_number_key UNIQUE (account_id, number),
  constraint extensions_pkey PRIMARY KEY (id),
  constraint extensions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint extensions_email_check CHECK ((email = lower(email))),
  constraint extensions_number_check CHECK ((number ~ '^[0-9]{2,6}$'::text))
);
CREATE INDEX extensions_by_caller_number ON extensions USING btree (caller_number) WHERE (caller_number IS NOT NULL);


create table idempotency_keys (
  user_id bigint not null,
  route text not null,
  key text not null,
  fingerprint bytea not null,
  attempt integer not null,
  lease_until timestamp with time zone not null,
  created_at timestamp with time zone not null,
  status integer,
  answer bytea,
  constraint idempotency_keys_pkey PRIMARY KEY (user_id, route, key),
  constraint idempotency_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING btree (created_at);


create table installation (
  name text not null,
  value text not null,
  constraint installation_pkey PRIMARY KEY (name)
);


create table mails (
  id bigint generated always as identity not null,
  recipient text not null,
  subject text not null,
  body bytea,
  created_at timestamp with time zone not null,
  attempts integer not null,
  next_at timestamp with time zone,
  sent_at timestamp with time zone,
  last_error text,
  constraint mails_pkey PRIMARY KEY (id)
);
CREATE INDEX mails_by_age ON mails USING btree (created_at);
CREATE INDEX mails_due ON mails USING btree (next_at) WHERE (next_at IS NOT NULL);


create table migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone default now() not null,
  constraint migrations_pkey PRIMARY KEY (name)
);


create table users (
  id bigint generated always as identity not null,
  uuid uuid not null,
  account_id bigint not null,
  name text not null,
  email text not null,
  phone text not null,
  role text not null,
  password_hash text not null,
  email_verified boolean not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  last_login_at timestamp with time zone,
  constraint users_email_key UNIQUE (email),
  constraint users_uuid_key UNIQUE (uuid),
  constraint users_pkey PRIMARY KEY (id),
  constraint users_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint users_email_check CHECK ((email = lower(email))),
  constraint users_role_check CHECK ((role = ANY (ARRAY['ADMIN'::text, 'USER'::text])))
);
CREATE INDEX users_by_account ON users USING btree (account_id, created_at, id);
CREATE INDEX users_search ON users USING gin (email gin_trgm_ops, name gin_trgm_ops);
