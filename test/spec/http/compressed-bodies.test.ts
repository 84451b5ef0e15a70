/** D430: bodies may be compressed. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import axios from 'axios'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basePath } from '../../../src/http/entry.ts'
import { type Office, openOffice, startVoiceService, type VoiceService } from '../../helpers/service/voice.ts'

let service: VoiceService
let office: Office

beforeAll(async () => {
  service = await startVoiceService()
  office = await openOffice(service)
})
afterAll(() => service.stop())

const packedJson = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }

async function rename(body: Buffer, encoding: string) {
  const headers = { ...packedJson, Authorization: office.token, 'Content-Encoding': encoding }
  const options = { headers, validateStatus: () => true }
  const { status, data } = await axios.patch(`${service.url}${basePath}/users`, body, options)
  return { status, body: data }
}

const json = (name: string) => Buffer.from(JSON.stringify({ name }))

describe('a compressed body is unpacked', () => {
  test.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['GZIP', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['identity', (body: Buffer) => body],
  ])('%s', async (encoding, pack) => {
    const name = `João de ${encoding}`
    expect(await rename(pack(json(name)), encoding)).toMatchObject({
      status: 200,
      body: { name },
    })
  })

  test('and the digits of its metadata are those that were sent', async () => {
    const headers = { ...packedJson, Authorization: office.token }
    const body = '{"extension":"1000","called":"5548999998888","metadata":{"n":1.10}}'
    const { data } = await axios.post(`${service.url}${basePath}/calls`, gzipSync(body), { headers })
    const record = await fetch(`${service.url}${basePath}/calls/${data.id}`, { headers })
    expect(await record.text()).toContain('{"n":1.10}')
  })
})

test.each(['compress', 'zstd', 'gzip, br', '__proto__'])(
  'an encoding that is not known, as %s, is 415, and the message names the header',
  async (encoding) => {
    const { status, body } = await rename(json('Ana'), encoding)
    expect(status).toBe(415)
    expect(body.error?.message).toBe('Content-Encoding must be gzip, deflate or br, or be left out.')
  },
)

test.each([
  ['no gzip at all', json('Ana')],
  ['gzip that was cut off', gzipSync(json('Ana')).subarray(0, -10)],
])('%s is 400, and the message names the header', async (_what, body) => {
  const { status, body: answer } = await rename(body, 'gzip')
  expect([status, answer.error?.code]).toEqual([400, 'MALFORMED_BODY'])
  expect(answer.error?.message).toBe('The body is not in the encoding that Content-Encoding names.')
})

describe('the limit of 1 MiB counts what a body unpacks to', () => {
  test('one that unpacks to more is 413', async () => {
    const { status, body } = await rename(gzipSync(json('x'.repeat(1_048_576))), 'gzip')
    expect([status, body.error?.code]).toEqual([413, 'BODY_TOO_LARGE'])
  })

  test('a bomb is not unpacked to its end', async () => {
    // Where its end is missing, one that was unpacked so far would be 400.
    const bomb = gzipSync(Buffer.alloc(128 * 1_048_576), { level: 1 }).subarray(0, -1_000)
    expect(bomb.length).toBeLessThan(1_048_576)
    expect((await rename(bomb, 'gzip')).status).toBe(413)
  })

  test.each([
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('a bomb in %s is 413', async (encoding, pack) => {
    expect((await rename(pack(Buffer.alloc(8 * 1_048_576)), encoding)).status).toBe(413)
  })
})
