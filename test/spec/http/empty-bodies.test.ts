/** D13: a request without a body is one, whatever content type its library adds. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import axios, { type AxiosRequestConfig } from 'axios'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { basePath } from '../../../src/http/entry.ts'
import { describedRoutes } from '../../helpers/description/described-routes.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { openAccount } from '../../helpers/service/people.ts'
import type { Service } from '../../helpers/service/service.ts'
import {
  allowDuplicate,
  type Office,
  openOffice,
  startVoiceService,
  type VoiceService,
} from '../../helpers/service/voice.ts'

let service: VoiceService
let office: Office

beforeAll(async () => {
  service = await startVoiceService()
  office = await openOffice(service)
})
afterAll(() => service.stop())
beforeEach(() => service.engine.behave(() => ['rings']))

async function placeCall(): Promise<string> {
  const call = { extension: '1000', called: '5548999998888' }
  const { body } = await service.api.post('/calls', call, { token: office.token, headers: allowDuplicate })
  return body.id
}

const urlOf = (path: string) => `${service.url}${basePath}${path}`
const statusOf = async (id: string) => (await service.api.get(`/calls/${id}`, office)).body.status

/** Sends a request byte for byte, and reads the status of its answer. */
async function sendRaw(method: string, path: string, headers: string[], body = ''): Promise<number> {
  const { port } = new URL(service.url)
  const socket = connect(Number(port), 'localhost')
  const head = [`${method} ${basePath}${path} HTTP/1.1`, 'Host: localhost', 'Connection: close']
  socket.write([...head, `Authorization: ${office.token}`, ...headers, '', body].join('\r\n'))
  return Number((await text(socket)).split(' ')[1])
}

const form = 'Content-Type: application/x-www-form-urlencoded'
const emptyChunks = '0\r\n\r\n'

const wireForms: [what: string, headers: string[], body?: string][] = [
  ['a form of length 0', [form, 'Content-Length: 0']],
  ['a form with a charset, of length 0', [`${form}; charset=utf-8`, 'Content-Length: 0']],
  ['a form without a length', [form]],
  ['an empty chunked form', [form, 'Transfer-Encoding: chunked'], emptyChunks],
  ['text of length 0', ['Content-Type: text/plain;charset=UTF-8', 'Content-Length: 0']],
  ['an empty chunked text', ['Content-Type: text/plain', 'Transfer-Encoding: chunked'], emptyChunks],
  ['a multipart form of length 0', ['Content-Type: multipart/form-data; boundary=x', 'Content-Length: 0']],
  ['a content type that is none, of length 0', ['Content-Type: json', 'Content-Length: 0']],
  [
    'a content type that is none, and empty chunks',
    ['Content-Type: x', 'Transfer-Encoding: chunked'],
    emptyChunks,
  ],
  ['an empty content type, of length 0', ['Content-Type:', 'Content-Length: 0']],
  ['no content type and an empty chunked body', ['Transfer-Encoding: chunked'], emptyChunks],
  ['no content type and no length', []],
  ['an unknown encoding, of length 0', [form, 'Content-Encoding: compress', 'Content-Length: 0']],
  ['JSON of length 0', ['Content-Type: application/json', 'Content-Length: 0']],
]

describe('a hang-up with an empty body', () => {
  test.each(wireForms)('ends the call: %s', async (_what, headers, body) => {
    const id = await placeCall()
    expect(await sendRaw('POST', `/calls/${id}/hangup`, headers, body)).toBe(200)
    expect(await statusOf(id)).toBe('cancelled')
  })

  test.each<[string, NonNullable<RequestInit['body']>]>([
    ["''", ''],
    ['new URLSearchParams()', new URLSearchParams()],
    ['new FormData()', new FormData()],
    ['new Blob([])', new Blob([])],
  ])('ends the call: fetch with %s', async (_what, body) => {
    const id = await placeCall()
    const headers = { authorization: office.token }
    const answer = await fetch(urlOf(`/calls/${id}/hangup`), { method: 'POST', headers, body })
    expect(answer.status).toBe(200)
    expect(await statusOf(id)).toBe('cancelled')
  })

  test.each<[string, unknown]>([
    ['null', null],
    ['undefined', undefined],
    ["''", ''],
    ['{}', {}],
    ['new URLSearchParams()', new URLSearchParams()],
    ['new FormData()', new FormData()],
  ])('ends the call: axios with %s', async (_what, data) => {
    const id = await placeCall()
    const config: AxiosRequestConfig = { headers: { Authorization: office.token } }
    expect((await axios.post(urlOf(`/calls/${id}/hangup`), data, config)).status).toBe(200)
    expect(await statusOf(id)).toBe('cancelled')
  })

  test.skipIf(programMissing('curl'))("ends the call: curl -d ''", async () => {
    const id = await placeCall()
    const url = urlOf(`/calls/${id}/hangup`)
    const curl = spawn('curl', ['-sf', '-d', '', '-H', `Authorization: ${office.token}`, url])
    expect(await once(curl, 'exit')).toEqual([0, null])
    expect(await statusOf(id)).toBe('cancelled')
  })
})

describe('a route that takes no body', () => {
  test.each([
    ['a form', form, 'id=1'],
    ['text', 'Content-Type: text/plain', 'hang up'],
    ['a content type that is none', 'Content-Type: json', '{}'],
    ['JSON that cannot be parsed', 'Content-Type: application/json', '{"id":'],
    ['JSON that is no object', 'Content-Type: application/json', 'true'],
  ])('ignores %s: the call ends', async (_what, type, body) => {
    const id = await placeCall()
    const headers = [type, `Content-Length: ${body.length}`]
    expect(await sendRaw('POST', `/calls/${id}/hangup`, headers, body)).toBe(200)
    expect(await statusOf(id)).toBe('cancelled')
  })
})

test('axios cancels a charge and makes an access token without a body', async () => {
  const config: AxiosRequestConfig = { headers: { Authorization: office.token } }
  const dueDate = new Date(service.clock.now().getTime() + 2 * 86_400_000).toISOString().slice(0, 10)
  const charge = { paymentMethod: 'PIX', dueDate, amount: 50, description: 'Recarga' }
  const { data } = await axios.post(urlOf('/charges'), charge, config)
  const cancelled = await axios.patch(urlOf(`/charges/${data.id}/cancel`), undefined, config)
  expect(cancelled.data).toMatchObject({ id: data.id, status: 'CANCELLED' })
  for (const data of [undefined, new FormData()]) {
    expect((await axios.post(urlOf('/users/accessTokens'), data, config)).data.ttl).toBe(1_209_600)
  }
})

test('an empty body is never 415, on any route', async () => {
  const routes = await describedRoutes(service as unknown as Service)
  const writing = routes.filter(({ method }) => !['GET', 'HEAD'].includes(method))
  expect(writing.length).toBeGreaterThan(30)
  // In an account of its own: some of the routes end what the token may do.
  const other = await openAccount(service as unknown as Service)
  for (const { method, path } of writing) {
    for (const contentType of ['application/x-www-form-urlencoded', 'text/plain', 'json']) {
      const headers = { 'content-type': contentType }
      const { status } = await service.api.send(method, path, '', { token: other.token, headers })
      expect(status, `${method} ${path} ${contentType}`).not.toBe(415)
    }
  }
})

test.each([
  ['a form', 'application/x-www-form-urlencoded', 'ttl=60'],
  ['text', 'text/plain', '{"ttl":60}'],
  ['a content type that is none', 'json', '{"ttl":60}'],
])('a body that would be used must be JSON: %s is 415', async (_what, contentType, body) => {
  const headers = { 'content-type': contentType }
  const options = { token: office.token, headers }
  const { status, body: answer } = await service.api.post('/users/accessTokens', body, options)
  expect([status, answer.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
})
