/** A tab of a browser, whichever it is: what a person does in it by clicks and keys. */
import { eventually } from '../runner/polling.ts'

export type Tab = {
  open: (url: string) => Promise<void>
  /** Types into the field with this label. */
  fill: (label: string, text: string) => Promise<void>
  /** Clicks the button or link with this name, inside the part of the page that the CSS selector finds. */
  press: (name: string, part?: string) => Promise<void>
  /** Keys for whatever has the focus; `nextField` is a key too. */
  keys: (text: string) => Promise<void>
  /** A key with Control. */
  control: (key: string) => Promise<void>
  /** Until something that matches the CSS selector is there, or is not. */
  see: (selector: string) => Promise<void>
  gone: (selector: string) => Promise<void>
  evaluate: <T>(expression: string) => Promise<T>
  /** The file that the browser saves when the link with this name is clicked. */
  download: (name: string) => Promise<string>
  screenshot: (path: string) => Promise<void>
  close: () => Promise<void>
}

/** The keys Tab and Enter, as WebDriver names them. */
export const nextField = '\uE004'
export const enter = '\uE007'

const textOf = (tab: Tab, part: string) =>
  tab.evaluate<string>(`document.querySelector(${JSON.stringify(part)})?.innerText ?? ''`)

/** Until the page, or a part of it, shows the text. */
export async function read(tab: Tab, text: string, part = 'body') {
  const look = async () => {
    const shown = await textOf(tab, part)
    if (shown.includes(text)) return true
    throw new Error(`${part} shows ${JSON.stringify(shown.slice(0, 1000))}`)
  }
  await eventually(look, { what: `"${text}"` })
}

/** A CSS selector for the row with this text, once it is in the table of this name. */
export async function rowWith(tab: Tab, table: string, text: string): Promise<string> {
  const rows = `section[aria-label=${JSON.stringify(table)}] tbody tr`
  const code = `[...document.querySelectorAll(${JSON.stringify(rows)})].map((row) => row.innerText)`
  const look = async () => {
    const shown = await tab.evaluate<string[]>(code)
    const at = shown.findIndex((row) => row.includes(text))
    if (at >= 0) return `${rows}:nth-child(${at + 1})`
    throw new Error(`the table has ${shown.join(' | ')}`)
  }
  return await eventually(look, { what: `a row with ${text}` })
}

/** By the key Tab alone, until the focus is on the button or link with this name. */
export async function moveTo(tab: Tab, name: string) {
  const focused = `(() => {
    const { activeElement: one } = document
    return (one?.getAttribute('aria-label') ?? one?.textContent ?? '').trim()
  })()`
  const passed: string[] = []
  for (let keys = 0; keys < maxKeys; keys += 1) {
    const now = await tab.evaluate<string>(focused)
    if (now === name) return
    passed.push(now.slice(0, 40))
    await tab.keys(nextField)
  }
  throw new Error(`${maxKeys} times Tab do not lead to ${name}, but to ${passed.join(' | ')}`)
}

const maxKeys = 12

/**
 * Measures what the phone of the page receives while its loudspeaker plays; the page knows nothing of it. What is received is
 * recorded and decoded, because an AudioContext of Firefox stands still on a machine without a sound card.
 */
export const ears = `
  const Connection = window.RTCPeerConnection
  window.RTCPeerConnection = class extends Connection {
    constructor(...args) {
      super(...args)
      this.addEventListener('track', ({ track }) => {
        window.ear = { connection: this, stream: new MediaStream([track]) }
      })
    }
  }
  const Loudspeaker = window.Audio
  window.Audio = class extends Loudspeaker {
    constructor(...args) {
      super(...args)
      window.loudspeaker = this
    }
  }
  const rate = 48000
  window.strongestHertz = async () => {
    if (!window.ear || !window.loudspeaker || loudspeaker.paused || loudspeaker.muted) return 0
    const recorder = new MediaRecorder(ear.stream)
    const recorded = new Promise((resolve) => (recorder.ondataavailable = ({ data }) => resolve(data)))
    recorder.start()
    setTimeout(() => recorder.stop(), 600)
    const bytes = await (await recorded).arrayBuffer()
    const decoded = await new OfflineAudioContext(1, 1, rate).decodeAudioData(bytes)
    const samples = decoded.getChannelData(0)
    const powerAt = (hertz) => {
      let [real, imaginary] = [0, 0]
      for (let n = 0; n < samples.length; n += 4) {
        const angle = (2 * Math.PI * hertz * n) / rate
        real += samples[n] * Math.cos(angle)
        imaginary += samples[n] * Math.sin(angle)
      }
      return (8 * Math.hypot(real, imaginary)) / samples.length
    }
    let best = { hertz: 0, power: 0.001 }
    for (let hertz = 200; hertz < 1400; hertz += 10) {
      const power = powerAt(hertz)
      if (power > best.power) best = { hertz, power }
    }
    return best.hertz
  }
`

/** State of the sound in the page, in words. */
const describeSound = `(async () => {
  if (!window.ear) return 'no sound was ever received'
  const { connection } = ear
  const counts = [...(await connection.getStats()).values()]
    .filter(({ type, kind }) => kind === 'audio' && (type === 'inbound-rtp' || type === 'outbound-rtp'))
    .map(({ packetsReceived, packetsSent }) => packetsReceived === undefined ? packetsSent + ' sent' : packetsReceived + ' received')
  return [
    'the connection is ' + connection.connectionState,
    'packets ' + counts.join(', '),
    'loudspeaker ' + (loudspeaker.paused ? 'paused' : loudspeaker.muted ? 'muted' : 'on'),
  ].join(', ')
})()`

/** Until the strongest frequency that the phone of the page receives is this one. */
export async function hear(tab: Tab, hertz: number) {
  const began = performance.now()
  const seen: string[] = []
  const look = async () => {
    const heard = await tab.evaluate<number>('strongestHertz()')
    if (Math.abs(heard - hertz) < 25) return true
    const after = ((performance.now() - began) / 1000).toFixed(1)
    seen.push(`after ${after} s ${heard} Hz is heard, ${await tab.evaluate<string>(describeSound)}`)
    throw new Error([...seen.slice(0, 5), ...seen.slice(5).slice(-5)].join('\n'))
  }
  await eventually(look, { what: `${hertz} Hz in the page` })
}
