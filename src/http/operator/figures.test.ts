import { expect, test } from 'vitest'
import { writeFigures } from './figures.ts'

test('what only grows is a counter, the rest a gauge', () => {
  expect(writeFigures('voice', { calls: 2, registers_total: 7 })).toBe(`# HELP ramal_voice_calls calls
# TYPE ramal_voice_calls gauge
ramal_voice_calls 2
# HELP ramal_voice_registers_total registers total
# TYPE ramal_voice_registers_total counter
ramal_voice_registers_total 7
`)
})
