/** D585: files for others, in a folder and in a bucket. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type S3Server, s3ServerMissing, startS3Server } from '../../../test/helpers/programs/s3-server.ts'
import { createBucketFiles, createFolderFiles } from './plain-files.ts'
import { createS3Client } from './s3-client.ts'
import { partBytes } from './upload.ts'

async function* linesOf(...lines: string[]) {
  for (const line of lines) yield Buffer.from(`${line}\n`)
}

test('a file in a folder is complete or not there, and replaces the one before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal files '))
  const { write } = createFolderFiles(folder)
  await write('a/calls/2026-11-17.ndjson', linesOf('{"id":1}'))
  async function* breaks() {
    yield* linesOf('{"id":2}')
    throw new Error('the database went away')
  }
  await expect(write('a/calls/2026-11-17.ndjson', breaks())).rejects.toThrow('went away')
  expect(readdirSync(join(folder, 'a/calls'))).toEqual(['2026-11-17.ndjson'])
  expect(readFileSync(join(folder, 'a/calls/2026-11-17.ndjson'), 'utf8')).toBe('{"id":1}\n')
  rmSync(folder, { recursive: true })
})

describe.skipIf(s3ServerMissing())('in a bucket', () => {
  let server: S3Server
  beforeAll(async () => {
    server = await startS3Server()
  })
  afterAll(() => server.stop())

  test('a file of several parts is stored behind the prefix, as lines of JSON', async () => {
    const line = JSON.stringify({ text: 'x'.repeat(partBytes / 4) })
    const { write } = createBucketFiles(server.settings, 'application/x-ndjson')
    await write('a/calls/2026-11-17.ndjson', linesOf(line, line, line, line, line))
    const key = `${server.settings.prefix}a/calls/2026-11-17.ndjson`
    const { headers, body } = await createS3Client(server.settings).send({ method: 'GET', key })
    expect(headers['content-type']).toBe('application/x-ndjson')
    expect(await text(body)).toBe(`${line}\n`.repeat(5))
  })
})
