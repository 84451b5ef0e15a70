/** The forms with which a notice for customers is opened and updated (D626). */
import type {
  OperatorIncident,
  OperatorIncidentUpdate,
  OperatorNewIncident,
} from '../../../src/contract/operator-incidents.ts'
import type { Component, IncidentKind, IncidentState } from '../../../src/contract/status.ts'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { Check, Field, SelectField } from '../../parts/forms/field.tsx'
import { Form } from '../../parts/forms/form.tsx'
import { TextArea } from '../../parts/forms/text-area.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { toast } from '../../parts/toasts.tsx'
import { queryClient } from '../../session.ts'
import { useWords } from '../../words/language.ts'
import { operate } from '../operator-api.ts'
import { statusWords } from './words.ts'

export const statusKey = ['operator', 'status']

const stagesOf: Record<IncidentKind, IncidentState[]> = {
  incident: ['investigating', 'identified', 'monitoring', 'resolved'],
  maintenance: ['planned', 'in-progress', 'done'],
}
const closing: IncidentState[] = ['resolved', 'done']

export function NewIncident({ kind, onClose }: { kind: IncidentKind; onClose: () => void }) {
  const words = useWords(statusWords)
  const form = useIncidentForm(onClose, async (values) => {
    const { title = '', titleEn } = values
    const body: OperatorNewIncident = {
      ...readUpdate(values, kind),
      kind,
      title,
      ...(titleEn && { titleEn }),
      components: readComponents(values),
    }
    await operate('POST', '/incidents', body)
  })
  const stages = stagesOf[kind].filter((stage) => !closing.includes(stage))
  return (
    <Dialog title={kind === 'incident' ? words.openIncident : words.planMaintenance} onClose={onClose} wide>
      <Form form={form} action={words.publish} onCancel={onClose}>
        <div className="pair">
          <Field label={words.title} name="title" required minLength={3} maxLength={200} />
          <Field
            label={words.titleEn}
            name="titleEn"
            minLength={3}
            maxLength={200}
            hint={words.englishHint}
          />
        </div>
        <Steps kind={kind} stages={stages} components={[]} problem={form.problem('components')} />
      </Form>
    </Dialog>
  )
}

export function UpdateIncident({ incident, onClose }: { incident: OperatorIncident; onClose: () => void }) {
  const words = useWords(statusWords)
  const { id, kind, title, state, components, impact, startsAt, endsAt } = incident
  const form = useIncidentForm(onClose, async (values) => {
    const body: OperatorIncidentUpdate = {
      ...readUpdate(values, kind),
      components: readComponents(values),
    }
    await operate('POST', `/incidents/${id}/updates`, body)
  })
  const stages = stagesOf[kind].filter((stage) => stage !== 'planned' || state === 'planned')
  return (
    <Dialog title={words.updateTitle(title)} onClose={onClose} wide>
      <Form form={form} action={words.publish} onCancel={onClose}>
        <Steps
          kind={kind}
          stages={stages}
          stage={state}
          components={components}
          impact={impact}
          startsAt={startsAt}
          endsAt={endsAt}
          problem={form.problem('components')}
        />
        <p className="faint small">{words.closes}</p>
      </Form>
    </Dialog>
  )
}

type StepsProps = {
  kind: IncidentKind
  stages: IncidentState[]
  stage?: IncidentState
  components: Component[]
  impact?: OperatorIncident['impact']
  startsAt?: string | undefined
  endsAt?: string | undefined
  problem: string | undefined
}

/** The fields of every step of a notice. */
function Steps(props: StepsProps) {
  const { kind, stages, stage, components, impact, startsAt, endsAt, problem } = props
  const words = useWords(statusWords)
  const choices = (names: Record<string, string>, values: string[]) =>
    values.map((value) => ({ value, name: names[value] ?? value }))
  return (
    <>
      <TextArea label={words.text} name="text" required minLength={3} maxLength={5000} rows={3} />
      <TextArea
        label={words.textEn}
        name="textEn"
        minLength={3}
        maxLength={5000}
        rows={3}
        hint={words.englishHint}
      />
      <div className="pair">
        <SelectField
          label={words.stage}
          name="state"
          defaultValue={stage ?? stages[0]}
          choices={choices(words.stages, stages)}
        />
        {kind === 'incident' && (
          <SelectField
            label={words.impact}
            name="impact"
            defaultValue={impact ?? 'degraded'}
            choices={choices(words.impacts, ['degraded', 'outage'])}
          />
        )}
      </div>
      {kind === 'maintenance' && (
        <div className="pair">
          <Field
            label={words.startsAt}
            name="startsAt"
            type="datetime-local"
            defaultValue={toInput(startsAt)}
            hint={words.timeHint}
          />
          <Field label={words.endsAt} name="endsAt" type="datetime-local" defaultValue={toInput(endsAt)} />
        </div>
      )}
      <fieldset className="plain">
        <legend>{words.affects}</legend>
        <div className="row">
          {Object.entries(words.components).map(([name, label]) => (
            <Check
              key={name}
              label={label}
              name={`affects-${name}`}
              defaultChecked={components.includes(name as Component)}
            />
          ))}
        </div>
        <p role="alert" className="bad small">
          {problem}
        </p>
      </fieldset>
    </>
  )
}

function useIncidentForm(onClose: () => void, send: (values: Record<string, string>) => Promise<void>) {
  const words = useWords(statusWords)
  return useForm(async (values) => {
    await send(values)
    await queryClient.invalidateQueries({ queryKey: statusKey })
    toast(words.published)
    onClose()
  })
}

function readComponents(values: Record<string, string>): Component[] {
  return Object.keys(values).flatMap((name) =>
    name.startsWith('affects-') ? [name.slice('affects-'.length) as Component] : [],
  )
}

function readUpdate(values: Record<string, string>, kind: IncidentKind): OperatorIncidentUpdate {
  const { text = '', textEn, state, impact, startsAt, endsAt } = values
  return {
    state: state as IncidentState,
    text,
    ...(textEn && { textEn }),
    ...(kind === 'incident' && { impact: impact as OperatorIncidentUpdate['impact'] }),
    ...(startsAt && { startsAt: new Date(startsAt).toISOString() }),
    ...(endsAt && { endsAt: new Date(endsAt).toISOString() }),
  } as OperatorIncidentUpdate
}

/** As an input of the browser writes a moment: local time, without its zone. */
function toInput(instant: string | undefined): string | undefined {
  if (instant === undefined) return undefined
  const moment = new Date(instant)
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
