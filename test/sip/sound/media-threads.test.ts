import { expect, test } from 'vitest'
import { keep, startDeskPhone } from '../engine/engine-setup.ts'
import { openTestHost } from '../engine/test-host.ts'

test('D330: media threads start with the first phone, or with a carrier', async (t) => {
  const withoutPhones = keep(t, await openTestHost())
  expect(withoutPhones.engine.metrics().media_threads).toBe(0)
  keep(t, await startDeskPhone(withoutPhones))
  expect(withoutPhones.engine.metrics().media_threads).toBe(1)

  const trunks = [{ name: 'carrier', address: 'sip:127.0.0.1:9', qualifySeconds: 0 }]
  const withCarrier = keep(t, await openTestHost({ trunks }))
  expect(withCarrier.engine.metrics().media_threads).toBe(1)
})
