/** Ten thousand connections that send one OPTIONS each, and keep everybody else out for two hours. */
import { expect, test } from 'vitest'
import { keep, openEngineSetup, soon, startDeskPhone } from '../../sip/engine/engine-setup.ts'
import { openCarrier } from '../../sip/engine/test-carrier.ts'
import { openConnection, writeRequest } from '../../sip/peers/stranger.ts'

test('D182: a connection that never authenticates is closed within half a minute, and makes room before', async (t) => {
  const carrier = await openCarrier(t)
  const setup = keep(t, await openEngineSetup(carrier.port))
  keep(t, await startDeskPhone(setup, { transport: 'tcp' }))
  const sources = ['127.0.0.71', '127.0.0.72', '127.0.0.73']
  const opened: Awaited<ReturnType<typeof openConnection>>[] = []
  for (let n = 0; n < 1_200; n += 60) {
    const some = await Promise.all(
      Array.from({ length: 60 }, (_, one) => openConnection(setup.port, sources[one % sources.length])),
    )
    for (const one of some) one.write(writeRequest({ transport: 'TCP' }))
    opened.push(...some)
  }
  t.onTestFinished(async () => {
    for (const one of opened) await one.stop()
  })
  await soon(() =>
    expect(setup.engine.metrics().sip_connections_cut_crowded_total ?? 0).toBeGreaterThanOrEqual(200),
  )
  expect(setup.engine.metrics().sip_connections_unproven).toBeLessThanOrEqual(1_000)
  // Registered when it returns.
  keep(t, await startDeskPhone(setup, { transport: 'tcp', number: '1001' }))
  await setup.pass(36)
  await soon(() =>
    expect(setup.engine.metrics()).toMatchObject({ sip_connections: 2, sip_connections_unproven: 0 }),
  )
  expect(setup.engine.registration({ domain: 'ramal.test', number: '1000' })).toBeDefined()
})
