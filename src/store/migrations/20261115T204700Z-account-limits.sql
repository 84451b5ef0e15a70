-- Daily ceilings and destinations of accounts, what proves an account, trial credit once a person, and alerts.

-- What an account has used of its day, which lasts 24 hours from the first call. Counted where credit is reserved and
-- spent, so that a call costs no statement more.
alter table balances
  add column day_began timestamptz,
  add column day_calls integer not null default 0 check (day_calls >= 0),
  add column day_spent bigint not null default 0 check (day_spent >= 0);

-- Null in a column means the default of the settings.
create table account_limits (
  account_id       bigint primary key references accounts (id) on delete cascade,
  proven_by        text check (proven_by in ('tax-id', 'payment', 'operator')),
  proven_at        timestamptz,
  calls_per_day    integer check (calls_per_day >= 0),
  spending_per_day bigint check (spending_per_day >= 0),
  international    boolean,
  -- Prefixes of barred ranges that the account may call.
  ranges           text[] not null default '{}',
  constraint account_limits_proof_is_whole check ((proven_by is null) = (proven_at is null))
);

-- Accounts that were proven before there was this table.
insert into account_limits (account_id, proven_by, proven_at)
select account_id, 'tax-id', updated_at from financial_accounts where status = 'ACTIVE'
on conflict do nothing;
insert into account_limits (account_id, proven_by, proven_at)
select account_id, 'payment', min(paid_at) from charges where paid_at is not null group by account_id
on conflict do nothing;
insert into account_limits (account_id, proven_by, proven_at)
select account_id, 'operator', min(at) from ledger_entries where kind = 'adjustment' and amount > 0 group by account_id
on conflict do nothing;

-- Whom trial credit was given for: the hash of an e-mail address without its variants, or of a tax id.
create table trial_grants (
  person     bytea primary key,
  granted_at timestamptz not null
);

with granted as (
  select ledger_entries.at, split_part(split_part(lower(accounts.email), '@', 1), '+', 1) as name,
    split_part(lower(accounts.email), '@', 2) as host
  from ledger_entries join accounts on accounts.id = ledger_entries.account_id where ledger_entries.kind = 'trial'
)
insert into trial_grants (person, granted_at)
select sha256(convert_to('email:' || case when host in ('gmail.com', 'googlemail.com')
    then replace(name, '.', '') || '@gmail.com' else name || '@' || host end, 'UTF8')), min(at)
from granted group by 1;

-- Countries that an account has called, for the alert about a new one.
create table called_countries (
  account_id bigint not null references accounts (id) on delete cascade,
  country    text not null,
  called_at  timestamptz not null,
  primary key (account_id, country)
);

-- When each rule last raised an alert.
create table account_alerts (
  account_id bigint not null references accounts (id) on delete cascade,
  rule       text not null,
  raised_at  timestamptz not null,
  primary key (account_id, rule)
);
