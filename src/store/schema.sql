-- The whole database at a glance, written by `npm run schema` from the migrations. Not run by anything.

create extension pg_trgm;

create table access_tokens (
  hash bytea not null,
  ref uuid not null,
  user_id bigint not null,
  last_four text not null,
  ttl integer not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  name text,
  last_used_address text,
  scopes text[],
  addresses text[],
  from_login boolean default false not null,
  kind text default 'token'::text not null,
  user_agent text,
  look_in_reason text,
  constraint access_tokens_ref_key UNIQUE (ref),
  constraint access_tokens_pkey PRIMARY KEY (hash),
  constraint access_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint access_tokens_addresses_check CHECK ((cardinality(addresses) > 0)),
  constraint access_tokens_kind_check CHECK ((kind = ANY (ARRAY['token'::text, 'session'::text]))),
  constraint access_tokens_scopes_check CHECK ((cardinality(scopes) > 0))
);
CREATE INDEX access_tokens_by_user ON access_tokens USING btree (user_id, created_at);
CREATE INDEX access_tokens_expiring ON access_tokens USING btree (expires_at) WHERE (expires_at IS NOT NULL);


create table account_alerts (
  account_id bigint not null,
  rule text not null,
  raised_at timestamp with time zone not null,
  constraint account_alerts_pkey PRIMARY KEY (account_id, rule),
  constraint account_alerts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);


create table account_limits (
  account_id bigint not null,
  proven_by text,
  proven_at timestamp with time zone,
  calls_per_day integer,
  spending_per_day bigint,
  international boolean,
  ranges text[] default '{}'::text[] not null,
  calls_at_once integer,
  calls_at_once_extension integer,
  constraint account_limits_pkey PRIMARY KEY (account_id),
  constraint account_limits_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint account_limits_calls_at_once_check CHECK ((calls_at_once >= 0)),
  constraint account_limits_calls_at_once_extension_check CHECK ((calls_at_once_extension >= 0)),
  constraint account_limits_calls_per_day_check CHECK ((calls_per_day >= 0)),
  constraint account_limits_proof_is_whole CHECK (((proven_by IS NULL) = (proven_at IS NULL))),
  constraint account_limits_proven_by_check CHECK ((proven_by = ANY (ARRAY['tax-id'::text, 'payment'::text, 'operator'::text]))),
  constraint account_limits_spending_per_day_check CHECK ((spending_per_day >= 0))
);


create table accounts (
  id bigint generated always as identity not null,
  uuid uuid not null,
  domain text not null,
  name text not null,
  email text not null,
  phone text not null,
  crm text not null,
  user_quantity text not null,
  time_zone text not null,
  activated_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  language text default 'pt'::text not null,
  recording_days integer,
  recordings_swept_until timestamp with time zone,
  default_caller_number text,
  suspended_at timestamp with time zone,
  suspension_reason text,
  call_visibility text default 'account'::text not null,
  constraint accounts_domain_key UNIQUE (domain),
  constraint accounts_uuid_key UNIQUE (uuid),
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_call_visibility_check CHECK ((call_visibility = ANY (ARRAY['account'::text, 'own'::text]))),
  constraint accounts_language_check CHECK ((language = ANY (ARRAY['pt'::text, 'en'::text]))),
  constraint accounts_recording_days_check CHECK (((recording_days >= 1) AND (recording_days <= 36500))),
  constraint accounts_suspension_is_whole CHECK (((suspended_at IS NULL) = (suspension_reason IS NULL)))
);
CREATE INDEX accounts_suspended ON accounts USING btree (id) WHERE (suspended_at IS NOT NULL);
CREATE INDEX accounts_unconfirmed ON accounts USING btree (created_at) WHERE (activated_at IS NULL);


create table api_requests (
  id bigint generated always as identity not null,
  account_id bigint not null,
  at timestamp with time zone not null,
  request_id text not null,
  method text not null,
  route text not null,
  status integer not null,
  code text,
  duration_ms double precision not null,
  user_uuid uuid not null,
  user_email text not null,
  token_ref uuid not null,
  token_kind text not null,
  address text not null,
  call_id uuid
);


create table api_requests_rest (
  id bigint not null,
  account_id bigint not null,
  at timestamp with time zone not null,
  request_id text not null,
  method text not null,
  route text not null,
  status integer not null,
  code text,
  duration_ms double precision not null,
  user_uuid uuid not null,
  user_email text not null,
  token_ref uuid not null,
  token_kind text not null,
  address text not null,
  call_id uuid
);
CREATE INDEX api_requests_rest_account_id_at_id_idx ON api_requests_rest USING btree (account_id, at, id);
CREATE INDEX api_requests_rest_account_id_call_id_idx ON api_requests_rest USING btree (account_id, call_id) WHERE (call_id IS NOT NULL);
CREATE INDEX api_requests_rest_account_id_request_id_idx ON api_requests_rest USING btree (account_id, request_id);


create table attempts (
  key bytea not null,
  count integer not null,
  ends_at timestamp with time zone not null,
  constraint attempts_pkey PRIMARY KEY (key)
);
CREATE INDEX attempts_ended ON attempts USING btree (ends_at);


create table audit (
  id bigint generated always as identity not null,
  account_id bigint not null,
  at timestamp with time zone not null,
  action text not null,
  actor text,
  subject text,
  details jsonb not null,
  constraint audit_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);


create table audit_rest (
  id bigint not null,
  account_id bigint not null,
  at timestamp with time zone not null,
  action text not null,
  actor text,
  subject text,
  details jsonb not null,
  constraint audit_rest_pkey PRIMARY KEY (id),
  constraint audit_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX audit_rest_account_id_at_id_idx ON audit_rest USING btree (account_id, at, id);


create table balances (
  account_id bigint not null,
  balance bigint not null,
  reserved bigint default 0 not null,
  low_since timestamp with time zone,
  day_began timestamp with time zone,
  day_calls integer default 0 not null,
  day_spent bigint default 0 not null,
  low_balance bigint,
  constraint balances_pkey PRIMARY KEY (account_id),
  constraint balances_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint balances_day_calls_check CHECK ((day_calls >= 0)),
  constraint balances_day_spent_check CHECK ((day_spent >= 0)),
  constraint balances_low_balance_check CHECK ((low_balance >= 0)),
  constraint balances_reserved_check CHECK ((reserved >= 0))
);


create table call_changes (
  call_id uuid not null,
  revision integer not null,
  at timestamp with time zone not null,
  user_uuid uuid not null,
  user_name text not null,
  outcome text,
  tags text[] not null,
  notes text not null,
  constraint call_changes_pkey PRIMARY KEY (call_id, revision),
  constraint call_changes_call_id_fkey FOREIGN KEY (call_id) REFERENCES call_results(call_id) ON DELETE CASCADE
);


create table call_counts (
  account_id bigint not null,
  counted text not null,
  until timestamp with time zone not null,
  calls bigint not null,
  step bigint not null,
  constraint call_counts_pkey PRIMARY KEY (account_id, counted, until),
  constraint call_counts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint call_counts_calls_check CHECK ((calls >= 0)),
  constraint call_counts_step_check CHECK ((step >= 0))
);
CREATE INDEX call_counts_by_calls ON call_counts USING btree (account_id, counted, calls);


create table call_figure_ends (
  account_id bigint not null,
  until timestamp with time zone not null,
  minutes integer not null,
  constraint call_figure_ends_pkey PRIMARY KEY (account_id),
  constraint call_figure_ends_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint call_figure_ends_minutes_check CHECK ((minutes = ANY (ARRAY[15, 60])))
);


create table call_figures (
  account_id bigint not null,
  grouped_by text not null,
  began_at timestamp with time zone not null,
  name text not null,
  calls bigint not null,
  answered bigint not null,
  seconds bigint not null,
  cost bigint not null,
  constraint call_figures_pkey PRIMARY KEY (account_id, grouped_by, began_at, name),
  constraint call_figures_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint call_figures_calls_check CHECK ((calls > 0)),
  constraint call_figures_check CHECK (((answered >= 0) AND (answered <= calls))),
  constraint call_figures_grouped_by_check CHECK ((grouped_by = ANY (ARRAY['total'::text, 'extension'::text, 'user'::text, 'cause'::text, 'direction'::text])))
);


create table call_outcomes (
  account_id bigint not null,
  position smallint not null,
  key text not null,
  label text not null,
  constraint call_outcomes_account_id_key_key UNIQUE (account_id, key),
  constraint call_outcomes_pkey PRIMARY KEY (account_id, "position"),
  constraint call_outcomes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);


create table call_results (
  call_id uuid not null,
  account_id bigint not null,
  started_at timestamp with time zone not null,
  outcome text,
  notes text default ''::text not null,
  revision integer default 0 not null,
  constraint call_results_pkey PRIMARY KEY (call_id),
  constraint call_results_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint call_results_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(id) ON DELETE CASCADE
);
CREATE INDEX call_results_by_outcome ON call_results USING btree (account_id, outcome, call_id) WHERE (outcome IS NOT NULL);
CREATE INDEX call_results_by_start ON call_results USING btree (account_id, started_at) WHERE (outcome IS NOT NULL);


create table call_tags (
  call_id uuid not null,
  tag text not null,
  account_id bigint not null,
  constraint call_tags_pkey PRIMARY KEY (call_id, tag),
  constraint call_tags_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint call_tags_call_id_fkey FOREIGN KEY (call_id) REFERENCES call_results(call_id) ON DELETE CASCADE
);
CREATE INDEX call_tags_by_tag ON call_tags USING btree (account_id, tag, call_id);


create table call_values (
  key bigint not null,
  started_at timestamp with time zone not null,
  call_id uuid not null,
  constraint call_values_pkey PRIMARY KEY (key, started_at, call_id)
);


create table called_countries (
  account_id bigint not null,
  country text not null,
  called_at timestamp with time zone not null,
  constraint called_countries_pkey PRIMARY KEY (account_id, country),
  constraint called_countries_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);


create table caller_values (
  account_id bigint not null,
  field text not null,
  value text not null,
  constraint caller_values_pkey PRIMARY KEY (account_id, field, value),
  constraint caller_values_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);


create table caller_values_missing (
  account_id bigint not null,
  done timestamp with time zone not null,
  until timestamp with time zone not null,
  constraint caller_values_missing_pkey PRIMARY KEY (account_id),
  constraint caller_values_missing_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);


create table calls (
  id uuid not null,
  account_id bigint not null,
  dialer_id text,
  user_id bigint,
  user_uuid uuid,
  extension_id bigint,
  domain text not null,
  call_type text not null,
  status text not null,
  from_number text not null,
  to_number text not null,
  caller_number text,
  first_name text not null,
  last_name text not null,
  email text not null,
  record boolean not null,
  started_at timestamp with time zone not null,
  ringing_at timestamp with time zone,
  connecting_at timestamp with time zone,
  answered_at timestamp with time zone,
  ended_at timestamp with time zone,
  duration integer default 0 not null,
  hangup_cause text,
  ended_by text,
  minute_price bigint,
  call_price bigint,
  metadata jsonb default '{}'::jsonb not null,
  node text not null,
  alive_at timestamp with time zone not null,
  recording text,
  recording_seconds integer,
  recording_bytes bigint,
  pricing jsonb,
  extension_user_uuid uuid,
  allows_duplicate boolean,
  metadata_sent text,
  stamped_at timestamp with time zone default now() not null,
  hangup_requested_at timestamp with time zone,
  link_version integer default 0 not null,
  keys jsonb,
  transfer_of uuid,
  transferred_at timestamp with time zone,
  quality jsonb,
  changed_at timestamp with time zone default change_time() not null,
  constraint calls_pkey PRIMARY KEY (id),
  constraint calls_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint calls_call_type_check CHECK ((call_type = ANY (ARRAY['outbound'::text, 'inbound'::text, 'internal'::text]))),
  constraint calls_duration_check CHECK ((duration >= 0)),
  constraint calls_end_is_whole CHECK ((((ended_at IS NULL) = (hangup_cause IS NULL)) AND ((ended_at IS NULL) = (status = ANY (ARRAY['queued'::text, 'ringing'::text, 'connecting'::text, 'answered'::text]))))),
  constraint calls_ended_by_check CHECK ((ended_by = ANY (ARRAY['extension'::text, 'destination'::text, 'service'::text]))),
  constraint calls_metadata_check CHECK ((jsonb_typeof(metadata) = 'object'::text)),
  constraint calls_recording_check CHECK ((recording = ANY (ARRAY['spooled'::text, 'stored'::text, 'removed'::text, 'lost'::text]))),
  constraint calls_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'ringing'::text, 'connecting'::text, 'answered'::text, 'completed'::text, 'busy'::text, 'no_answer'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE INDEX calls_by_change ON calls USING btree (account_id, changed_at, id);
CREATE INDEX calls_by_destination ON calls USING btree (account_id, to_number, started_at DESC, id DESC);
CREATE UNIQUE INDEX calls_by_dialer_id ON calls USING btree (dialer_id) WHERE (dialer_id IS NOT NULL);
CREATE INDEX calls_by_extension ON calls USING btree (account_id, from_number, started_at DESC, id DESC);
CREATE INDEX calls_by_start ON calls USING btree (account_id, started_at DESC, id DESC);
CREATE INDEX calls_live ON calls USING btree (node) WHERE (ended_at IS NULL);
CREATE INDEX calls_missed ON calls USING btree (account_id, started_at DESC, id DESC, to_number) WHERE ((call_type = 'inbound'::text) AND (answered_at IS NULL) AND (ended_at IS NOT NULL));
CREATE INDEX calls_recorded ON calls USING btree (ended_at) WHERE (recording = ANY (ARRAY['spooled'::text, 'stored'::text]));
CREATE UNIQUE INDEX calls_ringing ON calls USING btree (account_id, extension_id, to_number, (
CASE
    WHEN allows_duplicate THEN id
    ELSE NULL::uuid
END)) NULLS NOT DISTINCT WHERE ((allows_duplicate IS NOT NULL) AND (answered_at IS NULL) AND (ended_at IS NULL));
CREATE INDEX calls_spooled ON calls USING btree (id) WHERE (recording = 'spooled'::text);
CREATE INDEX calls_transferred ON calls USING btree (transfer_of) WHERE (transfer_of IS NOT NULL);
CREATE INDEX calls_unreported ON calls USING btree (ended_at) WHERE ((recording IS NULL) AND record AND (answered_at IS NOT NULL) AND (hangup_cause = 'RECOVERY_ON_TIMER_EXPIRE'::text));


create table charge_moves (
  id bigint generated always as identity not null,
  charge_id bigint not null,
  at timestamp with time zone not null,
  from_status text,
  to_status text not null,
  taken boolean not null,
  cause text not null,
  constraint charge_moves_pkey PRIMARY KEY (id),
  constraint charge_moves_charge_id_fkey FOREIGN KEY (charge_id) REFERENCES charges(id) ON DELETE CASCADE
);
CREATE INDEX charge_moves_by_charge ON charge_moves USING btree (charge_id, id);


create table charges (
  id bigint generated always as identity not null,
  reference uuid not null,
  account_id bigint not null,
  user_id bigint not null,
  gateway text not null,
  payment_method text not null,
  payment_id text,
  payment_code text,
  payment_link text,
  invoice_id text,
  invoice_link text,
  due_at timestamp with time zone not null,
  amount bigint not null,
  fee bigint,
  total bigint not null,
  refunded bigint default 0 not null,
  description text not null,
  status text not null,
  status_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  paid_at timestamp with time zone,
  received_at timestamp with time zone,
  refunded_at timestamp with time zone,
  has_erp_invoice boolean default false not null,
  metadata jsonb default '{}'::jsonb not null,
  look_at timestamp with time zone,
  pix_code text,
  changed_at timestamp with time zone default change_time() not null,
  constraint charges_reference_key UNIQUE (reference),
  constraint charges_pkey PRIMARY KEY (id),
  constraint charges_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint charges_amount_check CHECK (((amount > 500) AND (amount < 5000000))),
  constraint charges_check CHECK (((refunded >= 0) AND (refunded <= amount))),
  constraint charges_payment_method_check CHECK ((payment_method = ANY (ARRAY['UNDEFINED'::text, 'CREDIT_CARD'::text, 'DEBIT_CARD'::text, 'BOLETO'::text, 'PIX'::text]))),
  constraint charges_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'AWAITING_RISK_ANALYSIS'::text, 'AUTHORIZED'::text, 'CONFIRMED'::text, 'RECEIVED'::text, 'OVERDUE'::text, 'REFUND_REQUESTED'::text, 'REFUND_IN_PROGRESS'::text, 'REFUNDED'::text, 'CHARGEBACK_REQUESTED'::text, 'CHARGEBACK_DISPUTE'::text, 'AWAITING_CHARGEBACK_REVERSAL'::text, 'CANCELLED'::text])))
);
CREATE INDEX charges_by_change ON charges USING btree (account_id, changed_at, id);
CREATE UNIQUE INDEX charges_by_payment ON charges USING btree (gateway, payment_id) WHERE (payment_id IS NOT NULL);
CREATE INDEX charges_newest ON charges USING btree (account_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX charges_open ON charges USING btree (account_id) WHERE (status = ANY (ARRAY['PENDING'::text, 'AWAITING_RISK_ANALYSIS'::text, 'AUTHORIZED'::text, 'OVERDUE'::text]));
CREATE INDEX charges_to_look_at ON charges USING btree (look_at) WHERE (look_at IS NOT NULL);


create table contact_numbers (
  account_id bigint not null,
  number text not null,
  contact_id uuid not null,
  position smallint not null,
  constraint contact_numbers_pkey PRIMARY KEY (account_id, number),
  constraint contact_numbers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint contact_numbers_contact_id_fkey FOREIGN KEY (contact_id) REFERENCES contacts(id) ON DELETE CASCADE
);
CREATE INDEX contact_numbers_of ON contact_numbers USING btree (contact_id, "position");


create table contacts (
  id uuid not null,
  account_id bigint not null,
  name text not null,
  company text not null,
  search_text text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint contacts_pkey PRIMARY KEY (id),
  constraint contacts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX contacts_by_name ON contacts USING btree (account_id, name, id);


create table daily_files (
  account_id bigint not null,
  kind text not null,
  cursor text,
  written_on date,
  claimed_until timestamp with time zone not null,
  constraint daily_files_pkey PRIMARY KEY (account_id, kind),
  constraint daily_files_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);


create table deliveries (
  integration_id bigint not null,
  event_id bigint not null,
  call_id uuid not null,
  sequence integer not null,
  version text not null,
  state text not null,
  reason text,
  next_at timestamp with time zone,
  due_since timestamp with time zone not null,
  attempts integer default 0 not null,
  tries jsonb default '[]'::jsonb not null,
  settled_at timestamp with time zone,
  constraint deliveries_pkey PRIMARY KEY (integration_id, event_id),
  constraint deliveries_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integrations(id) ON DELETE CASCADE,
  constraint deliveries_settled_or_not CHECK (((state = 'pending'::text) = (settled_at IS NULL))),
  constraint deliveries_settled_rest CHECK (((state = 'pending'::text) OR (next_at IS NULL))),
  constraint deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'dead'::text, 'skipped'::text])))
);
CREATE INDEX deliveries_due ON deliveries USING btree (integration_id, next_at, event_id) WHERE (next_at IS NOT NULL);
CREATE INDEX deliveries_pending ON deliveries USING btree (call_id, integration_id, sequence) WHERE (state = 'pending'::text);


create table destination_ends_missing (
  account_id bigint not null,
  done timestamp with time zone not null,
  until timestamp with time zone not null,
  constraint destination_ends_missing_pkey PRIMARY KEY (account_id),
  constraint destination_ends_missing_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);


create table events (
  id bigint generated always as identity not null,
  account_id bigint not null,
  user_id bigint,
  call_id uuid not null,
  sequence integer not null,
  kind text not null,
  payload text not null,
  created_at timestamp with time zone not null,
  position bigint,
  subject_kind text default 'call'::text not null,
  subject_id text,
  constraint events_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);


create table events_rest (
  id bigint not null,
  account_id bigint not null,
  user_id bigint,
  call_id uuid not null,
  sequence integer not null,
  kind text not null,
  payload text not null,
  created_at timestamp with time zone not null,
  position bigint,
  subject_kind text default 'call'::text not null,
  subject_id text,
  constraint events_rest_call_id_sequence_key UNIQUE (call_id, sequence),
  constraint events_rest_pkey PRIMARY KEY (id),
  constraint events_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX events_rest_account_id_id_idx ON events_rest USING btree (account_id, id) WHERE ("position" IS NULL);
CREATE INDEX events_rest_account_id_position_idx ON events_rest USING btree (account_id, "position") WHERE ("position" > 0);
CREATE UNIQUE INDEX events_rest_call_id_kind_idx ON events_rest USING btree (call_id, kind) WHERE (subject_kind = 'call'::text);


create table extensions (
  id bigint generated always as identity not null,
  account_id bigint not null,
  number text not null,
  password bytea not null,
  caller_id text,
  caller_number text,
  first_name text not null,
  last_name text not null,
  email text not null,
  record_calls boolean not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  user_id bigint,
  changed_at timestamp with time zone default change_time() not null,
  do_not_disturb boolean default false not null,
  constraint extensions_number_key UNIQUE (account_id, number),
  constraint extensions_pkey PRIMARY KEY (id),
  constraint extensions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint extensions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint extensions_email_check CHECK ((email = lower(email))),
  constraint extensions_number_check CHECK ((number ~ '^[0-9]{2,6}$'::text))
);
CREATE INDEX extensions_by_caller_number ON extensions USING btree (caller_number) WHERE (caller_number IS NOT NULL);
CREATE INDEX extensions_by_change ON extensions USING btree (account_id, changed_at, id);
CREATE INDEX extensions_by_user ON extensions USING btree (user_id) WHERE (user_id IS NOT NULL);


create table financial_accounts (
  account_id bigint not null,
  status text not null,
  company text,
  name text,
  email text,
  phone text,
  mobile_phone text,
  person_type text,
  tax_id text,
  address text,
  address_number text,
  address_complement text,
  address_province text,
  address_district text,
  address_city text,
  address_state text,
  address_country text,
  address_zip_code text,
  additional_emails text,
  gateway text,
  customer_id text,
  tell_at timestamp with time zone,
  tries integer default 0 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint financial_accounts_pkey PRIMARY KEY (account_id),
  constraint financial_accounts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint financial_accounts_active_is_whole CHECK (((status <> 'ACTIVE'::text) OR ((tax_id IS NOT NULL) AND (person_type IS NOT NULL)))),
  constraint financial_accounts_person_type_check CHECK ((person_type = ANY (ARRAY['FISICA'::text, 'JURIDICA'::text]))),
  constraint financial_accounts_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'ACTIVE'::text, 'REJECTED'::text]))),
  constraint financial_accounts_tax_id_check CHECK ((tax_id ~ '^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$'::text))
);
CREATE INDEX financial_accounts_to_tell ON financial_accounts USING btree (tell_at) WHERE (tell_at IS NOT NULL);


create table gateway_events (
  gateway text not null,
  event_id text not null,
  type text not null,
  payment_id text not null,
  payment jsonb not null,
  at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  tries integer default 0 not null,
  due_at timestamp with time zone,
  outcome text,
  constraint gateway_events_pkey PRIMARY KEY (gateway, event_id)
);
CREATE INDEX gateway_events_done ON gateway_events USING btree (received_at) WHERE (due_at IS NULL);
CREATE INDEX gateway_events_due ON gateway_events USING btree (due_at, received_at) WHERE (due_at IS NOT NULL);


create table idempotency_keys (
  user_id bigint not null,
  route text not null,
  key text not null,
  fingerprint bytea not null,
  attempt integer not null,
  lease_until timestamp with time zone not null,
  created_at timestamp with time zone not null,
  status integer,
  answer bytea,
  begun_id bigint,
  constraint idempotency_keys_pkey PRIMARY KEY (user_id, route, key),
  constraint idempotency_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING btree (created_at);


create table incidents (
  id bigint generated always as identity not null,
  kind text not null,
  title text not null,
  title_en text,
  components text[] not null,
  impact text,
  state text not null,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  opened_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  updates jsonb not null,
  constraint incidents_pkey PRIMARY KEY (id),
  constraint incidents_kind_check CHECK ((kind = ANY (ARRAY['incident'::text, 'maintenance'::text])))
);


create table installation (
  name text not null,
  value text not null,
  constraint installation_pkey PRIMARY KEY (name)
);


create table integrations (
  id bigint generated always as identity not null,
  account_id bigint not null,
  user_id bigint not null,
  code text not null,
  webhook boolean not null,
  given_constraint json,
  metadata json not null,
  url text,
  version text default '1.8'::text not null,
  event_types text[] default '{}'::text[] not null,
  conditions jsonb default '[]'::jsonb not null,
  secret bytea not null,
  old_secret bytea,
  old_secret_until timestamp with time zone,
  last_error text,
  last_error_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  url_login bytea,
  constraint integrations_code_key UNIQUE (user_id, code),
  constraint integrations_pkey PRIMARY KEY (id),
  constraint integrations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint integrations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint integrations_webhook_is_whole CHECK (((NOT webhook) OR (url IS NOT NULL)))
);
CREATE INDEX integrations_listening ON integrations USING btree (account_id) WHERE webhook;


create table key_holders (
  process text not null,
  keys text[] not null,
  seals_with text not null,
  seen_at timestamp with time zone not null,
  constraint key_holders_pkey PRIMARY KEY (process)
);


create table ledger_entries (
  id bigint generated always as identity not null,
  account_id bigint not null,
  at timestamp with time zone not null,
  kind text not null,
  amount bigint not null,
  balance bigint not null,
  reference text not null,
  description text not null,
  constraint ledger_entries_reference_key UNIQUE (reference),
  constraint ledger_entries_pkey PRIMARY KEY (id),
  constraint ledger_entries_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint ledger_entries_amount_check CHECK ((amount <> 0)),
  constraint ledger_entries_kind_check CHECK ((kind = ANY (ARRAY['trial'::text, 'charge'::text, 'refund'::text, 'call'::text, 'adjustment'::text])))
);
CREATE INDEX ledger_entries_newest ON ledger_entries USING btree (account_id, at DESC, id DESC);


create table link_requests (
  id bigint generated always as identity not null,
  purpose text not null,
  email text not null,
  requested_at timestamp with time zone not null,
  constraint link_requests_pkey PRIMARY KEY (id),
  constraint link_requests_purpose_check CHECK ((purpose = ANY (ARRAY['confirm-email'::text, 'reset-password'::text])))
);


create table login_addresses (
  user_id bigint not null,
  block text not null,
  seen_at timestamp with time zone not null,
  constraint login_addresses_pkey PRIMARY KEY (user_id, block),
  constraint login_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);


create table mails (
  id bigint generated always as identity not null,
  recipient text not null,
  subject text not null,
  body bytea,
  created_at timestamp with time zone not null,
  attempts integer not null,
  next_at timestamp with time zone,
  sent_at timestamp with time zone,
  last_error text,
  constraint mails_pkey PRIMARY KEY (id)
);
CREATE INDEX mails_by_age ON mails USING btree (created_at);
CREATE INDEX mails_due ON mails USING btree (next_at) WHERE (next_at IS NOT NULL);


create table migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone default now() not null,
  additive boolean default false not null,
  constraint migrations_pkey PRIMARY KEY (name)
);


create table missed_call_marks (
  account_id bigint not null,
  number text not null,
  at timestamp with time zone not null,
  user_uuid uuid not null,
  user_name text not null,
  constraint missed_call_marks_pkey PRIMARY KEY (account_id, number),
  constraint missed_call_marks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);


create table monthly_reports (
  account_id bigint not null,
  sent_for date not null,
  constraint monthly_reports_pkey PRIMARY KEY (account_id),
  constraint monthly_reports_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);


create table number_calls (
  id uuid not null,
  account_id bigint not null,
  number text not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  outcome text,
  constraint number_calls_pkey PRIMARY KEY (id),
  constraint number_calls_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint number_calls_ended_check CHECK (((ended_at IS NULL) = (outcome IS NULL))),
  constraint number_calls_outcome_check CHECK ((outcome = ANY (ARRAY['verified'::text, 'wrong-code'::text, 'no-code'::text, 'not-answered'::text, 'taken'::text, 'lost'::text])))
);
CREATE INDEX number_calls_live ON number_calls USING btree (started_at) WHERE (ended_at IS NULL);
CREATE INDEX number_calls_of_account ON number_calls USING btree (account_id, started_at);
CREATE INDEX number_calls_to_number ON number_calls USING btree (number, started_at);


create table numbers (
  id bigint generated always as identity not null,
  account_id bigint not null,
  number text not null,
  proof text,
  verified_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint numbers_account_key UNIQUE (account_id, number),
  constraint numbers_pkey PRIMARY KEY (id),
  constraint numbers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint numbers_proof_check CHECK ((proof = ANY (ARRAY['operator'::text, 'call'::text, 'sandbox'::text]))),
  constraint numbers_verified_check CHECK (((proof IS NULL) = (verified_at IS NULL)))
);
CREATE UNIQUE INDEX numbers_verified ON numbers USING btree (number) WHERE (proof IS NOT NULL);


create table operator_log (
  id bigint generated always as identity not null,
  at timestamp with time zone not null,
  action text not null,
  subject text,
  reason text,
  details jsonb not null,
  operator text,
  account_id bigint,
  constraint operator_log_pkey PRIMARY KEY (id)
);


create table operator_recovery_codes (
  operator_id bigint not null,
  hash bytea not null,
  constraint operator_recovery_codes_pkey PRIMARY KEY (operator_id, hash),
  constraint operator_recovery_codes_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id) ON DELETE CASCADE
);


create table operator_sessions (
  hash bytea not null,
  operator_id bigint not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint operator_sessions_pkey PRIMARY KEY (hash),
  constraint operator_sessions_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id) ON DELETE CASCADE
);
CREATE INDEX operator_sessions_expires_at ON operator_sessions USING btree (expires_at);
CREATE INDEX operator_sessions_operator_id ON operator_sessions USING btree (operator_id);


create table operators (
  id bigint generated always as identity not null,
  name text not null,
  email text not null,
  password_hash text,
  second_factor bytea,
  last_step bigint default 0 not null,
  new_factor bytea,
  link_hash bytea,
  link_expires_at timestamp with time zone,
  renews_factor boolean default true not null,
  off_since timestamp with time zone,
  created_at timestamp with time zone not null,
  last_login_at timestamp with time zone,
  constraint operators_email_key UNIQUE (email),
  constraint operators_link_hash_key UNIQUE (link_hash),
  constraint operators_pkey PRIMARY KEY (id)
);


create table page_ends (
  token uuid not null,
  query text not null,
  page integer not null,
  sort_key text[] not null,
  total bigint not null,
  until timestamp with time zone not null,
  at_least boolean default false not null,
  constraint page_ends_pkey PRIMARY KEY (token, query, page)
);


create table phone_addresses (
  extension_id bigint not null,
  blocks text[] not null,
  constraint phone_addresses_pkey PRIMARY KEY (extension_id),
  constraint phone_addresses_extension_id_fkey FOREIGN KEY (extension_id) REFERENCES extensions(id) ON DELETE CASCADE
);


create table phone_setup_links (
  extension_id bigint not null,
  hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint phone_setup_links_hash_key UNIQUE (hash),
  constraint phone_setup_links_pkey PRIMARY KEY (extension_id),
  constraint phone_setup_links_extension_id_fkey FOREIGN KEY (extension_id) REFERENCES extensions(id) ON DELETE CASCADE
);


create table rates (
  id bigint generated always as identity not null,
  account_id bigint,
  prefix text not null,
  name text not null,
  minute_price bigint not null,
  first_block integer not null,
  step integer not null,
  grace integer not null,
  valid_from timestamp with time zone not null,
  valid_until timestamp with time zone,
  constraint rates_key UNIQUE NULLS NOT DISTINCT (account_id, prefix, valid_from),
  constraint rates_pkey PRIMARY KEY (id),
  constraint rates_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint rates_blocks_are_steps CHECK (((first_block % step) = 0)),
  constraint rates_check CHECK ((valid_until > valid_from)),
  constraint rates_first_block_check CHECK (((first_block >= 1) AND (first_block <= 3600))),
  constraint rates_grace_check CHECK (((grace >= 0) AND (grace <= 3600))),
  constraint rates_minute_price_check CHECK (((minute_price >= 0) AND (minute_price <= 10000000))),
  constraint rates_prefix_check CHECK ((prefix ~ '^[0-9]{1,15}$'::text)),
  constraint rates_step_check CHECK (((step >= 1) AND (step <= 3600)))
);


create table recording_peaks (
  call_id uuid not null,
  frames integer not null,
  extension bytea not null,
  destination bytea not null,
  constraint recording_peaks_pkey PRIMARY KEY (call_id),
  constraint recording_peaks_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(id) ON DELETE CASCADE
);


create table recovery_codes (
  user_id bigint not null,
  hash bytea not null,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, hash),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES second_factors(user_id) ON DELETE CASCADE
);


create table registrations (
  extension_id bigint not null,
  node text not null,
  registered_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  user_agent text,
  way text not null,
  renewed_at timestamp with time zone default now() not null,
  constraint registrations_pkey PRIMARY KEY (extension_id),
  constraint registrations_extension_id_fkey FOREIGN KEY (extension_id) REFERENCES extensions(id) ON DELETE CASCADE
);
CREATE INDEX registrations_by_node ON registrations USING btree (node);


create table removed_extensions (
  id bigint not null,
  account_id bigint not null,
  changed_at timestamp with time zone default change_time() not null,
  constraint removed_extensions_pkey PRIMARY KEY (id),
  constraint removed_extensions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX removed_extensions_by_change ON removed_extensions USING btree (account_id, changed_at, id);


create table reservations (
  call_id uuid not null,
  account_id bigint not null,
  amount bigint not null,
  seconds integer not null,
  minute_price bigint not null,
  first_block integer not null,
  step integer not null,
  grace integer not null,
  prefix text not null,
  name text not null,
  made_at timestamp with time zone not null,
  constraint reservations_pkey PRIMARY KEY (call_id),
  constraint reservations_amount_check CHECK ((amount >= 0))
);


create table sandbox_customers (
  customer_id text not null,
  reference text not null,
  updated_at timestamp with time zone not null,
  constraint sandbox_customers_reference_key UNIQUE (reference),
  constraint sandbox_customers_pkey PRIMARY KEY (customer_id)
);


create table sandbox_events (
  id bigint generated always as identity not null,
  event_id text not null,
  payment_id text not null,
  body text not null,
  created_at timestamp with time zone not null,
  attempts integer default 0 not null,
  next_at timestamp with time zone,
  taken_at timestamp with time zone,
  last_error text,
  constraint sandbox_events_pkey PRIMARY KEY (id),
  constraint sandbox_events_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES sandbox_payments(payment_id) ON DELETE CASCADE
);
CREATE INDEX sandbox_events_due ON sandbox_events USING btree (next_at) WHERE (next_at IS NOT NULL);
CREATE INDEX sandbox_events_old ON sandbox_events USING btree (created_at);
CREATE INDEX sandbox_events_waiting ON sandbox_events USING btree (payment_id, id) WHERE (next_at IS NOT NULL);


create table sandbox_payments (
  id bigint generated always as identity not null,
  payment_id text not null,
  key text not null,
  reference text not null,
  payer_name text,
  method text not null,
  paid_with text,
  card_fate text,
  card_last_four text,
  due_date date not null,
  amount bigint not null,
  description text not null,
  status text not null,
  status_at timestamp with time zone not null,
  next_status text,
  next_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint sandbox_payments_key_key UNIQUE (key),
  constraint sandbox_payments_payment_id_key UNIQUE (payment_id),
  constraint sandbox_payments_reference_key UNIQUE (reference),
  constraint sandbox_payments_pkey PRIMARY KEY (id),
  constraint sandbox_payments_amount_is_positive CHECK ((amount > 0)),
  constraint sandbox_payments_next_is_whole CHECK (((next_status IS NULL) = (next_at IS NULL)))
);
CREATE INDEX sandbox_payments_next ON sandbox_payments USING btree (next_at) WHERE (next_at IS NOT NULL);


create table second_factors (
  user_id bigint not null,
  secret bytea not null,
  created_at timestamp with time zone not null,
  enabled_at timestamp with time zone,
  last_step bigint default 0 not null,
  constraint second_factors_pkey PRIMARY KEY (user_id),
  constraint second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);


create table sip_traces (
  call_id uuid not null,
  node text not null,
  stored_at timestamp with time zone not null,
  messages bytea not null,
  constraint sip_traces_pkey PRIMARY KEY (call_id, node, stored_at)
);
CREATE INDEX sip_traces_stored_at ON sip_traces USING btree (stored_at);


create table stored_keys (
  name text not null,
  key bytea not null,
  constraint stored_keys_pkey PRIMARY KEY (name)
);


create table trial_grants (
  person bytea not null,
  granted_at timestamp with time zone not null,
  constraint trial_grants_pkey PRIMARY KEY (person)
);


create table trunk_shares (
  node text not null,
  trunk text not null,
  channels_used integer not null,
  channels integer not null,
  rate_used double precision not null,
  rate double precision not null,
  constraint trunk_shares_pkey PRIMARY KEY (node, trunk),
  constraint trunk_shares_node_fkey FOREIGN KEY (node) REFERENCES voice_nodes(id) ON DELETE CASCADE
);


create table trunks (
  name text not null,
  settings bytea,
  is_on boolean not null,
  changed_at timestamp with time zone not null,
  constraint trunks_pkey PRIMARY KEY (name)
);


create table unclaimed_calls (
  call_id uuid not null,
  node text not null,
  origin text not null,
  claim_until timestamp with time zone not null,
  command jsonb not null,
  constraint unclaimed_calls_pkey PRIMARY KEY (call_id)
);
CREATE INDEX unclaimed_calls_by_node ON unclaimed_calls USING btree (node);


create table user_links (
  hash bytea not null,
  user_id bigint not null,
  email text not null,
  expires_at timestamp with time zone not null,
  purpose text not null,
  created_at timestamp with time zone not null,
  token_ref uuid,
  constraint user_links_newest UNIQUE (user_id, purpose),
  constraint user_links_pkey PRIMARY KEY (hash),
  constraint user_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint user_links_purpose_check CHECK ((purpose = ANY (ARRAY['confirm-email'::text, 'new-email'::text, 'release-email'::text, 'keep-email'::text, 'reset-password'::text, 'invitation'::text])))
);
CREATE INDEX user_links_expiring ON user_links USING btree (expires_at);


create table users (
  id bigint generated always as identity not null,
  uuid uuid not null,
  account_id bigint not null,
  name text not null,
  email text not null,
  phone text not null,
  role text not null,
  password_hash text,
  email_verified boolean not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  last_login_at timestamp with time zone,
  pending_email text,
  constraint users_email_key UNIQUE (email),
  constraint users_uuid_key UNIQUE (uuid),
  constraint users_pkey PRIMARY KEY (id),
  constraint users_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint users_email_check CHECK ((email = lower(email))),
  constraint users_pending_email_check CHECK ((pending_email = lower(pending_email))),
  constraint users_role_check CHECK ((role = ANY (ARRAY['ADMIN'::text, 'USER'::text])))
);
CREATE INDEX users_by_account ON users USING btree (account_id, created_at, id);
CREATE INDEX users_search ON users USING gin (email gin_trgm_ops, name gin_trgm_ops);


create table voice_nodes (
  id text not null,
  started_at timestamp with time zone not null,
  lease_until timestamp with time zone not null,
  address text,
  roles text[] default '{api,worker,voice}'::text[] not null,
  state text default 'active'::text not null,
  host text,
  version text,
  calls integer default 0 not null,
  phones integer default 0 not null,
  clock_offset_ms integer,
  drain_requested_at timestamp with time zone,
  trunks jsonb default '[]'::jsonb not null,
  phone_addresses jsonb default '{}'::jsonb not null,
  takes_calls boolean default true not null,
  parts jsonb default '{}'::jsonb not null,
  constraint voice_nodes_pkey PRIMARY KEY (id),
  constraint voice_nodes_state_check CHECK ((state = ANY (ARRAY['active'::text, 'draining'::text, 'stopped'::text])))
);


create function announce_profiles() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'accounts' then
    perform pg_notify('profiles_changed', new.id::text);
  elsif tg_op = 'DELETE' then
    perform pg_notify('profiles_changed', old.account_id::text);
  else
    perform pg_notify('profiles_changed', new.account_id::text);
  end if;
  return null;
end
$$;


create function call_search_keys(account_id bigint, metadata jsonb) returns bigint[] language sql immutable as $$
  select json_search_keys(hashint8extended(account_id, 0), metadata, 64)
$$;


create function caller_search_keys(account_id bigint, first_name text, last_name text, email text, caller_number text) returns bigint[] language sql immutable as $$
  select array[
    hashtextextended(first_name collate "C", hashtextextended('first_name', hashint8extended(account_id, 1))),
    hashtextextended(last_name collate "C", hashtextextended('last_name', hashint8extended(account_id, 1))),
    hashtextextended(email collate "C", hashtextextended('email', hashint8extended(account_id, 1))),
    hashtextextended(caller_number collate "C", hashtextextended('caller_number', hashint8extended(account_id, 1)))]
$$;


create function change_time() returns timestamp with time zone language sql as $$
  select case when pg_current_xact_id() is not null then clock_timestamp() end
$$;


create function claim_extensions() returns trigger language plpgsql as $$
begin
  perform from accounts where id = new.account_id for no key update;
  update extensions set user_id = new.id
  where account_id = new.account_id and email = new.email and user_id is null;
  return null;
end
$$;


create function destination_search_key(account_id bigint, to_number text) returns bigint language sql immutable as $$
  select hashtextextended(right(to_number, 4) collate "C", hashtextextended('to_number', hashint8extended(account_id, 1)))
$$;


create function json_search_keys(seed bigint, document jsonb, most integer, depth integer DEFAULT 1) returns bigint[] language plpgsql immutable as $$
declare
  keys bigint[] := '{}';
  name text;
  inside jsonb;
  path bigint;
begin
  for name, inside in select e.key, e.value from jsonb_each(document) e loop
    path := hashtextextended(name collate "C", seed);
    case jsonb_typeof(inside)
      when 'string', 'boolean' then keys := keys || hashtextextended((inside #>> '{}') collate "C", path);
      when 'number' then keys := keys || hash_numeric_extended((inside #>> '{}')::numeric, path);
      when 'object' then
        -- Deeper than any path of a filter.
        if depth < 8 then keys := keys || json_search_keys(path, inside, most, depth + 1); end if;
      else null;
    end case;
    if cardinality(keys) > most then
      exit when depth > 1;
      return array[seed];
    end if;
  end loop;
  return keys;
end
$$;


create function keep_audit() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() > 1 or tg_table_name = 'audit_rest' then return old; end if;
  return null;
end
$$;


create function metadata_mismatch(wanted jsonb, metadata jsonb) returns text language plpgsql immutable as $$
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
        if jsonb_typeof(value) in ('object', 'array')
          or value <> wish and public.scalar_text(value) is distinct from public.scalar_text(wish) then
          return name;
        end if;
    end case;
  end loop;
  return null;
end
$$;


create function note_added_calls() returns trigger language plpgsql as $$
begin
  perform undo_call_counts(account_id, min(started_at)) from changed group by account_id order by account_id;
  insert into call_values (key, started_at, call_id)
  select distinct key, started_at, id from changed, unnest(call_search_keys(account_id, metadata)
    || caller_search_keys(account_id, first_name, last_name, email, caller_number)
    || destination_search_key(account_id, to_number)) as key
  where key is not null;
  -- In order: two that add the same values would otherwise be a deadlock.
  insert into caller_values (account_id, field, value)
  select distinct account_id, field, value from changed, lateral (values ('first_name', first_name),
    ('last_name', last_name), ('email', email), ('caller_number', caller_number)) as given (field, value)
  where value is not null
  order by account_id, field, value
  on conflict do nothing;
  return null;
end
$$;


create function note_change() returns trigger language plpgsql as $$
begin
  new.changed_at := change_time();
  return new;
end
$$;


create function note_changed_result() returns trigger language plpgsql as $$
begin
  update calls set changed_at = change_time() where id = new.call_id;
  return null;
end
$$;


create function note_removed_calls() returns trigger language plpgsql as $$
declare
  account bigint;
  last_start timestamptz;
begin
  for account, last_start in
    select account_id, max(started_at) from changed group by account_id order by account_id
  loop
    -- As in undo_call_counts: not while calls are counted, and one that changes counts at a time.
    perform pg_advisory_xact_lock_shared(72642510, hashint8(account));
    perform pg_advisory_xact_lock(72642511, hashint8(account));
    delete from call_counts where account_id = account and until > '-infinity' and until <= last_start;
    -- A step of this size is never continued: the next count begins a row after it. An account that is being deleted
    -- takes its counts along.
    insert into call_counts (account_id, counted, until, calls, step)
    select account, removed.counted, '-infinity', count(*), 1000000000000
    from changed cross join lateral (
      select '*' as counted
      union all select '=' || changed.from_number
      union all select distinct '#' || key from unnest(call_search_keys(changed.account_id, changed.metadata)
        || caller_search_keys(changed.account_id, changed.first_name, changed.last_name, changed.email,
          changed.caller_number)) as key
        where key is not null
    ) as removed
    where changed.account_id = account and exists (select from accounts where accounts.id = account)
    group by removed.counted
    having exists (select from call_counts where account_id = account and call_counts.counted = removed.counted)
    on conflict (account_id, counted, until) do update set calls = call_counts.calls + excluded.calls;
  end loop;
  -- Under the locks: the job that adds keys to earlier calls may have been at these.
  delete from call_values using changed, unnest(call_search_keys(account_id, metadata)
    || caller_search_keys(account_id, first_name, last_name, email, caller_number)
    || destination_search_key(account_id, to_number)) as gone (key)
  where call_values.key = gone.key and call_values.started_at = changed.started_at and call_id = changed.id;
  return null;
end
$$;


create function note_removed_extension() returns trigger language plpgsql as $$
begin
  insert into removed_extensions (id, account_id)
  select old.id, old.account_id from accounts where accounts.id = old.account_id;
  return null;
end
$$;


create function refuse_call_change() returns trigger language plpgsql as $$
begin
  raise exception 'a call keeps its account, its start, where it is from, its caller and its metadata';
end
$$;


create function refuse_financial_change() returns trigger language plpgsql as $$
begin
  raise exception 'an active financial account keeps its tax id' using errcode = 'check_violation';
end
$$;


create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'what is in the ledger stays as it is';
end
$$;


create function refuse_low_balance() returns void language plpgsql as $$
begin
  raise exception 'the balance falls below its threshold' using errcode = 'RM001';
end
$$;


create function scalar_text(value jsonb) returns text language sql immutable as $$
  select case jsonb_typeof(value)
    when 'number' then trim_scale((value #>> '{}')::numeric)::text else value #>> '{}' end
$$;


create function undo_call_counts(account bigint, since timestamp with time zone) returns void language plpgsql as $$
declare
  counted_until timestamptz;
  figures_until timestamptz;
begin
  perform pg_advisory_xact_lock_shared(72642510, hashint8(account));
  select greatest(
    (select until from call_counts where account_id = account and counted = '*' order by until desc limit 1),
    (select until from call_figure_ends where account_id = account)) into counted_until;
  if counted_until > since then
    -- One at a time: two that delete the same rows would be a deadlock.
    perform pg_advisory_xact_lock(72642511, hashint8(account));
    delete from call_counts where account_id = account and until > since;
    update call_figure_ends set until = date_bin('1 hour', since, '2000-01-01Z')
    where account_id = account and until > date_bin('1 hour', since, '2000-01-01Z')
    returning until into figures_until;
    delete from call_figures where account_id = account and began_at >= figures_until;
  end if;
end
$$;

-- trigger profiles_of_accounts on accounts: announce_profiles()
-- trigger profiles_of_suspended_accounts on accounts: announce_profiles()
-- trigger audit_kept on audit: keep_audit()
-- trigger call_results_changed on call_results: note_changed_result()
-- trigger calls_added on calls: note_added_calls()
-- trigger calls_changed on calls: note_change()
-- trigger calls_keep on calls: refuse_call_change()
-- trigger calls_removed on calls: note_removed_calls()
-- trigger charges_changed on charges: note_change()
-- trigger extensions_changed on extensions: note_change()
-- trigger extensions_removed on extensions: note_removed_extension()
-- trigger profiles_of_extensions on extensions: announce_profiles()
-- trigger financial_accounts_keep on financial_accounts: refuse_financial_change()
-- trigger ledger_entries_keep on ledger_entries: refuse_ledger_change()
-- trigger profiles_of_numbers on numbers: announce_profiles()
-- trigger users_added on users: claim_extensions()
