-- Money: who pays, what they were asked to pay, what they have, and what calls cost. Amounts are whole centavos.

-- D37: who pays, as the tax office and the payment gateway know them. An account without a row is PENDING.
create table financial_accounts (
  account_id         bigint primary key references accounts on delete cascade,
  status             text not null check (status in ('PENDING', 'ACTIVE', 'REJECTED')),
  company            text,
  name               text,
  email              text,
  phone              text,
  mobile_phone       text,
  person_type        text check (person_type in ('FISICA', 'JURIDICA')),
  -- Without mask, letters in upper case.
  tax_id             text check (tax_id ~ '^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$'),
  address            text,
  address_number     text,
  address_complement text,
  address_province   text,
  address_district   text,
  address_city       text,
  address_state      text,
  address_country    text,
  address_zip_code   text,
  additional_emails  text,
  -- The customer that stands for the account at a gateway.
  gateway            text,
  customer_id        text,
  -- When the gateway is to be told of changes next; null while it knows all.
  tell_at            timestamptz,
  tries              integer not null default 0,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  constraint financial_accounts_active_is_whole check (
    status <> 'ACTIVE' or (tax_id is not null and person_type is not null))
);

create index financial_accounts_to_tell on financial_accounts (tell_at) where tell_at is not null;

-- D39: once active, who pays stays who pays, whatever the program thinks.
create function refuse_financial_change() returns trigger language plpgsql as $$
begin
  raise exception 'an active financial account keeps its tax id' using errcode = 'check_violation';
end
$$;
create trigger financial_accounts_keep before update on financial_accounts
  for each row when (old.status = 'ACTIVE' and (old.status, old.tax_id, old.person_type, old.company, old.name)
    is distinct from (new.status, new.tax_id, new.person_type, new.company, new.name))
  execute function refuse_financial_change();

create table charges (
  id              bigint generated always as identity primary key,
  -- By which the gateway knows it, at every try.
  reference       uuid not null unique,
  account_id      bigint not null references accounts,
  -- Who made it; a user may be removed, a charge may not.
  user_id         bigint not null,
  gateway         text not null,
  payment_method  text not null check (payment_method in ('UNDEFINED', 'CREDIT_CARD', 'DEBIT_CARD', 'BOLETO', 'PIX')),
  -- Null until the gateway has taken the order.
  payment_id      text,
  payment_code    text,
  payment_link    text,
  invoice_id      text,
  invoice_link    text,
  -- Midnight in Brazil at which its day begins.
  due_at          timestamptz not null,
  amount          bigint not null check (amount > 500 and amount < 5000000),
  fee             bigint,
  total           bigint not null,
  refunded        bigint not null default 0 check (refunded between 0 and amount),
  description     text not null,
  status          text not null check (status in (
    'PENDING', 'AWAITING_RISK_ANALYSIS', 'AUTHORIZED', 'CONFIRMED', 'RECEIVED', 'OVERDUE', 'REFUND_REQUESTED',
    'REFUND_IN_PROGRESS', 'REFUNDED', 'CHARGEBACK_REQUESTED', 'CHARGEBACK_DISPUTE',
    'AWAITING_CHARGEBACK_REVERSAL', 'CANCELLED')),
  status_at       timestamptz not null,
  created_at      timestamptz not null,
  paid_at         timestamptz,
  received_at     timestamptz,
  refunded_at     timestamptz,
  has_erp_invoice boolean not null default false,
  metadata        jsonb not null default '{}',
  -- When the gateway is to be asked next how it stands.
  look_at         timestamptz
);

-- D32: one open charge an account, however many ask at once.
create unique index charges_open on charges (account_id)
  where status in ('PENDING', 'AWAITING_RISK_ANALYSIS', 'AUTHORIZED', 'OVERDUE');
create unique index charges_by_payment on charges (gateway, payment_id) where payment_id is not null;
create index charges_newest on charges (account_id, created_at desc, id desc);
create index charges_to_look_at on charges (look_at) where look_at is not null;

-- Every move of a charge and why; also those that came too late to be taken.
create table charge_moves (
  id          bigint generated always as identity primary key,
  charge_id   bigint not null references charges on delete cascade,
  at          timestamptz not null,
  from_status text,
  to_status   text not null,
  taken       boolean not null,
  cause       text not null
);

create index charge_moves_by_charge on charge_moves (charge_id, id);

-- What gateways told us, stored before anything is done about it: twice told is once done.
create table gateway_events (
  gateway     text not null,
  event_id    text not null,
  type        text not null,
  payment_id  text not null,
  payment     jsonb not null,
  at          timestamptz not null,
  received_at timestamptz not null,
  tries       integer not null default 0,
  -- When it is to be looked at next; null once that was done.
  due_at      timestamptz,
  outcome     text,
  primary key (gateway, event_id)
);

create index gateway_events_due on gateway_events (due_at, received_at) where due_at is not null;
create index gateway_events_done on gateway_events (received_at) where due_at is null;

-- What an account has, and how much of it calls under way have set aside. Changed only together with its entries.
create table balances (
  account_id bigint primary key references accounts on delete cascade,
  balance    bigint not null,
  reserved   bigint not null default 0 check (reserved >= 0),
  -- Since when it has been low; null while it is not.
  low_since  timestamptz
) with (fillfactor = 40);

create table ledger_entries (
  id          bigint generated always as identity primary key,
  account_id  bigint not null references accounts,
  at          timestamptz not null,
  kind        text not null check (kind in ('trial', 'charge', 'refund', 'call', 'adjustment')),
  amount      bigint not null check (amount <> 0),
  -- Of the account, after this entry.
  balance     bigint not null,
  -- What it is for: nothing is entered twice.
  reference   text not null constraint ledger_entries_reference_key unique,
  description text not null
);

create index ledger_entries_newest on ledger_entries (account_id, at desc, id desc);

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'what is in the ledger stays as it is';
end
$$;
create trigger ledger_entries_keep before update or delete or truncate on ledger_entries
  for each statement execute function refuse_ledger_change();

-- What a call under way has set aside, and the rate it will be priced by. It goes when the call ends. Without a foreign
-- key: the balance, which every reservation locks, has one.
create table reservations (
  call_id      uuid primary key,
  account_id   bigint not null,
  amount       bigint not null check (amount >= 0),
  -- How long may be talked for it.
  seconds      integer not null,
  minute_price bigint not null,
  first_block  integer not null,
  step         integer not null,
  grace        integer not null,
  prefix       text not null,
  name         text not null,
  made_at      timestamptz not null
) with (fillfactor = 70);

-- What a minute costs, by what a number begins with (D40). Nothing is overwritten: what changes ends, and begins anew.
create table rates (
  id           bigint generated always as identity primary key,
  -- Null: for everyone who has none of their own.
  account_id   bigint references accounts on delete cascade,
  prefix       text not null check (prefix ~ '^[0-9]{1,15}$'),
  name         text not null,
  -- In ten-thousandths of a real.
  minute_price bigint not null check (minute_price between 0 and 10000000),
  -- In seconds: what is billed at least, then in which steps, and what is free.
  first_block  integer not null check (first_block between 1 and 3600),
  step         integer not null check (step between 1 and 3600),
  grace        integer not null check (grace between 0 and 3600),
  valid_from   timestamptz not null,
  valid_until  timestamptz check (valid_until > valid_from),
  constraint rates_blocks_are_steps check (first_block % step = 0),
  constraint rates_key unique nulls not distinct (account_id, prefix, valid_from)
);

alter table calls add column pricing jsonb;

-- A deck to begin with. What it does not name, such as satellites, cannot be called.
with brazil (prefix, name, minute_price) as (
  select '55', 'Brazil', 1200
  union all select '55800', 'Brazil toll-free', 0
  union all select '55300', 'Brazil shared cost', 800
  union all select '55303', 'Brazil shared cost', 800
  union all select '55400', 'Brazil shared cost', 800
  union all select '55' || area || first, 'Brazil fixed', 600
  from unnest('{11,12,13,14,15,16,17,18,19,21,22,24,27,28,31,32,33,34,35,37,38,41,42,43,44,45,46,47,48,49,51,53,54,55,
    61,62,63,64,65,66,67,68,69,71,73,74,75,77,79,81,82,83,84,85,86,87,88,89,91,92,93,94,95,96,97,98,99}'::text[]) area,
    unnest('{2,3,4,5}'::text[]) first
  union all select '55' || area || '9', 'Brazil mobile', 1200
  from unnest('{11,12,13,14,15,16,17,18,19,21,22,24,27,28,31,32,33,34,35,37,38,41,42,43,44,45,46,47,48,49,51,53,54,55,
    61,62,63,64,65,66,67,68,69,71,73,74,75,77,79,81,82,83,84,85,86,87,88,89,91,92,93,94,95,96,97,98,99}'::text[]) area
), abroad (codes, name, minute_price) as (values
  ('{1}', 'United States and Canada', 2000),
  ('{1242,1246,1264,1268,1284,1340,1345,1441,1473,1649,1658,1664,1721,1758,1767,1784,1809,1829,1849,1868,1869,1876}',
    'Caribbean', 18000),
  ('{30,31,32,33,34,351,352,353,354,356,357,358,36,39,40,41,420,421,43,44,45,46,47,48,49,359,370,371,372,376,377,378,
    385,386}', 'Western and Central Europe', 4500),
  ('{51,52,53,54,56,57,58,500,501,502,503,504,505,506,507,508,509,590,591,592,593,594,595,596,597,598,599}',
    'Latin America', 7500),
  ('{61,64,65,60,62,63,66,81,82,84,86,852,853,886,91,972,971}', 'Asia and Pacific', 6500),
  ('{7,20,211,212,213,216,218,220,221,222,223,224,225,226,227,228,229,230,231,232,233,234,235,236,237,238,239,240,241,
    242,243,244,245,248,249,250,251,252,253,254,255,256,257,258,260,261,262,263,264,265,266,267,268,269,27,291,297,298,
    299,350,355,373,374,375,380,381,382,383,387,389,423,670,673,674,675,676,677,678,679,680,681,682,683,685,686,687,688,
    689,690,691,692,850,855,856,880,90,92,93,94,95,960,961,962,963,964,965,966,967,968,970,973,974,975,976,977,98,992,
    993,994,995,996,998}', 'Rest of the world', 19000)
)
insert into rates (prefix, name, minute_price, first_block, step, grace, valid_from)
select prefix, name, minute_price, 30, 6, 3, timestamptz '2026-01-01T03:00:00Z' from brazil
union all
select code, name, minute_price, 30, 6, 3, timestamptz '2026-01-01T03:00:00Z' from abroad, unnest(codes::text[]) code;
