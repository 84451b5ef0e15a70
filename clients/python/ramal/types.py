"""Written by `npm run api-types` from the description of the API. Not to be edited: a test compares it."""
from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union


class _InFeed(TypedDict, total=False):
    #: Of events of the feed.
    cursor: str


class _AccessTokenAlways(TypedDict):
    id: str
    ttl: int
    created: str
    userId: str


class AccessToken(_AccessTokenAlways, total=False):
    name: str
    scopes: List[Literal["calls:place", "calls:read", "contacts", "billing", "admin"]]
    addresses: List[str]
    user: User


class Account(TypedDict):
    uuid: str
    domain: str
    name: str
    email: str
    phone: str
    createdAt: str
    updatedAt: str


class AccountLimitsCallsPerDay(TypedDict):
    limit: int
    used: int
    source: Literal["account", "new-account", "default"]


class AccountLimitsSpendingPerDay(TypedDict):
    limit: float
    used: float
    source: Literal["account", "new-account", "default"]


class AccountLimitsCallsAtOnce(TypedDict):
    extension: int
    account: int
    source: Literal["account", "new-account", "default"]


class AccountLimitsIntegrations(TypedDict):
    perUser: int
    perAccount: int


class AccountLimitsInternational(TypedDict):
    enabled: bool
    source: Literal["account", "new-account", "default"]


class AccountLimitsRanges(TypedDict):
    prefix: str
    name: str
    reason: str
    enabled: bool


class AccountLimits(TypedDict):
    proven: bool
    provenBy: Optional[str]
    provenAt: Optional[str]
    dayBegan: Optional[str]
    dayEnds: Optional[str]
    callsPerDay: AccountLimitsCallsPerDay
    spendingPerDay: AccountLimitsSpendingPerDay
    callsAtOnce: AccountLimitsCallsAtOnce
    integrations: AccountLimitsIntegrations
    international: AccountLimitsInternational
    ranges: List[AccountLimitsRanges]


class AccountPatch(TypedDict, total=False):
    name: str
    email: str
    phone: str


class AccountSettings(TypedDict):
    timeZone: str
    language: Literal["pt", "en"]
    recordingDays: int
    bina: Optional[str]
    lowBalance: float
    callVisibility: Literal["account", "own"]
    monthlyReport: bool


class AccountSettingsPatch(TypedDict, total=False):
    timeZone: str
    language: Literal["pt", "en"]
    recordingDays: Optional[int]
    bina: Optional[str]
    lowBalance: Optional[float]
    callVisibility: Literal["account", "own"]
    monthlyReport: bool


class _AlertEvent(TypedDict):
    version: str
    id: str
    domain: str
    rule: Literal["calls-per-day", "spending-per-day", "calls-at-once", "destination", "velocity", "night", "new-country"]
    message: str
    details: Dict[str, Any]
    at: str
    metadata: Dict[str, Any]
    accountUuid: str
    sequence: int
    timezone: str


class AuditEntry(TypedDict):
    id: int
    at: str
    action: str
    actor: Optional[str]
    subject: Optional[str]
    details: Dict[str, Any]


class Balance(TypedDict):
    balance: float
    reserved: float
    available: float
    currency: Literal["BRL"]


class CallChange(TypedDict):
    revision: int
    at: str
    user_uuid: str
    user_name: str
    outcome: Optional[str]
    tags: List[str]
    notes: str


class CallDetailTransfers(TypedDict):
    id: str
    to: str
    at: str


class _CallDetailQualityExtensionAlways(TypedDict):
    packets: int
    loss: float
    jitter: float
    roundTrip: Optional[float]
    rFactor: float


class CallDetailQualityExtension(_CallDetailQualityExtensionAlways, total=False):
    dropped: int


class _CallDetailQualityDestinationAlways(TypedDict):
    packets: int
    loss: float
    jitter: float
    roundTrip: Optional[float]
    rFactor: float


class CallDetailQualityDestination(_CallDetailQualityDestinationAlways, total=False):
    dropped: int


class CallDetailQuality(TypedDict):
    extension: Optional[CallDetailQualityExtension]
    destination: Optional[CallDetailQualityDestination]


CallDetailKeys = TypedDict(
    "CallDetailKeys",
    {
        "at": 'str',
        "from": 'Literal["extension", "destination", "api"]',
        "to": 'Literal["extension", "destination"]',
        "key": 'str',
    },
)


CallDetail = TypedDict(
    "CallDetail",
    {
        "id": 'str',
        "domain": 'str',
        "call_type": 'Literal["outbound", "inbound", "internal"]',
        "status": 'Literal["queued", "ringing", "answered", "completed", "busy", "no_answer", "failed", "cancelled"]',
        "started_at": 'str',
        "answered_at": 'Optional[str]',
        "ended_at": 'Optional[str]',
        "from": 'str',
        "to": 'str',
        "duration": 'int',
        "hangup_cause": 'Optional[str]',
        "record_url": 'str',
        "email": 'str',
        "first_name": 'str',
        "last_name": 'str',
        "BINA": 'Optional[str]',
        "user_uuid": 'Optional[str]',
        "extension_user_uuid": 'Optional[str]',
        "minute_price": 'Optional[float]',
        "call_price": 'Optional[float]',
        "metadata": 'Dict[str, Any]',
        "ended_by": 'Literal["extension", "destination", "service", None]',
        "transferred_from": 'Optional[str]',
        "transfers": 'List[CallDetailTransfers]',
        "recording_lost": 'bool',
        "quality": 'Optional[CallDetailQuality]',
        "keys": 'List[CallDetailKeys]',
        "outcome": 'Optional[str]',
        "tags": 'List[str]',
        "notes": 'str',
    },
)


class _CallEvent(TypedDict):
    version: str
    id: str
    domain: str
    direction: Literal["outbound", "inbound"]
    caller: str
    called: str
    startedAt: str
    answeredAt: str
    metadata: Dict[str, Any]
    accountUuid: str
    userUuid: Optional[str]
    extensionUserUuid: Optional[str]
    sequence: int
    timezone: str


class CallPatch(TypedDict, total=False):
    outcome: Optional[str]
    tags: List[str]
    notes: str


CallRecord = TypedDict(
    "CallRecord",
    {
        "id": 'str',
        "domain": 'str',
        "call_type": 'Literal["outbound", "inbound", "internal"]',
        "status": 'Literal["queued", "ringing", "answered", "completed", "busy", "no_answer", "failed", "cancelled"]',
        "started_at": 'str',
        "answered_at": 'Optional[str]',
        "ended_at": 'Optional[str]',
        "from": 'str',
        "to": 'str',
        "duration": 'int',
        "hangup_cause": 'Optional[str]',
        "record_url": 'str',
        "email": 'str',
        "first_name": 'str',
        "last_name": 'str',
        "BINA": 'Optional[str]',
        "user_uuid": 'Optional[str]',
        "extension_user_uuid": 'Optional[str]',
        "minute_price": 'Optional[float]',
        "call_price": 'Optional[float]',
        "metadata": 'Dict[str, Any]',
        "ended_by": 'Literal["extension", "destination", "service", None]',
    },
)


class _CallStatsAlways(TypedDict):
    at: str
    calls: int
    answered: int
    seconds: int
    cost: float


class CallStats(_CallStatsAlways, total=False):
    group: Optional[str]


class _CallTimelineEventsAlways(TypedDict):
    at: str
    type: Literal["created", "ringing", "extension-answered", "transfer-received", "answered", "key-pressed", "transferred", "ended"]


class CallTimelineEvents(_CallTimelineEventsAlways, total=False):
    by: Literal["extension", "destination", "service", "api"]
    to: str
    key: str
    callId: str
    cause: str


class CallTimelinePrice(TypedDict):
    rate: str
    prefix: str
    minutePrice: float
    seconds: int
    billedSeconds: int
    firstBlock: int
    step: int
    grace: int
    forgiven: float
    price: float


class CallTimelineDeliveriesTries(TypedDict):
    at: str
    ms: int
    status: Optional[int]
    error: Optional[str]
    response: str


class CallTimelineDeliveries(TypedDict):
    integrationId: int
    gateway: str
    delivery: Delivery
    tries: List[CallTimelineDeliveriesTries]


class _CallTimelineAlways(TypedDict):
    events: List[CallTimelineEvents]
    price: Optional[CallTimelinePrice]


class CallTimeline(_CallTimelineAlways, total=False):
    deliveries: List[CallTimelineDeliveries]


class CallUpdates(TypedDict):
    data: List[ListedCall]
    cursor: str
    more: bool


class _ChangedPasswordAlways(TypedDict):
    oldPassword: str
    newPassword: str


class ChangedPassword(_ChangedPasswordAlways, total=False):
    code: str


class Charge(TypedDict):
    id: int
    userId: int
    organizationId: int
    gateway: str
    type: Literal["CREDIT"]
    paymentMethod: Literal["UNDEFINED", "CREDIT_CARD", "DEBIT_CARD", "BOLETO", "PIX"]
    paymentId: str
    paymentLink: str
    pixCode: Optional[str]
    dueDate: str
    amount: float
    totalAmount: float
    description: str
    status: Literal["PENDING", "AWAITING_RISK_ANALYSIS", "AUTHORIZED", "CONFIRMED", "RECEIVED", "OVERDUE", "REFUND_REQUESTED", "REFUND_IN_PROGRESS", "REFUNDED", "CHARGEBACK_REQUESTED", "CHARGEBACK_DISPUTE", "AWAITING_CHARGEBACK_REVERSAL", "CANCELLED"]
    statusUpdatedAt: str
    createdAt: str
    metadata: Dict[str, Any]
    paymentCode: Optional[str]
    invoiceId: Optional[str]
    invoiceLink: Optional[str]
    taxAmount: Optional[float]
    paidAt: Optional[str]
    refundedAt: Optional[str]
    receivedAt: Optional[str]
    hasErpInvoice: bool


class _ChargeEvent(TypedDict):
    version: str
    id: str
    domain: str
    chargeId: int
    amount: float
    totalAmount: float
    paymentMethod: Literal["UNDEFINED", "CREDIT_CARD", "DEBIT_CARD", "BOLETO", "PIX"]
    paidAt: Optional[str]
    refundedAt: Optional[str]
    refundedAmount: float
    balance: float
    currency: Literal["BRL"]
    at: str
    metadata: Dict[str, Any]
    accountUuid: str
    sequence: int
    timezone: str


class ChargeUpdates(TypedDict):
    data: List[Charge]
    cursor: str
    more: bool


class Contact(TypedDict):
    id: str
    name: str
    company: str
    numbers: List[str]
    createdAt: str
    updatedAt: str


class _ContactImportAlways(TypedDict):
    csv: str


class ContactImport(_ContactImportAlways, total=False):
    preview: bool


class _ContactImportResultLinesAlways(TypedDict):
    line: int
    action: Literal["create", "update", "same", "refuse"]
    name: str
    company: str
    numbers: List[str]


class ContactImportResultLines(_ContactImportResultLinesAlways, total=False):
    problem: Literal["no-name", "name-too-long", "no-number", "too-many-numbers", "invalid-number", "repeated-number", "numbers-of-two-contacts"]
    value: str


class ContactImportResult(TypedDict):
    preview: bool
    created: int
    updated: int
    same: int
    refused: int
    lines: List[ContactImportResultLines]


class ContactPatch(TypedDict, total=False):
    name: str
    company: str
    numbers: List[str]


class CreatedCharge(TypedDict):
    id: int
    userId: int
    organizationId: int
    gateway: str
    type: Literal["CREDIT"]
    paymentMethod: Literal["UNDEFINED", "CREDIT_CARD", "DEBIT_CARD", "BOLETO", "PIX"]
    paymentId: str
    paymentLink: str
    pixCode: Optional[str]
    dueDate: str
    amount: float
    totalAmount: float
    description: str
    status: Literal["PENDING", "AWAITING_RISK_ANALYSIS", "AUTHORIZED", "CONFIRMED", "RECEIVED", "OVERDUE", "REFUND_REQUESTED", "REFUND_IN_PROGRESS", "REFUNDED", "CHARGEBACK_REQUESTED", "CHARGEBACK_DISPUTE", "AWAITING_CHARGEBACK_REVERSAL", "CANCELLED"]
    statusUpdatedAt: str
    createdAt: str
    metadata: Dict[str, Any]


class _CreatedUserAlways(TypedDict):
    name: str
    email: str
    phone: str
    role: Literal["ADMIN", "USER"]
    uuid: str
    emailVerified: bool
    createdAt: str


class CreatedUser(_CreatedUserAlways, total=False):
    invited: Literal[True]


class Credentials(TypedDict, total=False):
    currentPassword: str
    code: str


class Delivery(TypedDict):
    id: int
    event: Literal["channel-answer", "channel-hangup", "channel-create", "channel-ringing", "channel-transfer", "recording-ready", "recording-lost", "call-updated", "account-low-balance", "account-alert", "charge-paid", "charge-refunded", "test"]
    callId: str
    subject: Literal["call", "result", "account", "charge", "test"]
    subjectId: str
    sequence: int
    status: Literal["pending", "delivered", "dead", "skipped"]
    reason: Optional[str]
    attempts: int
    lastStatus: Optional[int]
    lastError: Optional[str]
    lastAttemptAt: Optional[str]
    nextAttemptAt: Optional[str]
    createdAt: str
    settledAt: Optional[str]


class DeliveryDetailTries(TypedDict):
    at: str
    ms: int
    status: Optional[int]
    error: Optional[str]
    response: str


class DeliveryDetail(TypedDict):
    id: int
    event: Literal["channel-answer", "channel-hangup", "channel-create", "channel-ringing", "channel-transfer", "recording-ready", "recording-lost", "call-updated", "account-low-balance", "account-alert", "charge-paid", "charge-refunded", "test"]
    callId: str
    subject: Literal["call", "result", "account", "charge", "test"]
    subjectId: str
    sequence: int
    status: Literal["pending", "delivered", "dead", "skipped"]
    reason: Optional[str]
    attempts: int
    lastStatus: Optional[int]
    lastError: Optional[str]
    lastAttemptAt: Optional[str]
    nextAttemptAt: Optional[str]
    createdAt: str
    settledAt: Optional[str]
    tries: List[DeliveryDetailTries]
    payload: Dict[str, Any]


class DeliveryStatsData(TypedDict):
    since: str
    delivered: int
    dead: int
    pending: int
    skipped: int
    medianMs: Optional[float]
    p95Ms: Optional[float]


DeliveryStats = TypedDict(
    "DeliveryStats",
    {
        "from": 'str',
        "to": 'str',
        "seconds": 'int',
        "data": 'List[DeliveryStatsData]',
    },
)


class DoNotDisturb(TypedDict):
    do_not_disturb: bool


class _DoneAlways(TypedDict):
    message: str


class Done(_DoneAlways, total=False):
    localizedMessage: str


class EmailOnly(TypedDict):
    email: str


class _EndedCallEventQualityExtensionAlways(TypedDict):
    packets: int
    loss: float
    jitter: float
    roundTrip: Optional[float]
    rFactor: float


class _EndedCallEventQualityExtension(_EndedCallEventQualityExtensionAlways, total=False):
    dropped: int


class _EndedCallEventQualityDestinationAlways(TypedDict):
    packets: int
    loss: float
    jitter: float
    roundTrip: Optional[float]
    rFactor: float


class _EndedCallEventQualityDestination(_EndedCallEventQualityDestinationAlways, total=False):
    dropped: int


class _EndedCallEventQuality(TypedDict):
    extension: Optional[_EndedCallEventQualityExtension]
    destination: Optional[_EndedCallEventQualityDestination]


class _EndedCallEventAlways(TypedDict):
    version: str
    id: str
    domain: str
    direction: Literal["outbound", "inbound"]
    caller: str
    called: str
    startedAt: str
    answeredAt: str
    endedAt: str
    duration: int
    hangupCause: str
    hangupCauseCode: str
    recordUrl: str
    status: Literal["queued", "ringing", "answered", "completed", "busy", "no_answer", "failed", "cancelled"]
    endedBy: Literal["extension", "destination", "service", None]
    minutePrice: Optional[float]
    callPrice: Optional[float]
    metadata: Dict[str, Any]
    accountUuid: str
    userUuid: Optional[str]
    extensionUserUuid: Optional[str]
    sequence: int
    timezone: str


class _EndedCallEvent(_EndedCallEventAlways, total=False):
    quality: _EndedCallEventQuality


class _ErrorErrorDetailsAlways(TypedDict):
    context: str
    codes: Dict[str, Any]
    messages: Dict[str, Any]


class ErrorErrorDetails(_ErrorErrorDetailsAlways, total=False):
    localizedMessages: Dict[str, Any]


class ErrorErrorDetails2(TypedDict):
    callId: str


class _ErrorErrorAlways(TypedDict):
    statusCode: int
    name: str
    message: str
    code: Literal["INVALID_PARAMETER_VALUE", "MISSING_REQUIRED_PARAMETER", "MALFORMED_BODY", "MALFORMED_REQUEST", "USERNAME_EMAIL_REQUIRED", "AUTHORIZATION_REQUIRED", "INVALID_TOKEN", "RATE_NOT_FOUND", "FOREIGN_ORIGIN", "LOGIN_FAILED", "LOGIN_FAILED_EMAIL_NOT_VERIFIED", "SECOND_FACTOR_REQUIRED", "SECOND_FACTOR_FAILED", "INSUFFICIENT_CREDIT", "ACCESS_DENIED", "REAUTHENTICATION_REQUIRED", "ACCOUNT_SUSPENDED", "READ_ONLY_SESSION", "SCOPE_REQUIRED", "TOKEN_ADDRESS_REFUSED", "TOKEN_LIMITS_EXCEEDED", "RECORDING_LINK_INVALID", "ROUTE_NOT_FOUND", "USER_NOT_FOUND", "EXTENSION_NOT_FOUND", "NUMBER_NOT_FOUND", "CONTACT_NOT_FOUND", "CALL_NOT_FOUND", "CALL_ENDED", "CALL_NOT_ANSWERED", "CALL_NOT_TRANSFERABLE", "RECORDING_NOT_FOUND", "INTEGRATION_NOT_FOUND", "DELIVERY_NOT_FOUND", "CHARGE_NOT_FOUND", "PIX_CODE_NOT_FOUND", "TOKEN_NOT_FOUND", "SETUP_LINK_INVALID", "CONFIRMATION_INVALID", "PASSWORD_LINK_INVALID", "METHOD_NOT_ALLOWED", "FORMAT_UNAVAILABLE", "CALL_ALREADY_RINGING", "LAST_ADMIN", "INVITATION_ACCEPTED", "SECOND_FACTOR_ENABLED", "SECOND_FACTOR_NOT_ENABLED", "SECOND_FACTOR_NOT_BEGUN", "EXTENSION_NUMBERS_USED_UP", "NUMBER_TAKEN", "NUMBER_IN_USE", "NUMBER_LIMIT", "CONTACT_LIMIT", "INTEGRATION_LIMIT", "WEBHOOK_OFF", "CHARGE_OPEN", "CHARGE_NOT_CANCELLABLE", "FINANCIAL_LOCKED", "IDEMPOTENCY_KEY_IN_USE", "BODY_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "RANGE_NOT_SATISFIABLE", "VALIDATION_FAILED", "INVALID_PASSWORD", "INVALID_CODE", "DESTINATION_NOT_ALLOWED", "EXTENSION_UNKNOWN", "EXTENSION_NOT_REGISTERED", "EXTENSION_DO_NOT_DISTURB", "INTEGRATION_EXISTS", "IDEMPOTENCY_KEY_REUSED", "FINANCIAL_ACCOUNT_REQUIRED", "SEARCH_TOO_EXPENSIVE", "PAYMENT_REFUSED", "CALL_FAILED", "RATE_LIMITED", "DAILY_CALL_LIMIT", "DAILY_SPENDING_LIMIT", "TOO_MANY_CALLS", "TOO_MANY_VERIFICATIONS", "EXPORT_RUNNING", "INTERNAL_ERROR", "SEARCHES_BUSY", "PAYMENT_GATEWAY_DOWN", "SERVICE_UNAVAILABLE"]
    errorCode: str


class ErrorError(_ErrorErrorAlways, total=False):
    localizedMessage: str
    details: Union[ErrorErrorDetails, ErrorErrorDetails2]


class Error(TypedDict):
    error: ErrorError


class _EventLogPageAlways(TypedDict):
    data: List[LoggedEvent]


class EventLogPage(_EventLogPageAlways, total=False):
    next: str


class EventPageData(TypedDict):
    cursor: str
    eventType: Literal["channel-answer", "channel-hangup", "channel-create", "channel-ringing", "channel-transfer", "recording-ready", "recording-lost", "call-updated", "account-low-balance", "account-alert", "charge-paid", "charge-refunded"]
    id: str


class EventPage(TypedDict):
    data: List[EventPageData]
    cursor: str
    more: bool


class EventReplay(TypedDict, total=False):
    cursors: List[str]
    since: str
    until: str
    after: str


class EventTypeInfo(TypedDict):
    type: str
    subject: Literal["call", "result", "account", "charge"]
    optional: bool
    audience: Literal["user", "admins"]
    about: str
    example: Dict[str, Any]


class Extension(TypedDict):
    id: int
    domain: str
    ramal: str
    senha: Optional[str]
    bina: Optional[str]
    bina_verified: bool
    first_name: str
    last_name: str
    email_address: str
    user_uuid: Optional[str]
    gravar_audio: Literal[0, 1]
    registered: bool
    registered_at: Optional[str]
    user_agent: Optional[str]


class ExtensionPatch(TypedDict, total=False):
    id: Optional[Union[int, str]]
    ramal: str
    senha: str
    bina: Optional[str]
    first_name: str
    last_name: str
    email_address: str
    gravar_audio: Literal[0, 1, True, False]


class ExtensionPresence(TypedDict):
    id: int
    ramal: str
    first_name: str
    last_name: str
    presence: Literal["free", "ringing", "in-call", "do-not-disturb", "offline"]
    do_not_disturb: bool


class ExtensionUpdates(TypedDict):
    data: List[Extension]
    removed: List[int]
    cursor: str
    more: bool


class FinancialAccount(TypedDict):
    status: Literal["PENDING", "ACTIVE", "REJECTED"]
    company: Optional[str]
    name: Optional[str]
    email: Optional[str]
    phone: Optional[str]
    mobilePhone: Optional[str]
    personType: Literal["FISICA", "JURIDICA", None]
    cpfCnpj: Optional[str]
    address: Optional[str]
    addressNumber: Optional[str]
    addressComplement: Optional[str]
    addressProvince: Optional[str]
    addressDistrict: Optional[str]
    addressCity: Optional[str]
    addressState: Optional[str]
    addressCountry: Optional[str]
    addressZipCode: Optional[str]
    additionalEmails: Optional[str]


class FinancialActivation(TypedDict):
    cpfCnpj: str


class FinancialPatch(TypedDict, total=False):
    email: Optional[str]
    phone: Optional[str]
    mobilePhone: Optional[str]
    additionalEmails: Optional[str]
    address: Optional[str]
    addressNumber: Optional[str]
    addressComplement: Optional[str]
    addressProvince: Optional[str]
    addressDistrict: Optional[str]
    addressCity: Optional[str]
    addressState: Optional[str]
    addressCountry: Optional[str]
    addressZipCode: Optional[str]
    cpfCnpj: Optional[str]


class Hangup(TypedDict):
    id: str


class _IceServersIceServersAlways(TypedDict):
    urls: List[str]


class IceServersIceServers(_IceServersIceServersAlways, total=False):
    username: str
    credential: str


class IceServers(TypedDict):
    iceServers: List[IceServersIceServers]
    ttl: int


class IncidentUpdates(TypedDict):
    at: str
    state: Literal["investigating", "identified", "monitoring", "resolved", "planned", "in-progress", "done"]
    text: str


class _IncidentAlways(TypedDict):
    id: int
    kind: Literal["incident", "maintenance"]
    title: str
    components: List[Literal["api", "calls", "carriers", "recordings", "webhooks", "payments"]]
    state: Literal["investigating", "identified", "monitoring", "resolved", "planned", "in-progress", "done"]
    openedAt: str
    updates: List[IncidentUpdates]


class Incident(_IncidentAlways, total=False):
    impact: Literal["degraded", "outage"]
    startsAt: str
    endsAt: str
    closedAt: str


class Integration(TypedDict):
    id: int
    gateway: str
    webhook: bool
    webhookConstraint: Optional[Dict[str, Any]]
    metadata: Dict[str, Any]
    secret: str
    previousSecretUntil: Optional[str]
    lastError: Optional[str]
    lastErrorAt: Optional[str]
    createdAt: str
    updatedAt: str


class IntegrationPatch(TypedDict, total=False):
    id: Optional[Union[int, str]]
    gateway: str
    webhook: bool
    webhookConstraint: Optional[Dict[str, Any]]
    metadata: Dict[str, Any]


class Invitation(TypedDict):
    uuid: str


_ListedCallAlways = TypedDict(
    "_ListedCallAlways",
    {
        "id": 'str',
        "domain": 'str',
        "call_type": 'Literal["outbound", "inbound", "internal"]',
        "status": 'Literal["queued", "ringing", "answered", "completed", "busy", "no_answer", "failed", "cancelled"]',
        "started_at": 'str',
        "answered_at": 'Optional[str]',
        "ended_at": 'Optional[str]',
        "from": 'str',
        "to": 'str',
        "duration": 'int',
        "hangup_cause": 'Optional[str]',
        "record_url": 'str',
        "email": 'str',
        "first_name": 'str',
        "last_name": 'str',
        "BINA": 'Optional[str]',
        "user_uuid": 'Optional[str]',
        "extension_user_uuid": 'Optional[str]',
        "minute_price": 'Optional[float]',
        "call_price": 'Optional[float]',
        "metadata": 'Dict[str, Any]',
        "ended_by": 'Literal["extension", "destination", "service", None]',
    },
)


class ListedCall(_ListedCallAlways, total=False):
    recording_lost: bool
    outcome: Optional[str]
    tags: List[str]
    notes: str


class ListedToken(TypedDict):
    ref: str
    name: Optional[str]
    lastFour: str
    ttl: int
    created: str
    expires: Optional[str]
    lastUsed: Optional[str]
    lastUsedAddress: Optional[str]
    scopes: Optional[List[Literal["calls:place", "calls:read", "contacts", "billing", "admin"]]]
    addresses: Optional[List[str]]
    kind: Literal["token", "session"]
    userAgent: Optional[str]
    fromLogin: bool
    current: bool


class LoggedEventDeliveries(TypedDict):
    integrationId: int
    gateway: str
    status: Literal["pending", "delivered", "dead", "skipped"]


class LoggedEvent(TypedDict):
    cursor: str
    event: Literal["channel-answer", "channel-hangup", "channel-create", "channel-ringing", "channel-transfer", "recording-ready", "recording-lost", "call-updated", "account-low-balance", "account-alert", "charge-paid", "charge-refunded"]
    subject: Literal["call", "result", "account", "charge", "test"]
    subjectId: str
    createdAt: str
    deliveries: List[LoggedEventDeliveries]
    payload: Dict[str, Any]


class _LoginAlways(TypedDict):
    email: str
    password: str


class Login(_LoginAlways, total=False):
    ttl: int
    code: str


class _LowBalanceEvent(TypedDict):
    version: str
    id: str
    domain: str
    balance: float
    currency: Literal["BRL"]
    at: str
    metadata: Dict[str, Any]
    accountUuid: str
    sequence: int
    timezone: str


class MissedCallDone(TypedDict):
    how: Literal["called_back", "answered", "marked"]
    at: str
    name: str
    user_uuid: Optional[str]
    call_id: Optional[str]
    answered: Optional[bool]


class MissedCall(TypedDict):
    number: str
    calls: int
    first_at: str
    last_at: str
    last_call_id: str
    extension: str
    done: Optional[MissedCallDone]


class MissedCallPatch(TypedDict):
    number: str
    done: bool


class _MissedCallsAlways(TypedDict):
    open: int
    data: List[MissedCall]


class MissedCalls(_MissedCallsAlways, total=False):
    openIsLowerBound: Literal[True]


class NewAccessToken(TypedDict, total=False):
    ttl: int
    name: str
    scopes: List[Literal["calls:place", "calls:read", "contacts", "billing", "admin"]]
    addresses: List[str]
    currentPassword: str
    code: str


class _NewCallAlways(TypedDict):
    called: str
    extension: str


class NewCall(_NewCallAlways, total=False):
    caller: str
    metadata: Dict[str, Any]


class _NewChargeAlways(TypedDict):
    paymentMethod: Literal["UNDEFINED", "CREDIT_CARD", "DEBIT_CARD", "BOLETO", "PIX"]
    dueDate: str
    amount: float


class NewCharge(_NewChargeAlways, total=False):
    description: str
    metadata: Dict[str, Any]


class _NewContactAlways(TypedDict):
    name: str


class NewContact(_NewContactAlways, total=False):
    company: str
    numbers: List[str]


class _NewDialAlways(TypedDict):
    extension: str
    phone: str


class NewDial(_NewDialAlways, total=False):
    metadata: Dict[str, Any]


class _NewExtensionAlways(TypedDict):
    ramal: str
    senha: str
    first_name: str
    last_name: str
    email_address: str


class NewExtension(_NewExtensionAlways, total=False):
    bina: Optional[str]
    gravar_audio: Literal[0, 1, True, False]


class _NewKeysAlways(TypedDict):
    digits: str


class NewKeys(_NewKeysAlways, total=False):
    to: Literal["destination", "extension"]


class NewPhoneNumber(TypedDict):
    number: str


class _NewSessionAlways(TypedDict):
    email: str
    password: str


class NewSession(_NewSessionAlways, total=False):
    code: str
    keep: bool


class NewTransfer(TypedDict):
    to: str


class _NewUserAlways(TypedDict):
    name: str
    email: str
    phone: str
    role: Literal["ADMIN", "USER"]


class NewUser(_NewUserAlways, total=False):
    password: str


class _NextExtensionAlways(TypedDict):
    senha: str
    first_name: str
    last_name: str
    email_address: str


class NextExtension(_NextExtensionAlways, total=False):
    bina: Optional[str]
    gravar_audio: Literal[0, 1, True, False]


class _NumberVerificationAlways(TypedDict):
    number: PhoneNumber
    code: Optional[str]
    expiresAt: Optional[str]
    message: str


class NumberVerification(_NumberVerificationAlways, total=False):
    localizedMessage: str


class Outcome(TypedDict):
    key: str
    label: str


class Outcomes(TypedDict):
    outcomes: List[Outcome]


class OutcomesChoice(TypedDict):
    outcomes: List[Outcome]


class _PageMetaAlways(TypedDict):
    totalItemCount: int
    totalPageCount: int
    itemsPerPage: int
    currentPage: int


class PageMeta(_PageMetaAlways, total=False):
    totalIsLowerBound: Literal[True]
    nextPage: int
    previousPage: int
    nextCursor: str


class PhoneCredential(TypedDict):
    username: str
    password: str
    domain: str
    expires: str


class PhoneNumberLastCall(TypedDict):
    startedAt: str
    endedAt: Optional[str]
    outcome: Literal["verified", "wrong-code", "no-code", "not-answered", "taken", "lost", None]


class PhoneNumber(TypedDict):
    id: int
    number: str
    verified: bool
    proof: Literal["operator", "call", "sandbox", None]
    verifiedAt: Optional[str]
    lastCall: Optional[PhoneNumberLastCall]
    createdAt: str


class PhoneSetupServers(TypedDict):
    transport: Literal["udp", "tcp", "tls", "ws", "wss"]
    host: str
    port: int
    address: str


class PhoneSetupQrCodes(TypedDict):
    app: Literal["grandstream"]
    payload: str
    svg: str


class PhoneSetup(TypedDict):
    domain: str
    username: str
    displayName: str
    servers: List[PhoneSetupServers]
    qrCodes: List[PhoneSetupQrCodes]


class PlacedCall(TypedDict):
    status: Literal["200"]
    message: str
    id: str


class PlacedDial(TypedDict):
    id: str
    message: str
    callId: str


class RateOfCall(TypedDict):
    to: str
    name: str
    prefix: str
    minute_price: float
    firstBlock: int
    step: int
    grace: int
    currency: Literal["BRL"]


class RecordingPeaks(TypedDict):
    seconds: float
    extension: List[int]
    destination: List[int]


class Recovery(TypedDict):
    since: str


class RecoveryCodes(TypedDict):
    recoveryCodes: List[str]


class _ReplayResultAlways(TypedDict):
    replayed: int
    more: bool


class ReplayResult(_ReplayResultAlways, total=False):
    cursor: str


class RequestEntry(TypedDict):
    id: int
    at: str
    requestId: str
    method: str
    route: str
    status: int
    code: Optional[str]
    durationMs: float
    user: str
    userUuid: str
    tokenRef: str
    kind: Literal["token", "session"]
    address: str
    callId: Optional[str]


class SecondFactor(TypedDict):
    enabled: bool
    enabledAt: Optional[str]
    recoveryCodesLeft: int


class SecondFactorCode(TypedDict):
    code: str


class SecondFactorSecret(TypedDict):
    secret: str
    otpauthUri: str


class ServiceStatusComponents(TypedDict):
    name: Literal["api", "calls", "carriers", "recordings", "webhooks", "payments"]
    state: Literal["operational", "maintenance", "degraded", "outage"]


class _ServiceStatusAlways(TypedDict):
    state: Literal["operational", "maintenance", "degraded", "outage"]
    checkedAt: str
    components: List[ServiceStatusComponents]
    incidents: List[Incident]
    maintenance: List[Incident]
    history: List[Incident]


class ServiceStatus(_ServiceStatusAlways, total=False):
    writtenAt: str


class SessionAccount(TypedDict):
    uuid: str
    domain: str
    name: str
    timeZone: str
    language: Literal["pt", "en"]
    callVisibility: Literal["account", "own"]


class SessionSession(TypedDict):
    ref: str
    keep: bool
    expires: str


class SessionLookIn(TypedDict):
    reason: str
    until: str


class SessionFeatures(TypedDict):
    gateway: str
    recordingDays: int
    webPhone: Optional[str]
    sandboxCarrier: bool


class Session(TypedDict):
    user: User
    account: SessionAccount
    balance: Optional[Balance]
    session: Optional[SessionSession]
    lookIn: Optional[SessionLookIn]
    features: SessionFeatures
    version: str


class _SetPasswordAlways(TypedDict):
    newPassword: str


class SetPassword(_SetPasswordAlways, total=False):
    token: str


class SetupLink(TypedDict):
    app: Literal["linphone"]
    url: str
    expires: str
    svg: str


class _SignedUpAlways(TypedDict):
    status: Literal[201]
    message: str


class SignedUp(_SignedUpAlways, total=False):
    localizedMessage: str


class Signup(TypedDict):
    organization_name: str
    domain: str
    email: str
    password: str
    phone: str
    crm: str
    user_quantity: Literal["1-5", "6-10", "11-20", "21-50", "50+"]


class StatementEntry(TypedDict):
    id: int
    at: str
    kind: Literal["trial", "charge", "refund", "call", "adjustment"]
    amount: float
    balance: float
    reference: str
    description: str


class _TransferEvent(TypedDict):
    version: str
    id: str
    domain: str
    direction: Literal["outbound", "inbound"]
    caller: str
    called: str
    startedAt: str
    answeredAt: str
    transferId: str
    transferTo: str
    metadata: Dict[str, Any]
    accountUuid: str
    userUuid: Optional[str]
    extensionUserUuid: Optional[str]
    sequence: int
    timezone: str


class TransferredCall(TypedDict):
    status: Literal["200"]
    message: str
    id: str
    transferId: str


class _UpdatedCallEvent(TypedDict):
    version: str
    id: str
    domain: str
    direction: Literal["outbound", "inbound"]
    caller: str
    called: str
    startedAt: str
    answeredAt: str
    endedAt: str
    duration: int
    hangupCause: str
    hangupCauseCode: str
    recordUrl: str
    status: Literal["queued", "ringing", "answered", "completed", "busy", "no_answer", "failed", "cancelled"]
    endedBy: Literal["extension", "destination", "service", None]
    minutePrice: Optional[float]
    callPrice: Optional[float]
    outcome: Optional[str]
    tags: List[str]
    notes: str
    revision: int
    updatedBy: str
    metadata: Dict[str, Any]
    accountUuid: str
    userUuid: Optional[str]
    extensionUserUuid: Optional[str]
    sequence: int
    timezone: str


class _UserAlways(TypedDict):
    uuid: str
    name: str
    email: str
    phone: str
    role: Literal["ADMIN", "USER"]
    emailVerified: bool
    createdAt: str
    updatedAt: str
    lastLoginAt: Optional[str]


class User(_UserAlways, total=False):
    pendingEmail: str
    invited: Literal[True]


class UserPatch(TypedDict, total=False):
    uuid: str
    email: str
    name: str
    phone: str
    emailVerified: bool
    role: Literal["ADMIN", "USER"]
    currentPassword: str
    code: str


class ChannelAnswerEvent(_CallEvent, _InFeed):
    eventType: Literal["channel-answer"]


class ChannelHangupEvent(_EndedCallEvent, _InFeed):
    eventType: Literal["channel-hangup"]


class ChannelCreateEvent(_CallEvent, _InFeed):
    eventType: Literal["channel-create"]


class ChannelRingingEvent(_CallEvent, _InFeed):
    eventType: Literal["channel-ringing"]


class ChannelTransferEvent(_TransferEvent, _InFeed):
    eventType: Literal["channel-transfer"]


class RecordingReadyEvent(_EndedCallEvent, _InFeed):
    eventType: Literal["recording-ready"]


class RecordingLostEvent(_EndedCallEvent, _InFeed):
    eventType: Literal["recording-lost"]


class CallUpdatedEvent(_UpdatedCallEvent, _InFeed):
    eventType: Literal["call-updated"]


class AccountLowBalanceEvent(_LowBalanceEvent, _InFeed):
    eventType: Literal["account-low-balance"]


class AccountAlertEvent(_AlertEvent, _InFeed):
    eventType: Literal["account-alert"]


class ChargePaidEvent(_ChargeEvent, _InFeed):
    eventType: Literal["charge-paid"]


class ChargeRefundedEvent(_ChargeEvent, _InFeed):
    eventType: Literal["charge-refunded"]


class TestEvent(_EndedCallEvent, _InFeed):
    eventType: Literal["test"]


class CallPage(TypedDict):
    data: List[CallRecord]
    meta: PageMeta


WebhookEvent = Union[
    ChannelAnswerEvent,
    ChannelHangupEvent,
    ChannelCreateEvent,
    ChannelRingingEvent,
    ChannelTransferEvent,
    RecordingReadyEvent,
    RecordingLostEvent,
    CallUpdatedEvent,
    AccountLowBalanceEvent,
    AccountAlertEvent,
    ChargePaidEvent,
    ChargeRefundedEvent,
    TestEvent,
]
FeedEvent = WebhookEvent
