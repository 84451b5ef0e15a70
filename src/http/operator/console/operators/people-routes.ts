/** Operators: listed, added, reset, switched off and on (D648), each change confirmed by the own password (D650). */
import {
  OperatorInvited,
  OperatorNewPerson,
  OperatorPeople,
  OperatorPersonReset,
  OperatorPersonSwitch,
  OperatorPersonSwitched,
} from '../../../../contract/operator-people.ts'
import { type Operator, refuseNoOperator } from '../../../../users/operators/operator.ts'
import type { Invited, Operators } from '../../../../users/operators/operators.ts'
import type { OperatorAccess } from '../access.ts'
import { type AnyOperatorEntry, operatorEntry } from '../operator-entry.ts'

export type PeopleDeps = { operators: Operators; access: Pick<OperatorAccess, 'confirm'> }

const params = { id: '1' }

export function peopleEntries({ operators, access }: PeopleDeps): AnyOperatorEntry[] {
  return [
    operatorEntry({
      method: 'GET',
      path: '/operators',
      about: 'List the operators, by e-mail',
      reply: OperatorPeople,
      run: async () => ({ rows: (await operators.list()).map(present) }),
    }),
    operatorEntry({
      method: 'POST',
      path: '/operators',
      about: 'Add an operator, who gets a set-up link',
      notes:
        'The link works once, for 48 hours, and is answered only now: give it to the operator, who chooses a password and sets up an authenticator app. In the log of the operator.',
      body: OperatorNewPerson,
      reply: OperatorInvited,
      errors: ['REAUTHENTICATION_REQUIRED', 'INVALID_PASSWORD'],
      async run({ body: { name, email, currentPassword }, actor }) {
        await access.confirm(actor, currentPassword)
        return presentInvited(await operators.add({ name, email }))
      },
    }),
    operatorEntry({
      method: 'POST',
      path: '/operators/:id/reset',
      about: 'Reset the password of an operator, and the second factor',
      notes:
        'The password and all sessions end at once, and another set-up link is answered. Of your own they end when the link is used. In the log of the operator.',
      params,
      body: OperatorPersonReset,
      reply: OperatorInvited,
      errors: ['ROUTE_NOT_FOUND', 'REAUTHENTICATION_REQUIRED', 'INVALID_PASSWORD'],
      async run({ params: { id = '' }, body: { secondFactor = false, reason, currentPassword }, actor }) {
        await access.confirm(actor, currentPassword)
        const invited = await operators.reset(readId(id), { secondFactor, reason: reason.trim() })
        if (!invited) throw refuseNoOperator()
        return presentInvited(invited)
      },
    }),
    operatorEntry({
      method: 'POST',
      path: '/operators/:id/switch',
      about: 'Switch an operator off or on',
      notes:
        'The sessions and the set-up link of one that is switched off end at once. Nobody switches themselves off. In the log of the operator; of one that is so already nothing changes.',
      params,
      body: OperatorPersonSwitch,
      reply: OperatorPersonSwitched,
      errors: ['ROUTE_NOT_FOUND', 'REAUTHENTICATION_REQUIRED', 'INVALID_PASSWORD'],
      async run({ params: { id = '' }, body: { on, reason, currentPassword }, actor }) {
        await access.confirm(actor, currentPassword)
        const switched = await operators.setOn(readId(id), on, { reason: reason.trim() })
        if (!switched) throw refuseNoOperator()
        return present(switched)
      },
    }),
  ]
}

const readId = (id: string) => (/^\d{1,15}$/.test(id) ? Number(id) : 0)

const present = (operator: Operator) => ({
  id: operator.id,
  name: operator.name,
  email: operator.email,
  state: operator.state,
  createdAt: operator.createdAt.toISOString(),
  lastLoginAt: operator.lastLoginAt?.toISOString() ?? null,
  linkExpiresAt: operator.linkExpiresAt?.toISOString() ?? null,
})

const presentInvited = ({ operator, link }: Invited) => ({ ...present(operator), link })
