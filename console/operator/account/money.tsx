/** The dialogs that give or take credit, and refund a charge (D617). */
import { useState } from 'react'
import type { OperatorAccountPage } from '../../../src/contract/operator-account.ts'
import { useFormat } from '../../parts/format.ts'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { Field, SelectField } from '../../parts/forms/field.tsx'
import { Form } from '../../parts/forms/form.tsx'
import { useWords } from '../../words/language.ts'
import { ReasonField, useChange } from './change.tsx'
import { accountWords } from './words.ts'

/** A key for each request: one that is sent again is entered once. */
const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(36)).join('.')

/** The service says what is wrong with a text that is no amount. */
function readAmount(text: string, isTaken: boolean): number | string {
  const amount = Number(
    text
      .trim()
      .replace(/\.(?=\d{3}(\D|$))/g, '')
      .replace(',', '.'),
  )
  if (Number.isNaN(amount)) return text
  return isTaken ? -amount : amount
}

export function Credit({ domain, onClose }: { domain: string; onClose: () => void }) {
  const words = useWords(accountWords)
  const [key] = useState(newKey)
  const form = useChange(domain, {
    path: 'credit',
    body: ({ amount = '', direction, reason }) => ({
      amount: readAmount(amount, direction === 'take'),
      reason,
      key,
    }),
    onDone: onClose,
  })
  return (
    <Dialog title={words.creditTitle(domain)} onClose={onClose}>
      <Form form={form} action={words.enter} onCancel={onClose}>
        <p>{words.creditAbout}</p>
        <div className="pair">
          <SelectField
            label={words.direction}
            name="direction"
            choices={[
              { value: 'give', name: words.give },
              { value: 'take', name: words.take },
            ]}
          />
          <Field label={words.amount} name="amount" inputMode="decimal" required />
        </div>
        <ReasonField />
      </Form>
    </Dialog>
  )
}

type RefundProps = {
  domain: string
  charge: OperatorAccountPage['charges'][number]
  onClose: () => void
}

export function Refund({ domain, charge: { id, amount }, onClose }: RefundProps) {
  const words = useWords(accountWords)
  const format = useFormat()
  const form = useChange(domain, {
    path: `charges/${id}/refund`,
    body: ({ reason }) => ({ reason }),
    onDone: onClose,
  })
  return (
    <Dialog title={words.refundTitle(String(id))} onClose={onClose}>
      <Form form={form} action={words.refund} onCancel={onClose}>
        <p>{words.refundAbout(format.money(amount))}</p>
        <ReasonField />
      </Form>
    </Dialog>
  )
}
