/** What a phone is set up with (D300): user, servers, a code to scan. */

import { PhoneSetup, SetupLink } from '../../../contract/accounts/extensions.ts'
import { refuse } from '../../../contract/errors.ts'
import type { Type } from '../../../contract/schema/type.ts'
import type { Extensions } from '../../../extensions/extensions.ts'
import type { PhoneAccount, SetupLinks } from '../../../extensions/phones/setup-links.ts'
import type { Caller } from '../../../users/caller.ts'
import { maySeeSecrets } from '../../../users/scopes.ts'
import { type AnyEntry, Download, entry, Page } from '../../entry.ts'
import { escapeHtml } from '../../pages/html.ts'
import { isForPeople } from '../../pages/link-page.ts'
import { linphoneConfig } from '../../pages/linphone-config.ts'
import { qrImage } from '../../pages/payment-pictures.ts'
import { setupLinkPage } from '../../pages/setup-link-page.ts'
import { extensionId } from './extensions.ts'

const tag = 'Extensions'
const linphoneType = 'application/xml; charset=utf-8'
/** No voice node is alive: one may be soon. */
const noServerSeconds = 5

type PhoneServer = Type.Static<typeof PhoneSetup>['servers'][number]

type Deps = {
  extensions: Extensions
  setupLinks: SetupLinks
  /** Where others reach the API. */
  apiUrl: () => string
  /** Where phones reach the voice nodes, those of this process first; the very first is the usual one. */
  servers: () => Promise<PhoneServer[]>
}

export function phoneSetupRoutes({ extensions, setupLinks, apiUrl, servers }: Deps): AnyEntry[] {
  /** D300: for those who may see its password. */
  async function findTheirs(caller: Caller, params: Record<string, string>) {
    const extension = await extensions.find(caller, extensionId(params))
    const isTheirs = caller.user.role === 'ADMIN' || extension.owner?.id === caller.user.id
    if (!isTheirs || !maySeeSecrets(caller)) throw refuse('ACCESS_DENIED')
    return extension
  }

  const linkUrl = (token: string) => `${apiUrl()}/phone-setup/${token}`

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
        const extension = await findTheirs(caller, params)
        const account: PhoneAccount = {
          number: extension.number,
          password: extension.password,
          domain: caller.domain,
          displayName: `${extension.firstName} ${extension.lastName}`,
        }
        const known = await servers()
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
    entry({
      method: 'POST',
      path: '/extensions/:id/setup-link',
      tag,
      about: 'A link, and a QR code, with which Linphone sets itself up',
      notes: 'It works once, for ten minutes; a new one of the extension replaces it.',
      may: 'extensions.list',
      scope: 'admin',
      limit: 'other',
      params: { id: '1' },
      reply: SetupLink,
      errors: ['EXTENSION_NOT_FOUND'],
      async run({ caller, params }) {
        const extension = await findTheirs(caller, params)
        const { token, expiresAt } = await setupLinks.create(caller, extension)
        const url = linkUrl(token)
        const svg = String(qrImage(url, 'svg'))
        return { app: 'linphone' as const, url, expires: expiresAt.toISOString(), svg }
      },
    }),
    ...(['GET', 'HEAD'] as const).map((method) =>
      entry({
        method,
        path: '/phone-setup/:token',
        tag,
        about: 'What Linphone fetches from a set-up link: its settings, once',
        notes: 'A browser gets a page, which does not use the link up; nor does HEAD.',
        may: 'anyone',
        limit: 'other',
        params: { token: '8Jq0b3v5x7Z1c2d4f6g8h0k2m4n6p8r0' },
        media: linphoneType,
        errors: ['SETUP_LINK_INVALID', 'SERVICE_UNAVAILABLE'],
        async run({ params: { token = '' }, headers }) {
          if (isForPeople(headers)) return new Page(setupLinkPage(linkUrl(token), headers))
          const [server] = await servers()
          if (!server) throw refuse('SERVICE_UNAVAILABLE', { retryAfter: noServerSeconds })
          const contentType = { 'Content-Type': linphoneType }
          if (method === 'HEAD') {
            await setupLinks.check(token)
            return new Download(200, contentType)
          }
          const account = await setupLinks.take(token)
          return new Download(200, contentType, linphoneConfig(account, server))
        },
      }),
    ),
  ]
}

/** The account as Grandstream's Wave scans it: the XML of its phones. */
async function grandstreamCode(
  { number, password, domain, displayName }: PhoneAccount,
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
  return { app: 'grandstream' as const, payload, svg: String(qrImage(payload, 'svg')) }
}
