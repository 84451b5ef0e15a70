/** The extension a request claims to be: by the address in To or From, and by the name in its credentials. */
import { isIP } from 'node:net'
import { type AuthHeader, digests } from '../../../sip/digest/auth-header.ts'
import { from, to } from '../../../sip/headers/parties.ts'
import type { SipRequest } from '../../../sip/message/message.ts'
import type { Uri } from '../../../sip/uri/uri.ts'
import type { ExtensionName, TemporaryLogin } from '../../port.ts'

export type IdentityClaim = {
  realm: string
  credentials: AuthHeader | undefined
  /** Undefined if address and credentials do not name the same extension; refused like a wrong password. */
  extension: ExtensionName | undefined
  /** D312: of credentials for a while. */
  login: TemporaryLogin | undefined
  /** By the address alone, not authenticated. */
  named: ExtensionName | undefined
}

type Name = { number: string; domain: string | undefined; login: TemporaryLogin | undefined }

/** No extension has a longer number, so none is looked up. */
const maxNumberLength = 32

/**
 * The realm is the host of the address, as a rule the account's domain. A phone may also register at our own
 * address, by number or by name (`ownHosts`): the domain then comes with its user name, `1000@acme.example`.
 */
export function readIdentityClaim(request: SipRequest, ownHosts: ReadonlySet<string>): IdentityClaim {
  const registers = request.method === 'REGISTER'
  const address = (registers ? to : from)(request).uri
  const header = registers ? 'Authorization' : 'Proxy-Authorization'
  const realm = hostOf(address) ?? hostOf(request.uri) ?? 'sip'
  const credentials = digests(request, header).find(({ params }) => params.get('realm') === realm)
  const isOurs = (host: string) => isIP(host) !== 0 || ownHosts.has(host)

  function extensionOf(username: string): ExtensionName | undefined {
    const [asked, given] = [nameOf(userOf(address)), nameOf(username)]
    const domains = [realm, hostOf(request.uri), asked.domain, given.domain].filter(
      (domain) => domain !== undefined && !isOurs(domain),
    )
    const domain = isOurs(realm) ? (given.domain ?? domains[0]) : realm
    const agrees = domain !== undefined && (given.domain ?? domain) === domain
    if (!agrees || asked.number !== given.number || !/^\d+$/.test(given.number)) return undefined
    return given.number.length > maxNumberLength ? undefined : { domain, number: given.number }
  }

  const username = credentials?.params.get('username') ?? undefined
  const user = userOf(address)
  return {
    realm,
    credentials,
    extension: username === undefined ? undefined : extensionOf(username),
    login: username === undefined ? undefined : nameOf(username).login,
    named: extensionOf(user),
  }
}

function nameOf(text: string): Name {
  const at = text.lastIndexOf('@')
  const user = at < 0 ? text : text.slice(0, at)
  const [, number = user, until, userId] = /^(\d+)\.(\d{10})\.(\d{1,15})$/.exec(user) ?? []
  return {
    number,
    domain: at < 0 ? undefined : text.slice(at + 1).toLowerCase(),
    login: until === undefined ? undefined : { until: Number(until), userId: Number(userId) },
  }
}

function hostOf(uri: Uri): string | undefined {
  return uri.scheme === 'sip' || uri.scheme === 'sips' ? uri.host : undefined
}

function userOf(uri: Uri): string {
  return uri.scheme === 'sip' || uri.scheme === 'sips' ? (uri.user ?? '') : ''
}
