/** Somebody with bare sockets, who sends what no telephone would. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { createJournal } from './journal.ts'

/** From an address of loopback's own, where that must not be the machine itself. */
export async function openStranger(server: number, address = '127.0.0.1') {
  const heard = createJournal<string>(`stranger at ${address}`)
  const socket = createSocket('udp4')
  socket.on('message', (datagram) => heard.write(`${datagram}`))
  socket.on('error', () => {})
  socket.bind(0, address)
  await once(socket, 'listening')
  const { port } = socket.address()
  let asked = 0

  const send = (bytes: string | Buffer, to = server) => socket.send(bytes, to, '127.0.0.1')

  return {
    port,
    heard: heard.entries,
    until: heard.until,
    onHeard: (listener: (text: string) => void) => void socket.on('message', (bytes) => listener(`${bytes}`)),
    send,
    /** A request of its own; whatever is given replaces what is usual. */
    request: (parts: Parts = {}) => writeRequest({ port, address, ...parts }),
    /** Sends a request and waits for the first line of its final answer. */
    async ask(parts: Parts = {}): Promise<string> {
      asked += 1
      const callId = parts.callId ?? `asked-${asked}-${port}`
      const after = heard.entries.length
      send(writeRequest({ port, address, ...parts, callId, branch: `z9hG4bKasked${asked}x${port}` }))
      const sequence = `CSeq: ${parts.cseq ?? 1} `
      const answer = await heard.until(
        (text) => text.includes(callId) && text.includes(sequence) && /^SIP\/2\.0 [2-6]/.test(text),
        { after },
      )
      return answer
    },
    /** As many as given, as fast as the kernel takes them; the event loop turns now and then. */
    async flood(count: number, write: (index: number) => string | Buffer) {
      for (let index = 0; index < count; index += 1) {
        send(write(index))
        if (index % 50 === 0) await setImmediate()
      }
    },
    async stop() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** A bare connection; what comes is gathered. */
export async function openConnection(port: number, address = '127.0.0.1') {
  const socket = connect({ port, host: '127.0.0.1', localAddress: address })
  let text = ''
  let over = false
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  socket.once('close', () => {
    over = true
  })
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => {})
  return {
    write: (bytes: string | Buffer) => void socket.write(bytes),
    text: () => text,
    isOver: () => over,
    async stop() {
      socket.destroy()
    },
  }
}

export type Parts = {
  method?: string
  uri?: string
  from?: string
  to?: string
  callId?: string
  branch?: string
  cseq?: number
  transport?: string
  port?: number
  address?: string
  /** What it takes for its own address and port, behind a router for example. */
  sentBy?: string
  /** RFC 3581: asks to be answered at the port it sends from; by default it does. */
  asksForRport?: boolean
  headers?: string[]
  body?: string
}

let written = 0

export function writeRequest(parts: Parts = {}): string {
  written += 1
  const { method = 'OPTIONS', uri = 'sip:ramal.test', transport = 'UDP', port = 5060, body = '' } = parts
  const { address = '127.0.0.1', branch = `z9hG4bKstranger${written}`, headers = [], cseq = 1 } = parts
  const { sentBy = `${address}:${port}`, asksForRport = true } = parts
  return [
    `${method} ${uri} SIP/2.0`,
    `Via: SIP/2.0/${transport} ${sentBy};branch=${branch}${asksForRport ? ';rport' : ''}`,
    `From: ${parts.from ?? `<sip:stranger@${address}>;tag=s${written}`}`,
    `To: ${parts.to ?? '<sip:1000@ramal.test>'}`,
    `Call-ID: ${parts.callId ?? `stranger-${written}`}`,
    `CSeq: ${cseq} ${method}`,
    'Max-Forwards: 70',
    `Contact: <sip:stranger@${sentBy}>`,
    ...headers,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
}
