/** A phone written in bare datagrams, so that a test can send what no telephone would. */
import { randomUUID } from 'node:crypto'
import { digestResponse } from '../../../src/sip/digest/digest.ts'
import { passwordOf, domain as testDomain } from '../../sip/engine/test-host.ts'
import { openStranger, type Parts } from '../../sip/peers/stranger.ts'

type Options = { number?: string; username?: string; address?: string; password?: string; domain?: string }
type Challenge = 'Authorization' | 'Proxy-Authorization'

export async function openRawPhone(server: number, options: Options = {}) {
  const { number = '1000', address = '127.0.0.1', domain = testDomain } = options
  const { password = passwordOf(number), username = number } = options
  const wire = await openStranger(server, address)
  const self = `<sip:${number}@${domain}>`
  let sequence = 0

  /** The header that answers a challenge; `uri` is what the digest is computed for. */
  function answerTo(
    challenge: string,
    header: Challenge,
    { method, uri }: { method: string; uri: string },
  ): string {
    const nonce = /nonce="([^"]+)"/.exec(challenge)?.[1] ?? ''
    const login = { algorithm: 'MD5' as const, username, realm: domain, password }
    const protection = { qop: 'auth' as const, cnonce: 'c', nc: '00000001' }
    const response = digestResponse(login, { method, uri, nonce }, protection)
    const named = `username="${username}", realm="${domain}", nonce="${nonce}", uri="${uri}"`
    return `${header}: Digest ${named}, response="${response}", qop=auth, cnonce="c", nc=00000001`
  }

  /** A request, answered with its credentials if it is challenged, and again if the nonce was stale; the final response. */
  async function ask(parts: Parts & { method: string; uri: string; digestUri?: string }): Promise<string> {
    sequence += 1
    const callId = parts.callId ?? randomUUID()
    const request = { from: `${self};tag=${callId}`, to: self, ...parts, callId, cseq: sequence }
    const { method, uri, digestUri = uri } = parts
    let response = await wire.ask(request)
    for (let tries = 0; isChallenge(response, tries); tries += 1) {
      if (method === 'INVITE') acknowledge({ ...request, cseq: sequence }, response)
      sequence += 1
      const header = response.startsWith('SIP/2.0 401') ? 'Authorization' : 'Proxy-Authorization'
      const credentials = answerTo(response, header, { method, uri: digestUri })
      const headers = [...(parts.headers ?? []), credentials]
      response = await wire.ask({ ...request, cseq: sequence, headers })
    }
    return response
  }

  /** The ACK of a 2xx has a branch of its own, that of another response the branch of the INVITE. */
  function acknowledge(request: Parts, response: string) {
    const branch = /branch=([^;\r]+)/.exec(response)?.[1] ?? ''
    const ack = { ...request, method: 'ACK', to: headerIn(response, 'To'), headers: [], body: '' }
    wire.send(wire.request(response.startsWith('SIP/2.0 2') ? ack : { ...ack, branch }))
  }

  return {
    ...wire,
    address,
    answerTo,
    ask,
    /** Goes on with a later CSeq, as one that was in the dialog before. */
    skip(count: number) {
      sequence += count
    },
    register: async (seconds = 3600) =>
      await ask({ method: 'REGISTER', uri: `sip:${domain}`, headers: [`Expires: ${seconds}`] }),
    /** Dials; the final response to the INVITE, already acknowledged. */
    async dial(dialled: string, { sdp = sdpOf(address, wire.port), digestUri = '' } = {}) {
      const callId = randomUUID()
      const uri = `sip:${dialled}@${domain}`
      const request = {
        method: 'INVITE',
        uri,
        callId,
        to: `<${uri}>`,
        headers: ['Content-Type: application/sdp'],
        body: sdp,
        ...(digestUri && { digestUri }),
      }
      const response = await ask(request)
      acknowledge({ ...request, from: `${self};tag=${callId}`, cseq: sequence }, response)
      return { callId, response, from: `${self};tag=${callId}`, to: headerIn(response, 'To') }
    },
    /** Answers every INVITE with 200 and this SDP. */
    answerAll(sdp: string) {
      wire.onHeard((text) => {
        if (text.startsWith('INVITE '))
          wire.send(responseTo(text, { status: '200 OK', address, port: wire.port, sdp }))
      })
    },
    /** Waits for an INVITE and answers it with 200 and this SDP; the INVITE. */
    async answer(sdp: string): Promise<string> {
      const invite = await wire.until((text) => text.startsWith('INVITE '))
      wire.send(responseTo(invite, { status: '200 OK', address, port: wire.port, sdp }))
      return invite
    },
  }
}

/** A description with one audio stream in A-law. */
export function sdpOf(address: string, port: number): string {
  const lines = ['v=0', `o=- 1 1 IN IP4 ${address}`, 's=-', `c=IN IP4 ${address}`, 't=0 0']
  return [...lines, `m=audio ${port} RTP/AVP 8`, 'a=rtpmap:8 PCMA/8000', ''].join('\r\n')
}

function isChallenge(response: string, tries: number): boolean {
  if (!/^SIP\/2\.0 40[17]/.test(response) || tries > 2) return false
  return tries === 0 || /stale=true/i.test(response)
}

function headerIn(message: string, name: string): string {
  return new RegExp(`^${name}: (.*)$`, 'm').exec(message)?.[1]?.trim() ?? ''
}

/** The port of the audio that a message describes. */
export const audioPortIn = (message: string) => Number(/^m=audio (\d+)/m.exec(message)?.[1])

function responseTo(
  request: string,
  { status, address, port, sdp }: { status: string; address: string; port: number; sdp: string },
): string {
  return [
    `SIP/2.0 ${status}`,
    ...request.split('\r\n').filter((line) => line.startsWith('Via:')),
    ...['From', 'Call-ID', 'CSeq'].map((name) => `${name}: ${headerIn(request, name)}`),
    `To: ${headerIn(request, 'To')};tag=raw`,
    `Contact: <sip:1000@${address}:${port}>`,
    'Content-Type: application/sdp',
    `Content-Length: ${Buffer.byteLength(sdp)}`,
    '',
    sdp,
  ].join('\r\n')
}
