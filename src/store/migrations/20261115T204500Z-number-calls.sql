-- Calls that verify numbers: for their limits, their outcome and the credit reserved for them.
create table number_calls (
  id uuid primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  -- Outlives the claim: giving the number up and claiming it again does not reset the limits.
  number text not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  outcome text,
  constraint number_calls_outcome_check
    check (outcome in ('verified', 'wrong-code', 'no-code', 'not-answered', 'taken', 'lost')),
  constraint number_calls_ended_check check ((ended_at is null) = (outcome is null))
);

create index number_calls_to_number on number_calls (number, started_at);
create index number_calls_of_account on number_calls (account_id, started_at);
create index number_calls_live on number_calls (started_at) where ended_at is null;
