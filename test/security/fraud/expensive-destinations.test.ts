/** A new account calls numbers whose owners earn from each call, or whose minutes cost a fortune. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeLimits } from '../../helpers/service/operator.ts'
import { type Office, openOffice, startVoiceService, type VoiceService } from '../../helpers/service/voice.ts'

let service: VoiceService
let office: Office
beforeAll(async () => {
  service = await startVoiceService()
  office = await openOffice(service)
})
afterAll(() => service.stop())

const call = (called: string, who: { token: string } = office) =>
  service.api.post('/calls', { extension: '1000', called }, who)
const stored = async () => (await service.api.get('/calls?page=1', office)).body.data

const personal = '+44 70 1234 5678'
const samoa = '+1 684 633 1234'
const unitedStates = '+1 212 555 0123'

test.each([
  ['a personal number', personal, '+4470'],
  ['American Samoa, which looks like the United States', samoa, '+1684'],
  ['Jamaica', '+1 876 555 1234', '+1876'],
  ['Cuba', '+53 5 2345678', '+53'],
  ['Iridium', '+8816 1234 5678', '+881'],
  ['Inmarsat', '+870 773 123 456', '+870'],
  ['an international network', '+883 5100 12345', '+883'],
  ['the United States', unitedStates, 'outside Brazil'],
  ['Portugal', '+351 912 345 678', 'outside Brazil'],
])('D194: %s is refused before anything is stored', async (_, number, reason) => {
  const { status, body } = await call(number)
  expect([status, body.error.code]).toEqual([422, 'DESTINATION_NOT_ALLOWED'])
  expect(body.error.message).toContain(reason)
  expect(body.error.details).toMatchObject({ context: 'Call', codes: { called: ['exclusion'] } })
  expect(await stored()).toEqual([])
})

test('D194: a phone that dials such a number is barred, and nothing is stored', async () => {
  for (const dialled of [personal, unitedStates]) {
    const arrival = { from: { extension: office.extension('1000') }, dialled }
    expect(await service.engine.receive(arrival)).toEqual({ rejected: 'OUTGOING_CALL_BARRED' })
  }
  expect(await stored()).toEqual([])
})

test('D10: premium numbers of Brazil are refused to everybody', async () => {
  const rich = await openOffice(service)
  await changeLimits(service, rich.domain, { proven: true, international: true })
  for (const number of ['0900 123 456', '0500 123 4567', '+1 900 234 5678'])
    expect((await call(number, rich)).status).toBe(422)
})

test('D194: the operator enables other countries, and each barred range by itself', async () => {
  const abroad = await openOffice(service)
  expect((await call(unitedStates, abroad)).status).toBe(422)
  await changeLimits(service, abroad.domain, { international: true })
  const statusOf = async (number: string) => (await call(number, abroad)).status
  // Known by a notice.
  await expect.poll(() => statusOf(unitedStates)).toBe(200)
  expect((await call(personal, abroad)).body.error.code).toBe('DESTINATION_NOT_ALLOWED')
  await changeLimits(service, abroad.domain, { allow: ['4470'], international: null })
  await expect.poll(() => statusOf(personal)).toBe(200)
  expect((await call('+1 212 555 0124', abroad)).body.error.code).toBe('DESTINATION_NOT_ALLOWED')
  expect((await call(samoa, abroad)).body.error.code).toBe('DESTINATION_NOT_ALLOWED')
})
