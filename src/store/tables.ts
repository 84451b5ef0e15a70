/** The tables as the queries see them; `schema.sql` has every constraint and index. */
import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { AccountProof, AlertRule } from '../contract/accounts/account-limits.ts'
import type { CallVisibility } from '../contract/accounts/accounts.ts'
import type { AuditAction } from '../contract/accounts/audit-actions.ts'
import type { CodeCallOutcome, Proof } from '../contract/accounts/numbers.ts'
import type { LinkPurpose, RequestedPurpose, Role, Scope, TokenKind } from '../contract/accounts/users.ts'
import type { PressedKey, StoredQuality } from '../contract/calls/call-record.ts'
import type { CallStatus, CallType, RecordingState } from '../contract/calls/calls.ts'
import type { Cause } from '../contract/calls/causes.ts'
import type { ChargeStatus, PaymentMethod } from '../contract/money/charges.ts'
import type { EntryKind } from '../contract/money/credits.ts'
import type { FinancialStatus, PersonType } from '../contract/money/financial.ts'
import type { OperatorAction } from '../contract/operator-log.ts'
import type { Component, IncidentImpact, IncidentKind, IncidentState } from '../contract/status.ts'
import type { DeliveryState, EventSubject, EventType, Try } from '../contract/webhooks/events.ts'
import type { Health } from '../kit/outcomes.ts'
import type { Language } from '../kit/text/language.ts'
import type { Centavos, MinutePrice } from '../kit/text/money.ts'

/** A draining node takes no new work; a stopped one is gone. */
export type NodeState = 'active' | 'draining' | 'stopped'

/** A trunk as a voice node sees it; `used` are the channels of its own calls. */
export type NodeTrunk = { name: string; channels: number; used: number; problems: string[] }

/** Parts of the service that a process tries now and then; those without a recent attempt are absent. */
export type NodeParts = Partial<Record<'payments' | 'recordings' | 'webhooks', Health>>

type StoredIncidentUpdate = { at: string; state: IncidentState; text: string; textEn: string | null }

export type Tables = {
  accounts: {
    id: GeneratedAlways<number>
    uuid: string
    domain: string
    name: string
    email: string
    phone: string
    crm: string
    user_quantity: string
    time_zone: string
    language: Generated<Language>
    recording_days: number | null
    recordings_swept_until: Date | null
    default_caller_number: string | null
    call_visibility: Generated<CallVisibility>
    activated_at: Date | null
    suspended_at: Date | null
    suspension_reason: string | null
    created_at: Date
    updated_at: Date
  }
  users: {
    id: GeneratedAlways<number>
    uuid: string
    account_id: number
    name: string
    email: string
    phone: string
    role: Role
    password_hash: string | null
    email_verified: boolean
    pending_email: string | null
    created_at: Date
    updated_at: Date
    last_login_at: Date | null
  }
  access_tokens: {
    hash: Buffer
    ref: string
    user_id: number
    last_four: string
    ttl: number
    created_at: Date
    expires_at: Date | null
    last_used_at: Date | null
    name: string | null
    last_used_address: string | null
    scopes: Scope[] | null
    addresses: string[] | null
    from_login: Generated<boolean>
    kind: Generated<TokenKind>
    user_agent: string | null
    look_in_reason: string | null
  }
  extensions: {
    id: GeneratedAlways<number>
    account_id: number
    number: string
    password: Buffer
    caller_id: string | null
    caller_number: string | null
    first_name: string
    last_name: string
    email: string
    user_id: number | null
    record_calls: boolean
    do_not_disturb: Generated<boolean>
    created_at: Date
    updated_at: Date
    /** D575: set by the database. */
    changed_at: GeneratedAlways<Date>
  }
  removed_extensions: {
    id: number
    account_id: number
    changed_at: GeneratedAlways<Date>
  }
  numbers: {
    id: GeneratedAlways<number>
    account_id: number
    number: string
    proof: Proof | null
    verified_at: Date | null
    created_at: Date
  }
  number_calls: {
    id: string
    account_id: number
    number: string
    started_at: Date
    ended_at: Date | null
    outcome: CodeCallOutcome | null
  }
  registrations: {
    extension_id: number
    node: string
    registered_at: Date
    expires_at: Date
    user_agent: string | null
    way: string
    renewed_at: Generated<Date>
  }
  voice_nodes: {
    id: string
    address: string | null
    roles: Generated<string[]>
    state: Generated<NodeState>
    started_at: Date
    lease_until: Date
    host: string | null
    version: string | null
    calls: Generated<number>
    phones: Generated<number>
    clock_offset_ms: number | null
    drain_requested_at: Date | null
    takes_calls: Generated<boolean>
    trunks: JSONColumnType<NodeTrunk[], string | undefined>
    phone_addresses: JSONColumnType<Record<string, string>, string | undefined>
    parts: JSONColumnType<NodeParts, string | undefined>
  }
  trunk_shares: {
    node: string
    trunk: string
    channels_used: number
    channels: number
    rate_used: number
    rate: number
  }
  unclaimed_calls: {
    call_id: string
    node: string
    origin: string
    claim_until: Date
    command: JSONColumnType<Record<string, unknown>>
  }
  calls: {
    id: string
    account_id: number
    dialer_id: string | null
    user_id: number | null
    user_uuid: string | null
    extension_id: number | null
    extension_user_uuid: string | null
    allows_duplicate: boolean | null
    domain: string
    call_type: CallType
    status: CallStatus
    from_number: string
    to_number: string
    caller_number: string | null
    first_name: string
    last_name: string
    email: string
    record: boolean
    started_at: Date
    ringing_at: Date | null
    connecting_at: Date | null
    answered_at: Date | null
    ended_at: Date | null
    duration: number
    hangup_cause: Cause | null
    ended_by: 'extension' | 'destination' | 'service' | null
    minute_price: MinutePrice | null
    call_price: Centavos | null
    pricing: JSONColumnType<Record<string, unknown>> | null
    /** For searching. */
    metadata: JSONColumnType<Record<string, unknown>>
    /** JSON as it was sent; null means that of `metadata`. */
    link_version: Generated<number>
    metadata_sent: string | null
    node: string
    /** Last proof of life in the time of the call, which its duration is counted by. */
    alive_at: Date
    /** The same in the time of the database, by which other processes judge. */
    stamped_at: Generated<Date>
    hangup_requested_at: Date | null
    recording: RecordingState | null
    recording_seconds: number | null
    recording_bytes: number | null
    keys: JSONColumnType<PressedKey[]> | null
    quality: JSONColumnType<StoredQuality> | null
    /** D282: the call that was transferred to this one, and since when the two are connected. */
    transfer_of: string | null
    transferred_at: Date | null
    /** D575: set by the database. */
    changed_at: GeneratedAlways<Date>
  }
  phone_setup_links: {
    extension_id: number
    hash: Buffer
    expires_at: Date
  }
  recording_peaks: {
    call_id: string
    frames: number
    extension: Buffer
    destination: Buffer
  }
  contacts: {
    id: string
    account_id: number
    name: string
    company: string
    search_text: string
    created_at: Date
    updated_at: Date
  }
  contact_numbers: {
    account_id: number
    number: string
    contact_id: string
    position: number
  }
  call_results: {
    call_id: string
    account_id: number
    started_at: Date
    outcome: string | null
    notes: string
    revision: number
  }
  call_tags: {
    call_id: string
    tag: string
    account_id: number
  }
  call_changes: {
    call_id: string
    revision: number
    at: Date
    user_uuid: string
    user_name: string
    outcome: string | null
    tags: string[]
    notes: string
  }
  missed_call_marks: {
    account_id: number
    number: string
    at: Date
    user_uuid: string
    user_name: string
  }
  call_outcomes: {
    account_id: number
    position: number
    key: string
    label: string
  }
  call_counts: {
    account_id: number
    counted: string
    until: Date
    calls: number
    step: number
  }
  call_figures: {
    account_id: number
    grouped_by: 'total' | 'extension' | 'user' | 'cause' | 'direction'
    began_at: Date
    name: string
    calls: number
    answered: number
    seconds: number
    cost: number
  }
  call_figure_ends: {
    account_id: number
    until: Date
    minutes: number
  }
  call_values: {
    key: string
    started_at: Date
    call_id: string
  }
  caller_values: {
    account_id: number
    field: string
    value: string
  }
  caller_values_missing: {
    account_id: number
    done: Date
    until: Date
  }
  destination_ends_missing: {
    account_id: number
    done: Date
    until: Date
  }
  page_ends: {
    token: string
    query: string
    page: number
    sort_key: (string | null)[]
    total: number
    at_least: Generated<boolean>
    until: Date
  }
  integrations: {
    id: GeneratedAlways<number>
    account_id: number
    user_id: number
    code: string
    webhook: boolean
    given_constraint: JSONColumnType<Record<string, unknown>> | null
    metadata: JSONColumnType<Record<string, unknown>>
    url: string | null
    url_login: Buffer | null
    version: string
    event_types: string[]
    conditions: JSONColumnType<Record<string, unknown>[]>
    secret: Buffer
    old_secret: Buffer | null
    old_secret_until: Date | null
    last_error: string | null
    last_error_at: Date | null
    created_at: Date
    updated_at: Date
  }
  events: {
    id: GeneratedAlways<number>
    account_id: number
    user_id: number | null
    /** The stream: a call or, of other events, an id whose events are delivered in order. */
    call_id: string
    sequence: number
    kind: EventType
    subject_kind: Generated<EventSubject>
    /** Null in events of calls that are older than the column. */
    subject_id: string | null
    payload: string
    created_at: Date
    position: number | null
  }
  deliveries: {
    integration_id: number
    event_id: number
    call_id: string
    sequence: number
    version: string
    state: DeliveryState
    reason: string | null
    next_at: Date | null
    due_since: Date
    attempts: number
    tries: JSONColumnType<Try[]>
    settled_at: Date | null
  }
  financial_accounts: {
    account_id: number
    status: FinancialStatus
    company: string | null
    name: string | null
    email: string | null
    phone: string | null
    mobile_phone: string | null
    person_type: PersonType | null
    tax_id: string | null
    address: string | null
    address_number: string | null
    address_complement: string | null
    address_province: string | null
    address_district: string | null
    address_city: string | null
    address_state: string | null
    address_country: string | null
    address_zip_code: string | null
    additional_emails: string | null
    gateway: string | null
    customer_id: string | null
    tell_at: Date | null
    tries: Generated<number>
    created_at: Date
    updated_at: Date
  }
  charges: {
    id: GeneratedAlways<number>
    reference: string
    account_id: number
    user_id: number
    gateway: string
    payment_method: PaymentMethod
    payment_id: string | null
    payment_code: string | null
    pix_code: string | null
    payment_link: string | null
    invoice_id: string | null
    invoice_link: string | null
    due_at: Date
    amount: Centavos
    fee: Centavos | null
    total: Centavos
    refunded: Generated<Centavos>
    description: string
    status: ChargeStatus
    status_at: Date
    created_at: Date
    paid_at: Date | null
    received_at: Date | null
    refunded_at: Date | null
    has_erp_invoice: Generated<boolean>
    metadata: JSONColumnType<Record<string, unknown>, string | undefined>
    look_at: Date | null
    /** D575: set by the database. */
    changed_at: GeneratedAlways<Date>
  }
  charge_moves: {
    id: GeneratedAlways<number>
    charge_id: number
    at: Date
    from_status: ChargeStatus | null
    to_status: ChargeStatus
    taken: boolean
    cause: string
  }
  gateway_events: {
    gateway: string
    event_id: string
    type: string
    payment_id: string
    payment: JSONColumnType<Record<string, unknown>>
    at: Date
    received_at: Date
    tries: Generated<number>
    due_at: Date | null
    outcome: string | null
  }
  balances: {
    account_id: number
    balance: Centavos
    reserved: Generated<Centavos>
    low_since: Date | null
    low_balance: Centavos | null
    day_began: Date | null
    day_calls: Generated<number>
    day_spent: Generated<Centavos>
  }
  account_limits: {
    account_id: number
    proven_by: AccountProof | null
    proven_at: Date | null
    calls_per_day: number | null
    spending_per_day: Centavos | null
    international: boolean | null
    ranges: Generated<string[]>
    calls_at_once: number | null
    calls_at_once_extension: number | null
  }
  trial_grants: {
    person: Buffer
    granted_at: Date
  }
  called_countries: {
    account_id: number
    country: string
    called_at: Date
  }
  account_alerts: {
    account_id: number
    rule: AlertRule
    raised_at: Date
  }
  ledger_entries: {
    id: GeneratedAlways<number>
    account_id: number
    at: Date
    kind: EntryKind
    amount: Centavos
    balance: Centavos
    reference: string
    description: string
  }
  reservations: {
    call_id: string
    account_id: number
    amount: Centavos
    seconds: number
    minute_price: MinutePrice
    first_block: number
    step: number
    grace: number
    prefix: string
    name: string
    made_at: Date
  }
  rates: {
    id: GeneratedAlways<number>
    account_id: number | null
    prefix: string
    name: string
    minute_price: MinutePrice
    first_block: number
    step: number
    grace: number
    valid_from: Date
    valid_until: Date | null
  }
  user_links: {
    hash: Buffer
    purpose: LinkPurpose
    user_id: number
    email: string
    token_ref: string | null
    created_at: Date
    expires_at: Date
  }
  second_factors: {
    user_id: number
    secret: Buffer
    created_at: Date
    enabled_at: Date | null
    last_step: Generated<number>
  }
  recovery_codes: {
    user_id: number
    hash: Buffer
  }
  link_requests: {
    id: GeneratedAlways<number>
    purpose: RequestedPurpose
    email: string
    requested_at: Date
  }
  attempts: {
    key: Buffer
    count: number
    ends_at: Date
  }
  phone_addresses: {
    extension_id: number
    blocks: string[]
  }
  login_addresses: {
    user_id: number
    block: string
    seen_at: Date
  }
  audit: {
    id: GeneratedAlways<number>
    account_id: number
    at: Date
    action: string
    actor: string | null
    subject: string | null
    details: JSONColumnType<Record<string, unknown>>
  }
  trunks: {
    name: string
    settings: Buffer | null
    is_on: boolean
    changed_at: Date
  }
  sip_traces: {
    call_id: string
    node: string
    stored_at: Date
    messages: Buffer
  }
  operator_log: {
    id: GeneratedAlways<number>
    at: Date
    action: OperatorAction | AuditAction
    subject: string | null
    reason: string | null
    details: JSONColumnType<Record<string, unknown>>
    operator: string | null
    account_id: number | null
  }
  operators: {
    id: GeneratedAlways<number>
    name: string
    email: string
    password_hash: string | null
    second_factor: Buffer | null
    last_step: Generated<number>
    new_factor: Buffer | null
    link_hash: Buffer | null
    link_expires_at: Date | null
    renews_factor: Generated<boolean>
    off_since: Date | null
    created_at: Date
    last_login_at: Date | null
  }
  operator_recovery_codes: {
    operator_id: number
    hash: Buffer
  }
  operator_sessions: {
    hash: Buffer
    operator_id: number
    created_at: Date
    expires_at: Date
  }
  incidents: {
    id: GeneratedAlways<number>
    kind: IncidentKind
    title: string
    title_en: string | null
    components: Component[]
    impact: IncidentImpact | null
    state: IncidentState
    starts_at: Date | null
    ends_at: Date | null
    opened_at: Date
    closed_at: Date | null
    updates: JSONColumnType<StoredIncidentUpdate[]>
  }
  daily_files: {
    account_id: number
    kind: string
    cursor: string | null
    written_on: Date | null
    claimed_until: Date
  }
  monthly_reports: {
    account_id: number
    /** First day of a month. */
    sent_for: Date
  }
  api_requests: {
    id: GeneratedAlways<number>
    account_id: number
    at: Date
    request_id: string
    method: string
    route: string
    status: number
    code: string | null
    duration_ms: number
    user_uuid: string
    user_email: string
    token_ref: string
    token_kind: TokenKind
    address: string
    call_id: string | null
  }
  mails: {
    id: GeneratedAlways<number>
    recipient: string
    subject: string
    body: Buffer | null
    created_at: Date
    attempts: number
    next_at: Date | null
    sent_at: Date | null
    last_error: string | null
  }
  idempotency_keys: {
    user_id: number
    route: string
    key: string
    fingerprint: Buffer
    attempt: number
    lease_until: Date
    created_at: Date
    status: number | null
    answer: Buffer | null
    begun_id: number | null
  }
  key_holders: {
    process: string
    keys: string[]
    seals_with: string
    seen_at: Date
  }
  stored_keys: {
    name: string
    key: Buffer
  }
  installation: {
    name: string
    value: string
  }
  sandbox_customers: {
    customer_id: string
    reference: string
    updated_at: Date
  }
  sandbox_payments: {
    id: GeneratedAlways<number>
    payment_id: string
    key: string
    reference: string
    payer_name: string | null
    method: string
    paid_with: string | null
    card_fate: string | null
    card_last_four: string | null
    due_date: string
    amount: Centavos
    description: string
    status: string
    status_at: Date
    next_status: string | null
    next_at: Date | null
    created_at: Date
  }
  sandbox_events: {
    id: GeneratedAlways<number>
    event_id: string
    payment_id: string
    body: string
    created_at: Date
    attempts: Generated<number>
    next_at: Date | null
    taken_at: Date | null
    last_error: string | null
  }
}
