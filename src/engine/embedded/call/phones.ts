/** How the phone of an extension is called, and what it is shown and told. */
import type { Cause } from '../../../contract/causes.ts'
import type { Accepted, ExtensionName, Party, Placing } from '../../port.ts'
import type { Calling } from '../../sip/dialog/leg.ts'
import type { Address } from '../../sip/headers/address.ts'
import type { HeaderPairs } from '../../sip/message/request.ts'
import { noParams } from '../../sip/syntax/params.ts'
import type { Target } from '../../sip/transport/flow.ts'
import { sipUri, type Uri } from '../../sip/uri/uri.ts'
import type { Way } from './way.ts'

/** Where the phone is. */
type Phone = { target: Target; contact: Uri; path: readonly string[] }

type Deps = { find(extension: ExtensionName): Phone | undefined; autoAnswer: boolean }

export function createPhones({ find, autoAnswer }: Deps) {
  function call(
    extension: ExtensionName,
    shown: Party | undefined,
    headers: HeaderPairs,
  ): Omit<Calling, 'offer'> | undefined {
    const phone = find(extension)
    if (!phone) return undefined
    const { domain, number } = extension
    return {
      uri: phone.contact,
      target: phone.target,
      from: shown ? person(shown.number, domain, shown.name) : person('anonymous', domain, 'Anonymous'),
      to: person(number, domain, undefined),
      headers: [...phone.path.map((route) => ['Route', route] as const), ...headers],
    }
  }

  return {
    /** D77: what web phones know a call placed over the API by. */
    ring: ({ callId, extension, shown }: Placing) =>
      call(extension, shown, [
        ['X-Call-Id', callId],
        ['X-Api4comintegratedcall', 'true'],
        ...(autoAnswer ? answerByYourself : []),
      ]),

    way(
      extension: ExtensionName,
      { callId, presented }: Pick<Accepted, 'callId' | 'presented'>,
    ): Way | Cause {
      const calling = call(extension, presented, [['X-Call-Id', callId]])
      if (!calling) return 'USER_NOT_REGISTERED'
      return { calling, callee: 'phone', mayTryNext: () => false, release() {} }
    },
  }
}
export type Phones = ReturnType<typeof createPhones>

const answerByYourself: HeaderPairs = [
  ['Alert-Info', '<http://127.0.0.1>;info=alert-autoanswer;delay=0'],
  ['Call-Info', '<sip:127.0.0.1>;answer-after=0'],
]

function person(user: string, host: string, name: string | undefined): Address {
  return { name, uri: sipUri({ user, host }), params: noParams }
}
