/** D224: clocks that are wrong, or are set while calls live, change neither what calls cost nor who ends them. */
import { expect, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { createLog } from '../../../src/kit/process/log.ts'
import { passDatabaseTime } from '../../../src/nodes/testing/database-time.ts'
import { createTestClock } from '../../helpers/run/test-clock.ts'
import { runAs } from '../../helpers/run/test-database.ts'
import { startAllRoles } from '../../helpers/service/service.ts'
import { openOffice, startVoiceService, type VoiceService } from '../../helpers/service/voice.ts'

const callRequest = { extension: '1000', called: '5548999998888' }

/** An answered call, and how the API shows it. */
async function talk(service: VoiceService) {
  const office = await openOffice(service)
  await service.app.jobs.stop()
  const id = String((await service.api.post('/calls', callRequest, office)).body.id)
  service.engine.pickUp(id)
  service.engine.answer(id)
  await service.eventsStored()
  return { id, shown: async () => (await service.api.get(`/calls/${id}`, office)).body }
}

test.each([
  ['forward', 3600],
  ['back', -3600],
])('a clock set %s an hour does not change what a killed node is paid for', async (_way, hour) => {
  const service = await startVoiceService()
  const { id, shown } = await talk(service)
  service.clock.advance(12)
  service.clock.shift(hour)
  await passDatabaseTime((statement) => runAs(service.database.url, statement), 12)
  await service.app.lease.renew()

  // The node dies; whatever its clock showed, its call is ended when its lease is over.
  service.engine.lose(id)
  for (let waited = 0; waited < 70; waited += 10) {
    service.clock.advance(10)
    await passDatabaseTime((statement) => runAs(service.database.url, statement), 10)
    await service.tick('orphaned calls')
  }
  expect(await shown()).toMatchObject({ status: 'completed', duration: 12 })
  await service.stop()
})

test('a node whose clock is a minute ahead ends no call of another that lives', async () => {
  const service = await startVoiceService()
  const { shown } = await talk(service)
  const clock = createTestClock()
  clock.shift(60)
  const settings = { PORT: '0', DATA_DIR: service.dataDir, DATABASE_URL: service.database.url }
  const ahead = await startAllRoles(readConfig({ ...settings, RATE_LIMITS: 'off' }), {
    clock,
    log: createLog('silent'),
    engine: service.makeEngine,
  })
  await ahead.jobs.stop()
  for (let waited = 0; waited < 70; waited += 10) {
    clock.advance(10)
    await ahead.lease.renew()
    expect(await ahead.jobs.run('orphaned calls')).toBe(0)
  }
  expect((await shown()).ended_at).toBeNull()
  await ahead.stop()
  await service.stop()
})
