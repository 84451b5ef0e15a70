/** Mail sent through a mail server (SMTP). */
import { createTransport } from 'nodemailer'
import type { MailTransport } from './port.ts'

export function createSmtpTransport(url: string, from: string): MailTransport {
  const server = createTransport({
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
    keepsMail: false,
    async send({ recipient, subject, text }) {
      await server.sendMail({ from, to: { name: '', address: recipient }, subject, text })
    },
    async check() {
      try {
        await server.verify()
        return undefined
      } catch (error) {
        return error instanceof Error ? error.message : String(error)
      }
    },
    close: () => server.close(),
  }
}
