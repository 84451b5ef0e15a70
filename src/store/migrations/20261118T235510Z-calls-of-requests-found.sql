-- D673: of days that are there already, entries are found without this index until the days are dropped.
create index on api_requests_rest (account_id, call_id) where call_id is not null;
