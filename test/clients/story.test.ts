/** Each client, installed from its package, against the running service: a call, its events, its recording, its webhook. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { programMissing } from '../helpers/programs/programs.ts'
import { makeDataDir, startRamal } from '../helpers/programs/ramal-process.ts'
import { type Receiver, startReceiver } from '../helpers/programs/receiver.ts'
import { appCode } from '../helpers/service/authenticator.ts'
import { filter } from '../helpers/service/client.ts'
import { password } from '../helpers/service/people.ts'
import { readWav } from '../sip/peers/tones.ts'
import { startAnswerCutter } from './answer-cutter.ts'
import { type Office, openOffice } from './office.ts'
import { type InstalledClient, installClient, type Language, languages, programs } from './packed-clients.ts'

const data = makeDataDir()
let ramal: Awaited<ReturnType<typeof startRamal>>
const present = languages.filter((language) => !programMissing(programs[language]))
const prepared = new Map<Language, { client: InstalledClient; office: Office; receiver: Receiver }>()
beforeAll(async () => {
  ramal = await startRamal({ DATA_DIR: data.path, WEBHOOK_ALLOW_PRIVATE: 'true' })
  await Promise.all(
    present.map(async (language) => {
      const [client, office] = await Promise.all([installClient(language), openOffice(ramal, language)])
      prepared.set(language, { client, office, receiver: await startReceiver() })
    }),
  )
})
afterAll(async () => {
  for (const { client, office, receiver } of prepared.values()) {
    await receiver.stop()
    await office.stop()
    client.remove()
  }
  await ramal.kill('SIGTERM')
  data.remove()
})

/** The recovery codes of a second factor, which works now. */
async function enableSecondFactor(admin: { token: string }): Promise<string[]> {
  const { body: begun } = await ramal.api.post('/users/me/second-factor', { password }, admin)
  const code = appCode(begun.secret, new Date())
  const { body } = await ramal.api.post('/users/me/second-factor/enable', { code }, admin)
  return body.recoveryCodes
}

const firstCall = (language: Language) => {
  const readme = readFileSync(new URL(`../../clients/${language}/README.md`, import.meta.url), 'utf8')
  return /^```\w+ first call\n([\s\S]+?)^```/m.exec(readme)?.[1] ?? ''
}

/** Tests of one program, in their order. */
const inTurn = { concurrent: false }

// Most of their time they wait for calls: the clients do so side by side, each with an account of its own.
describe.concurrent.each(present)('the %s client, with the running service', (language) => {
  const its = () => {
    const found = prepared.get(language)
    if (!found) throw new Error(`${language} was not prepared`)
    return found
  }

  test('the first call of its README is 10 lines, and says how the call ended', inTurn, async () => {
    const { client, office } = its()
    const program = firstCall(language)
    expect(program.trim().split('\n').length).toBeLessThanOrEqual(10)
    const own = program
      .replace('http://localhost:3000', ramal.url)
      .replace('ana@aurora.example', office.email)
    expect(own).toContain(ramal.url)
    expect(await client.runProgram(own)).toMatch(/^NORMAL_CLEARING after \d+ s\n$/)
  })

  test(
    'places one call, and answers its id, when the answers to the first two attempts are lost (D531)',
    inTurn,
    async ({ onTestFinished }) => {
      const { client, office } = its()
      const proxy = await startAnswerCutter(ramal.url, 2)
      onTestFinished(() => proxy.stop())
      const call = { extension: '1000', called: '+55 48 99999-0101', metadata: { lead: 5 } }
      const input = [{ baseUrl: proxy.url, options: office.admin, steps: [['calls.place', call]] }]
      const [outcome] = JSON.parse(await client.runDriver('drivers/driver', JSON.stringify(input)))
      expect(proxy.statuses).toEqual([200, 200, 200])
      const { body } = await ramal.api.get(
        `/calls?page=1&${filter({ where: { 'metadata.lead': 5 } })}`,
        office.admin,
      )
      expect(body.data.map(({ id }: { id: string }) => id)).toEqual([outcome.result?.id])
      await ramal.api.post(`/calls/${outcome.result?.id}/hangup`, undefined, office.admin)
    },
  )

  test(
    'logs in with a recovery code, calls, waits by the feed, lists, fetches the recording, and logs out',
    inTurn,
    async () => {
      const { client, office, receiver } = its()
      const [code = ''] = await enableSecondFactor(office.admin)
      const env = {
        RAMAL_URL: ramal.url,
        EMAIL: office.email,
        PASSWORD: password,
        RECOVERY_CODE: code,
        HOOK: receiver.url,
      }
      const seen = JSON.parse(await client.runDriver('stories/story', '', env))
      expect(seen).toMatchObject({
        seen: ['channel-answer', 'channel-hangup', 'recording-ready'],
        calls: [[seen.id, 'completed', { lead: 8, campaign: 'spring' }]],
        none: [],
        ogg: 'OggS',
        refused: true,
        isLoggedOut: 'AUTHORIZATION_REQUIRED',
      })
      // The feed was read to behind the last event of the call.
      expect(seen.later.filter(({ id }: { id: string }) => id === seen.id)).toEqual([])
      const file = readFileSync(join(client.home, 'call.wav'))
      expect(readWav(file).seconds).toBeGreaterThan(0.5)
      // One channel of two, and the header.
      expect(Math.abs(seen.monoBytes * 2 - file.length)).toBeLessThan(200)

      const deliveries = (await receiver.until(2)).map(({ text, headers }) => ({ body: text, headers }))
      const input = deliveries.map(({ body, headers }) => {
        const args = { body, headers, secret: seen.secret, now: Math.floor(Date.now() / 1000) }
        return { baseUrl: ramal.url, options: {}, steps: [['webhooks.verify', args]] }
      })
      const verified = JSON.parse(await client.runDriver('drivers/driver', JSON.stringify(input)))
      expect(verified).toMatchObject([
        { result: { eventType: 'channel-hangup', id: seen.id } },
        { result: { eventType: 'recording-ready', id: seen.id } },
      ])
    },
  )
})
