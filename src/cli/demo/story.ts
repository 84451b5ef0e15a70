/** The demo: a customer signs up, registers a phone, adds a webhook, and makes a call that is recorded. */
import { toneSource } from '../../engine/endpoint/audio/audio-source.ts'
import { createSoftphone, type PhoneEvent } from '../../engine/endpoint/softphone/softphone.ts'
import { randomBase62 } from '../../kit/ids.ts'
import { createLog } from '../../kit/process/log.ts'
import { systemTimers } from '../../kit/timers.ts'
import { formatAsText } from '../phone/format-phone-event.ts'
import { createApi } from './api.ts'
import { type ReceivedEvent, startReceiver } from './receiver.ts'
import { analyseRecording } from './recording.ts'
import type { DemoService } from './service.ts'
import { pause, type TimeLine, until } from './time-line.ts'

const domain = 'aurora.ramal.localhost'
const email = 'ana@aurora.example'
const extension = '1000'
/** The sandbox carrier answers it at once and plays 1000 Hz (D119). */
const called = '5548999990009'
const ourHertz = 440
const theirHertz = 1000
/** Longer than 3 s, up to which a call is free. */
const talkMs = 4_000
const priceWithinMs = 1_500
const metadata = { lead_id: 4711, campaign: 'spring' }
const kinds = ['channel-create', 'channel-ringing', 'channel-answer', 'channel-hangup', 'recording-ready']

type Deps = { service: DemoService; timeLine: TimeLine; onEnd: (close: () => Promise<unknown>) => void }

export async function runStory({ service, timeLine, onEnd }: Deps) {
  const { note, step } = timeLine
  const password = randomBase62(20)
  const received: ReceivedEvent[] = []

  const { api: url, mailbox, sip } = await step('wait for the service', () => service.ready)
  note('service', `ready: ${url}, SIP at ${sip}`)
  const api = createApi(url, note)

  await step('sign up', () =>
    api.request('POST', '/accounts/signup', {
      organization_name: 'Padaria Aurora',
      domain,
      email,
      password,
      phone: '+55 48 3333-4444',
      crm: 'Outros',
      user_quantity: '1-5',
    }),
  )
  await step('confirm the address', async () => {
    const link = await until(async () => /http[^"]*token=[^"]*/.exec(await api.read(mailbox))?.[0])
    await api.press(link)
    note('mailbox', `the mail to ${email} came, its link was followed`)
  })
  await step('log in', async () => {
    const { id } = await api.request('POST', '/users/login', { email, password })
    api.authorize(String(id))
  })
  const sipPassword = randomBase62(16)
  await step('create an extension', () =>
    api.request('POST', '/extensions', {
      ramal: extension,
      senha: sipPassword,
      bina: '+55 48 3333-4444',
      gravar_audio: 1,
      first_name: 'Ana',
      last_name: 'Souza',
      email_address: email,
    }),
  )
  const receiver = await step('create an integration', async () => {
    const started = await startReceiver(onEvent)
    onEnd(started.stop)
    const { secret } = await api.request('PATCH', '/integrations', {
      gateway: 'demo-crm',
      webhook: true,
      webhookConstraint: { campaign: 'spring' },
      metadata: { webhookUrl: started.url, webhookTypes: kinds },
    })
    started.trust(String(secret))
    return started
  })
  note('webhook', `listening at ${receiver.url}`)

  const phoneEvents: PhoneEvent[] = []
  const phone = await step('register the phone', async () => {
    const [address = '', port] = sip.split(':')
    const who = { extension, domain, server: { address, port: Number(port) }, answer: 'auto' as const }
    const made = await createSoftphone({
      ...who,
      password: sipPassword,
      transport: 'udp',
      play: () => toneSource(ourHertz),
      timers: systemTimers,
      log: createLog('silent'),
      onEvent(event) {
        phoneEvents.push(event)
        note('phone', formatAsText(event, who))
      },
    })
    onEnd(made.stop)
    await until(() => {
      const failed = phoneEvents.find(({ type }) => type === 'registrationFailed')
      if (failed) throw new Error(formatAsText(failed, who))
      return phoneEvents.find(({ type }) => type === 'registered')
    })
    return made
  })

  function onEvent(event: ReceivedEvent) {
    const { eventType, signed, sequence } = event
    note('webhook', `${sequence}. ${eventType}, ${signed ? 'signature good' : 'NO GOOD SIGNATURE'}`)
    received.push(event)
  }
  const has = (kind: string) => received.find(({ eventType }) => eventType === kind)

  const callId = await step('place the call', async () => {
    const { id } = await api.request('POST', '/calls', { extension, called, metadata })
    return String(id)
  })
  await step('talk', async () => {
    await until(() => has('channel-answer'))
    note('phone', `speaks ${ourHertz} Hz for ${talkMs / 1000} s, and listens`)
    await pause(talkMs)
  })
  await step('hang up', async () => {
    phone.hangUp()
    await until(() => phoneEvents.find(({ type }) => type === 'ended'))
    await until(() => has('channel-hangup'))
  })
  await step('check the webhook events: each once, in order, signed, with the metadata', async () => {
    await until(() => has('recording-ready'))
    const wrong =
      received.map(({ eventType }) => eventType).join() !== kinds.join() ||
      received.some(({ id, signed }) => id !== callId || !signed) ||
      received.some((event) => JSON.stringify(event.metadata) !== JSON.stringify(metadata))
    if (wrong) throw new Error(`these events came: ${JSON.stringify(received)}`)
  })
  const record = await step('read the call', () => readCall(api, callId))
  const sound = await step('listen to the recording', async () => {
    const file = await api.download(String(record.record_url))
    const analysed = analyseRecording(file)
    const { left, right, seconds } = analysed
    if (left !== ourHertz || right !== theirHertz || seconds < talkMs / 1000 - 1) {
      throw new Error(`the tones are wrong: ${JSON.stringify(analysed)}`)
    }
    return { ...analysed, file }
  })
  return { record, sound, ourHertz, theirHertz }
}
export type Story = Awaited<ReturnType<typeof runStory>>

/** Waits for the price; a call without one is returned after a timeout. */
async function readCall(api: ReturnType<typeof createApi>, callId: string) {
  const read = () => api.request('GET', `/calls/${callId}`, undefined, { quiet: true })
  await until(async () => ((await read()).call_price === null ? undefined : true), priceWithinMs).catch(
    () => {},
  )
  const record = await api.request('GET', `/calls/${callId}`)
  if (record.status !== 'completed') throw new Error(`its status is ${record.status}`)
  return record
}
