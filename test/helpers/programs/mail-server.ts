/** A mail server that keeps received mail. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** It refuses mail while `state.refusing` is set. */
export async function startMailServer() {
  const taken: { from: string; to: string; text: string }[] = []
  const state = { refusing: false }
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      username === 'ramal' && password === 'secret' ? done(null, { user: 'ramal' }) : done(new Error('no')),
    onData(stream, { envelope }, done) {
      let text = ''
      stream.on('data', (chunk) => {
        text += chunk
      })
      stream.on('end', () => {
        if (state.refusing) return done(Object.assign(new Error('later'), { responseCode: 451 }))
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        taken.push({ from, to: envelope.rcptTo.map(({ address }) => address).join(), text })
        done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    taken,
    state,
    url: `smtp://ramal:secret@127.0.0.1:${port}`,
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}
export type MailServer = Awaited<ReturnType<typeof startMailServer>>

/** The body of a received mail that was sent as quoted-printable (RFC 2045, 6.7). */
export function readQuotedPrintable(message: string): string {
  const body = message.slice(message.indexOf('\r\n\r\n') + 4).replaceAll('=\r\n', '')
  const bytes = body.replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n')
}
