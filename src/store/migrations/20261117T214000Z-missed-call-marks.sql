-- D600: callers whose missed calls somebody has marked as done: those up to this time.
create table missed_call_marks (
  account_id bigint not null references accounts on delete cascade,
  -- As in calls.from_number.
  number     text not null,
  at         timestamptz not null,
  user_uuid  uuid not null,
  user_name  text not null,
  primary key (account_id, number)
);
