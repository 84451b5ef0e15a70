/** Invites a person by mail, or changes name, phone and role of one. */
import { useQueryClient } from '@tanstack/react-query'
import { request } from '../../api.ts'
import type { User } from '../../api-types.ts'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { Field, SelectField } from '../../parts/forms/field.tsx'
import { Form } from '../../parts/forms/form.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { toast } from '../../parts/toasts.tsx'
import { useSignedIn } from '../../session.ts'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { userWords } from './words.ts'

export const usersKey = ['users']

type Props = { user?: User | undefined; onClose: () => void }

export function UserForm({ user, onClose }: Props) {
  const words = useWords(userWords)
  const common = useWords(commonWords)
  const { account } = useSignedIn()
  const cache = useQueryClient()
  const form = useForm(async (values) => {
    await save(values, user)
    await cache.invalidateQueries({ queryKey: usersKey })
    toast(user ? common.saved : words.invited(values.email ?? ''))
    onClose()
  })
  return (
    <Dialog title={user ? words.edit(user.name) : words.inviteTitle} onClose={onClose}>
      <Form form={form} action={user ? common.save : words.send} onCancel={onClose}>
        {!user && <p className="faint">{words.inviteAbout}</p>}
        <Field label={common.name} name="name" required defaultValue={user?.name} />
        {!user && <Field label={common.email} name="email" type="email" required />}
        <div className="pair">
          <Field label={common.phone} name="phone" type="tel" required defaultValue={user?.phone} />
          <SelectField
            label={words.role}
            name="role"
            defaultValue={user?.role ?? 'USER'}
            choices={[
              { value: 'USER', name: words.user },
              { value: 'ADMIN', name: words.admin },
            ]}
            hint={words.roleHints[account.callVisibility]}
          />
        </div>
      </Form>
    </Dialog>
  )
}

async function save({ name = '', email = '', phone = '', ...rest }: Record<string, string>, user?: User) {
  const role = rest.role === 'ADMIN' ? ('ADMIN' as const) : ('USER' as const)
  const person = { name, phone, role }
  if (user) await request('PATCH', '/users', { body: { uuid: user.uuid, ...person } })
  else await request('POST', '/users', { body: { ...person, email } })
}
