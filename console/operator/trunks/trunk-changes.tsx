/** Switches a trunk off and on, and removes one, each with a reason. */
import type { ReactNode } from 'react'
import type { OperatorTrunk } from '../../../src/contract/operator-trunks.ts'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { Field } from '../../parts/forms/field.tsx'
import { Form } from '../../parts/forms/form.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { toast } from '../../parts/toasts.tsx'
import { queryClient } from '../../session.ts'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { operate } from '../operator-api.ts'
import { operatorWords } from '../words.ts'
import { trunksKey, usedBy } from './trunk-list.ts'
import { trunkWords } from './words.ts'

type Props = { trunk: OperatorTrunk; onClose: () => void }

export function SwitchTrunk({ trunk, onClose }: Props) {
  const own = useWords(trunkWords)
  const action = trunk.on ? own.switchOff : own.switchOn
  return (
    <Change
      title={`${action}: ${trunk.name}`}
      action={action}
      path={`/trunks/${trunk.name}/switch`}
      body={{ on: !trunk.on }}
      onClose={onClose}
    >
      {trunk.on ? own.switchOffAbout(usedBy(trunk)) : own.switchOnAbout}
    </Change>
  )
}

export function RemoveTrunk({ trunk, onClose }: Props) {
  const own = useWords(trunkWords)
  const common = useWords(commonWords)
  return (
    <Change
      title={own.removeTitle(trunk.name)}
      action={common.remove}
      path={`/trunks/${trunk.name}/remove`}
      body={{}}
      onClose={onClose}
    >
      {own.removeAbout(usedBy(trunk))}
    </Change>
  )
}

type ChangeProps = {
  title: string
  action: string
  path: string
  body: object
  onClose: () => void
  children: ReactNode
}

function Change({ title, action, path, body, onClose, children }: ChangeProps) {
  const words = useWords(operatorWords)
  const common = useWords(commonWords)
  const form = useForm(async ({ reason }) => {
    await operate('POST', path, { ...body, reason })
    await queryClient.invalidateQueries({ queryKey: trunksKey })
    toast(common.saved)
    onClose()
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <Form form={form} action={action} onCancel={onClose}>
        <p>{children}</p>
        <Field label={words.reason} name="reason" required minLength={3} maxLength={500} />
      </Form>
    </Dialog>
  )
}
