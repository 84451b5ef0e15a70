/** The development mailbox: mail stays in the database, a page shows it, its links go to the log. */
import type { Log } from '../kit/log.ts'
import type { Carrier } from './port.ts'

export function createMailboxCarrier(log: Log): Carrier {
  return {
    keeps: true,
    async carry({ recipient, subject, text }) {
      const links = text.match(/https?:\/\/\S+/g) ?? []
      log.info({ recipient, subject, links }, 'mail kept in the development mailbox')
    },
    check: async () => undefined,
    close: () => {},
  }
}
