-- Access tokens that are limited: to scopes, and to the addresses they are used from. Null means no limit.
alter table access_tokens
  add column scopes text[] check (cardinality(scopes) > 0),
  add column addresses text[] check (cardinality(addresses) > 0),
  -- Issued by a login, not made with another token: while it is new, it proves the password and the second factor.
  add column from_login boolean not null default false;
