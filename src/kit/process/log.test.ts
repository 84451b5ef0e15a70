import { spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createLog, mask } from './log.ts'

function written(
  write: (log: ReturnType<typeof createLog>) => void,
  format: 'json' | 'pretty' | 'auto' = 'json',
): string {
  let text = ''
  const destination = {
    write: (line: string) => {
      text += line
    },
  }
  const log = createLog('info', { format, destination })
  write(log)
  return text
}

test.each([
  ['an access token', 'a'.repeat(64)],
  ['a webhook secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  ['a masked CPF', '529.982.247-25'],
  ['a bare CPF', '52998224725'],
  ['a masked CNPJ', '12.ABC.345/01DE-35'],
  ['a bare CNPJ', '11222333000181'],
  ['a phone number', '+5548999998888'],
])('%s is masked but for its last two characters, wherever it stands', (_what, secret) => {
  const line = written((log) => log.info({ deep: { list: [`see ${secret}.`] } }, `got ${secret}`))
  expect(line).not.toContain(secret)
  expect(line).toContain(`***${secret.slice(-2)}`)
})

test('fields with the names of secrets are masked whatever they hold', () => {
  const line = written((log) => log.info({ body: { password: 'abc', senha: '1234', name: 'Ana' } }, 'x'))
  expect(line).not.toMatch(/abc|1234/)
  expect(line).toContain('Ana')
})

test('ids, addresses and times stay readable', () => {
  for (const text of [
    '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d',
    '192.0.2.17',
    '2026-11-15T12:00:00.000Z',
    '1763208000',
  ]) {
    if (text.length !== 10) expect(mask(text)).toBe(text)
  }
})

test('a confirmation link in the development log keeps its token', () => {
  const line = written((log) =>
    log.info({ links: [`http://localhost/confirm?token=${'b'.repeat(32)}`] }, 'mail'),
  )
  expect(line).toContain('b'.repeat(32))
})

test('as lines for people a line has the time of day, the level, the message and the fields (D173)', () => {
  const line = written(
    (log) => log.warn({ call: 7, why: 'no answer', on: true }, 'the trunk is silent'),
    'pretty',
  )
  expect(line).toMatch(/^\d\d:\d\d:\d\d\.\d{3} WARN {2}the trunk is silent call=7 why="no answer" on=true\n$/)
})

test('as lines for people an error has its stack below the line, and secrets are masked too', () => {
  const token = 'a'.repeat(64)
  const line = written((log) => log.error({ err: new Error(`bad ${token}`) }, 'a job failed'), 'pretty')
  expect(line).toMatch(/ERROR a job failed err="bad \*\*\*aa"\n {4}at /)
  expect(line).not.toContain(token)
})

test('as lines for people no control character of a field reaches the terminal', () => {
  const line = written((log) => log.info({ agent: 'x\u001b[2J\u0007' }, 'hello'), 'pretty')
  expect(line).toContain('agent=x\\u001b[2J\\u0007')
})

test('the line of a request is for people as well', () => {
  const json =
    '{"level":"info","time":"2026-11-15T12:00:00.000Z","request":"crm-7","method":"GET","route":"/ready","status":200,"ms":1.5,"ip":"::1","msg":"request"}'
  expect(written((log) => log.line(json), 'pretty')).toMatch(
    /INFO {2}GET \/ready 200, 1.5 ms request=crm-7 ip=::1\n$/,
  )
})

test('what is no terminal gets JSON unless it asks for lines for people', () => {
  expect(JSON.parse(written((log) => log.info('hello'), 'auto'))).toMatchObject({ msg: 'hello' })
})

test('lines reach standard output in their order, the last also if the process exits in the same turn', () => {
  const program = `
    import { createLog } from ${JSON.stringify(import.meta.resolve('./log.ts'))}
    const log = createLog('info')
    for (let number = 0; number < 3_000; number += 1) log.line(JSON.stringify({ number }))
    log.info('then')
    setImmediate(() => {
      createLog('info').info('last')
      process.exit(3)
    })`
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  })
  expect(status).toBe(3)
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.slice(0, 3_000).map(({ number }) => number)).toEqual(
    Array.from({ length: 3_000 }, (_, n) => n),
  )
  expect(lines.slice(3_000).map(({ msg }) => msg)).toEqual(['then', 'last'])
})

test.skipIf(process.platform !== 'linux')(
  'a log that cannot be written keeps no process from going on and exiting',
  () => {
    const program = `
    import { createLog } from ${JSON.stringify(import.meta.resolve('./log.ts'))}
    const log = createLog('info')
    log.info('lost')
    log.flush()
    setTimeout(() => {
      log.info('lost too')
      process.exit(3)
    }, 300)`
    const { status, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', openSync('/dev/full', 'w'), 'inherit'],
      timeout: 60_000,
    })
    expect({ status, signal }).toEqual({ status: 3, signal: null })
  },
)

test.each([
  ['later', 'setTimeout(() => process.exit(3), 500)'],
  ['while they are being written', 'setImmediate(() => process.exit(3))'],
])('lines that a full pipe refused are written in their order when the process exits %s', (_when, exit) => {
  const program = `
    import { createLog } from ${JSON.stringify(import.meta.resolve('./log.ts'))}
    // As where the service writes to its standard output itself: a pipe that is full refuses further lines.
    process.stdout.write('{"number":0}\\n')
    const log = createLog('info')
    for (let number = 1; number < 40_000; number += 1) log.line(JSON.stringify({ number }))
    ${exit}`
  const { status, stdout } = spawnSync(
    'sh',
    [
      '-c',
      '{ "$0" --input-type=module -e "$1"; echo "{\\"status\\":$?}"; } | { sleep 1; cat; }',
      process.execPath,
      program,
    ],
    { encoding: 'utf8' },
  )
  expect(status).toBe(0)
  const lines = stdout.trimEnd().split('\n')
  expect(lines.pop()).toBe('{"status":3}')
  expect(lines).toEqual(Array.from({ length: 40_000 }, (_, number) => JSON.stringify({ number })))
})
