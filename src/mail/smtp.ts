/** Mail carried by a mail server. */
import { createTransport } from 'nodemailer'
import type { Carrier } from './port.ts'

export function createSmtpCarrier(url: string, from: string): Carrier {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    keeps: false,
    async carry({ recipient, subject, text }) {
      await transport.sendMail({ from, to: { name: '', address: recipient }, subject, text })
    },
    async check() {
      try {
        await transport.verify()
        return undefined
      } catch (error) {
        return error instanceof Error ? error.message : String(error)
      }
    },
    close: () => transport.close(),
  }
}
