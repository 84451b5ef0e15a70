-- Calls, the voice nodes that carry them and the phones these know.

-- A node renews its lease every few seconds; once it has run out, others end the node's calls.
create table voice_nodes (
  id          text primary key,
  started_at  timestamptz not null,
  lease_until timestamptz not null
);

-- Where each extension's phone is: one at most.
create table registrations (
  extension_id  bigint primary key references extensions on delete cascade,
  node          text not null,
  registered_at timestamptz not null,
  expires_at    timestamptz not null,
  user_agent    text,
  -- How the voice engine finds the phone again after a restart.
  way           text not null
);

create table calls (
  id                uuid primary key,
  account_id        bigint not null references accounts on delete cascade,
  -- The other id that POST /dialer answers, good for hanging up only.
  dialer_id         text,
  -- Who placed it, and for which extension, as it was then; neither keeps a user or an extension from being removed.
  user_id           bigint,
  user_uuid         uuid,
  extension_id      bigint,
  domain            text not null,
  call_type         text not null check (call_type in ('outbound', 'inbound', 'internal')),
  status            text not null check (status in (
    'queued', 'ringing', 'connecting', 'answered', 'completed', 'busy', 'no_answer', 'failed', 'cancelled')),
  from_number       text not null,
  to_number         text not null,
  caller_number     text,
  first_name        text not null,
  last_name         text not null,
  email             text not null,
  record            boolean not null,
  started_at        timestamptz not null,
  ringing_at        timestamptz,
  connecting_at     timestamptz,
  answered_at       timestamptz,
  ended_at          timestamptz,
  -- Whole seconds between answer and end.
  duration          integer not null default 0 check (duration >= 0),
  hangup_cause      text,
  ended_by          text check (ended_by in ('extension', 'destination', 'service')),
  -- In ten-thousandths of a real per minute, and in centavos.
  minute_price      bigint,
  call_price        bigint,
  metadata          jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object'),
  -- Which node carries it, and when that node last said that it lives.
  node              text not null,
  alive_at          timestamptz not null,
  recording         text check (recording in ('spooled', 'stored', 'removed')),
  recording_seconds integer,
  recording_bytes   bigint,
  constraint calls_end_is_whole check (
    (ended_at is null) = (hangup_cause is null)
    and (ended_at is null) = (status in ('queued', 'ringing', 'connecting', 'answered')))
);

create unique index calls_by_dialer_id on calls (dialer_id) where dialer_id is not null;
create index calls_by_start on calls (account_id, started_at desc, id desc);
create index calls_by_extension on calls (account_id, from_number, started_at desc, id desc);
create index calls_by_destination on calls (account_id, to_number, started_at desc, id desc);
create index calls_live on calls (node) where ended_at is null;
create index calls_spooled on calls (id) where recording = 'spooled';
