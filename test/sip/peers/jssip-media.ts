/** What JsSIP takes for WebRTC: plain RTP with A-law, by a test phone with real sockets. */
import { createPhone, type Phone } from '../../../src/media/testing/phone.ts'

type Description = { type: string; sdp: string }

/** SDP of a browser that will never be there: nobody listens at its port, and nobody begins the DTLS handshake. */
function deadDescription(type: string): Description {
  const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':')
  const lines = [
    'v=0',
    'o=- 7 1 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    'm=audio 9 UDP/TLS/RTP/SAVPF 8 101',
    'c=IN IP4 0.0.0.0',
    'a=rtpmap:8 PCMA/8000',
    'a=rtpmap:101 telephone-event/8000',
    'a=ice-ufrag:dead',
    'a=ice-pwd:a-password-of-22-letters',
    `a=fingerprint:sha-256 ${fingerprint}`,
    `a=setup:${type === 'offer' ? 'actpass' : 'active'}`,
    'a=mid:0',
    'a=rtcp-mux',
    'a=sendrecv',
  ]
  return { type, sdp: `${lines.join('\r\n')}\r\n` }
}

export function createDeadConnection(): ReturnType<typeof createPlainConnection> {
  const connection = createPlainConnection(0)
  return Object.assign(connection, {
    createOffer: async () => deadDescription('offer'),
    createAnswer: async () => deadDescription('answer'),
    async setRemoteDescription({ type }: Description) {
      connection.signalingState = type === 'offer' ? 'have-remote-offer' : 'stable'
    },
  })
}

/** Stands for an RTCPeerConnection, of which JsSIP asks no more than this. */
export function createPlainConnection(hertz: number) {
  let phone: Promise<Phone> | undefined
  let version = 0

  function pickUp(): Promise<Phone> {
    phone ??= createPhone()
    return phone
  }

  async function describe(type: string): Promise<Description> {
    const { port } = await pickUp()
    version += 1
    const lines = [
      'v=0',
      `o=- 7 ${version} IN IP4 127.0.0.1`,
      's=-',
      'c=IN IP4 127.0.0.1',
      't=0 0',
      `m=audio ${port} RTP/AVP 8 101`,
      'a=rtpmap:8 PCMA/8000',
      'a=rtpmap:101 telephone-event/8000',
      'a=sendrecv',
    ]
    return { type, sdp: `${lines.join('\r\n')}\r\n` }
  }

  const connection = {
    signalingState: 'stable',
    iceGatheringState: 'complete',
    iceConnectionState: 'connected',
    localDescription: undefined as Description | undefined,
    addEventListener: () => {},
    removeEventListener: () => {},
    getSenders: () => [],
    createOffer: () => describe('offer'),
    createAnswer: () => describe('answer'),
    async setLocalDescription(description: Description) {
      connection.localDescription = description
      connection.signalingState = description.type === 'offer' ? 'have-local-offer' : 'stable'
    },
    /** Sends to the negotiated address from here on. */
    async setRemoteDescription({ type, sdp }: Description) {
      connection.signalingState = type === 'offer' ? 'have-remote-offer' : 'stable'
      const port = Number(/^m=audio (\d+) RTP\/AVP/m.exec(sdp)?.[1])
      if (!port) throw new Error('no audio over plain RTP in the description')
      const { talk } = await pickUp()
      talk(port, hertz)
    },
    close() {
      connection.signalingState = 'closed'
      void phone?.then(({ hangUp }) => hangUp())
    },
    heard: async () => (await phone)?.sound() ?? new Int16Array(),
  }
  return connection
}
