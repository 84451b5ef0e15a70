import { isIP } from 'node:net'

/**
 * Whether media may be sent there. SDP is written by strangers: a name, nobody (`0.0.0.0` is an old way to hold) or
 * a group is no place for it. Asked per packet, so the last answers are kept.
 */
export function isSendable(address: string, port: number): boolean {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return false
  const known = answers.get(address)
  if (known !== undefined) return known
  if (answers.size >= mostKept) answers.clear()
  const answer = isHost(address)
  answers.set(address, answer)
  return answer
}

const answers = new Map<string, boolean>()
const mostKept = 4096

function isHost(address: string): boolean {
  if (isIP(address) === 6) return address !== '::' && !/^ff/i.test(address)
  const first = Number(address.split('.')[0])
  return isIP(address) === 4 && first > 0 && first < 224
}
