/** `npm run simulate -- [--calls 2000] [--seed n] [--rate 5] [--fault-every 3]`: a run, and what the auditor finds in it. */
import { randomInt } from 'node:crypto'
import { chmodSync, createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { audit } from './audit/audit.ts'
import { runPlanted } from './planted/run-planted.ts'
import { run } from './sim/run.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    calls: { type: 'string', default: '2000' },
    seed: { type: 'string' },
    rate: { type: 'string', default: '5' },
    'fault-every': { type: 'string', default: '3' },
    /** Real time after which no further call is made. */
    seconds: { type: 'string', default: '100000' },
    accounts: { type: 'string', default: '4' },
    extensions: { type: 'string', default: '3' },
    settle: { type: 'string', default: '60' },
    history: { type: 'string' },
    trace: { type: 'string' },
    json: { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
    log: { type: 'string', default: 'silent' },
  },
})
const seed = Number(values.seed ?? randomInt(2 ** 31))
const note = (line: string) => process.stderr.write(`${line}\n`)
/** D555: the options that shape a run, as they are given. */
const shape = (['rate', 'fault-every', 'accounts', 'extensions', 'settle'] as const).flatMap((name) => [
  `--${name}`,
  values[name],
])
if (values.planted) {
  const isAllFound = runPlanted({
    names: positionals,
    seed,
    maxCalls: Number(values.calls),
    maxSeconds: Number(values.seconds),
    shape,
    note: (line) => process.stdout.write(`${line}\n`),
  })
  process.exit(isAllFound ? 0 : 1)
}
note(`seed ${seed}`)
const scratch = mkdtempSync(join(tmpdir(), 'ramal-proof-'))
// The server of the database may run as another user, who must be able to enter it.
chmodSync(scratch, 0o711)
mkdirSync(join(scratch, 'data'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

const tracing = values.trace === undefined ? undefined : createWriteStream(values.trace)
const { history, hash, figures } = await run({
  calls: Number(values.calls),
  seed,
  scratch,
  rate: Number(values.rate),
  faultEvery: Number(values['fault-every']),
  maxSeconds: Number(values.seconds),
  accounts: Number(values.accounts),
  extensions: Number(values.extensions),
  settleSeconds: Number(values.settle),
  logLevel: values.log as 'silent',
  trace: tracing && ((line) => tracing.write(`${line.replaceAll(/\s+/g, ' ')}\n`)),
  note,
})
if (values.history !== undefined) writeFileSync(values.history, JSON.stringify(history))
const violations = audit(history)
const summary = { seed, hash, ...figures, violations: violations.length }
/** How many calls were made may have been limited by the time. */
const replay = ['npm run simulate -- --seed', seed, '--calls', figures.calls, ...shape].join(' ')
if (values.json)
  process.stdout.write(`${JSON.stringify({ ...summary, replay, found: violations.slice(0, 40) })}\n`)
else {
  process.stdout.write(`${JSON.stringify(summary, undefined, 2)}\n`)
  for (const { check, text } of violations.slice(0, 40)) process.stdout.write(`${check}: ${text}\n`)
  if (violations.length > 0) process.stdout.write(`To see it again: ${replay}\n`)
}
process.exit(violations.length === 0 ? 0 : 1)
