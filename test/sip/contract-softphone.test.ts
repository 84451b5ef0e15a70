/** The engine's contract with our own softphone at both ends: quick, and its other witnesses are in the files beside. */
import { describeEngine, type Person, type World } from '../../src/engine/contract-suite.ts'
import { silenceSource } from '../../src/engine/endpoint/audio/audio-source.ts'
import { type IncomingCall, receiveCall } from '../../src/engine/endpoint/call/incoming-call.ts'
import { openSipEndpoint } from '../../src/engine/endpoint/signalling/sip-endpoint.ts'
import { createSoftphone, type PhoneEvent } from '../../src/engine/endpoint/softphone/softphone.ts'
import { createLog } from '../../src/kit/log.ts'
import { systemTimers } from '../../src/kit/timers.ts'
import { domain, openHouse, passwordOf, placing } from './house.ts'
import { hurryTimers } from './hurry-timers.ts'
import { createJournal } from './witnesses/journal.ts'

const log = createLog('silent')
const statuses = { busy: 486, declined: 603 }

async function makeWorld(): Promise<World> {
  const carrier = await openSipEndpoint({ host: '127.0.0.1', product: 'carrier', timers: systemTimers, log })
  const incoming = createJournal<IncomingCall>('carrier')
  carrier.userAgent.onInvite((leg) =>
    incoming.write(receiveCall(leg, { host: '127.0.0.1', timers: systemTimers, log })),
  )
  const timers = hurryTimers()
  const house = await openHouse({
    timers,
    trunks: [{ name: 'carrier', address: `sip:127.0.0.1:${carrier.address.port}`, qualifySeconds: 0 }],
  })
  const events = createJournal<PhoneEvent>('softphone')
  const phone = await createSoftphone({
    extension: '1000',
    password: passwordOf('1000'),
    domain,
    transport: 'udp',
    answer: 'ask',
    log,
    server: { address: '127.0.0.1', port: house.port },
    play: silenceSource,
    timers: systemTimers,
    onEvent: events.write,
  })
  await house.registered('1000')

  const atExtension: Person = {
    async rings() {
      await events.until(({ type }) => type === 'incoming')
    },
    async answers() {
      await phone.answer()
    },
    async refuses(why) {
      await events.until(({ type }) => type === 'incoming')
      phone.refuse(statuses[why])
    },
    async hangsUp() {
      phone.hangUp()
    },
  }
  const call = () => incoming.until(() => true)
  const atDestination: Person = {
    rings: async () => (await call()).ring(),
    answers: async () => void (await (await call()).answer(silenceSource())),
    refuses: async (why) => (await call()).refuse(statuses[why]),
    hangsUp: async () => (await call()).hangUp(),
  }
  return {
    engine: house.engine,
    extension: { domain, number: '1000' },
    wish: (change) => placing({ limits: { ring: 60, answer: 60, talk: 60 }, ...change }),
    atExtension,
    atDestination,
    told: house.calls,
    toldOfPhones: house.phones,
    until: house.until,
    pass: timers.pass,
    async close() {
      await phone.stop()
      await house.stop()
      await carrier.stop()
    },
  }
}

describeEngine('The embedded engine with softphones', makeWorld)
