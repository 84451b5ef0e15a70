/**
 * The baseline: the least a server in Node can do for `GET /users/me`. It looks a token's hash up
 * among 10,000 and answers a user; no routing, limits, metrics, log or headers of its own.
 */
import { hash } from 'node:crypto'
import { createServer } from 'node:http'

const tokens = process.argv.slice(2)

const users = new Map<string, object>()
for (let number = 0; number < 10_000; number++) {
  users.set(hashOf(tokens[number] ?? `token ${number}`), {
    uuid: '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d',
    name: `Pessoa ${number}`,
    email: `pessoa${number}@padaria.example`,
    phone: '+55 11 3333-4444',
    role: 'ADMIN',
    emailVerified: false,
    createdAt: new Date('2026-11-15T12:00:00.000Z'),
    updatedAt: new Date('2026-11-15T12:00:00.000Z'),
    lastLoginAt: null,
  })
}

function hashOf(text: string): string {
  return hash('sha256', text, 'hex')
}

const server = createServer((request, response) => {
  const user = users.get(hashOf(request.headers.authorization ?? ''))
  const body = JSON.stringify(user ?? { error: 'unknown token' })
  response.writeHead(user ? 200 : 401, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  })
  response.end(body)
})

server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('disconnect', () => process.exit())
