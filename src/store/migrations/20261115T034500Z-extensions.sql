-- SIP users of an account.

create table extensions (
  id            bigint generated always as identity primary key,
  account_id    bigint not null references accounts on delete cascade,
  number        text not null check (number ~ '^[0-9]{2,6}$'),
  -- Sealed: the phone proves that it knows the password, so we must be able to read it.
  password      bytea not null,
  -- As its owner wrote it, and as networks do (E.164 without plus).
  caller_id     text,
  caller_number text,
  first_name    text not null,
  last_name     text not null,
  email         text not null check (email = lower(email)),
  record_calls  boolean not null,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  constraint extensions_number_key unique (account_id, number)
);

create index extensions_by_caller_number on extensions (caller_number) where caller_number is not null;
