/**
 * D325: what an account sets for itself: time zone, language, retention of recordings, caller-ID, low balance, whose
 * calls its USERs see, and the monthly report.
 */
import type { CallVisibility } from '../contract/accounts/accounts.ts'
import { type FieldProblem, type FieldProblems, problem, refuseFields } from '../contract/errors.ts'
import type { Clock } from '../kit/clock.ts'
import { defined } from '../kit/defined.ts'
import type { Language } from '../kit/text/language.ts'
import { type Centavos, toCentavos } from '../kit/text/money.ts'
import { readPhone } from '../kit/text/phone.ts'
import { readTimeZone } from '../kit/text/time-zone.ts'
import type { Database } from '../store/database.ts'
import { recordAudit } from '../users/audit/audit.ts'
import type { Caller } from '../users/caller.ts'
import type { Callers } from '../users/tokens/callers.ts'
import { knowsTimeZone, readSettings, updateSettings } from './settings-store.ts'

export type AccountSettings = {
  timeZone: string
  language: Language
  recordingDays: number
  /** For extensions without one: E.164 without plus. */
  callerNumber: string | null
  lowBalance: Centavos
  /** D599. */
  callVisibility: CallVisibility
  /** D643. */
  monthlyReport: boolean
}

/** As it is sent: null is the default of the service, or none. */
export type SettingsPatch = {
  timeZone?: string
  language?: Language
  recordingDays?: number | null
  bina?: string | null
  /** Reais. */
  lowBalance?: number | null
  callVisibility?: CallVisibility
  monthlyReport?: boolean
}

type Deps = {
  db: Database
  clock: Clock
  callers: Pick<Callers, 'announceAccountChange' | 'forget'>
  /** RECORDING_DAYS: an account may only choose fewer. */
  maxRecordingDays: number
  /** D326: kept with the balance. */
  lowBalance: {
    read(db: Database, accountId: number): Promise<Centavos>
    write(tx: Database, accountId: number, amount: Centavos | null): Promise<void>
  }
  /** D643: kept with the reports. */
  monthlyReport: {
    read(db: Database, accountId: number): Promise<boolean>
    write(tx: Database, accountId: number, isOn: boolean): Promise<void>
  }
  /** Whether the account has the number verified; it cannot lose it before the transaction ends. */
  hasNumber(tx: Database, accountId: number, number: string): Promise<boolean>
  /** Called after the commit: what the account's extensions present may have changed. */
  onChanged(accountId: number): void
}

const maxLowBalance: Centavos = 5_000_000

const wrong = {
  timeZone: {
    code: 'inclusion',
    message: {
      en: 'must be a time zone name such as America/Sao_Paulo',
      pt: 'deve ser o nome de um fuso horário, como America/Sao_Paulo',
    },
  },
  lowBalance: {
    code: 'inclusion',
    message: {
      en: 'must be an amount from 0 to 50000.00 with up to two decimals',
      pt: 'deve ser um valor de 0 a 50000.00 com até duas casas decimais',
    },
  },
  bina: {
    code: 'inclusion',
    message: {
      en: 'must be a verified number of the account',
      pt: 'deve ser um número verificado da conta',
    },
  },
} as const satisfies Record<string, FieldProblem>

type Change = { [Name in keyof AccountSettings]?: AccountSettings[Name] | null }

/** What the patch changes: a client may send back all that it has read. */
function readPatch(patch: SettingsPatch, before: AccountSettings, maxRecordingDays: number): Change {
  const { timeZone, language, recordingDays, bina, lowBalance, callVisibility, monthlyReport } = patch
  const problems: FieldProblems = {}
  const change: Change = {}
  if (language !== undefined) change.language = language
  if (callVisibility !== undefined) change.callVisibility = callVisibility
  if (monthlyReport !== undefined) change.monthlyReport = monthlyReport
  if (timeZone !== undefined) {
    change.timeZone = readTimeZone(timeZone) ?? null
    if (change.timeZone === null) problems.timeZone = [wrong.timeZone]
  }
  if (recordingDays !== undefined) {
    change.recordingDays = recordingDays
    if (recordingDays !== null && recordingDays > maxRecordingDays) {
      problems.recordingDays = [tooManyDays(maxRecordingDays)]
    }
  }
  if (bina !== undefined) {
    change.callerNumber = bina === null || bina.trim() === '' ? null : (readPhone(bina) ?? '')
    if (change.callerNumber === '') problems.bina = [problem.noPhone]
  }
  if (lowBalance !== undefined) {
    change.lowBalance = lowBalance === null ? null : (toCentavos(lowBalance) ?? -1)
    if (change.lowBalance !== null && (change.lowBalance < 0 || change.lowBalance > maxLowBalance)) {
      problems.lowBalance = [wrong.lowBalance]
    }
  }
  if (Object.keys(problems).length > 0) throw refuseFields('Account', problems)
  const changed = Object.entries(change).filter(
    ([name, value]) => value !== before[name as keyof AccountSettings],
  )
  return Object.fromEntries(changed)
}

function tooManyDays(max: number): FieldProblem {
  return {
    code: 'inclusion',
    message: { en: `must be 1 to ${max}, or null`, pt: `deve ser de 1 a ${max}, ou null` },
  }
}

export function createAccountSettings(deps: Deps) {
  const { db, clock, callers, maxRecordingDays, lowBalance, monthlyReport, hasNumber, onChanged } = deps

  async function read({ accountId }: Pick<Caller, 'accountId'>): Promise<AccountSettings> {
    const [stored, low, hasReport] = await Promise.all([
      readSettings(db, accountId),
      lowBalance.read(db, accountId),
      monthlyReport.read(db, accountId),
    ])
    return {
      timeZone: stored.time_zone,
      language: stored.language,
      recordingDays: Math.min(stored.recording_days ?? maxRecordingDays, maxRecordingDays),
      callerNumber: stored.default_caller_number,
      lowBalance: low,
      callVisibility: stored.call_visibility,
      monthlyReport: hasReport,
    }
  }

  async function update(caller: Caller, patch: SettingsPatch): Promise<AccountSettings> {
    const before = await read(caller)
    const change = readPatch(patch, before, maxRecordingDays)
    if (Object.keys(change).length === 0) return before
    if (change.timeZone && !(await knowsTimeZone(db, change.timeZone))) {
      throw refuseFields('Account', { timeZone: [wrong.timeZone] })
    }
    const userIds = await db.transaction().execute((tx) => store(tx, caller, change))
    for (const userId of userIds) callers.forget(userId)
    onChanged(caller.accountId)
    return await read(caller)
  }

  /** Returns the users whose callers have changed. */
  async function store(tx: Database, { accountId, user }: Caller, change: Change): Promise<number[]> {
    const { timeZone, language, recordingDays, callerNumber, lowBalance: low, callVisibility } = change
    if (callerNumber && !(await hasNumber(tx, accountId, callerNumber))) {
      throw refuseFields('Account', { bina: [wrong.bina] })
    }
    const now = clock.now()
    await updateSettings(tx, accountId, {
      updated_at: now,
      ...(timeZone && { time_zone: timeZone }),
      ...(language && { language }),
      ...(callVisibility && { call_visibility: callVisibility }),
      ...defined({ recording_days: recordingDays, default_caller_number: callerNumber }),
    })
    if (low !== undefined) await lowBalance.write(tx, accountId, low)
    // In the new time zone, if that was changed too.
    if (typeof change.monthlyReport === 'boolean')
      await monthlyReport.write(tx, accountId, change.monthlyReport)
    await recordAudit(tx, {
      accountId,
      at: now,
      action: 'account.updated',
      actor: user.email,
      details: { changed: Object.keys(change).map((name) => (name === 'callerNumber' ? 'bina' : name)) },
    })
    return timeZone ? await callers.announceAccountChange(tx, accountId) : []
  }

  return { read, update }
}
export type AccountSettingsService = ReturnType<typeof createAccountSettings>
