/** The development mailbox: mail stays in the database and is shown on a page; its links are logged. */
import type { Log } from '../kit/process/log.ts'
import type { MailTransport } from './port.ts'

export function createMailboxTransport(log: Log): MailTransport {
  return {
    keepsMail: true,
    async send({ recipient, subject, text }) {
      const links = text.match(/https?:\/\/\S+/g) ?? []
      log.info({ recipient, subject, links }, 'mail kept in the development mailbox')
    },
    check: async () => undefined,
    close: () => {},
  }
}
