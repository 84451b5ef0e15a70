-- Integrations of users, what happened to calls, and its way to the webhooks.

create table integrations (
  id               bigint generated always as identity primary key,
  account_id       bigint not null references accounts on delete cascade,
  user_id          bigint not null references users on delete cascade,
  code             text not null,
  webhook          boolean not null,
  -- As sent, and shown as sent.
  given_constraint json,
  metadata         json not null,
  -- What the two above come to while there is a webhook.
  url              text,
  version          text not null default '1.8',
  event_types      text[] not null default '{}',
  -- Objects of metadata keys and values; a call must match each of them (D82).
  conditions       jsonb not null default '[]',
  -- Sealed. The old one signs too until its time is over (D87).
  secret           bytea not null,
  old_secret       bytea,
  old_secret_until timestamptz,
  last_error       text,
  last_error_at    timestamptz,
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  constraint integrations_code_key unique (user_id, code),
  constraint integrations_webhook_is_whole check (not webhook or url is not null)
);

create index integrations_listening on integrations (account_id) where webhook;

-- Written once, in the transaction that made it true, and kept for 30 days.
create table events (
  id         bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  -- Whose call it is; null when nobody's.
  user_id    bigint,
  call_id    uuid not null,
  sequence   integer not null,
  kind       text not null,
  -- The body as it is sent, but for the version.
  payload    text not null,
  created_at timestamptz not null,
  -- Its place in the feed, given when the feed first comes by: whatever commits later stands further back.
  -- 0 stands in no feed.
  position   bigint,
  constraint events_sequence_key unique (call_id, sequence),
  constraint events_kind_key unique (call_id, kind)
);

create sequence event_positions;
create index events_unplaced on events (account_id, id) where position is null;
create index events_placed on events (account_id, position) where position > 0;

-- One event on its way to one webhook. Events are removed after their deliveries (webhooks/retention.ts); a
-- reference to them would need an index of its own.
create table deliveries (
  integration_id bigint not null references integrations on delete cascade,
  event_id       bigint not null,
  call_id        uuid not null,
  sequence       integer not null,
  version        text not null,
  state          text not null check (state in ('pending', 'delivered', 'dead', 'skipped')),
  -- Why it was skipped, or is dead.
  reason         text,
  -- While pending: the next try, or the end of the lease of the one under way. Null: it waits for an earlier event
  -- of its call.
  next_at        timestamptz,
  -- Since when it may be tried.
  due_since      timestamptz not null,
  attempts       integer not null default 0,
  tries          jsonb not null default '[]',
  settled_at     timestamptz,
  primary key (integration_id, event_id),
  constraint deliveries_settled_or_not check ((state = 'pending') = (settled_at is null)),
  constraint deliveries_settled_rest check (state = 'pending' or next_at is null)
);

create index deliveries_due on deliveries (integration_id, next_at, event_id) where next_at is not null;
create index deliveries_pending on deliveries (call_id, integration_id, sequence) where state = 'pending';

-- Every delivery is changed twice at least, and what is due is read from an index that must not fill with the past.
alter table deliveries set (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);
alter table events set (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

-- D82: the first key of the wanted object that the metadata do not match, or null. Scalars are compared as texts,
-- objects key by key, lists by containment.
create function metadata_mismatch(wanted jsonb, metadata jsonb) returns text
language plpgsql immutable parallel safe as $$
declare
  name text;
  wish jsonb;
  value jsonb;
  inside text;
begin
  for name, wish in select e.key, e.value from jsonb_each(wanted) e order by e.key collate "C" loop
    value := metadata -> name;
    if value is null then return name; end if;
    case jsonb_typeof(wish)
      when 'object' then
        if jsonb_typeof(value) <> 'object' then return name; end if;
        inside := public.metadata_mismatch(wish, value);
        if inside is not null then return name || '.' || inside; end if;
      when 'array' then
        if jsonb_typeof(value) <> 'array' or not value @> wish then return name; end if;
      else
        if jsonb_typeof(value) in ('object', 'array') or (value #>> '{}') is distinct from (wish #>> '{}') then
          return name;
        end if;
    end case;
  end loop;
  return null;
end
$$;
