/** The development mailbox, as a person reads it. */
import { eventually } from '../runner/polling.ts'

/** The newest link that was mailed to an address; `mailbox` is the link that the service printed. */
export async function mailedLink(mailbox: string, email: string): Promise<string> {
  const look = async () => {
    const page = await (await fetch(mailbox)).text()
    const mail = page.split('<article>').find((article) => article.includes(email))
    return mail?.match(/href="(http[^"]+token=[^"]+)"/)?.[1]?.replaceAll('&amp;', '&')
  }
  return await eventually(look, { every: 500, what: `a mail to ${email}` })
}
