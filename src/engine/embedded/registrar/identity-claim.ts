/** Whose registration or call it is said to be: the address in To or From, and the name in the credentials. */
import { isIP } from 'node:net'
import type { ExtensionName } from '../../port.ts'
import { type AuthHeader, digests } from '../../sip/digest/auth-header.ts'
import { from, to } from '../../sip/headers/parties.ts'
import type { SipRequest } from '../../sip/message/message.ts'
import type { Uri } from '../../sip/uri/uri.ts'

export type Claim = {
  realm: string
  credentials: AuthHeader | undefined
  /** Undefined where the two do not name one extension; that is refused as a wrong password is. */
  extension: ExtensionName | undefined
  /** As the address alone says, before anything is proved. */
  named: ExtensionName | undefined
}

type Name = { number: string; domain: string | undefined }

/** Longer ones are nobody's: no use asking. */
const longestNumber = 32

/**
 * The realm is the host of the address, as a rule the account's domain. A phone may also register at our own
 * address, by number or by name (`hosts`): the domain then comes with its user name, `1000@acme.example`.
 */
export function readClaim(request: SipRequest, hosts: ReadonlySet<string>): Claim {
  const registers = request.method === 'REGISTER'
  const address = (registers ? to : from)(request).uri
  const header = registers ? 'Authorization' : 'Proxy-Authorization'
  const realm = hostOf(address) ?? hostOf(request.uri) ?? 'sip'
  const credentials = digests(request, header).find(({ params }) => params.get('realm') === realm)
  const isOurs = (host: string) => isIP(host) !== 0 || hosts.has(host)

  function extensionOf(username: string): ExtensionName | undefined {
    const [asked, given] = [nameOf(userOf(address)), nameOf(username)]
    const domains = [realm, hostOf(request.uri), asked.domain, given.domain].filter(
      (domain) => domain !== undefined && !isOurs(domain),
    )
    const domain = isOurs(realm) ? (given.domain ?? domains[0]) : realm
    const agrees = domain !== undefined && (given.domain ?? domain) === domain
    if (!agrees || asked.number !== given.number || !/^\d+$/.test(given.number)) return undefined
    return given.number.length > longestNumber ? undefined : { domain, number: given.number }
  }

  const username = credentials?.params.get('username')
  const user = userOf(address)
  return {
    realm,
    credentials,
    extension: username === undefined ? undefined : extensionOf(username),
    named: extensionOf(user),
  }
}

function nameOf(text: string): Name {
  const at = text.lastIndexOf('@')
  if (at < 0) return { number: text, domain: undefined }
  return { number: text.slice(0, at), domain: text.slice(at + 1).toLowerCase() }
}

function hostOf(uri: Uri): string | undefined {
  return uri.scheme === 'sip' || uri.scheme === 'sips' ? uri.host : undefined
}

function userOf(uri: Uri): string {
  return uri.scheme === 'sip' || uri.scheme === 'sips' ? (uri.user ?? '') : ''
}
