-- The sandbox gateway: a payment gateway inside the house, with books of its own. Charges never look into them.

create table sandbox_customers (
  customer_id text primary key,
  reference   text not null,
  updated_at  timestamptz not null,
  constraint sandbox_customers_reference_key unique (reference)
);

create table sandbox_payments (
  id             bigint generated always as identity primary key,
  payment_id     text not null,
  -- In the link; who knows it may pay.
  key            text not null,
  reference      text not null,
  payer_name     text,
  method         text not null,
  paid_with      text,
  -- What the test card stands for; its number is nowhere.
  card_fate      text,
  card_last_four text,
  due_date       date not null,
  amount         bigint not null,
  description    text not null,
  status         text not null,
  status_at      timestamptz not null,
  -- What the clock will do by itself, and when.
  next_status    text,
  next_at        timestamptz,
  created_at     timestamptz not null,
  constraint sandbox_payments_payment_id_key unique (payment_id),
  constraint sandbox_payments_key_key unique (key),
  constraint sandbox_payments_reference_key unique (reference),
  constraint sandbox_payments_amount_is_positive check (amount > 0),
  constraint sandbox_payments_next_is_whole check ((next_status is null) = (next_at is null))
);

create index sandbox_payments_next on sandbox_payments (next_at) where next_at is not null;

-- Written with what they tell of, and posted to our own webhook as a real gateway would.
create table sandbox_events (
  id         bigint generated always as identity primary key,
  event_id   text not null,
  payment_id text not null references sandbox_payments (payment_id) on delete cascade,
  body       text not null,
  created_at timestamptz not null,
  attempts   integer not null default 0,
  -- Null once taken or given up.
  next_at    timestamptz,
  taken_at   timestamptz,
  last_error text
);

-- In turn for each payment: an event waits for those before it.
create index sandbox_events_waiting on sandbox_events (payment_id, id) where next_at is not null;
create index sandbox_events_due on sandbox_events (next_at) where next_at is not null;
create index sandbox_events_old on sandbox_events (created_at);
