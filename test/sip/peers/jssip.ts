/** JsSIP, the phone of many web pages: SIP over WebSocket by somebody else's code. */
import { Worker } from 'node:worker_threads'
import { createJournal } from './journal.ts'

export type JsSipOptions = {
  /** URL of the WebSocket. */
  url: string
  domain: string
  extension: string
  password: string
  /** In seconds. */
  expires?: number
  /** The tone it says. */
  hertz?: number
  /** The page answers as a browser does, and its sound never connects: the page has crashed. */
  isDead?: boolean
}

export type JsSipOrder = {
  order:
    | 'register'
    | 'unregister'
    | 'call'
    | 'answer'
    | 'refuse'
    | 'hangUp'
    | 'hold'
    | 'unhold'
    | 'press'
    | 'heard'
  text?: string
}

export type JsSipEvent =
  | { type: 'connected' | 'disconnected' | 'registered' | 'unregistered' }
  /** `request` is the INVITE as it came. */
  | { type: 'incoming' | 'outgoing'; request?: string }
  | { type: 'progress' | 'confirmed' | 'hold' | 'unhold' }
  /** By 'local', 'remote' or 'system'; the cause in words of JsSIP's. */
  | { type: 'failed' | 'ended' | 'registrationFailed'; by?: string; cause?: string; status?: number }
  | { type: 'heard'; samples: Int16Array }
  | { type: 'crashed'; error: string }

type Kind = JsSipEvent['type']

export async function startJsSip(options: JsSipOptions) {
  const journal = createJournal<JsSipEvent>(`JsSIP ${options.extension}`)
  const thread = new Worker(new URL('./jssip-thread.ts', import.meta.url), { workerData: options })
  thread.on('message', journal.write)
  thread.on('error', (error) => journal.write({ type: 'crashed', error: `${error}` }))
  const send = (order: JsSipOrder['order'], text?: string) =>
    thread.postMessage({ order, ...(text === undefined ? {} : { text }) })

  const until = <Type extends Kind>(type: Type, after = 0, within = 30_000) =>
    journal.until((event) => event.type === type, { after, within }) as Promise<
      Extract<JsSipEvent, { type: Type }>
    >

  // A thread and all of JsSIP, on a machine that may have much else to do.
  await until('connected', 0, 30_000)
  return {
    events: journal.entries,
    until,
    register: () => send('register'),
    unregister: () => send('unregister'),
    /** A number of its domain, or a whole SIP address. */
    call: (whom: string) => send('call', whom),
    answer: () => send('answer'),
    refuse: (status: number) => send('refuse', `${status}`),
    hangUp: () => send('hangUp'),
    hold: () => send('hold'),
    resume: () => send('unhold'),
    /** By INFO, the default of JsSIP. */
    press: (digits: string) => send('press', digits),
    /** Sound of its last call, so far. */
    async heard(): Promise<Int16Array> {
      const after = journal.entries.length
      send('heard')
      return (await until('heard', after)).samples
    },
    /** Without a word, as a closed page. */
    async stop() {
      await thread.terminate()
    },
  }
}
