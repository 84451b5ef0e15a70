/** Programs that wait for many calls at once, in the ways of their languages (D583). */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { programMissing } from '../helpers/programs/programs.ts'
import { installClient, type Language, languages, programs } from './packed-clients.ts'

const ids = Array.from({ length: 10 }, (_, n) => `c${n}`)
const interval = 0.3

/** A service whose calls end once all were asked for and their changes were then read a few times. */
async function startCalls() {
  const asked = new Set<string>()
  const starts: number[] = []
  const readings: number[] = []
  let quietReadings = 3
  const isOver = () => quietReadings <= 0
  const ended = (id: string) => ({ id, ended_at: isOver() ? '2026-11-15T12:31:00.000Z' : null })

  function answer(url: URL) {
    const [, id = ''] = /^\/api\/v1\/calls\/(c\d+)$/.exec(url.pathname) ?? []
    if (id !== '') {
      asked.add(id)
      return ended(id)
    }
    const isStart = url.searchParams.has('updated_since')
    const times = isStart ? starts : readings
    times.push(performance.now() / 1000)
    if (!isStart && asked.size === ids.length) quietReadings -= 1
    return { data: isOver() ? ids.map(ended) : [], cursor: 'k', more: false }
  }

  const server = createServer((request, response) => {
    const body = answer(new URL(request.url ?? '', 'http://service'))
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, starts, readings }
}

const waiting: Record<Language, string> = {
  typescript: `
import { Ramal } from '@ramal/client'
const ramal = new Ramal({ baseUrl: process.env.BASE })
const ids = ${JSON.stringify(ids)}
const calls = await Promise.all(ids.map((id) => ramal.calls.waitForEnd(id, { pollInterval: ${interval * 1000} })))
console.log(JSON.stringify(calls.filter(({ ended_at }) => ended_at).map(({ id }) => id)))`,
  python: `
import json, os
from concurrent.futures import ThreadPoolExecutor
from ramal import Ramal
ramal = Ramal(os.environ["BASE"])
ids = ${JSON.stringify(ids)}
with ThreadPoolExecutor(len(ids)) as pool:
    calls = list(pool.map(lambda id: ramal.calls.wait_for_end(id, poll_interval=${interval}), ids))
print(json.dumps([call["id"] for call in calls if call["ended_at"]]))`,
  php: `<?php
require 'vendor/autoload.php';
$ramal = new Ramal\\Client(getenv('BASE'));
$calls = iterator_to_array($ramal->calls->waitForEnds(${JSON.stringify(ids)}, pollInterval: ${interval}), false);
echo json_encode(array_column(array_filter($calls, fn ($call) => $call['ended_at'] !== null), 'id'));`,
}

const present = languages.filter((language) => !programMissing(programs[language]))

test.each(present)(
  'ten calls that a program waits for at once cost one request in turn: %s',
  async (language) => {
    const service = await startCalls()
    const client = await installClient(language)
    onTestFinished(() => client.remove())
    const output = await client.runProgram(waiting[language], '', { BASE: service.url })
    expect(JSON.parse(output)).toEqual(ids)
    expect(service.starts).toHaveLength(1)
    const { readings } = service
    expect(readings.length).toBeGreaterThan(2)
    const gaps = readings.slice(1).map((at, index) => at - (readings[index] ?? 0))
    // Ten pollers would leave a tenth of the interval between two requests.
    expect(Math.min(...gaps)).toBeGreaterThan(interval / 2)
  },
)
