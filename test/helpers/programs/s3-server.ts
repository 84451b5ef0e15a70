/**
 * An S3 server: OpenStack Swift, which clouds run, with its S3 API (Debian's python3-swift). Each start is empty but for
 * one bucket. Requests reach it through a front that a test may break.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createS3Client } from '../../../src/recordings/storage/s3-client.ts'
import { sayOnce } from '../run/say-once.ts'

const program = fileURLToPath(new URL('./s3_server.py', import.meta.url))
const python = '/usr/bin/python3'

/** In CI it must not be. */
export function s3ServerMissing(): boolean {
  const missing = spawnSync(python, ['-c', 'import swift, eventlet']).status !== 0
  if (missing && process.env.CI) throw new Error('CI needs python3-swift: .ci/run must install it')
  if (missing) sayOnce('SKIPPED: tests that need python3-swift, which is not on this machine')
  return missing
}

/** What the front does with a request; undefined passes it on. */
type Fault = (
  request: IncomingMessage,
  response: ServerResponse,
) => 'handled' | { cutAfter: number } | undefined

export async function startS3Server() {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-s3-'))
  const child = spawn(python, [program, folder], { stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.once('data', (line) => resolve(Number(line)))
    child.once('exit', () => reject(new Error(`the S3 server ended:\n${errors}`)))
  })
  let fault: Fault | undefined
  const front = createServer((incoming, outgoing) => {
    const found = fault?.(incoming, outgoing)
    if (found === 'handled') return
    forward(incoming, outgoing, port, found?.cutAfter)
  })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  const settings = {
    bucket: 'recordings',
    prefix: 'calls/',
    accessKeyId: 'test:ramal',
    secretAccessKey: 'secret',
    sessionToken: undefined,
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
  }
  const client = createS3Client(settings)
  const { body } = await client.send({ method: 'PUT' })
  await body.dump()
  return {
    settings,
    client,
    setFault(wanted?: Fault) {
      fault = wanted
    },
    /** Keys in the bucket. */
    async keys(): Promise<string[]> {
      const { text } = await client.sendForText({ method: 'GET', query: { 'list-type': '2' } })
      return [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key)
    },
    async stop() {
      front.closeAllConnections()
      front.close()
      child.removeAllListeners('exit')
      child.kill('SIGKILL')
      await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
export type S3Server = Awaited<ReturnType<typeof startS3Server>>

function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  port: number,
  cutAfter = Number.POSITIVE_INFINITY,
) {
  const { method, url, headers } = incoming
  const upstream = request({ port, host: '127.0.0.1', method, path: url, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    let sent = 0
    answer.on('data', (piece: Buffer) => {
      const left = cutAfter - sent
      sent += piece.length
      outgoing.write(piece.subarray(0, left))
      if (sent > cutAfter) outgoing.destroy()
    })
    answer.on('end', () => outgoing.end())
  })
  upstream.on('error', () => outgoing.destroy())
  incoming.on('error', () => upstream.destroy())
  incoming.on('close', () => {
    if (!incoming.complete) upstream.destroy()
  })
  incoming.pipe(upstream)
}
