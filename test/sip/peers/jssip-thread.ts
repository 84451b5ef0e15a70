/** JsSIP in a thread of its own, for it wants the globals of a browser. */
import { parentPort, workerData } from 'node:worker_threads'
import { UA, WebSocketInterface } from 'jssip'
import type { JsSipEvent, JsSipOptions, JsSipOrder } from './jssip.ts'
import { createDeadConnection, createPlainConnection } from './jssip-media.ts'

/** The part of a JsSIP session that we use; its own types want those of a browser. */
type Session = {
  direction: 'incoming' | 'outgoing'
  on(event: string, events: (detail: Detail) => void): void
  answer(options: object): void
  terminate(options?: object): void
  hold(): boolean
  unhold(): boolean
  sendDTMF(digits: string): void
}
type Message = { status_code?: number; getHeader?(name: string): string | undefined; data?: string }
type Detail = { originator?: string; cause?: string; message?: Message | null; response?: Message | null }

const { url, domain, extension, password, expires, hertz = 440, isDead = false } = workerData as JsSipOptions
let connection: ReturnType<typeof createPlainConnection> | undefined
let session: Session | undefined

Object.assign(globalThis, {
  window: globalThis,
  // Called with `new`, which takes what is returned.
  RTCPeerConnection: function plainConnection() {
    connection = isDead ? createDeadConnection() : createPlainConnection(hertz)
    return connection
  },
  RTCSessionDescription: function description(given: object) {
    return given
  },
})

const post = (event: JsSipEvent) => parentPort?.postMessage(event)
/** A stream without tracks, so that nobody looks for a microphone. */
const silence = { mediaStream: { getTracks: () => [] } }

const agent = new UA({
  sockets: new WebSocketInterface(url),
  uri: `sip:${extension}@${domain}`,
  authorization_user: extension,
  password,
  register: false,
  register_expires: expires ?? 600,
  session_timers: false,
})

agent.on('connected', () => post({ type: 'connected' }))
agent.on('disconnected', () => post({ type: 'disconnected' }))
agent.on('registered', () => post({ type: 'registered' }))
agent.on('unregistered', () => post({ type: 'unregistered' }))
agent.on('registrationFailed', ({ cause, response }: Detail) =>
  post({ type: 'registrationFailed', ...said({ cause, message: response }) }),
)
agent.on('newRTCSession', (started: unknown) => {
  const { session: born, request } = started as { session: Session; request: Message }
  session = born
  post({ type: born.direction, ...(born.direction === 'incoming' ? { request: request.data ?? '' } : {}) })
  for (const type of ['progress', 'confirmed', 'hold', 'unhold'] as const) born.on(type, () => post({ type }))
  for (const type of ['failed', 'ended'] as const) born.on(type, (detail) => post({ type, ...said(detail) }))
})

function said({ originator, cause, message }: { [key in keyof Detail]: Detail[key] | undefined }) {
  return {
    ...(originator ? { by: originator } : {}),
    ...(cause ? { cause } : {}),
    ...(message?.status_code ? { status: message.status_code } : {}),
  }
}

async function follow({ order, text = '' }: JsSipOrder) {
  if (order === 'register') agent.register()
  else if (order === 'unregister') agent.unregister()
  else if (order === 'call') agent.call(text, silence as object)
  else if (order === 'answer') session?.answer(silence)
  else if (order === 'refuse') session?.terminate({ status_code: Number(text) })
  else if (order === 'hangUp') session?.terminate()
  else if (order === 'hold') session?.hold()
  else if (order === 'unhold') session?.unhold()
  else if (order === 'press') session?.sendDTMF(text)
  else if (order === 'heard')
    post({ type: 'heard', samples: (await connection?.heard()) ?? new Int16Array() })
}

parentPort?.on('message', (order: JsSipOrder) => void follow(order))
agent.start()
