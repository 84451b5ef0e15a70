/** What an account may do, and the form that changes it; an empty field means the default. */
import { useQuery } from '@tanstack/react-query'
import type {
  OperatorAccountDetail,
  OperatorLimitChange,
  OperatorLimits,
} from '../../src/contract/operator.ts'
import { useFormat } from '../parts/format.ts'
import { Dialog } from '../parts/forms/dialog.tsx'
import { Check, Field, SelectField } from '../parts/forms/field.tsx'
import { Form } from '../parts/forms/form.tsx'
import { useForm } from '../parts/forms/use-form.ts'
import { Loaded } from '../parts/states.tsx'
import { toast } from '../parts/toasts.tsx'
import { queryClient } from '../session.ts'
import { commonWords } from '../words/common.ts'
import { useWords } from '../words/language.ts'
import { operate } from './operator-api.ts'
import { operatorWords } from './words.ts'

type Props = { domain: string; onClose: () => void }

export function LimitForm({ domain, onClose }: Props) {
  const words = useWords(operatorWords)
  const path = `/accounts/${encodeURIComponent(domain)}/limits`
  const detail = useQuery({
    queryKey: ['operator', 'limits', domain],
    queryFn: () => operate<OperatorAccountDetail>('GET', path),
    gcTime: 0,
  })
  return (
    <Dialog title={words.limitsOf(domain)} onClose={onClose} wide>
      <Loaded query={detail} lines={5}>
        {(found) => <Fields detail={found} path={path} onClose={onClose} />}
      </Loaded>
    </Dialog>
  )
}

type FieldProps = { detail: OperatorAccountDetail; path: string; onClose: () => void }

function Fields({ detail, path, onClose }: FieldProps) {
  const words = useWords(operatorWords)
  const common = useWords(commonWords)
  const format = useFormat()
  const { limits, use, ranges } = detail
  const form = useForm(async (values) => {
    await operate('PATCH', path, readChange(values, detail))
    await queryClient.invalidateQueries({ queryKey: ['operator'] })
    toast(common.saved)
    onClose()
  })
  const number = (
    name: keyof OperatorLimitChange,
    label: string,
    value: number | null,
    effective: string,
  ) => (
    <Field
      label={label}
      name={name}
      inputMode="decimal"
      defaultValue={value ?? ''}
      placeholder={effective}
      hint={value === null ? words.default(effective) : undefined}
    />
  )
  const set = setFor(limits)
  return (
    <Form form={form} action={common.save} onCancel={onClose}>
      <p className="faint">
        {words.used(format.count(use.calls), format.money(use.spent))}
        {use.dayEnds && ` ${words.dayEnds(format.moment(use.dayEnds))}`}
      </p>
      <div className="pair">
        {number('callsPerDay', words.callsPerDay, set.callsPerDay, String(limits.callsPerDay.value))}
        {number(
          'spendingPerDay',
          words.spendingPerDay,
          set.spendingPerDay,
          limits.spendingPerDay.value.toFixed(2),
        )}
      </div>
      <div className="pair">
        {number('callsAtOnce', words.callsAtOnce, set.callsAtOnce, String(limits.callsAtOnce.value.account))}
        {number(
          'callsAtOncePerExtension',
          words.callsPerExtension,
          set.callsAtOncePerExtension,
          String(limits.callsAtOnce.value.extension),
        )}
      </div>
      <SelectField
        label={words.international}
        name="international"
        defaultValue={set.international === null ? '' : String(set.international)}
        choices={[
          { value: '', name: words.default(limits.international.value ? words.on : words.off) },
          { value: 'true', name: words.on },
          { value: 'false', name: words.off },
        ]}
      />
      <Check
        label={words.proven}
        hint={words.provenAbout}
        name="proven"
        defaultChecked={limits.proof !== null}
      />
      <fieldset className="plain">
        <legend>{words.ranges}</legend>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
        <div className="ranges" tabIndex={0}>
          {ranges.map(({ prefix, name, enabled }) => (
            <Check
              key={prefix}
              label={`+${prefix} ${name}`}
              name={`range-${prefix}`}
              defaultChecked={enabled}
            />
          ))}
        </div>
      </fieldset>
    </Form>
  )
}

type SetLimits = {
  callsPerDay: number | null
  spendingPerDay: number | null
  callsAtOnce: number | null
  callsAtOncePerExtension: number | null
  international: boolean | null
}

/** What is set for this account; null where the default holds. */
function setFor({ callsPerDay, spendingPerDay, callsAtOnce, international }: OperatorLimits): SetLimits {
  const own = <T,>({ value, source }: { value: T; source: string }) => (source === 'account' ? value : null)
  const atOnce = own(callsAtOnce)
  return {
    callsPerDay: own(callsPerDay),
    spendingPerDay: own(spendingPerDay),
    callsAtOnce: atOnce?.account ?? null,
    callsAtOncePerExtension: atOnce?.extension ?? null,
    international: own(international),
  }
}

/** Only what differs: the audit log of the account shows what was changed. */
function readChange(values: Record<string, string>, detail: OperatorAccountDetail): OperatorLimitChange {
  const before = setFor(detail.limits)
  const amount = (name: string) => {
    const text = (values[name] ?? '').trim().replace(',', '.')
    if (text === '') return null
    // The service says what is wrong with a text that is no number.
    return Number.isNaN(Number(text)) ? text : Number(text)
  }
  const wanted: Record<keyof SetLimits, unknown> = {
    callsPerDay: amount('callsPerDay'),
    spendingPerDay: amount('spendingPerDay'),
    callsAtOnce: amount('callsAtOnce'),
    callsAtOncePerExtension: amount('callsAtOncePerExtension'),
    international: values.international === '' ? null : values.international === 'true',
  }
  const names = Object.keys(wanted) as (keyof SetLimits)[]
  const changed = names.filter((name) => wanted[name] !== before[name])
  const proven = values.proven === 'on'
  const isOn = (prefix: string) => values[`range-${prefix}`] === 'on'
  const allow = detail.ranges.filter(({ prefix, enabled }) => !enabled && isOn(prefix))
  const bar = detail.ranges.filter(({ prefix, enabled }) => enabled && !isOn(prefix))
  return {
    ...Object.fromEntries(changed.map((name) => [name, wanted[name]])),
    ...(proven !== (detail.limits.proof !== null) && { proven }),
    ...(allow.length > 0 && { allow: allow.map(({ prefix }) => prefix) }),
    ...(bar.length > 0 && { bar: bar.map(({ prefix }) => prefix) }),
  }
}
