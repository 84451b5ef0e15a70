/** `npm run demo` from the command line. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeDataDir, runRamal } from '../../helpers/programs/ramal-process.ts'
import { readWav } from '../../sip/peers/tones.ts'

const kept = makeDataDir()
const scratch = makeDataDir()
afterAll(() => {
  kept.remove()
  scratch.remove()
})

test('shows a call from the sign-up to its recording, and leaves nothing behind but what was asked for', async () => {
  const copy = join(kept.path, 'call.wav')
  const { code, text } = await runRamal(['demo', '--keep', copy], { TMPDIR: scratch.path })
  expect(text).toMatch(/POST \/accounts\/signup +201/)
  expect(text).toMatch(/POST \/calls +200/)
  expect(text).toContain('registered as 1000@')
  const delivered = [...text.matchAll(/(\d)\. (\S+), signature good/g)].map(
    ([, number, kind]) => `${number} ${kind}`,
  )
  expect(delivered).toEqual([
    '1 channel-create',
    '2 channel-ringing',
    '3 channel-answer',
    '4 channel-hangup',
    '5 recording-ready',
  ])
  expect(text).toContain('completed, NORMAL_CLEARING')
  expect(text).toMatch(/price +R\$ 0\.\d+/)
  expect(text).toContain('left 440 Hz')
  expect(text).toContain('right 1000 Hz')
  expect(text, 'no colours but at a terminal').not.toContain('\u001b')
  expect(code).toBe(0)
  expect(readWav(readFileSync(copy)).seconds).toBeGreaterThan(3)
  expect(readdirSync(scratch.path).filter((name) => name.startsWith('ramal'))).toEqual([])
}, 90_000)

test('a step that fails is named, and the demo ends with 1', async () => {
  const noFolder = join(kept.path, 'a file')
  writeFileSync(noFolder, '')
  const { code, text } = await runRamal(['demo'], { TMPDIR: noFolder })
  expect(text).toMatch(/The demo failed at "start the service": ENOTDIR/)
  expect(code).toBe(1)
})
