/** D328: the account of a phone as Linphone fetches it: its settings file, in XML. */
import { escapeHtml } from './html.ts'

type Account = { number: string; password: string; domain: string; displayName: string }
type Server = { host: string; port: number; transport: string }

export function linphoneConfig(account: Account, { host, port, transport }: Server): string {
  const { number, password, domain, displayName } = account
  const server = `<sip:${host}:${port};transport=${transport}>`
  const sections = {
    // Else Linphone would fetch the link again at each start.
    misc: { transient_provisioning: '1' },
    sip: { default_proxy: '0' },
    auth_info_0: { username: number, userid: number, passwd: password, realm: domain, domain },
    proxy_0: {
      // It resolves the registrar by name, whatever the route: the domain need not be in the DNS.
      reg_proxy: server,
      reg_route: server,
      reg_identity: `"${displayName.replaceAll(/["\\]/g, '')}" <sip:${number}@${domain}>`,
      realm: domain,
      reg_expires: '600',
      reg_sendregister: '1',
      publish: '0',
    },
  }
  const written = Object.entries(sections).map(([name, entries]) => {
    const lines = Object.entries(entries).map(
      ([key, value]) => `    <entry name="${key}" overwrite="true">${escapeHtml(value)}</entry>\n`,
    )
    return `  <section name="${name}">\n${lines.join('')}  </section>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<config xmlns="http://www.linphone.org/xsds/lpconfig.xsd">
${written.join('')}</config>
`
}
