/**
 * Hostile phones of one extension, each on a TCP connection of its own. The guard never limits this machine, so each keeps
 * to the pace that the guard allows an address.
 */
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { headerOf } from '../sip-endpoints/sip-text.ts'
import type { Statuses } from './http-attacks.ts'

export type Phones = {
  port: number
  domain: string
  number: string
  password: string
  connections: number
  seconds: number
  /** Between two requests of a connection. */
  paceMs: number
  /** Size of the SDP of each INVITE; without it they only register. */
  sdpBytes?: number
}

const md5 = (text: string) => hash('md5', text, 'hex')
let sent = 0

export async function attackBySip(phones: Phones): Promise<Statuses> {
  const statuses: Statuses = {}
  const end = performance.now() + phones.seconds * 1000
  const loop = async (index: number) => {
    while (performance.now() < end)
      await runConnection(phones, index, end, statuses).catch(() => sleep(phones.paceMs))
  }
  await Promise.all(Array.from({ length: phones.connections }, (_, index) => loop(index)))
  return statuses
}

async function runConnection(phones: Phones, index: number, end: number, statuses: Statuses) {
  const { port, paceMs, sdpBytes } = phones
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const local = socket.localPort ?? 0
  let received = ''
  let take: (text: string) => void = () => {}
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text
    for (let at = received.indexOf('\r\n\r\n'); at >= 0; at = received.indexOf('\r\n\r\n')) {
      const length = Number(headerOf(received.slice(0, at + 2), 'Content-Length') || 0)
      if (received.length < at + 4 + length) return
      take(received.slice(0, at + 4))
      received = received.slice(at + 4 + length)
    }
  })
  const closed = once(socket, 'close').then(() => {
    throw new Error('closed')
  })
  closed.catch(() => {})

  async function ask(method: 'REGISTER' | 'INVITE', callId: string, signed = ''): Promise<string> {
    sent += 1
    const final = new Promise<string>((resolve) => {
      take = (text) => {
        if (!text.startsWith('SIP/2.0 1') && headerOf(text, 'CSeq').endsWith(method)) resolve(text)
      }
    })
    socket.write(write(phones, { method, callId, cseq: sent, local, index, signed }))
    await sleep(paceMs)
    return await Promise.race([final, closed, sleep(4_000).then(() => 'SIP/2.0 none')])
  }

  async function request(method: 'REGISTER' | 'INVITE', callId: string) {
    const challenge = await ask(method, callId)
    const asked = headerOf(challenge, 'WWW-Authenticate') || headerOf(challenge, 'Proxy-Authenticate')
    const answer = asked ? await ask(method, callId, sign(phones, method, asked)) : challenge
    const status = answer.slice(8, 12).trim()
    statuses[`${method} ${status}`] = (statuses[`${method} ${status}`] ?? 0) + 1
  }

  try {
    if (sdpBytes !== undefined) await request('REGISTER', `own-${local}`)
    while (performance.now() < end) {
      await request(sdpBytes === undefined ? 'REGISTER' : 'INVITE', `${local}-${sent}`)
    }
  } finally {
    socket.destroy()
  }
}

type Written = { method: string; callId: string; cseq: number; local: number; index: number; signed: string }

function write(
  { domain, number, sdpBytes = 0 }: Phones,
  { method, callId, cseq, local, index, signed }: Written,
) {
  const body = method === 'INVITE' ? writeSdp(sdpBytes) : ''
  const to = method === 'INVITE' ? '5548999998888' : number
  return [
    `${method} sip:${method === 'INVITE' ? `${to}@` : ''}${domain} SIP/2.0`,
    `Via: SIP/2.0/TCP 127.0.0.1:${local};branch=z9hG4bK-${cseq};rport`,
    'Max-Forwards: 70',
    `From: <sip:${number}@${domain}>;tag=${local}`,
    `To: <sip:${to}@${domain}>`,
    `Call-ID: ${callId}`,
    `CSeq: ${cseq} ${method}`,
    `Contact: <sip:${number}@127.0.0.1:${local};transport=tcp>`,
    'Expires: 3600',
    `User-Agent: hostile ${index}`,
    ...(signed ? [signed] : []),
    ...(body ? ['Content-Type: application/sdp'] : []),
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}

/** As large as it may be, every line one that is parsed. */
function writeSdp(bytes: number): string {
  const head =
    'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 8\r\n'
  const line = `a=fingerprint:sha-256 ${Array<string>(32).fill('AB').join(':')}\r\n`
  return head + line.repeat(Math.min(450, Math.max(0, Math.floor((bytes - head.length) / line.length))))
}

function sign({ number, password, domain }: Phones, method: string, challenge: string): string {
  const nonce = /nonce="([^"]+)"/.exec(challenge)?.[1] ?? ''
  const realm = /realm="([^"]+)"/.exec(challenge)?.[1] ?? ''
  const uri = method === 'INVITE' ? `sip:5548999998888@${domain}` : `sip:${domain}`
  const response = md5(
    `${md5(`${number}:${realm}:${password}`)}:${nonce}:00000001:c:auth:${md5(`${method}:${uri}`)}`,
  )
  const name = method === 'INVITE' ? 'Proxy-Authorization' : 'Authorization'
  return `${name}: Digest username="${number}", realm="${realm}", nonce="${nonce}", uri="${uri}", response="${response}", algorithm=MD5, qop=auth, nc=00000001, cnonce="c"`
}
