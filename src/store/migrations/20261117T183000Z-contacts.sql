-- D596: people whom an account calls and is called by.
create table contacts (
  id          uuid primary key,
  account_id  bigint not null references accounts on delete cascade,
  name        text not null,
  company     text not null,
  -- Name and company in small letters without accents, which searches compare.
  search_text text not null,
  created_at  timestamptz not null,
  updated_at  timestamptz not null
);
create index contacts_by_name on contacts (account_id, name, id);

-- A number belongs to one contact of the account. E.164 without plus.
create table contact_numbers (
  account_id bigint not null references accounts on delete cascade,
  number     text not null,
  contact_id uuid not null references contacts on delete cascade,
  -- The order in which the contact has them.
  position   smallint not null,
  primary key (account_id, number)
);
create index contact_numbers_of on contact_numbers (contact_id, position);
