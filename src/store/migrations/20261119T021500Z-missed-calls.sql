-- D600, D676: the newest missed calls of an account are found without its other calls. Only calls that end unanswered are in it.
create index calls_missed on calls (account_id, started_at desc, id desc, to_number)
  where call_type = 'inbound' and answered_at is null and ended_at is not null;
