/** Adds, resets and switches an operator, each confirmed by the own password (D650). */
import { useState } from 'react'
import type { OperatorInvited, OperatorPerson } from '../../../src/contract/operator-people.ts'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { Check, Field } from '../../parts/forms/field.tsx'
import { Form } from '../../parts/forms/form.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { toast } from '../../parts/toasts.tsx'
import { queryClient } from '../../session.ts'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { operate } from '../operator-api.ts'
import { operatorWords } from '../words.ts'
import { peopleKey } from './people-list.ts'
import { peopleWords } from './words.ts'

const refresh = () => queryClient.invalidateQueries({ queryKey: peopleKey })

type Props = { person: OperatorPerson; onClose: () => void }

export function AddPerson({ onClose }: { onClose: () => void }) {
  const own = useWords(peopleWords)
  const common = useWords(commonWords)
  const [invited, setInvited] = useState<OperatorInvited>()
  const form = useForm(async ({ name, email, currentPassword }) => {
    setInvited(await operate<OperatorInvited>('POST', '/operators', { name, email, currentPassword }))
    await refresh()
  })
  if (invited) return <SetUpLink invited={invited} onClose={onClose} />
  return (
    <Dialog title={own.add} onClose={onClose}>
      <Form form={form} action={own.add} onCancel={onClose}>
        <Field label={common.name} name="name" required maxLength={120} autoComplete="off" />
        <Field label={common.email} name="email" type="email" required maxLength={254} autoComplete="off" />
        <OwnPassword />
      </Form>
    </Dialog>
  )
}

export function ResetPerson({ person, onClose }: Props) {
  const own = useWords(peopleWords)
  const [invited, setInvited] = useState<OperatorInvited>()
  const form = useForm(async ({ secondFactor, reason, currentPassword }) => {
    const body = { secondFactor: secondFactor === 'on', reason, currentPassword }
    setInvited(await operate<OperatorInvited>('POST', `/operators/${person.id}/reset`, body))
    await refresh()
  })
  if (invited) return <SetUpLink invited={invited} onClose={onClose} />
  return (
    <Dialog title={own.resetOf(person.email)} onClose={onClose}>
      <Form form={form} action={own.reset} onCancel={onClose}>
        <p>{own.resetAbout}</p>
        <Check label={own.secondFactor} name="secondFactor" />
        <Reason />
        <OwnPassword />
      </Form>
    </Dialog>
  )
}

export function SwitchPerson({ person, onClose }: Props) {
  const own = useWords(peopleWords)
  const common = useWords(commonWords)
  const isOff = person.state === 'off'
  const action = isOff ? own.switchOn : own.switchOff
  const form = useForm(async ({ reason, currentPassword }) => {
    await operate('POST', `/operators/${person.id}/switch`, { on: isOff, reason, currentPassword })
    await refresh()
    toast(common.saved)
    onClose()
  })
  return (
    <Dialog title={`${action}: ${person.email}`} onClose={onClose}>
      <Form form={form} action={action} onCancel={onClose}>
        <p>{isOff ? own.switchOnAbout : own.switchOffAbout}</p>
        <Reason />
        <OwnPassword />
      </Form>
    </Dialog>
  )
}

function SetUpLink({ invited, onClose }: { invited: OperatorInvited; onClose: () => void }) {
  const own = useWords(peopleWords)
  return (
    <ShownOnce title={own.link} text={invited.link} onClose={onClose}>
      <p>{own.linkAbout(invited.email)}</p>
    </ShownOnce>
  )
}

function Reason() {
  const words = useWords(operatorWords)
  return <Field label={words.reason} name="reason" required minLength={3} maxLength={500} />
}

function OwnPassword() {
  const own = useWords(peopleWords)
  return (
    <Field
      label={own.ownPassword}
      hint={own.ownPasswordHint}
      name="currentPassword"
      type="password"
      autoComplete="current-password"
      required
    />
  )
}
