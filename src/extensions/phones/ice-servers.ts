/**
 * D291: the operator's TURN servers, for web phones in networks that block UDP, with credentials that end by themselves:
 * the scheme of coturn's `use-auth-secret`. Our own end of the sound needs no TURN server.
 */
import { createHmac } from 'node:crypto'
import { plusSeconds } from '../../kit/clock.ts'

/** As a browser takes it: RTCIceServer. */
export type IceServer = { urls: string[]; username?: string; credential?: string }

type Options = {
  urls: readonly string[]
  /** Shared with the TURN servers. */
  secret: string | undefined
  /** For how long a credential is valid; the relay ends with it. */
  seconds: number
}

export function createIceServers({ urls, secret, seconds }: Options) {
  const isTurn = (url: string) => /^turns?:/.test(url)
  const turn = urls.filter(isTurn)
  const stun = urls.filter((url) => !isTurn(url))

  /** `user` is shown in the log of the TURN server, and limits there count by it. */
  function iceServers(now: Date, user: string): IceServer[] {
    const servers: IceServer[] = stun.length > 0 ? [{ urls: stun }] : []
    if (turn.length === 0 || secret === undefined) return servers
    const username = `${Math.floor(plusSeconds(now, seconds).getTime() / 1000)}:${user}`
    const credential = createHmac('sha1', secret).update(username).digest('base64')
    return [...servers, { urls: turn, username, credential }]
  }

  return { iceServers, seconds }
}
export type IceServers = ReturnType<typeof createIceServers>
