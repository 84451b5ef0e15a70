/** Spec §4.5, extensions. */

import {
  DoNotDisturb,
  Extension,
  ExtensionPatch,
  ExtensionPresence,
  NewExtension,
  NextExtension,
  PhoneCredential,
} from '../../../contract/accounts/extensions.ts'
import { problem, refuse, refuseFields } from '../../../contract/errors.ts'
import { givenId, listed } from '../../../contract/schema/common.ts'
import { Type } from '../../../contract/schema/type.ts'
import type { DoNotDisturb as DoNotDisturbService } from '../../../extensions/do-not-disturb.ts'
import type {
  NewExtension as ExtensionInput,
  Extension as ExtensionRecord,
} from '../../../extensions/extension.ts'
import { extensionList } from '../../../extensions/extension-list.ts'
import type { Extensions } from '../../../extensions/extensions.ts'
import { readBareList } from '../../../filter/list-query.ts'
import { pickFields } from '../../../filter/selection.ts'
import { defined } from '../../../kit/defined.ts'
import type { Presences } from '../../../live/presences.ts'
import type { Caller } from '../../../users/caller.ts'
import { maySeeSecrets } from '../../../users/scopes.ts'
import { type AnyEntry, entry } from '../../entry.ts'
import { filterParameter } from '../parameters.ts'

const tag = 'Extensions'

type Deps = { extensions: Extensions; presences: Presences; doNotDisturb: DoNotDisturbService }

export function extensionRoutes({ extensions, presences, doNotDisturb }: Deps): AnyEntry[] {
  return [
    entry({
      method: 'GET',
      path: '/extensions',
      tag,
      about: 'List the extensions of the account',
      may: 'extensions.list',
      scope: ['calls:place', 'calls:read', 'admin'],
      limit: 'other',
      query: filterParameter(extensionList),
      reply: Type.Array(listed(Extension)),
      async run({ caller, query }) {
        const asked = readBareList(extensionList, query, caller)
        const found = await extensions.list(caller, asked)
        return found.map((extension) => pickFields(asked.fields, presentExtension(caller, extension)))
      },
    }),
    entry({
      method: 'GET',
      path: '/extensions/presence',
      tag,
      about: 'Tell which extensions of the account are free, ringing, in a call or cannot be reached',
      notes: 'The state alone, for every user: not who is on the line.',
      may: 'extensions.list',
      scope: ['calls:place', 'calls:read', 'admin'],
      limit: 'other',
      reply: Type.Array(ExtensionPresence),
      run: async ({ caller }) => (await presences.list(caller)).map(presentPresence),
    }),
    entry({
      method: 'PUT',
      path: '/extensions/:id/do-not-disturb',
      tag,
      about: 'Refuse calls to an extension as busy, or take them again: of your own or, as an ADMIN, of any',
      notes:
        'Calls from outside and from colleagues who dial are recorded, with the cause `USER_BUSY`. `POST /calls` to it and transfers ' +
        'to it are refused with `EXTENSION_DO_NOT_DISTURB`. Calls that are placed from it ring its phone.',
      may: 'calls.place',
      scope: 'calls:place',
      limit: 'other',
      body: DoNotDisturb,
      reply: DoNotDisturb,
      errors: ['EXTENSION_NOT_FOUND', 'ACCESS_DENIED'],
      async run({ caller, params, body }) {
        await doNotDisturb.set(caller, extensionId(params), body.do_not_disturb)
        return body
      },
    }),
    entry({
      method: 'GET',
      path: '/extensions/:id',
      tag,
      about: 'Show one extension',
      may: 'extensions.list',
      scope: ['calls:place', 'calls:read', 'admin'],
      limit: 'other',
      reply: Extension,
      errors: ['EXTENSION_NOT_FOUND'],
      run: async ({ caller, params }) =>
        presentExtension(caller, await extensions.find(caller, extensionId(params))),
    }),
    entry({
      method: 'POST',
      path: '/extensions/:id/phone-credential',
      tag,
      about:
        'Get credentials of 15 minutes for the phone of a browser: of your own extension or, as an ADMIN, of any',
      notes:
        'A token that is limited to scopes gets those of your own extension alone, unless it has `admin`. They end with the ' +
        'token, if that is earlier, and with your right to the extension.',
      may: 'calls.place',
      scope: 'calls:place',
      limit: 'other',
      reply: PhoneCredential,
      errors: ['EXTENSION_NOT_FOUND', 'ACCESS_DENIED'],
      async run({ caller, params }) {
        const { expires, ...issued } = await extensions.issueCredential(caller, extensionId(params))
        return { ...issued, expires: expires.toISOString() }
      },
    }),
    entry({
      method: 'POST',
      path: '/extensions',
      tag,
      about: 'Create an extension with a number of your choice',
      may: 'extensions.manage',
      scope: 'admin',
      limit: 'other',
      idempotent: true,
      body: NewExtension,
      reply: Extension,
      async run({ caller, body, saveAnswer }) {
        const input = { ...fromWire(body), number: body.ramal }
        const made = await extensions.create(caller, input, (tx, it) =>
          saveAnswer(tx, presentExtension(caller, it)),
        )
        return presentExtension(caller, made)
      },
    }),
    entry({
      method: 'POST',
      path: '/extensions/next-available',
      tag,
      about: 'Create an extension with the lowest free number from 1000',
      may: 'extensions.manage',
      scope: 'admin',
      limit: 'other',
      idempotent: true,
      body: NextExtension,
      reply: Extension,
      errors: ['EXTENSION_NUMBERS_USED_UP'],
      async run({ caller, body, saveAnswer }) {
        const made = await extensions.createNext(caller, fromWire(body), (tx, it) =>
          saveAnswer(tx, presentExtension(caller, it)),
        )
        return presentExtension(caller, made)
      },
    }),
    entry({
      method: 'PATCH',
      path: '/extensions',
      tag,
      about: 'Change the extension named by id or, without id, create one',
      may: 'extensions.manage',
      scope: 'admin',
      limit: 'other',
      body: ExtensionPatch,
      reply: Extension,
      errors: ['EXTENSION_NOT_FOUND'],
      async run({ caller, body: { id: sent, ...body } }) {
        const id = givenId(sent)
        const changed =
          id === undefined
            ? await extensions.create(caller, fromPatch(body))
            : await extensions.update(caller, id, partFromWire(body))
        return presentExtension(caller, changed)
      },
    }),
    entry({
      method: 'DELETE',
      path: '/extensions/:id',
      tag,
      about: 'Remove an extension',
      may: 'extensions.manage',
      scope: 'admin',
      limit: 'other',
      reply: Type.Object({ id: Extension.properties.id }),
      errors: ['EXTENSION_NOT_FOUND'],
      async run({ caller, params }) {
        const id = extensionId(params)
        await extensions.remove(caller, id)
        return { id }
      },
    }),
  ]
}

export function extensionId({ id = '' }: Record<string, string>): number {
  if (!/^\d{1,15}$/.test(id)) throw refuse('EXTENSION_NOT_FOUND')
  return Number(id)
}

type Body = Type.Static<typeof NextExtension>
type PatchBody = Omit<Type.Static<typeof ExtensionPatch>, 'id'>

function fromWire(body: Body): Omit<ExtensionInput, 'number'> {
  return {
    password: body.senha,
    callerId: body.bina ?? null,
    firstName: body.first_name,
    lastName: body.last_name,
    email: body.email_address,
    recordCalls: Boolean(body.gravar_audio),
  }
}

function partFromWire(body: PatchBody): Partial<ExtensionInput> {
  return {
    ...defined({
      number: body.ramal,
      password: body.senha,
      callerId: body.bina,
      firstName: body.first_name,
      lastName: body.last_name,
      email: body.email_address,
    }),
    ...(body.gravar_audio !== undefined && { recordCalls: Boolean(body.gravar_audio) }),
  }
}

/** A new extension sent as a patch must be whole. */
function fromPatch(body: PatchBody): ExtensionInput {
  const { ramal, senha, first_name, last_name, email_address } = body
  if (!ramal || !senha || !first_name || !last_name || !email_address) {
    const needed = { ramal, senha, first_name, last_name, email_address }
    const missing = Object.entries(needed).filter(([, value]) => value === undefined)
    throw refuseFields('Extension', Object.fromEntries(missing.map(([field]) => [field, [problem.missing]])))
  }
  return { ...fromWire({ ...body, senha, first_name, last_name, email_address }), number: ramal }
}

type PresenceRecord = Awaited<ReturnType<Presences['list']>>[number]

const presentPresence = ({ id, number, firstName, lastName, presence, isUndisturbed }: PresenceRecord) => ({
  id,
  ramal: number,
  first_name: firstName,
  last_name: lastName,
  presence,
  do_not_disturb: isUndisturbed,
})

/** D71: a USER sees only the passwords of extensions that belong to them, by id (D148). A limited token needs `admin` (D206). */
export function presentExtension(caller: Caller, extension: ExtensionRecord) {
  const { user, domain } = caller
  const { registration } = extension
  const isTheirs = user.role === 'ADMIN' || extension.owner?.id === user.id
  return {
    id: extension.id,
    domain,
    ramal: extension.number,
    senha: isTheirs && maySeeSecrets(caller) ? extension.password : null,
    bina: extension.callerId,
    bina_verified: extension.callerIdVerified,
    first_name: extension.firstName,
    last_name: extension.lastName,
    email_address: extension.email,
    user_uuid: extension.owner?.uuid ?? null,
    gravar_audio: extension.recordCalls ? (1 as const) : (0 as const),
    registered: registration !== null,
    registered_at: registration?.at.toISOString() ?? null,
    user_agent: registration?.userAgent ?? null,
  }
}
