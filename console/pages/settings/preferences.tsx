/** Settings of the account: time zone, language, retention, caller-ID, low balance, whose calls users see. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { request } from '../../api.ts'
import type { AccountSettings, PhoneNumber } from '../../api-types.ts'
import { useFormat } from '../../parts/format.ts'
import { Field, SelectField } from '../../parts/forms/field.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { Refused } from '../../parts/notice.tsx'
import { telephone } from '../../parts/telephone.ts'
import { toast } from '../../parts/toasts.tsx'
import { refreshSession, useSignedIn } from '../../session.ts'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { settingsWords } from './words.ts'

const settingsKey = ['account-settings']

export function usePreferences() {
  return useQuery({
    queryKey: settingsKey,
    async queryFn() {
      const [settings, numbers] = await Promise.all([
        request('GET', '/accounts/settings'),
        request('GET', '/numbers'),
      ])
      return { settings, numbers: numbers.filter(({ verified }) => verified) }
    },
  })
}

type Found = { settings: AccountSettings; numbers: PhoneNumber[] }

export function PreferencesForm({ settings, numbers }: Found) {
  const words = useWords(settingsWords)
  const common = useWords(commonWords)
  const format = useFormat()
  const { features } = useSignedIn()
  const cache = useQueryClient()
  const form = useForm(
    async ({ timeZone = '', language, recordingDays, bina, lowBalance, callVisibility }) => {
      const body = {
        timeZone,
        language: language === 'en' ? ('en' as const) : ('pt' as const),
        recordingDays: Number(recordingDays),
        bina: bina || null,
        lowBalance: Number(lowBalance),
        callVisibility: callVisibility === 'own' ? ('own' as const) : ('account' as const),
      }
      await request('PATCH', '/accounts/settings', { body })
      await cache.invalidateQueries({ queryKey: settingsKey })
      await refreshSession()
      toast(common.saved)
    },
  )
  const zones = useMemo(() => zonesWith(settings.timeZone, words), [settings.timeZone, words])
  const languages = [
    { value: 'pt', name: words.languages.pt },
    { value: 'en', name: words.languages.en },
  ]
  const binas = [
    { value: '', name: words.noBina },
    ...numbers.map(({ number }) => ({ value: number, name: telephone(number) })),
  ]
  return (
    <form className="form settings" onSubmit={form.onSubmit}>
      <Group name={words.dates}>
        <SelectField
          label={words.timeZone}
          name="timeZone"
          defaultValue={settings.timeZone}
          choices={zones}
          hint={words.timeZoneHint}
          problem={form.problem('timeZone')}
        />
        <SelectField
          label={words.language}
          name="language"
          defaultValue={settings.language}
          choices={languages}
          hint={words.languageHint}
          problem={form.problem('language')}
        />
      </Group>
      <Group name={words.callsAndRecordings}>
        <SelectField
          label={words.callVisibility}
          name="callVisibility"
          defaultValue={settings.callVisibility}
          choices={[
            { value: 'account', name: words.visibleCalls.account },
            { value: 'own', name: words.visibleCalls.own },
          ]}
          hint={words.callVisibilityHint}
          problem={form.problem('callVisibility')}
        />
        <Field
          label={words.recordingDays}
          name="recordingDays"
          type="number"
          min={1}
          max={features.recordingDays}
          required
          defaultValue={settings.recordingDays}
          hint={words.recordingHint(format.count(features.recordingDays))}
          problem={form.problem('recordingDays')}
        />
        <SelectField
          label={words.bina}
          name="bina"
          defaultValue={settings.bina ?? ''}
          choices={binas}
          hint={words.binaHint}
          problem={form.problem('bina')}
        />
      </Group>
      <Group name={words.balance}>
        <Field
          label={words.lowBalance}
          name="lowBalance"
          type="number"
          min={0}
          step="0.01"
          required
          defaultValue={settings.lowBalance.toFixed(2)}
          hint={words.lowBalanceHint}
          problem={form.problem('lowBalance')}
        />
      </Group>
      <Refused error={form.error} />
      <div className="row">
        <button type="submit" className="button primary" disabled={form.isBusy}>
          {common.save}
        </button>
      </div>
    </form>
  )
}

/** Settings that belong together, beside their name. */
function Group({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="setting">
      <h3>{name}</h3>
      <div className="pair">{children}</div>
    </div>
  )
}

const brazil = new Map([
  ['America/Sao_Paulo', 'São Paulo'],
  ['America/Noronha', 'Fernando de Noronha'],
  ['America/Araguaina', 'Araguaína'],
  ['America/Belem', 'Belém'],
  ['America/Boa_Vista', 'Boa Vista'],
  ['America/Campo_Grande', 'Campo Grande'],
  ['America/Cuiaba', 'Cuiabá'],
  ['America/Eirunepe', 'Eirunepé'],
  ['America/Fortaleza', 'Fortaleza'],
  ['America/Maceio', 'Maceió'],
  ['America/Manaus', 'Manaus'],
  ['America/Porto_Velho', 'Porto Velho'],
  ['America/Recife', 'Recife'],
  ['America/Rio_Branco', 'Rio Branco'],
  ['America/Bahia', 'Salvador'],
  ['America/Santarem', 'Santarém'],
])

/** Those of Brazil first. The browser does not list every name that the service knows. */
function zonesWith(current: string, words: { ofBrazil: string; ofOthers: string }) {
  const known = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', current])
  const others = [...known].filter((zone) => !brazil.has(zone)).sort()
  return [
    ...[...brazil].map(([zone, city]) => choiceOf(zone, city, words.ofBrazil)),
    ...others.map((zone) => choiceOf(zone, zone.replaceAll('_', ' '), words.ofOthers)),
  ]
}

const choiceOf = (zone: string, name: string, group: string) => ({
  value: zone,
  name: `${name} (${offsetOf(zone)})`,
  group,
})

/** `GMT-3`, now. */
function offsetOf(timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' }).formatToParts()
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}
