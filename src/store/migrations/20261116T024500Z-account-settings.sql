-- D325, D326: what an account sets for itself. Null is the default of the service.
alter table accounts
  add column recording_days integer check (recording_days between 1 and 36500),
  -- Recordings of calls that began before this are removed already, by the account's own recording_days.
  add column recordings_swept_until timestamptz,
  add column default_caller_number text;

alter table balances add column low_balance bigint check (low_balance >= 0);
