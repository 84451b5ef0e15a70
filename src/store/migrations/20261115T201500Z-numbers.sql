-- Telephone numbers and the accounts that use them as caller-ID. Any account may claim a number; only one has it verified,
-- and only that one presents it and gets the calls to it.
create table numbers (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  -- E.164 without plus.
  number text not null,
  -- Null until it is verified.
  proof text,
  verified_at timestamptz,
  created_at timestamptz not null,
  constraint numbers_account_key unique (account_id, number),
  constraint numbers_proof_check check (proof in ('operator', 'call', 'sandbox')),
  constraint numbers_verified_check check ((proof is null) = (verified_at is null))
);

create unique index numbers_verified on numbers (number) where proof is not null;

-- What was entered as caller-ID before is kept, and not verified.
insert into numbers (account_id, number, created_at)
select account_id, caller_number, min(created_at) from extensions
where caller_number is not null
group by account_id, caller_number;
