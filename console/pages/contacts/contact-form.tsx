/** Adds a contact, or changes one. */
import { useQueryClient } from '@tanstack/react-query'
import { request } from '../../api.ts'
import type { Contact } from '../../api-types.ts'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { Field } from '../../parts/forms/field.tsx'
import { Form } from '../../parts/forms/form.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { telephone } from '../../parts/telephone.ts'
import { toast } from '../../parts/toasts.tsx'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { contactWords } from './words.ts'

export const contactsKey = ['contacts']

type Props = { contact?: Contact | undefined; onClose: () => void }

export function ContactForm({ contact, onClose }: Props) {
  const words = useWords(contactWords)
  const common = useWords(commonWords)
  const cache = useQueryClient()
  const form = useForm(async ({ name = '', company = '', numbers = '' }) => {
    const given = numbers.split(',').map((number) => number.trim())
    const body = { name, company, numbers: given.filter(Boolean) }
    if (contact) await request('PATCH', '/contacts/{id}', { path: { id: contact.id }, body })
    else await request('POST', '/contacts', { body })
    await cache.invalidateQueries({ queryKey: contactsKey })
    toast(common.saved)
    onClose()
  })
  return (
    <Dialog title={contact ? words.edit(contact.name) : words.add} onClose={onClose}>
      <Form form={form} action={common.save} onCancel={onClose}>
        <Field label={words.name} name="name" required maxLength={120} defaultValue={contact?.name} />
        <Field label={words.company} name="company" maxLength={120} defaultValue={contact?.company} />
        <Field
          label={words.numbers}
          name="numbers"
          hint={words.numbersHint}
          defaultValue={contact?.numbers.map(telephone).join(', ')}
        />
      </Form>
    </Dialog>
  )
}
