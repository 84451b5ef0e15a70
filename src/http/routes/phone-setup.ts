/** What a phone is set up with (D300): user, servers, a code to scan. */
import type { Type } from 'typebox'
import { refuse } from '../../contract/errors.ts'
import { PhoneSetup } from '../../contract/extensions.ts'
import type { Extensions } from '../../extensions/extensions.ts'
import { hasScope } from '../../users/scopes.ts'
import { type AnyEntry, entry } from '../entry.ts'
import { escapeHtml } from '../pages/html.ts'
import { qrImage } from '../pages/payment-pictures.ts'
import { extensionId } from './extensions.ts'

const tag = 'Extensions'

type PhoneServer = Type.Static<typeof PhoneSetup>['servers'][number]

type Deps = {
  extensions: Extensions
  /** Where phones reach this process; the first is the usual one. */
  servers: () => PhoneServer[]
}

export function phoneSetupRoutes({ extensions, servers }: Deps): AnyEntry[] {
  return [
    entry({
      method: 'GET',
      path: '/extensions/:id/setup',
      tag,
      about: 'What a phone of the extension is set up with: user, servers, and a code to scan',
      may: 'extensions.list',
      scope: 'admin',
      limit: 'other',
      params: { id: '1' },
      reply: PhoneSetup,
      errors: ['EXTENSION_NOT_FOUND'],
      async run({ caller, params }) {
        const extension = await extensions.find(caller, extensionId(params))
        const isTheirs = caller.user.role === 'ADMIN' || extension.owner?.id === caller.user.id
        if (!isTheirs || !hasScope(caller, 'admin')) throw refuse('ACCESS_DENIED')
        const account: Account = {
          number: extension.number,
          password: extension.password,
          domain: caller.domain,
          displayName: `${extension.firstName} ${extension.lastName}`,
        }
        const known = servers()
        const [server] = known
        return {
          domain: account.domain,
          username: account.number,
          displayName: account.displayName,
          servers: known,
          qrCodes: server ? [await grandstreamCode(account, server)] : [],
        }
      },
    }),
  ]
}

type Account = { number: string; password: string; domain: string; displayName: string }

/** The account as Grandstream's Wave scans it: the XML of its phones. */
async function grandstreamCode(
  { number, password, domain, displayName }: Account,
  { host, port }: PhoneServer,
) {
  const fields = {
    RegisterServer: domain,
    OutboundServer: `${host}:${port}`,
    UserID: number,
    AuthID: number,
    AuthPass: password,
    AccountName: `${number}@${domain}`,
    DisplayName: displayName,
  }
  const account = Object.entries(fields).map(([name, value]) => `<${name}>${escapeHtml(value)}</${name}>`)
  const payload = `<?xml version="1.0" encoding="utf-8"?><AccountConfig version="1"><Account>${account.join('')}</Account></AccountConfig>`
  return { app: 'grandstream' as const, payload, svg: String(await qrImage(payload, 'svg')) }
}
