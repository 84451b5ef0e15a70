/**
 * The module that owns each table. Another module asks the owner's service, or puts an SQL fragment of the owner into its
 * own statement (integrations/listening-sql.ts). A test holds this against the SQL in src.
 */
import type { Tables } from './tables.ts'

export const tableOwners: Record<keyof Tables, string> = {
  accounts: 'accounts',
  financial_accounts: 'accounts',
  api_requests: 'accounts',
  users: 'users',
  access_tokens: 'users',
  user_links: 'users',
  link_requests: 'users',
  second_factors: 'users',
  recovery_codes: 'users',
  attempts: 'users',
  login_addresses: 'users',
  audit: 'users',
  operator_log: 'users',
  operators: 'users',
  operator_recovery_codes: 'users',
  operator_sessions: 'users',
  incidents: 'status',
  numbers: 'numbers',
  contacts: 'contacts',
  contact_numbers: 'contacts',
  number_calls: 'numbers',
  extensions: 'extensions',
  removed_extensions: 'extensions',
  registrations: 'extensions',
  phone_setup_links: 'extensions',
  phone_addresses: 'extensions',
  voice_nodes: 'nodes',
  trunk_shares: 'voice',
  trunks: 'voice',
  sip_traces: 'voice',
  calls: 'calls',
  unclaimed_calls: 'calls',
  recording_peaks: 'recordings',
  call_results: 'calls',
  call_tags: 'calls',
  call_changes: 'calls',
  call_outcomes: 'calls',
  missed_call_marks: 'calls',
  call_counts: 'calls',
  call_figures: 'calls',
  call_figure_ends: 'calls',
  call_values: 'calls',
  caller_values: 'calls',
  caller_values_missing: 'calls',
  destination_ends_missing: 'calls',
  page_ends: 'calls',
  integrations: 'integrations',
  events: 'webhooks',
  deliveries: 'webhooks',
  charges: 'billing',
  charge_moves: 'billing',
  gateway_events: 'billing',
  balances: 'billing',
  ledger_entries: 'billing',
  reservations: 'billing',
  rates: 'billing',
  account_limits: 'limits',
  trial_grants: 'limits',
  called_countries: 'limits',
  account_alerts: 'limits',
  daily_files: 'exports',
  monthly_reports: 'reports',
  mails: 'mail',
  idempotency_keys: 'store',
  installation: 'store',
  key_holders: 'store',
  stored_keys: 'store',
  sandbox_customers: 'payments',
  sandbox_payments: 'payments',
  sandbox_events: 'payments',
}

type ForeignAccess = {
  table: keyof Tables
  /** A file or folder. */
  by: string
  writes?: true
  why: string
}

/** Statements that touch a table of another module all the same. */
export const foreignAccess: ForeignAccess[] = [
  {
    table: 'accounts',
    by: 'src/exports/daily-files-store.ts',
    why: 'the accounts whose files are due, in one statement with the positions of the files',
  },
  {
    table: 'accounts',
    by: 'src/reports/monthly-reports-store.ts',
    why: 'whether a report is due goes by the time zone of the account',
  },
  {
    table: 'accounts',
    by: 'src/users/tokens/callers-store.ts',
    why: 'the caller of every request is one statement: token, user, account',
  },
  {
    table: 'accounts',
    by: 'src/users/users-store.ts',
    why: 'login needs to know whether the account is active; users stands below accounts',
  },
  {
    table: 'accounts',
    by: 'src/users/audit/operator-log-store.ts',
    why: 'changes are listed for the operator by the domain of their account',
  },
  {
    table: 'accounts',
    by: 'src/extensions/',
    why: 'a SIP name is number@domain; every REGISTER and call joins the domain',
  },
  {
    table: 'accounts',
    by: 'src/numbers/numbers-store.ts',
    why: 'numbers are listed for the operator by the domain of their account',
  },
  {
    table: 'accounts',
    by: 'src/billing/tariff/rates-store.ts',
    why: 'rates are listed by the domain of their account',
  },
  {
    table: 'accounts',
    by: 'src/calls/list/counts/call-counts-store.ts',
    why: 'goes through all accounts in one statement',
  },
  {
    table: 'accounts',
    by: 'src/calls/statistics/statistics-store.ts',
    why: 'figures depend on the time zone of the account',
  },
  {
    table: 'accounts',
    by: 'src/webhooks/events-store.ts',
    why: 'the facts of an event are one statement, for every event of a call',
  },
  {
    table: 'users',
    by: 'src/accounts/accounts-store.ts',
    why: 'deletes unconfirmed accounts that hold an e-mail, in one statement',
  },
  {
    table: 'users',
    by: 'src/integrations/listening-sql.ts',
    why: 'the role of the owner decides what a webhook receives (D83)',
  },
  {
    table: 'users',
    by: 'src/extensions/',
    why: 'an extension belongs to a user (D148), who is copied into every call with the extension',
  },
  {
    table: 'voice_nodes',
    by: 'src/extensions/phones/registrations-store.ts',
    why: 'registrations are taken over from nodes at the same address, and searched for at living ones; extensions stands below nodes',
  },
  {
    table: 'reservations',
    by: 'src/calls/events/pricing-store.ts',
    why: 'compared with live calls in one snapshot, for ledger verify',
  },
  {
    table: 'number_calls',
    by: 'src/calls/events/pricing-store.ts',
    why: 'credit is reserved for these calls too, which ledger verify must know',
  },
  {
    table: 'calls',
    by: 'src/limits/watch/watch-store.ts',
    why: 'what is unusual is searched for in the calls themselves; limits stands below calls',
  },
  {
    table: 'accounts',
    by: 'src/limits/watch/watch-store.ts',
    why: 'whether it is night goes by the time zone of the account',
  },
  {
    table: 'voice_nodes',
    by: 'src/voice/trunks/trunk-shares-store.ts',
    why: 'a trunk is shared by the living nodes, in one statement',
  },
  {
    table: 'calls',
    by: 'src/recordings/recordings-store.ts',
    writes: true,
    why: 'the state of a recording is in the columns of its call',
  },
  {
    table: 'voice_nodes',
    by: 'src/recordings/recordings-store.ts',
    why: 'a recording is lost if the node that has it is gone, in one statement',
  },
  {
    table: 'calls',
    by: 'src/recordings/retention/',
    writes: true,
    why: 'old calls are removed together with their recordings (D253)',
  },
  {
    table: 'accounts',
    by: 'src/recordings/retention/',
    why: 'goes through all accounts in one statement',
  },
]
