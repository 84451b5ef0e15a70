/** Requests that Node's own HTTP server would answer without the error body, or not at all. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../../src/kit/process/log.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service
let logged = ''

beforeAll(async () => {
  const destination = {
    write(line: string) {
      logged += line
    },
  }
  service = await startService({}, { log: createLog('info', { destination }) })
})
afterAll(() => service.stop())

/** Sends each text after the answer to the one before, on one connection; returns the answers. */
function sendInTurn(texts: string[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.url).port), 'localhost')
    const waiting = [...texts]
    const answers: string[] = []
    const sendNext = () => socket.write(waiting.shift() ?? '')
    socket.setEncoding('latin1')
    socket.on('connect', sendNext)
    socket.on('data', (text) => {
      answers.push(String(text))
      if (answers.length === texts.length) socket.end()
      else sendNext()
    })
    socket.on('close', () => resolve(answers))
    socket.on('error', reject)
  })
}

const well = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n'
const malformed =
  'GET /api/v1/users?filter={"where":{"name":"José\u0001"}} HTTP/1.1\r\nHost: localhost\r\n\r\n'

test('a malformed request is answered, also on a connection that carried others before', async () => {
  const [first, second] = await sendInTurn([well, malformed])
  expect(first).toContain('200 OK')
  expect(second).toContain('400 Bad Request')
  expect(second).toContain('"errorCode":"MALFORMED_REQUEST"')
})

test('an expectation other than 100-continue is ignored (D214)', async () => {
  const expecting = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nExpect: a-miracle\r\n\r\n`
  const [health, users] = await sendInTurn([expecting('/health'), expecting('/api/v1/users/me')])
  expect(health).toContain('200 OK')
  expect(users).toContain('"errorCode":"AUTHORIZATION_REQUIRED"')
})

test('a request without Host is refused with the error body, of the API and of pages', async () => {
  const answers = await sendInTurn(['GET /health HTTP/1.1\r\n\r\n', 'GET /api/v1/users HTTP/1.1\r\n\r\n'])
  for (const answer of answers) {
    expect(answer).toContain('400 Bad Request')
    expect(answer).toContain('"errorCode":"MALFORMED_REQUEST"')
  }
  const [older] = await sendInTurn(['GET /health HTTP/1.0\r\n\r\n'])
  expect(older).toContain('200 OK')
})

test('clients that go away while they send a body are no failures in the log', async () => {
  const head = 'POST /api/v1/users/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
  const socket = connect(Number(new URL(service.url).port), 'localhost')
  socket.write(`${head}Content-Length: 100\r\nExpect: 100-continue\r\n\r\n{"email"`)
  socket.once('data', () => socket.resetAndDestroy())
  await once(socket, 'close')
  // The server notices the end of the connection before it answers the next ones.
  for (let times = 0; times < 3; times += 1) await sendInTurn([well])
  expect(logged).not.toContain('"level":"error"')
})
