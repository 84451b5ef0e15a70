/**
 * D411: the WebSocket of the phone, which notices by itself that the service cannot be reached. After a change of network or a
 * sleep the browser reports nothing for minutes. The phone sends the ping of RFC 7118 (CRLF CRLF), which the service answers.
 */
import JsSIP from 'jssip'
import type { Socket } from 'jssip/lib/Socket'

const pingMs = 5_000
/** Unanswered pings in a row after which the connection counts as dead: 10 to 15 s after the last answer. */
const maxUnanswered = 2
/** How soon a ping is answered when there is reason to doubt. */
const probeMs = 2_500
/** A tick that is so late was delayed by a sleep of the computer. */
const sleptMs = 5_000
const connectMs = 8_000

export type PhoneSocket = Socket & {
  /** There is reason to doubt the connection: finds out soon. */
  probe(): void
}

export function createPhoneSocket(url: string): PhoneSocket {
  const inner = new JsSIP.WebSocketInterface(url)
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueAt = 0
  let unanswered = 0

  function plan(run: () => void, ms: number) {
    clearTimeout(timer)
    dueAt = Date.now() + ms
    timer = setTimeout(run, ms)
  }

  function ping(answerMs: number) {
    unanswered += 1
    inner.send('\r\n\r\n')
    plan(tick, answerMs)
  }

  function tick() {
    if (unanswered >= maxUnanswered) drop()
    else if (Date.now() - dueAt > sleptMs) probe()
    else ping(pingMs)
  }

  function probe() {
    if (!inner.isConnected()) return
    unanswered = maxUnanswered - 1
    ping(probeMs)
  }

  /** JsSIP then connects again. */
  function drop() {
    inner.disconnect()
    onClosed(true, 1006, 'no answer')
  }

  function onClosed(isError: boolean, code?: number, reason?: string) {
    clearTimeout(timer)
    socket.ondisconnect(isError, code, reason)
  }

  inner.onconnect = () => {
    unanswered = 0
    plan(tick, pingMs)
    socket.onconnect()
  }
  inner.ondisconnect = onClosed
  inner.ondata = (data) => {
    unanswered = 0
    socket.ondata(data)
  }

  const socket: PhoneSocket = {
    via_transport: inner.via_transport,
    url,
    sip_uri: inner.sip_uri,
    connect() {
      plan(drop, connectMs)
      inner.connect()
    },
    disconnect() {
      clearTimeout(timer)
      inner.disconnect()
    },
    send: (message) => inner.send(message),
    isConnected: () => inner.isConnected(),
    isConnecting: () => inner.isConnecting(),
    probe,
    // Set by JsSIP.
    onconnect() {},
    ondisconnect() {},
    ondata() {},
  }
  return socket
}
