/** Written by `npm run api-types` from the description of the API. Not to be edited: a test compares it. */
export type AccessToken = {
  id: string
  ttl: number
  created: string
  userId: string
  name?: string
  scopes?: ('calls:place' | 'calls:read' | 'contacts' | 'billing' | 'admin')[]
  addresses?: string[]
  user?: User
}
export type Account = {
  uuid: string
  domain: string
  name: string
  email: string
  phone: string
  createdAt: string
  updatedAt: string
}
export type AccountLimits = {
  proven: boolean
  provenBy: string | null
  provenAt: string | null
  dayBegan: string | null
  dayEnds: string | null
  callsPerDay: {
    limit: number
    used: number
    source: 'account' | 'new-account' | 'default'
  }
  spendingPerDay: {
    limit: number
    used: number
    source: 'account' | 'new-account' | 'default'
  }
  callsAtOnce: {
    extension: number
    account: number
    source: 'account' | 'new-account' | 'default'
  }
  integrations: {
    perUser: number
    perAccount: number
  }
  international: {
    enabled: boolean
    source: 'account' | 'new-account' | 'default'
  }
  ranges: {
    prefix: string
    name: string
    reason: string
    enabled: boolean
  }[]
}
export type AccountPatch = {
  name?: string
  email?: string
  phone?: string
}
export type AccountSettings = {
  timeZone: string
  language: 'pt' | 'en'
  recordingDays: number
  bina: string | null
  lowBalance: number
  callVisibility: 'account' | 'own'
  monthlyReport: boolean
}
export type AccountSettingsPatch = {
  timeZone?: string
  language?: 'pt' | 'en'
  recordingDays?: number | null
  bina?: string | null
  lowBalance?: number | null
  callVisibility?: 'account' | 'own'
  monthlyReport?: boolean
}
export type AlertEvent = {
  version: string
  eventType: string
  id: string
  domain: string
  rule: 'calls-per-day' | 'spending-per-day' | 'calls-at-once' | 'destination' | 'velocity' | 'night' | 'new-country'
  message: string
  details: Record<string, unknown>
  at: string
  metadata: Record<string, unknown>
  accountUuid: string
  sequence: number
  timezone: string
}
export type AuditEntry = {
  id: number
  at: string
  action: string
  actor: string | null
  subject: string | null
  details: Record<string, unknown>
}
export type Balance = {
  balance: number
  reserved: number
  available: number
  currency: 'BRL'
}
export type CallChange = {
  revision: number
  at: string
  user_uuid: string
  user_name: string
  outcome: string | null
  tags: string[]
  notes: string
}
export type CallDetail = {
  id: string
  domain: string
  call_type: 'outbound' | 'inbound' | 'internal'
  status: 'queued' | 'ringing' | 'answered' | 'completed' | 'busy' | 'no_answer' | 'failed' | 'cancelled'
  started_at: string
  answered_at: string | null
  ended_at: string | null
  from: string
  to: string
  duration: number
  hangup_cause: string | null
  record_url: string
  email: string
  first_name: string
  last_name: string
  BINA: string | null
  user_uuid: string | null
  extension_user_uuid: string | null
  minute_price: number | null
  call_price: number | null
  metadata: Record<string, unknown>
  ended_by: 'extension' | 'destination' | 'service' | null
  transferred_from: string | null
  transfers: {
    id: string
    to: string
    at: string
  }[]
  recording_lost: boolean
  quality: {
    extension: {
      packets: number
      loss: number
      dropped?: number
      jitter: number
      roundTrip: number | null
      rFactor: number
    } | null
    destination: {
      packets: number
      loss: number
      dropped?: number
      jitter: number
      roundTrip: number | null
      rFactor: number
    } | null
  } | null
  keys: {
    at: string
    from: 'extension' | 'destination' | 'api'
    to: 'extension' | 'destination'
    key: string
  }[]
  outcome: string | null
  tags: string[]
  notes: string
}
export type CallEvent = {
  version: string
  eventType: string
  id: string
  domain: string
  direction: 'outbound' | 'inbound'
  caller: string
  called: string
  startedAt: string
  answeredAt: string
  metadata: Record<string, unknown>
  accountUuid: string
  userUuid: string | null
  extensionUserUuid: string | null
  sequence: number
  timezone: string
}
export type CallPatch = {
  outcome?: string | null
  tags?: string[]
  notes?: string
}
export type CallRecord = {
  id: string
  domain: string
  call_type: 'outbound' | 'inbound' | 'internal'
  status: 'queued' | 'ringing' | 'answered' | 'completed' | 'busy' | 'no_answer' | 'failed' | 'cancelled'
  started_at: string
  answered_at: string | null
  ended_at: string | null
  from: string
  to: string
  duration: number
  hangup_cause: string | null
  record_url: string
  email: string
  first_name: string
  last_name: string
  BINA: string | null
  user_uuid: string | null
  extension_user_uuid: string | null
  minute_price: number | null
  call_price: number | null
  metadata: Record<string, unknown>
  ended_by: 'extension' | 'destination' | 'service' | null
}
export type CallStats = {
  at: string
  group?: string | null
  calls: number
  answered: number
  seconds: number
  cost: number
}
export type CallTimeline = {
  events: {
    at: string
    type: 'created' | 'ringing' | 'extension-answered' | 'transfer-received' | 'answered' | 'key-pressed' | 'transferred' | 'ended'
    by?: 'extension' | 'destination' | 'service' | 'api'
    to?: string
    key?: string
    callId?: string
    cause?: string
  }[]
  price: {
    rate: string
    prefix: string
    minutePrice: number
    seconds: number
    billedSeconds: number
    firstBlock: number
    step: number
    grace: number
    forgiven: number
    price: number
  } | null
  deliveries?: {
    integrationId: number
    gateway: string
    delivery: Delivery
    tries: {
      at: string
      ms: number
      status: number | null
      error: string | null
      response: string
    }[]
  }[]
}
export type CallUpdates = {
  data: ListedCall[]
  cursor: string
  more: boolean
}
export type ChangedPassword = {
  oldPassword: string
  newPassword: string
  code?: string
}
export type Charge = {
  id: number
  userId: number
  organizationId: number
  gateway: string
  type: 'CREDIT'
  paymentMethod: 'UNDEFINED' | 'CREDIT_CARD' | 'DEBIT_CARD' | 'BOLETO' | 'PIX'
  paymentId: string
  paymentLink: string
  pixCode: string | null
  dueDate: string
  amount: number
  totalAmount: number
  description: string
  status: 'PENDING' | 'AWAITING_RISK_ANALYSIS' | 'AUTHORIZED' | 'CONFIRMED' | 'RECEIVED' | 'OVERDUE' | 'REFUND_REQUESTED' | 'REFUND_IN_PROGRESS' | 'REFUNDED' | 'CHARGEBACK_REQUESTED' | 'CHARGEBACK_DISPUTE' | 'AWAITING_CHARGEBACK_REVERSAL' | 'CANCELLED'
  statusUpdatedAt: string
  createdAt: string
  metadata: Record<string, unknown>
  paymentCode: string | null
  invoiceId: string | null
  invoiceLink: string | null
  taxAmount: number | null
  paidAt: string | null
  refundedAt: string | null
  receivedAt: string | null
  hasErpInvoice: boolean
}
export type ChargeEvent = {
  version: string
  eventType: string
  id: string
  domain: string
  chargeId: number
  amount: number
  totalAmount: number
  paymentMethod: 'UNDEFINED' | 'CREDIT_CARD' | 'DEBIT_CARD' | 'BOLETO' | 'PIX'
  paidAt: string | null
  refundedAt: string | null
  refundedAmount: number
  balance: number
  currency: 'BRL'
  at: string
  metadata: Record<string, unknown>
  accountUuid: string
  sequence: number
  timezone: string
}
export type ChargeUpdates = {
  data: Charge[]
  cursor: string
  more: boolean
}
export type Contact = {
  id: string
  name: string
  company: string
  numbers: string[]
  createdAt: string
  updatedAt: string
}
export type ContactImport = {
  csv: string
  preview?: boolean
}
export type ContactImportResult = {
  preview: boolean
  created: number
  updated: number
  same: number
  refused: number
  lines: {
    line: number
    action: 'create' | 'update' | 'same' | 'refuse'
    name: string
    company: string
    numbers: string[]
    problem?: 'no-name' | 'name-too-long' | 'no-number' | 'too-many-numbers' | 'invalid-number' | 'repeated-number' | 'numbers-of-two-contacts'
    value?: string
  }[]
}
export type ContactPatch = {
  name?: string
  company?: string
  numbers?: string[]
}
export type CreatedCharge = {
  id: number
  userId: number
  organizationId: number
  gateway: string
  type: 'CREDIT'
  paymentMethod: 'UNDEFINED' | 'CREDIT_CARD' | 'DEBIT_CARD' | 'BOLETO' | 'PIX'
  paymentId: string
  paymentLink: string
  pixCode: string | null
  dueDate: string
  amount: number
  totalAmount: number
  description: string
  status: 'PENDING' | 'AWAITING_RISK_ANALYSIS' | 'AUTHORIZED' | 'CONFIRMED' | 'RECEIVED' | 'OVERDUE' | 'REFUND_REQUESTED' | 'REFUND_IN_PROGRESS' | 'REFUNDED' | 'CHARGEBACK_REQUESTED' | 'CHARGEBACK_DISPUTE' | 'AWAITING_CHARGEBACK_REVERSAL' | 'CANCELLED'
  statusUpdatedAt: string
  createdAt: string
  metadata: Record<string, unknown>
}
export type CreatedUser = {
  name: string
  email: string
  phone: string
  role: 'ADMIN' | 'USER'
  uuid: string
  emailVerified: boolean
  createdAt: string
  invited?: true
}
export type Credentials = {
  currentPassword?: string
  code?: string
}
export type Delivery = {
  id: number
  event: 'channel-answer' | 'channel-hangup' | 'channel-create' | 'channel-ringing' | 'channel-transfer' | 'recording-ready' | 'recording-lost' | 'call-updated' | 'account-low-balance' | 'account-alert' | 'charge-paid' | 'charge-refunded' | 'test'
  callId: string
  subject: 'call' | 'result' | 'account' | 'charge' | 'test'
  subjectId: string
  sequence: number
  status: 'pending' | 'delivered' | 'dead' | 'skipped'
  reason: string | null
  attempts: number
  lastStatus: number | null
  lastError: string | null
  lastAttemptAt: string | null
  nextAttemptAt: string | null
  createdAt: string
  settledAt: string | null
}
export type DeliveryDetail = {
  id: number
  event: 'channel-answer' | 'channel-hangup' | 'channel-create' | 'channel-ringing' | 'channel-transfer' | 'recording-ready' | 'recording-lost' | 'call-updated' | 'account-low-balance' | 'account-alert' | 'charge-paid' | 'charge-refunded' | 'test'
  callId: string
  subject: 'call' | 'result' | 'account' | 'charge' | 'test'
  subjectId: string
  sequence: number
  status: 'pending' | 'delivered' | 'dead' | 'skipped'
  reason: string | null
  attempts: number
  lastStatus: number | null
  lastError: string | null
  lastAttemptAt: string | null
  nextAttemptAt: string | null
  createdAt: string
  settledAt: string | null
  tries: {
    at: string
    ms: number
    status: number | null
    error: string | null
    response: string
  }[]
  payload: Record<string, unknown>
}
export type DeliveryStats = {
  from: string
  to: string
  seconds: number
  data: {
    since: string
    delivered: number
    dead: number
    pending: number
    skipped: number
    medianMs: number | null
    p95Ms: number | null
  }[]
}
export type DoNotDisturb = {
  do_not_disturb: boolean
}
export type Done = {
  message: string
  localizedMessage?: string
}
export type EmailOnly = {
  email: string
}
export type EndedCallEvent = {
  version: string
  eventType: string
  id: string
  domain: string
  direction: 'outbound' | 'inbound'
  caller: string
  called: string
  startedAt: string
  answeredAt: string
  endedAt: string
  duration: number
  hangupCause: string
  hangupCauseCode: string
  recordUrl: string
  status: 'queued' | 'ringing' | 'answered' | 'completed' | 'busy' | 'no_answer' | 'failed' | 'cancelled'
  endedBy: 'extension' | 'destination' | 'service' | null
  minutePrice: number | null
  callPrice: number | null
  quality?: {
    extension: {
      packets: number
      loss: number
      dropped?: number
      jitter: number
      roundTrip: number | null
      rFactor: number
    } | null
    destination: {
      packets: number
      loss: number
      dropped?: number
      jitter: number
      roundTrip: number | null
      rFactor: number
    } | null
  }
  metadata: Record<string, unknown>
  accountUuid: string
  userUuid: string | null
  extensionUserUuid: string | null
  sequence: number
  timezone: string
}
export type Error = {
  error: {
    statusCode: number
    name: string
    message: string
    localizedMessage?: string
    code: 'INVALID_PARAMETER_VALUE' | 'MISSING_REQUIRED_PARAMETER' | 'MALFORMED_BODY' | 'MALFORMED_REQUEST' | 'USERNAME_EMAIL_REQUIRED' | 'AUTHORIZATION_REQUIRED' | 'INVALID_TOKEN' | 'RATE_NOT_FOUND' | 'FOREIGN_ORIGIN' | 'LOGIN_FAILED' | 'LOGIN_FAILED_EMAIL_NOT_VERIFIED' | 'SECOND_FACTOR_REQUIRED' | 'SECOND_FACTOR_FAILED' | 'INSUFFICIENT_CREDIT' | 'ACCESS_DENIED' | 'REAUTHENTICATION_REQUIRED' | 'ACCOUNT_SUSPENDED' | 'READ_ONLY_SESSION' | 'SCOPE_REQUIRED' | 'TOKEN_ADDRESS_REFUSED' | 'TOKEN_LIMITS_EXCEEDED' | 'RECORDING_LINK_INVALID' | 'ROUTE_NOT_FOUND' | 'USER_NOT_FOUND' | 'EXTENSION_NOT_FOUND' | 'NUMBER_NOT_FOUND' | 'CONTACT_NOT_FOUND' | 'CALL_NOT_FOUND' | 'CALL_ENDED' | 'CALL_NOT_ANSWERED' | 'CALL_NOT_TRANSFERABLE' | 'RECORDING_NOT_FOUND' | 'INTEGRATION_NOT_FOUND' | 'DELIVERY_NOT_FOUND' | 'CHARGE_NOT_FOUND' | 'PIX_CODE_NOT_FOUND' | 'TOKEN_NOT_FOUND' | 'SETUP_LINK_INVALID' | 'CONFIRMATION_INVALID' | 'PASSWORD_LINK_INVALID' | 'METHOD_NOT_ALLOWED' | 'FORMAT_UNAVAILABLE' | 'CALL_ALREADY_RINGING' | 'LAST_ADMIN' | 'INVITATION_ACCEPTED' | 'SECOND_FACTOR_ENABLED' | 'SECOND_FACTOR_NOT_ENABLED' | 'SECOND_FACTOR_NOT_BEGUN' | 'EXTENSION_NUMBERS_USED_UP' | 'NUMBER_TAKEN' | 'NUMBER_IN_USE' | 'NUMBER_LIMIT' | 'CONTACT_LIMIT' | 'INTEGRATION_LIMIT' | 'WEBHOOK_OFF' | 'CHARGE_OPEN' | 'CHARGE_NOT_CANCELLABLE' | 'FINANCIAL_LOCKED' | 'IDEMPOTENCY_KEY_IN_USE' | 'BODY_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'RANGE_NOT_SATISFIABLE' | 'VALIDATION_FAILED' | 'INVALID_PASSWORD' | 'INVALID_CODE' | 'DESTINATION_NOT_ALLOWED' | 'EXTENSION_UNKNOWN' | 'EXTENSION_NOT_REGISTERED' | 'EXTENSION_DO_NOT_DISTURB' | 'INTEGRATION_EXISTS' | 'IDEMPOTENCY_KEY_REUSED' | 'FINANCIAL_ACCOUNT_REQUIRED' | 'SEARCH_TOO_EXPENSIVE' | 'PAYMENT_REFUSED' | 'CALL_FAILED' | 'RATE_LIMITED' | 'DAILY_CALL_LIMIT' | 'DAILY_SPENDING_LIMIT' | 'TOO_MANY_CALLS' | 'TOO_MANY_VERIFICATIONS' | 'EXPORT_RUNNING' | 'INTERNAL_ERROR' | 'SEARCHES_BUSY' | 'PAYMENT_GATEWAY_DOWN' | 'SERVICE_UNAVAILABLE'
    errorCode: string
    details?: {
      context: string
      codes: Record<string, unknown>
      messages: Record<string, unknown>
      localizedMessages?: Record<string, unknown>
    } | {
      callId: string
    }
  }
}
export type EventLogPage = {
  data: LoggedEvent[]
  next?: string
}
export type EventPage = {
  data: {
    cursor: string
    eventType: 'channel-answer' | 'channel-hangup' | 'channel-create' | 'channel-ringing' | 'channel-transfer' | 'recording-ready' | 'recording-lost' | 'call-updated' | 'account-low-balance' | 'account-alert' | 'charge-paid' | 'charge-refunded'
    id: string
  }[]
  cursor: string
  more: boolean
}
export type EventReplay = {
  cursors?: string[]
  since?: string
  until?: string
  after?: string
}
export type EventTypeInfo = {
  type: string
  subject: 'call' | 'result' | 'account' | 'charge'
  optional: boolean
  audience: 'user' | 'admins'
  about: string
  example: Record<string, unknown>
}
export type Extension = {
  id: number
  domain: string
  ramal: string
  senha: string | null
  bina: string | null
  bina_verified: boolean
  first_name: string
  last_name: string
  email_address: string
  user_uuid: string | null
  gravar_audio: 0 | 1
  registered: boolean
  registered_at: string | null
  user_agent: string | null
}
export type ExtensionPatch = {
  id?: number | string | null
  ramal?: string
  senha?: string
  bina?: string | null
  first_name?: string
  last_name?: string
  email_address?: string
  gravar_audio?: 0 | 1 | true | false
}
export type ExtensionPresence = {
  id: number
  ramal: string
  first_name: string
  last_name: string
  presence: 'free' | 'ringing' | 'in-call' | 'do-not-disturb' | 'offline'
  do_not_disturb: boolean
}
export type ExtensionUpdates = {
  data: Extension[]
  removed: number[]
  cursor: string
  more: boolean
}
export type FinancialAccount = {
  status: 'PENDING' | 'ACTIVE' | 'REJECTED'
  company: string | null
  name: string | null
  email: string | null
  phone: string | null
  mobilePhone: string | null
  personType: 'FISICA' | 'JURIDICA' | null
  cpfCnpj: string | null
  address: string | null
  addressNumber: string | null
  addressComplement: string | null
  addressProvince: string | null
  addressDistrict: string | null
  addressCity: string | null
  addressState: string | null
  addressCountry: string | null
  addressZipCode: string | null
  additionalEmails: string | null
}
export type FinancialActivation = {
  cpfCnpj: string
}
export type FinancialPatch = {
  email?: string | null
  phone?: string | null
  mobilePhone?: string | null
  additionalEmails?: string | null
  address?: string | null
  addressNumber?: string | null
  addressComplement?: string | null
  addressProvince?: string | null
  addressDistrict?: string | null
  addressCity?: string | null
  addressState?: string | null
  addressCountry?: string | null
  addressZipCode?: string | null
  cpfCnpj?: string | null
}
export type Hangup = {
  id: string
}
export type IceServers = {
  iceServers: {
    urls: string[]
    username?: string
    credential?: string
  }[]
  ttl: number
}
export type Incident = {
  id: number
  kind: 'incident' | 'maintenance'
  title: string
  components: ('api' | 'calls' | 'carriers' | 'recordings' | 'webhooks' | 'payments')[]
  state: 'investigating' | 'identified' | 'monitoring' | 'resolved' | 'planned' | 'in-progress' | 'done'
  impact?: 'degraded' | 'outage'
  startsAt?: string
  endsAt?: string
  openedAt: string
  closedAt?: string
  updates: {
    at: string
    state: 'investigating' | 'identified' | 'monitoring' | 'resolved' | 'planned' | 'in-progress' | 'done'
    text: string
  }[]
}
export type Integration = {
  id: number
  gateway: string
  webhook: boolean
  webhookConstraint: Record<string, unknown> | null
  metadata: Record<string, unknown>
  secret: string
  previousSecretUntil: string | null
  lastError: string | null
  lastErrorAt: string | null
  createdAt: string
  updatedAt: string
}
export type IntegrationPatch = {
  id?: number | string | null
  gateway?: string
  webhook?: boolean
  webhookConstraint?: Record<string, unknown> | null
  metadata?: Record<string, unknown>
}
export type Invitation = {
  uuid: string
}
export type ListedCall = {
  id: string
  domain: string
  call_type: 'outbound' | 'inbound' | 'internal'
  status: 'queued' | 'ringing' | 'answered' | 'completed' | 'busy' | 'no_answer' | 'failed' | 'cancelled'
  started_at: string
  answered_at: string | null
  ended_at: string | null
  from: string
  to: string
  duration: number
  hangup_cause: string | null
  record_url: string
  email: string
  first_name: string
  last_name: string
  BINA: string | null
  user_uuid: string | null
  extension_user_uuid: string | null
  minute_price: number | null
  call_price: number | null
  metadata: Record<string, unknown>
  ended_by: 'extension' | 'destination' | 'service' | null
  recording_lost?: boolean
  outcome?: string | null
  tags?: string[]
  notes?: string
}
export type ListedToken = {
  ref: string
  name: string | null
  lastFour: string
  ttl: number
  created: string
  expires: string | null
  lastUsed: string | null
  lastUsedAddress: string | null
  scopes: ('calls:place' | 'calls:read' | 'contacts' | 'billing' | 'admin')[] | null
  addresses: string[] | null
  kind: 'token' | 'session'
  userAgent: string | null
  fromLogin: boolean
  current: boolean
}
export type LoggedEvent = {
  cursor: string
  event: 'channel-answer' | 'channel-hangup' | 'channel-create' | 'channel-ringing' | 'channel-transfer' | 'recording-ready' | 'recording-lost' | 'call-updated' | 'account-low-balance' | 'account-alert' | 'charge-paid' | 'charge-refunded'
  subject: 'call' | 'result' | 'account' | 'charge' | 'test'
  subjectId: string
  createdAt: string
  deliveries: {
    integrationId: number
    gateway: string
    status: 'pending' | 'delivered' | 'dead' | 'skipped'
  }[]
  payload: Record<string, unknown>
}
export type Login = {
  email: string
  password: string
  ttl?: number
  code?: string
}
export type LowBalanceEvent = {
  version: string
  eventType: string
  id: string
  domain: string
  balance: number
  currency: 'BRL'
  at: string
  metadata: Record<string, unknown>
  accountUuid: string
  sequence: number
  timezone: string
}
export type MissedCall = {
  number: string
  calls: number
  first_at: string
  last_at: string
  last_call_id: string
  extension: string
  done: {
    how: 'called_back' | 'answered' | 'marked'
    at: string
    name: string
    user_uuid: string | null
    call_id: string | null
    answered: boolean | null
  } | null
}
export type MissedCallPatch = {
  number: string
  done: boolean
}
export type MissedCalls = {
  open: number
  openIsLowerBound?: true
  data: MissedCall[]
}
export type NewAccessToken = {
  ttl?: number
  name?: string
  scopes?: ('calls:place' | 'calls:read' | 'contacts' | 'billing' | 'admin')[]
  addresses?: string[]
  currentPassword?: string
  code?: string
}
export type NewCall = {
  caller?: string
  called: string
  extension: string
  metadata?: Record<string, unknown>
}
export type NewCharge = {
  paymentMethod: 'UNDEFINED' | 'CREDIT_CARD' | 'DEBIT_CARD' | 'BOLETO' | 'PIX'
  dueDate: string
  amount: number
  description?: string
  metadata?: Record<string, unknown>
}
export type NewContact = {
  name: string
  company?: string
  numbers?: string[]
}
export type NewDial = {
  extension: string
  phone: string
  metadata?: Record<string, unknown>
}
export type NewExtension = {
  ramal: string
  senha: string
  bina?: string | null
  first_name: string
  last_name: string
  email_address: string
  gravar_audio?: 0 | 1 | true | false
}
export type NewKeys = {
  digits: string
  to?: 'destination' | 'extension'
}
export type NewPhoneNumber = {
  number: string
}
export type NewSession = {
  email: string
  password: string
  code?: string
  keep?: boolean
}
export type NewTransfer = {
  to: string
}
export type NewUser = {
  name: string
  email: string
  password?: string
  phone: string
  role: 'ADMIN' | 'USER'
}
export type NextExtension = {
  senha: string
  bina?: string | null
  first_name: string
  last_name: string
  email_address: string
  gravar_audio?: 0 | 1 | true | false
}
export type NumberVerification = {
  number: PhoneNumber
  code: string | null
  expiresAt: string | null
  message: string
  localizedMessage?: string
}
export type Outcome = {
  key: string
  label: string
}
export type Outcomes = {
  outcomes: Outcome[]
}
export type OutcomesChoice = {
  outcomes: Outcome[]
}
export type PageMeta = {
  totalItemCount: number
  totalPageCount: number
  totalIsLowerBound?: true
  itemsPerPage: number
  currentPage: number
  nextPage?: number
  previousPage?: number
  nextCursor?: string
}
export type PhoneCredential = {
  username: string
  password: string
  domain: string
  expires: string
}
export type PhoneNumber = {
  id: number
  number: string
  verified: boolean
  proof: 'operator' | 'call' | 'sandbox' | null
  verifiedAt: string | null
  lastCall: {
    startedAt: string
    endedAt: string | null
    outcome: 'verified' | 'wrong-code' | 'no-code' | 'not-answered' | 'taken' | 'lost' | null
  } | null
  createdAt: string
}
export type PhoneSetup = {
  domain: string
  username: string
  displayName: string
  servers: {
    transport: 'udp' | 'tcp' | 'tls' | 'ws' | 'wss'
    host: string
    port: number
    address: string
  }[]
  qrCodes: {
    app: 'grandstream'
    payload: string
    svg: string
  }[]
}
export type PlacedCall = {
  status: '200'
  message: string
  id: string
}
export type PlacedDial = {
  id: string
  message: string
  callId: string
}
export type RateOfCall = {
  to: string
  name: string
  prefix: string
  minute_price: number
  firstBlock: number
  step: number
  grace: number
  currency: 'BRL'
}
export type RecordingPeaks = {
  seconds: number
  extension: number[]
  destination: number[]
}
export type Recovery = {
  since: string
}
export type RecoveryCodes = {
  recoveryCodes: string[]
}
export type ReplayResult = {
  replayed: number
  cursor?: string
  more: boolean
}
export type RequestEntry = {
  id: number
  at: string
  requestId: string
  method: string
  route: string
  status: number
  code: string | null
  durationMs: number
  user: string
  userUuid: string
  tokenRef: string
  kind: 'token' | 'session'
  address: string
  callId: string | null
}
export type SecondFactor = {
  enabled: boolean
  enabledAt: string | null
  recoveryCodesLeft: number
}
export type SecondFactorCode = {
  code: string
}
export type SecondFactorSecret = {
  secret: string
  otpauthUri: string
}
export type ServiceStatus = {
  state: 'operational' | 'maintenance' | 'degraded' | 'outage'
  checkedAt: string
  components: {
    name: 'api' | 'calls' | 'carriers' | 'recordings' | 'webhooks' | 'payments'
    state: 'operational' | 'maintenance' | 'degraded' | 'outage'
  }[]
  incidents: Incident[]
  maintenance: Incident[]
  history: Incident[]
  writtenAt?: string
}
export type Session = {
  user: User
  account: {
    uuid: string
    domain: string
    name: string
    timeZone: string
    language: 'pt' | 'en'
    callVisibility: 'account' | 'own'
  }
  balance: Balance | null
  session: {
    ref: string
    keep: boolean
    expires: string
  } | null
  lookIn: {
    reason: string
    until: string
  } | null
  features: {
    gateway: string
    recordingDays: number
    webPhone: string | null
    sandboxCarrier: boolean
  }
  version: string
}
export type SetPassword = {
  token?: string
  newPassword: string
}
export type SetupLink = {
  app: 'linphone'
  url: string
  expires: string
  svg: string
}
export type SignedUp = {
  status: 201
  message: string
  localizedMessage?: string
}
export type Signup = {
  organization_name: string
  domain: string
  email: string
  password: string
  phone: string
  crm: string
  user_quantity: '1-5' | '6-10' | '11-20' | '21-50' | '50+'
}
export type StatementEntry = {
  id: number
  at: string
  kind: 'trial' | 'charge' | 'refund' | 'call' | 'adjustment'
  amount: number
  balance: number
  reference: string
  description: string
}
export type TransferEvent = {
  version: string
  eventType: string
  id: string
  domain: string
  direction: 'outbound' | 'inbound'
  caller: string
  called: string
  startedAt: string
  answeredAt: string
  transferId: string
  transferTo: string
  metadata: Record<string, unknown>
  accountUuid: string
  userUuid: string | null
  extensionUserUuid: string | null
  sequence: number
  timezone: string
}
export type TransferredCall = {
  status: '200'
  message: string
  id: string
  transferId: string
}
export type UpdatedCallEvent = {
  version: string
  eventType: string
  id: string
  domain: string
  direction: 'outbound' | 'inbound'
  caller: string
  called: string
  startedAt: string
  answeredAt: string
  endedAt: string
  duration: number
  hangupCause: string
  hangupCauseCode: string
  recordUrl: string
  status: 'queued' | 'ringing' | 'answered' | 'completed' | 'busy' | 'no_answer' | 'failed' | 'cancelled'
  endedBy: 'extension' | 'destination' | 'service' | null
  minutePrice: number | null
  callPrice: number | null
  outcome: string | null
  tags: string[]
  notes: string
  revision: number
  updatedBy: string
  metadata: Record<string, unknown>
  accountUuid: string
  userUuid: string | null
  extensionUserUuid: string | null
  sequence: number
  timezone: string
}
export type User = {
  uuid: string
  name: string
  email: string
  phone: string
  role: 'ADMIN' | 'USER'
  emailVerified: boolean
  createdAt: string
  updatedAt: string
  lastLoginAt: string | null
  pendingEmail?: string
  invited?: true
}
export type UserPatch = {
  uuid?: string
  email?: string
  name?: string
  phone?: string
  emailVerified?: boolean
  role?: 'ADMIN' | 'USER'
  currentPassword?: string
  code?: string
}

export type paths = {
  '/accounts/signup': {
    post: {
      parameters: {  }
      requestBody: { content: { 'application/json': Signup } }
      responses: { 201: { content: { 'application/json': SignedUp } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/accounts/confirm': {
    get: {
      parameters: { query: { token: string } }
      responses: { 200: { content: { 'text/html': string } }; default: { content: { 'application/json': Error } } }
    }
    post: {
      parameters: { query: { token: string } }
      responses: { 200: { content: { 'text/html': string } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/accounts': {
    get: {
      parameters: {  }
      responses: { 200: { content: { 'application/json': Account } }; default: { content: { 'application/json': Error } } }
    }
    patch: {
      parameters: {  }
      requestBody: { content: { 'application/json': AccountPatch } }
      responses: { 200: { content: { 'application/json': Account } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/accounts/audit': {
    get: {
      parameters: { query?: { page?: number; cursor?: string; filter?: string; format?: string } }
      responses: { 200: { content: { 'application/json': {
              data: AuditEntry[]
              meta: PageMeta
            } } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/accounts/settings': {
    get: {
      parameters: {  }
      responses: { 200: { content: { 'application/json': AccountSettings } }; default: { content: { 'application/json': Error } } }
    }
    patch: {
      parameters: {  }
      requestBody: { content: { 'application/json': AccountSettingsPatch } }
      responses: { 200: { content: { 'application/json': AccountSettings } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/accounts/limits': {
    get: {
      parameters: {  }
      responses: { 200: { content: { 'application/json': AccountLimits } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/requests': {
    get: {
      parameters: { query?: { page?: number; cursor?: string; filter?: string } }
      responses: { 200: { content: { 'application/json': {
              data: RequestEntry[]
              meta: PageMeta
            } } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/users': {
    get: {
      parameters: { query?: { filter?: string } }
      responses: { 200: { content: { 'application/json': User[] } }; default: { content: { 'application/json': Error } } }
    }
    post: {
      parameters: {  }
      requestBody: { content: { 'application/json': NewUser } }
      responses: { 200: { content: { 'application/json': CreatedUser } }; default: { content: { 'application/json': Error } } }
    }
    patch: {
      parameters: {  }
      requestBody: { content: { 'application/json': UserPatch } }
      responses: { 200: { content: { 'application/json': User } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/users/me': {
    get: {
      parameters: {  }
      responses: { 200: { content: { 'application/json': User } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/users/{uuid}': {
    get: {
      parameters: { path: { uuid: string } }
      responses: { 200: { content: { 'application/json': User } }; default: { content: { 'application/json': Error } } }
    }
    delete: {
      parameters: { path: { uuid: string }; query?: { keepSenha?: string } }
      responses: { 200: { content: { 'application/json': User } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/users/invitations': {
    post: {
      parameters: {  }
      requestBody: { content: { 'application/json': Invitation } }
      responses: { 200: { content: { 'application/json': User } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/users/change-password': {
    post: {
      parameters: {  }
      requestBody: { content: { 'application/json': ChangedPassword } }
      responses: { 200: { content: { 'application/json': Done } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/users/reset': {
    post: {
      parameters: {  }
      requestBody: { content: { 'application/json': EmailOnly } }
      responses: { 200: { content: { 'application/json': Done } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/users/resend-confirmation': {
    post: {
      parameters: {  }
      requestBody: { content: { 'application/json': EmailOnly } }
      responses: { 200: { content: { 'application/json': Done } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/users/set-password': {
    get: {
      parameters: { query: { token: string } }
      responses: { 200: { content: { 'text/html': string } }; default: { content: { 'application/json': Error } } }
    }
    post: {
      parameters: { query?: { token?: string } }
      requestBody: { content: { 'application/json': SetPassword } }
      responses: { 200: { content: { 'application/json': Done } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/users/me/second-factor': {
    get: {
      parameters: {  }
      responses: { 200: { content: { 'application/json': SecondFactor } }; default: { content: { 'application/json': Error } } }
    }
    post: {
      parameters: {  }
      requestBody?: { content: { 'application/json': Credentials } }
      responses: { 200: { content: { 'application/json': SecondFactorSecret } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/users/me/second-factor/enable': {
    post: {
      parameters: {  }
      requestBody: { content: { 'application/json': SecondFactorCode } }
      responses: { 200: { content: { 'application/json': RecoveryCodes } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/users/me/second-factor/recovery-codes': {
    post: {
      parameters: {  }
      requestBody?: { content: { 'application/json': Credentials } }
      responses: { 200: { content: { 'application/json': RecoveryCodes } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/users/me/second-factor/disable': {
    post: {
      parameters: {  }
      requestBody?: { content: { 'application/json': Credentials } }
      responses: { 200: { content: { 'application/json': SecondFactor } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/users/login': {
    post: {
      parameters: { query?: { include?: string } }
      requestBody: { content: { 'application/json': Login } }
      responses: { 200: { content: { 'application/json': AccessToken } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/users/logout': {
    post: {
      parameters: {  }
      responses: { 204: { content: { [type: string]: never } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/users/accessTokens': {
    post: {
      parameters: {  }
      requestBody?: { content: { 'application/json': NewAccessToken } }
      responses: { 200: { content: { 'application/json': AccessToken } }; default: { content: { 'application/json': Error } } }
    }
    head: {
      parameters: {  }
      responses: { 200: { content: { [type: string]: never } }; default: { content: { 'application/json': Error } } }
    }
    get: {
      parameters: { query?: { user?: string } }
      responses: { 200: { content: { 'application/json': ListedToken[] } }; default: { content: { 'application/json': Error } } }
    }
    delete: {
      parameters: { query?: { user?: string } }
      responses: { 200: { content: { 'application/json': {
              revoked: number
            } } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/users/accessTokens/{ref}': {
    delete: {
      parameters: { path: { ref: string } }
      responses: { 200: { content: { 'application/json': {
              ref: string
            } } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/extensions': {
    get: {
      parameters: { query?: { filter?: string } }
      responses: { 200: { content: { 'application/json': Extension[] } }; default: { content: { 'application/json': Error } } }
    }
    post: {
      parameters: {  }
      requestBody: { content: { 'application/json': NewExtension } }
      responses: { 200: { content: { 'application/json': Extension } }; default: { content: { 'application/json': Error } } }
    }
    patch: {
      parameters: {  }
      requestBody: { content: { 'application/json': ExtensionPatch } }
      responses: { 200: { content: { 'application/json': Extension } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/extensions/presence': {
    get: {
      parameters: {  }
      responses: { 200: { content: { 'application/json': ExtensionPresence[] } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/extensions/{id}/do-not-disturb': {
    put: {
      parameters: { path: { id: string } }
      requestBody: { content: { 'application/json': DoNotDisturb } }
      responses: { 200: { content: { 'application/json': DoNotDisturb } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/extensions/{id}': {
    get: {
      parameters: { path: { id: string } }
      responses: { 200: { content: { 'application/json': Extension } }; default: { content: { 'application/json': Error } } }
    }
    delete: {
      parameters: { path: { id: string } }
      responses: { 200: { content: { 'application/json': {
              id: number
            } } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/extensions/{id}/phone-credential': {
    post: {
      parameters: { path: { id: string } }
      responses: { 200: { content: { 'application/json': PhoneCredential } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/extensions/next-available': {
    post: {
      parameters: {  }
      requestBody: { content: { 'application/json': NextExtension } }
      responses: { 200: { content: { 'application/json': Extension } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/contacts': {
    get: {
      parameters: { query?: { search?: string; page?: number; cursor?: string; filter?: string; format?: string } }
      responses: { 200: { content: { 'application/json': {
              data: Contact[]
              meta: PageMeta
            } } }; default: { content: { 'application/json': Error } } }
    }
    post: {
      parameters: {  }
      requestBody: { content: { 'application/json': NewContact } }
      responses: { 200: { content: { 'application/json': Contact } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/contacts/{id}': {
    get: {
      parameters: { path: { id: string } }
      responses: { 200: { content: { 'application/json': Contact } }; default: { content: { 'application/json': Error } } }
    }
    patch: {
      parameters: { path: { id: string } }
      requestBody: { content: { 'application/json': ContactPatch } }
      responses: { 200: { content: { 'application/json': Contact } }; default: { content: { 'application/json': Error } } }
    }
    delete: {
      parameters: { path: { id: string } }
      responses: { 200: { content: { 'application/json': {
              id: string
            } } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/contacts/import': {
    post: {
      parameters: {  }
      requestBody: { content: { 'application/json': ContactImport } }
      responses: { 200: { content: { 'application/json': ContactImportResult } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/integrations': {
    get: {
      parameters: { query?: { filter?: string } }
      responses: { 200: { content: { 'application/json': Integration[] } }; default: { content: { 'application/json': Error } } }
    }
    patch: {
      parameters: {  }
      requestBody: { content: { 'application/json': IntegrationPatch } }
      responses: { 200: { content: { 'application/json': Integration } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/integrations/{id}': {
    get: {
      parameters: { path: { id: string } }
      responses: { 200: { content: { 'application/json': Integration } }; default: { content: { 'application/json': Error } } }
    }
    delete: {
      parameters: { path: { id: string } }
      responses: { 200: { content: { 'application/json': {
              id: number
            } } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/integrations/{id}/rotate-secret': {
    post: {
      parameters: { path: { id: string } }
      responses: { 200: { content: { 'application/json': Integration } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/integrations/{id}/deliveries': {
    get: {
      parameters: { path: { id: string }; query?: { page?: number; cursor?: string; filter?: string; format?: string } }
      responses: { 200: { content: { 'application/json': {
              data: Delivery[]
              meta: PageMeta
            } } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/integrations/{id}/deliveries/{deliveryId}': {
    get: {
      parameters: { path: { id: string; deliveryId: string } }
      responses: { 200: { content: { 'application/json': DeliveryDetail } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/integrations/{id}/deliveries/{deliveryId}/redeliver': {
    post: {
      parameters: { path: { id: string; deliveryId: string } }
      responses: { 200: { content: { 'application/json': DeliveryDetail } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/integrations/{id}/recover': {
    post: {
      parameters: { path: { id: string } }
      requestBody: { content: { 'application/json': Recovery } }
      responses: { 200: { content: { 'application/json': {
              recovered: number
            } } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/integrations/{id}/test': {
    post: {
      parameters: { path: { id: string } }
      responses: { 200: { content: { 'application/json': DeliveryDetail } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/integrations/{id}/deliveries/stats': {
    get: {
      parameters: { path: { id: string }; query?: { days?: number } }
      responses: { 200: { content: { 'application/json': DeliveryStats } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/events': {
    get: {
      parameters: { query?: { after?: string; since?: string; limit?: string; format?: string } }
      responses: { 200: { content: { 'application/json': EventPage } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/events/types': {
    get: {
      parameters: {  }
      responses: { 200: { content: { 'application/json': EventTypeInfo[] } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/events/log': {
    get: {
      parameters: { query?: { before?: string; type?: string; callId?: string; limit?: string } }
      responses: { 200: { content: { 'application/json': EventLogPage } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/integrations/{id}/replay': {
    post: {
      parameters: { path: { id: string } }
      requestBody: { content: { 'application/json': EventReplay } }
      responses: { 200: { content: { 'application/json': ReplayResult } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/live': {
    get: {
      parameters: {  }
      responses: { 200: { content: { 'text/event-stream': string } }; default: { content: { 'application/json': Error } } }
    }
    head: {
      parameters: {  }
      responses: { 200: { content: { [type: string]: never } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/calls': {
    get: {
      parameters: { query?: { page?: number; cursor?: string; filter?: string; format?: string; sheet?: string } }
      responses: { 200: { content: { 'application/json': {
              data: ListedCall[]
              meta: PageMeta
            } } }; default: { content: { 'application/json': Error } } }
    }
    post: {
      parameters: {  }
      requestBody: { content: { 'application/json': NewCall } }
      responses: { 200: { content: { 'application/json': PlacedCall } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/calls/{id}': {
    get: {
      parameters: { path: { id: string } }
      responses: { 200: { content: { 'application/json': CallDetail } }; default: { content: { 'application/json': Error } } }
    }
    patch: {
      parameters: { path: { id: string } }
      requestBody: { content: { 'application/json': CallPatch } }
      responses: { 200: { content: { 'application/json': CallDetail } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/calls/{id}/recording': {
    get: {
      parameters: { path: { id: string }; query?: { expires?: string; version?: string; signature?: string; channels?: string; first?: string } }
      responses: { 200: { content: { 'audio/wav': string; 'audio/ogg': string; 'audio/mpeg': string } }; 206: { content: { 'audio/wav': string; 'audio/ogg': string; 'audio/mpeg': string } }; default: { content: { 'application/json': Error } } }
    }
    head: {
      parameters: { path: { id: string }; query?: { expires?: string; version?: string; signature?: string; channels?: string; first?: string } }
      responses: { 200: { content: { [type: string]: never } }; 206: { content: { [type: string]: never } }; default: { content: { 'application/json': Error } } }
    }
    delete: {
      parameters: { path: { id: string } }
      responses: { 200: { content: { 'application/json': CallRecord } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/calls/{id}/recording.wav': {
    get: {
      parameters: { path: { id: string }; query?: { expires?: string; version?: string; signature?: string; channels?: string; first?: string } }
      responses: { 200: { content: { 'audio/wav': string } }; 206: { content: { 'audio/wav': string } }; default: { content: { 'application/json': Error } } }
    }
    head: {
      parameters: { path: { id: string }; query?: { expires?: string; version?: string; signature?: string; channels?: string; first?: string } }
      responses: { 200: { content: { [type: string]: never } }; 206: { content: { [type: string]: never } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/calls/{id}/recording.ogg': {
    get: {
      parameters: { path: { id: string }; query?: { expires?: string; version?: string; signature?: string; channels?: string; first?: string } }
      responses: { 200: { content: { 'audio/ogg': string } }; 206: { content: { 'audio/ogg': string } }; default: { content: { 'application/json': Error } } }
    }
    head: {
      parameters: { path: { id: string }; query?: { expires?: string; version?: string; signature?: string; channels?: string; first?: string } }
      responses: { 200: { content: { [type: string]: never } }; 206: { content: { [type: string]: never } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/calls/{id}/recording.mp3': {
    get: {
      parameters: { path: { id: string }; query?: { expires?: string; version?: string; signature?: string; channels?: string; first?: string } }
      responses: { 200: { content: { 'audio/mpeg': string } }; 206: { content: { 'audio/mpeg': string } }; default: { content: { 'application/json': Error } } }
    }
    head: {
      parameters: { path: { id: string }; query?: { expires?: string; version?: string; signature?: string; channels?: string; first?: string } }
      responses: { 200: { content: { [type: string]: never } }; 206: { content: { [type: string]: never } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/calls/{id}/recording/peaks': {
    get: {
      parameters: { path: { id: string }; query?: { expires?: string; version?: string; signature?: string } }
      responses: { 200: { content: { 'application/json': RecordingPeaks } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/calls/{id}/recording/revoke': {
    post: {
      parameters: { path: { id: string } }
      responses: { 200: { content: { 'application/json': CallRecord } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/calls/{id}/changes': {
    get: {
      parameters: { path: { id: string } }
      responses: { 200: { content: { 'application/json': CallChange[] } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/calls/outcomes': {
    get: {
      parameters: {  }
      responses: { 200: { content: { 'application/json': Outcomes } }; default: { content: { 'application/json': Error } } }
    }
    put: {
      parameters: {  }
      requestBody: { content: { 'application/json': OutcomesChoice } }
      responses: { 200: { content: { 'application/json': Outcomes } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/calls/updated': {
    get: {
      parameters: { query?: { updated_since?: string; cursor?: string; limit?: string } }
      responses: { 200: { content: { 'application/json': CallUpdates } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/charges/updated': {
    get: {
      parameters: { query?: { updated_since?: string; cursor?: string; limit?: string } }
      responses: { 200: { content: { 'application/json': ChargeUpdates } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/extensions/updated': {
    get: {
      parameters: { query?: { updated_since?: string; cursor?: string; limit?: string } }
      responses: { 200: { content: { 'application/json': ExtensionUpdates } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/calls/missed': {
    get: {
      parameters: { query?: { state?: string; days?: number } }
      responses: { 200: { content: { 'application/json': MissedCalls } }; default: { content: { 'application/json': Error } } }
    }
    patch: {
      parameters: {  }
      requestBody: { content: { 'application/json': MissedCallPatch } }
      responses: { 200: { content: { 'application/json': MissedCall } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/calls/stats': {
    get: {
      parameters: { query: { from: string; to: string; by?: string; group?: string } }
      responses: { 200: { content: { 'application/json': {
              timeZone: string
              data: CallStats[]
            } } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/calls/{id}/events': {
    get: {
      parameters: { path: { id: string } }
      responses: { 200: { content: { 'application/json': CallTimeline } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/charges': {
    post: {
      parameters: {  }
      requestBody: { content: { 'application/json': NewCharge } }
      responses: { 200: { content: { 'application/json': CreatedCharge } }; default: { content: { 'application/json': Error } } }
    }
    get: {
      parameters: { query?: { page?: number; cursor?: string; filter?: string; format?: string } }
      responses: { 200: { content: { 'application/json': {
              data: Charge[]
              meta: PageMeta
            } } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/charges/{id}': {
    get: {
      parameters: { path: { id: string } }
      responses: { 200: { content: { 'application/json': Charge } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/charges/{id}/qrcode': {
    get: {
      parameters: { path: { id: string }; query?: { format?: string } }
      responses: { 200: { content: { 'image/png': string } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/charges/{id}/cancel': {
    patch: {
      parameters: { path: { id: string } }
      responses: { 200: { content: { 'application/json': Charge } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/credits/balance': {
    get: {
      parameters: {  }
      responses: { 200: { content: { 'application/json': Balance } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/rates': {
    get: {
      parameters: { query: { to: string } }
      responses: { 200: { content: { 'application/json': RateOfCall } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/credits/statement': {
    get: {
      parameters: { query?: { page?: number; cursor?: string; filter?: string; format?: string; sheet?: string } }
      responses: { 200: { content: { 'application/json': {
              data: StatementEntry[]
              meta: PageMeta
            } } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/accounts/financial': {
    get: {
      parameters: {  }
      responses: { 200: { content: { 'application/json': FinancialAccount } }; default: { content: { 'application/json': Error } } }
    }
    post: {
      parameters: {  }
      requestBody: { content: { 'application/json': FinancialActivation } }
      responses: { 200: { content: { 'application/json': FinancialAccount } }; default: { content: { 'application/json': Error } } }
    }
    put: {
      parameters: {  }
      requestBody: { content: { 'application/json': FinancialPatch } }
      responses: { 200: { content: { 'application/json': FinancialAccount } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/dialer': {
    post: {
      parameters: {  }
      requestBody: { content: { 'application/json': NewDial } }
      responses: { 200: { content: { 'application/json': PlacedDial } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/calls/{id}/hangup': {
    post: {
      parameters: { path: { id: string } }
      responses: { 200: { content: { 'application/json': PlacedCall } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/calls/{id}/dtmf': {
    post: {
      parameters: { path: { id: string } }
      requestBody: { content: { 'application/json': NewKeys } }
      responses: { 200: { content: { 'application/json': PlacedCall } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/calls/{id}/transfer': {
    post: {
      parameters: { path: { id: string } }
      requestBody: { content: { 'application/json': NewTransfer } }
      responses: { 200: { content: { 'application/json': TransferredCall } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/calls/hangup': {
    post: {
      parameters: {  }
      requestBody: { content: { 'application/json': Hangup } }
      responses: { 200: { content: { 'application/json': PlacedCall } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/numbers': {
    get: {
      parameters: { query?: { filter?: string } }
      responses: { 200: { content: { 'application/json': PhoneNumber[] } }; default: { content: { 'application/json': Error } } }
    }
    post: {
      parameters: {  }
      requestBody: { content: { 'application/json': NewPhoneNumber } }
      responses: { 200: { content: { 'application/json': PhoneNumber } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/numbers/{id}': {
    get: {
      parameters: { path: { id: string } }
      responses: { 200: { content: { 'application/json': PhoneNumber } }; default: { content: { 'application/json': Error } } }
    }
    delete: {
      parameters: { path: { id: string } }
      responses: { 200: { content: { 'application/json': {
              id: number
            } } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/numbers/{id}/verify': {
    post: {
      parameters: { path: { id: string } }
      responses: { 200: { content: { 'application/json': NumberVerification } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/phones/ice-servers': {
    get: {
      parameters: {  }
      responses: { 200: { content: { 'application/json': IceServers } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/extensions/{id}/setup': {
    get: {
      parameters: { path: { id: string } }
      responses: { 200: { content: { 'application/json': PhoneSetup } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/extensions/{id}/setup-link': {
    post: {
      parameters: { path: { id: string } }
      responses: { 200: { content: { 'application/json': SetupLink } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/phone-setup/{token}': {
    get: {
      parameters: { path: { token: string } }
      responses: { 200: { content: { 'application/xml; charset=utf-8': string } }; default: { content: { 'application/json': Error } } }
    }
    head: {
      parameters: { path: { token: string } }
      responses: { 200: { content: { [type: string]: never } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/console/session': {
    post: {
      parameters: {  }
      requestBody: { content: { 'application/json': NewSession } }
      responses: { 200: { content: { 'application/json': Session } }; default: { content: { 'application/json': Error } } }
    }
    get: {
      parameters: {  }
      responses: { 200: { content: { 'application/json': Session } }; default: { content: { 'application/json': Error } } }
    }
    delete: {
      parameters: {  }
      responses: { 200: { content: { 'application/json': {
              ref: string
            } } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/status': {
    get: {
      parameters: {  }
      responses: { 200: { content: { 'application/json': ServiceStatus } }; default: { content: { 'application/json': Error } } }
    }
  }
  '/openapi.json': {
    get: {
      parameters: {  }
      responses: { 200: { content: { 'application/json': Record<string, unknown> } }; default: { content: { 'application/json': Error } } }
    }
  }
}

export type webhooks = {
  'channel-answer': CallEvent
  'channel-hangup': EndedCallEvent
  'channel-create': CallEvent
  'channel-ringing': CallEvent
  'channel-transfer': TransferEvent
  'recording-ready': EndedCallEvent
  'recording-lost': EndedCallEvent
  'call-updated': UpdatedCallEvent
  'account-low-balance': LowBalanceEvent
  'account-alert': AlertEvent
  'charge-paid': ChargeEvent
  'charge-refunded': ChargeEvent
  test: EndedCallEvent
}
