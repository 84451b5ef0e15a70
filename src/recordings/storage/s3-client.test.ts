/** D258: a bucket that takes requests and never answers. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { RecordingsUnavailable } from './port.ts'
import { createS3Client } from './s3-client.ts'

test('a bucket that is silent is unavailable after one time limit, not after one for each try', async () => {
  let requests = 0
  const server = createServer(() => {
    requests += 1
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const settings = {
    bucket: 'sounds',
    prefix: '',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
    sessionToken: undefined,
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  }
  const client = createS3Client(settings, 500)
  await expect(client.send({ method: 'GET', key: 'a.wav' })).rejects.toThrow(RecordingsUnavailable)
  expect(requests).toBe(1)
  await client.close()
  server.closeAllConnections()
  server.close()
})
