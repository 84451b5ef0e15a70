/** SIP and tel URIs. Parts are stored unescaped; formatting escapes them again. */
import { noParams, type Params } from '../syntax/params.ts'
import { encodePart } from './escapes.ts'
import { formatHostPort } from './host.ts'

export type SipUri = {
  scheme: 'sip' | 'sips'
  user: string | undefined
  password: string | undefined
  host: string
  port: number | undefined
  params: Params
  headers: readonly (readonly [name: string, value: string])[]
}

export type TelUri = { scheme: 'tel'; number: string; params: Params }

/** An unknown scheme is valid syntax; the request is answered with 416 later. */
type OtherUri = { scheme: 'other'; text: string }

export type Uri = SipUri | TelUri | OtherUri

export function sipUri(parts: Partial<SipUri> & { host: string }): SipUri {
  return {
    scheme: 'sip',
    user: undefined,
    password: undefined,
    port: undefined,
    params: noParams,
    headers: [],
    ...parts,
  }
}

export function formatUri(uri: Uri): string {
  if (uri.scheme === 'other') return uri.text
  if (uri.scheme === 'tel') return `tel:${uri.number}${formatUriParams(uri.params)}`
  const place = `${formatUserInfo(uri)}${formatHostPort(uri)}`
  return `${uri.scheme}:${place}${formatUriParams(uri.params)}${formatHeaders(uri)}`
}

function formatUserInfo({ user, password }: SipUri): string {
  if (user === undefined) return ''
  const secret = password === undefined ? '' : `:${encodePart(password, 'password')}`
  return `${encodePart(user, 'user')}${secret}@`
}

function formatUriParams(params: Params): string {
  let text = ''
  for (const [name, value] of params) {
    text += `;${encodePart(name, 'param')}`
    if (value !== '') text += `=${encodePart(value, 'param')}`
  }
  return text
}

function formatHeaders({ headers }: SipUri): string {
  const pairs = headers.map(([name, value]) => `${encodePart(name, 'header')}=${encodePart(value, 'header')}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}
