/** Headers with addresses: From, To, Contact, Route and Record-Route; and Call-ID. */
import type { WithHeaders } from '../header.ts'
import { firstValue, listValues, values } from '../message/message.ts'
import { malformed } from '../refusal.ts'
import { readNumber } from '../syntax/token.ts'
import { type Address, parseAddress } from './address.ts'
import { readSeconds } from './numbers.ts'

export const from = (message: WithHeaders): Address => parseAddress(required(message, 'From'))
export const to = (message: WithHeaders): Address => parseAddress(required(message, 'To'))

export function callId(message: WithHeaders): string {
  const id = required(message, 'Call-ID')
  if (!/^[^ \t]+$/.test(id)) throw malformed('Malformed Call-ID')
  return id
}

export const routes = (message: WithHeaders): Address[] => listValues(message, 'Route').map(parseAddress)
export const recordRoutes = (message: WithHeaders): Address[] =>
  listValues(message, 'Record-Route').map(parseAddress)

/** `*` means all bindings, and is only allowed in a REGISTER (RFC 3261, 10.2.2). */
export function contacts(message: WithHeaders): Address[] | '*' {
  if (values(message, 'Contact').length === 1 && firstValue(message, 'Contact') === '*') return '*'
  return listValues(message, 'Contact').map(parseAddress)
}

/** RFC 3261, 10.2.1.1: a malformed value counts as 3600. */
export function contactExpires(contact: Address): number | undefined {
  const text = contact.params.get('expires')
  return text === undefined ? undefined : (readSeconds(text) ?? 3600)
}

/** Between 0 and 1; a missing or malformed value is 1. */
export function contactQ(contact: Address): number {
  const text = contact.params.get('q') ?? '1'
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 1
}

/** RFC 5626: identifies the device, and the connection among several of that device. */
export function contactInstance(
  contact: Address,
): { instance: string; regId: number | undefined } | undefined {
  const instance = contact.params.get('+sip.instance')
  if (!instance) return undefined
  return { instance, regId: readNumber(contact.params.get('reg-id') ?? '') }
}

function required(message: WithHeaders, name: string): string {
  const value = firstValue(message, name)
  if (value === undefined || value === '') throw malformed(`Missing ${name}`)
  return value
}
