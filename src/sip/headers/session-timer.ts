/** Session timer headers (RFC 4028): `Session-Expires: 1800;refresher=uac`, `Min-SE: 90`. */
import type { WithHeaders } from '../header.ts'
import { firstValue } from '../message/message.ts'
import { readParams } from '../syntax/params.ts'
import { splitOutside } from '../syntax/split.ts'
import { readSeconds } from './numbers.ts'

type Refresher = 'uac' | 'uas'
export type SessionExpires = { seconds: number; refresher: Refresher | undefined }

/** A malformed value counts as missing: a call without a session timer is better than no call. */
export function sessionExpires(message: WithHeaders): SessionExpires | undefined {
  const [digits, params] = read(message, 'Session-Expires')
  const seconds = readSeconds(digits)
  const refresher = params.get('refresher')?.toLowerCase()
  if (seconds === undefined) return undefined
  return { seconds, refresher: refresher === 'uac' || refresher === 'uas' ? refresher : undefined }
}

export function minSe(message: WithHeaders): number | undefined {
  return readSeconds(read(message, 'Min-SE')[0])
}

export function formatSessionExpires({ seconds, refresher }: SessionExpires): string {
  return refresher === undefined ? String(seconds) : `${seconds};refresher=${refresher}`
}

function read(message: WithHeaders, name: string) {
  try {
    const [digits = '', ...params] = splitOutside(firstValue(message, name) ?? '', ';')
    return [digits, readParams(params)] as const
  } catch {
    return ['', readParams([])] as const
  }
}
