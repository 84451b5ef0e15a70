/** D516: a clock that differs from the database's is logged, and keeps a process from being ready and from removing. */
import { expect, test } from 'vitest'
import { createLog } from '../../kit/process/log.ts'
import { createClockWatch } from './clock-watch.ts'

function createWatch({ alive = 0, onTime = 0 } = {}) {
  let offsetMs = 0
  const lines: { level: number; offsetSeconds?: number }[] = []
  const write = (line: string) => lines.push(JSON.parse(line)) > 0
  const log = createLog('info', { format: 'json', destination: { write } })
  const watch = createClockWatch({
    clock: { machineOffsetMs: () => offsetMs },
    log,
    fleet: { others: () => ({ alive, onTime }) },
  })
  return {
    watch,
    lines,
    setOffset(seconds: number) {
      offsetMs = seconds * 1000
    },
  }
}

test('an offset above 5 s is logged when it begins and when it is over', async () => {
  const { watch, lines, setOffset } = createWatch()
  for (const seconds of [5, -6, -7, 5]) {
    setOffset(seconds)
    await watch.tick()
  }
  expect(lines.map(({ offsetSeconds }) => offsetSeconds)).toEqual([-6, 5])
})

test.each([31, -31, 86_400, -5_184_000])('an offset of %i s makes the process not ready', (seconds) => {
  const { watch, setOffset } = createWatch({ alive: 2, onTime: 1 })
  setOffset(Math.sign(seconds) * 30)
  expect(watch.problems()).toEqual([])
  setOffset(seconds)
  expect(watch.problems()).toEqual(['clock'])
})

test('when no process agrees with the database, its clock is wrong and the processes stay ready', () => {
  const { watch, setOffset } = createWatch({ alive: 3, onTime: 0 })
  setOffset(300)
  expect(watch.problems()).toEqual([])
})

test('nothing old is removed while the clocks of machine and database disagree', async () => {
  const { watch, setOffset } = createWatch({ alive: 3, onTime: 0 })
  let sweeps = 0
  const sweep = watch.whileAgreeing(async () => {
    sweeps += 1
  })
  setOffset(-5_184_000)
  await sweep()
  expect(sweeps).toBe(0)
  setOffset(1)
  await sweep()
  expect(sweeps).toBe(1)
})
