/** A web server that answers every request with a CGI program (RFC 3875). */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

export async function startCgiServer(program: string, port: number, secret: string) {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-cgi-'))
  const events = join(folder, 'events.txt')
  writeFileSync(events, '')

  async function runProgram(request: IncomingMessage): Promise<string> {
    const headers = Object.entries(request.headers).map(([name, value]) => [
      `HTTP_${name.toUpperCase().replaceAll('-', '_')}`,
      String(value),
    ])
    const env = {
      PATH: process.env.PATH ?? '',
      CONTENT_LENGTH: request.headers['content-length'] ?? '0',
      WEBHOOK_SECRET: secret,
      EVENTS: events,
    }
    const child = spawn('sh', [program], { env: { ...Object.fromEntries(headers), ...env } })
    request.pipe(child.stdin)
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
    if (errors !== '') throw new Error(errors)
    return output
  }

  const server = createServer((request, response) => {
    runProgram(request).then(
      (output) => {
        const [head = '', body = ''] = output.split('\r\n\r\n', 2)
        response.writeHead(Number(/^Status: (\d+)/m.exec(head)?.[1] ?? 200)).end(body)
      },
      (error: Error) => response.writeHead(500).end(error.message),
    )
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    events: () => readFileSync(events, 'utf8'),
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      rmSync(folder, { recursive: true })
    },
  }
}
