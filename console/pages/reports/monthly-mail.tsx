/** The switch of the monthly report by mail (D643). The page is for ADMINs, as is the setting. */
import { useQuery } from '@tanstack/react-query'
import { request } from '../../api.ts'
import { Check } from '../../parts/forms/field.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import { Loaded } from '../../parts/states.tsx'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { reportWords } from './words.ts'

/** Read again with the other settings of the account. */
const settingsKey = ['account-settings', 'alone']

export function MonthlyMail() {
  const words = useWords(reportWords)
  const settings = useQuery({
    queryKey: settingsKey,
    queryFn: () => request('GET', '/accounts/settings'),
  })
  return (
    <section className="card">
      <h2>{words.monthly}</h2>
      <Loaded query={settings} lines={1}>
        {({ monthlyReport }) => <Switch isOn={monthlyReport} />}
      </Loaded>
    </section>
  )
}

function Switch({ isOn }: { isOn: boolean }) {
  const words = useWords(reportWords)
  const common = useWords(commonWords)
  const change = useAction({
    run: (monthlyReport: boolean) => request('PATCH', '/accounts/settings', { body: { monthlyReport } }),
    refresh: [['account-settings']],
    done: common.saved,
  })
  // It stays enabled while it is saved, so that it keeps the focus.
  return (
    <Check
      label={words.monthlyLabel}
      hint={words.monthlyHint}
      checked={change.isPending ? change.variables : isOn}
      onChange={({ target }) => change.mutate(target.checked)}
    />
  )
}
