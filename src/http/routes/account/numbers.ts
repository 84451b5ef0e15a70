/** Numbers of the account: which it may present, and how it proves them (D187, D188). */

import { NewPhoneNumber, NumberVerification, PhoneNumber } from '../../../contract/accounts/numbers.ts'
import { refuse } from '../../../contract/errors.ts'
import { listed } from '../../../contract/schema/common.ts'
import { Type } from '../../../contract/schema/type.ts'
import { readBareList } from '../../../filter/list-query.ts'
import { pickFields } from '../../../filter/selection.ts'
import type { Translated } from '../../../kit/text/language.ts'
import type { OwnedNumber } from '../../../numbers/number.ts'
import { numberList } from '../../../numbers/number-list.ts'
import type { Numbers } from '../../../numbers/numbers.ts'
import type { NumberVerification as NumberVerifications } from '../../../placing/number-verification.ts'
import { type AnyEntry, entry } from '../../entry.ts'
import { messageIn } from '../../server/errors/response-language.ts'
import { filterParameter } from '../parameters.ts'

const tag = 'Numbers'

type Deps = { numbers: Numbers; verification: NumberVerifications }

const said = {
  calling: {
    en: 'The number is being called. Answer, and type the code after the tone.',
    pt: 'O número está sendo chamado. Atenda e digite o código após o sinal.',
  },
  verified: { en: 'The number is verified.', pt: 'O número está verificado.' },
} satisfies Record<string, Translated<string>>

export function numberRoutes({ numbers, verification }: Deps): AnyEntry[] {
  return [
    entry({
      method: 'GET',
      path: '/numbers',
      tag,
      about: 'List the numbers of the account',
      may: 'numbers.manage',
      scope: 'admin',
      limit: 'other',
      query: filterParameter(numberList),
      reply: Type.Array(listed(PhoneNumber)),
      async run({ caller, query }) {
        const asked = readBareList(numberList, query, caller)
        const found = await numbers.list(caller, asked)
        return found.map((number) => pickFields(asked.fields, present(number)))
      },
    }),
    entry({
      method: 'GET',
      path: '/numbers/:id',
      tag,
      about: 'Show one number',
      may: 'numbers.manage',
      scope: 'admin',
      limit: 'other',
      reply: PhoneNumber,
      errors: ['NUMBER_NOT_FOUND'],
      run: async ({ caller, params }) => present(await numbers.find(caller, numberId(params))),
    }),
    entry({
      method: 'POST',
      path: '/numbers',
      tag,
      about: 'Claim a number, to verify it afterwards',
      notes:
        'The `bina` of an extension is claimed by itself. A number that the account has is shown as it is.',
      may: 'numbers.manage',
      scope: 'admin',
      limit: 'other',
      body: NewPhoneNumber,
      reply: PhoneNumber,
      errors: ['NUMBER_LIMIT'],
      run: async ({ caller, body }) => present(await numbers.claim(caller, body.number)),
    }),
    entry({
      method: 'POST',
      path: '/numbers/:id/verify',
      tag,
      about: 'Call the number, to have a code typed that proves it',
      notes:
        'The answer has the code, and the number rings at once: the person who answers types the code on the keys of the phone. ' +
        'Three tries, one minute. `lastCall` of the number says how it ended. The call costs what any call to the ' +
        'number costs; at most 5 a day to one number, and 10 a day for an account.',
      may: 'numbers.manage',
      scope: 'admin',
      limit: 'other',
      reply: NumberVerification,
      translated: true,
      errors: [
        'NUMBER_NOT_FOUND',
        'NUMBER_TAKEN',
        'TOO_MANY_VERIFICATIONS',
        'INSUFFICIENT_CREDIT',
        'DESTINATION_NOT_ALLOWED',
        'DAILY_CALL_LIMIT',
        'DAILY_SPENDING_LIMIT',
        'VALIDATION_FAILED',
      ],
      async run({ caller, params, language }) {
        const { number, asked } = await verification.verify(caller, numberId(params))
        return {
          number: present(number),
          code: asked?.code ?? null,
          expiresAt: asked?.expiresAt.toISOString() ?? null,
          ...messageIn(said[asked ? 'calling' : 'verified'], language),
        }
      },
    }),
    entry({
      method: 'DELETE',
      path: '/numbers/:id',
      tag,
      about: 'Give up a number that no extension has as its bina',
      may: 'numbers.manage',
      scope: 'admin',
      limit: 'other',
      reply: Type.Object({ id: PhoneNumber.properties.id }),
      errors: ['NUMBER_NOT_FOUND', 'NUMBER_IN_USE'],
      async run({ caller, params }) {
        const id = numberId(params)
        await numbers.remove(caller, id)
        return { id }
      },
    }),
  ]
}

function numberId({ id = '' }: Record<string, string>): number {
  if (!/^\d{1,15}$/.test(id)) throw refuse('NUMBER_NOT_FOUND')
  return Number(id)
}

function present({ id, number, verified, lastCall, createdAt }: OwnedNumber) {
  return {
    id,
    number,
    verified: verified !== null,
    proof: verified?.proof ?? null,
    verifiedAt: verified?.at.toISOString() ?? null,
    lastCall: lastCall && {
      startedAt: lastCall.startedAt.toISOString(),
      endedAt: lastCall.endedAt?.toISOString() ?? null,
      outcome: lastCall.outcome,
    },
    createdAt: createdAt.toISOString(),
  }
}
