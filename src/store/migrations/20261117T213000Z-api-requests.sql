-- D619: requests of each account, for a week, in one partition a day (src/store/partitioned-tables.ts). Without a foreign key:
-- rows are written in batches, and must not wait for whoever changes their account.
create table api_requests (
  id          bigint generated always as identity,
  account_id  bigint not null,
  at          timestamptz not null,
  -- As in X-Request-Id; a client may choose it, and use it twice.
  request_id  text not null,
  method      text not null,
  -- The pattern of the path: ids and queries are not kept.
  route       text not null,
  status      integer not null,
  -- Of an error.
  code        text,
  duration_ms double precision not null,
  user_uuid   uuid not null,
  user_email  text not null,
  token_ref   uuid not null,
  token_kind  text not null,
  address     text not null
) partition by range (at);

create table api_requests_rest (like api_requests);
create index on api_requests_rest (account_id, at, id);
create index on api_requests_rest (account_id, request_id);
alter table api_requests attach partition api_requests_rest default;
