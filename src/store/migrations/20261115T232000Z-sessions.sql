-- D296: a session of the console is an access token that only a cookie may carry.
alter table access_tokens
  add column kind text not null default 'token' check (kind in ('token', 'session')),
  add column user_agent text;

-- The language in which people of the account are addressed where a request does not say.
alter table accounts add column language text not null default 'pt' check (language in ('pt', 'en'));
