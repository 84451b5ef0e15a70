/** Host and port of URIs and Via headers. IPv6 addresses have brackets on the wire only. */
import { isIPv6 } from 'node:net'
import { malformed } from '../refusal.ts'
import { readNumber, trimBlanks } from '../syntax/token.ts'

export type HostPort = { host: string; port: number | undefined }

export function readHostPort(text: string): HostPort {
  const end = text.startsWith('[') ? text.indexOf(']') + 1 : colonOrEnd(text)
  const host = readHost(trimBlanks(text.slice(0, end)))
  const rest = trimBlanks(text.slice(end))
  if (rest === '') return { host, port: undefined }
  if (!rest.startsWith(':')) throw malformed('Malformed host')
  return { host, port: readPort(trimBlanks(rest.slice(1))) }
}

function colonOrEnd(text: string): number {
  const colon = text.indexOf(':')
  return colon < 0 ? text.length : colon
}

function readHost(text: string): string {
  if (text.startsWith('[')) return readIPv6(text.slice(1, -1))
  // Underscores are not allowed in host names, but occur in Windows and container networks.
  if (text.length > 255 || !/^[A-Za-z0-9._-]+$/.test(text)) throw malformed('Malformed host')
  return text.toLowerCase()
}

/** Normalised to the shortest form, so that equal addresses are equal strings. */
function readIPv6(text: string): string {
  if (!/^[0-9A-Fa-f:.]+$/.test(text) || !isIPv6(text)) throw malformed('Malformed IPv6 address')
  return new URL(`http://[${text}]`).hostname.slice(1, -1)
}

function readPort(text: string): number {
  const port = readNumber(text)
  if (port === undefined || port < 1 || port > 65_535) throw malformed('Malformed port')
  return port
}

export function formatHostPort({ host, port }: HostPort): string {
  const shown = host.includes(':') ? `[${host}]` : host
  return port === undefined ? shown : `${shown}:${port}`
}
