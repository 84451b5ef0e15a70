import { expect, test } from 'vitest'
import { phoneServers } from '../../../app/process/addresses.ts'
import type { Extensions } from '../../../extensions/extensions.ts'
import type { SetupLinks } from '../../../extensions/phones/setup-links.ts'
import { phoneSetupRoutes } from './phone-setup.ts'

const extension = {
  number: '1000',
  password: 's3nha<do>ramal',
  firstName: 'Ana',
  lastName: 'Souza',
  owner: null,
}

test('the code has the account with the first server, escaped as XML (D300)', async () => {
  const addresses = {
    SIP: '192.0.2.10:5060',
    'SIP TLS': '[2001:db8::1]:5061',
    'Web phones': 'wss://voz.example/sip',
  }
  const [route] = phoneSetupRoutes({
    extensions: { find: async () => extension } as unknown as Extensions,
    servers: async () => phoneServers([addresses, { SIP: addresses.SIP }]),
    setupLinks: {} as SetupLinks,
    apiUrl: () => '',
  })
  const caller = { user: { id: 1, role: 'ADMIN' }, domain: 'acme.example' }
  const answer = await route?.run({ caller, params: { id: '1' } } as never)
  expect(answer).toMatchObject({
    servers: [
      { transport: 'udp', host: '192.0.2.10', port: 5060, address: 'sip:192.0.2.10:5060;transport=udp' },
      { transport: 'tcp', port: 5060 },
      { transport: 'tls', host: '[2001:db8::1]', port: 5061 },
      { transport: 'wss', host: 'voz.example', port: 443, address: 'wss://voz.example/sip' },
    ],
    qrCodes: [{ app: 'grandstream', svg: expect.stringMatching(/^<svg/) }],
  })
  const { qrCodes } = answer as { qrCodes: { payload: string }[] }
  expect(qrCodes[0]?.payload).toContain('<OutboundServer>192.0.2.10:5060</OutboundServer>')
  expect(qrCodes[0]?.payload).toContain('<AuthPass>s3nha&#60;do&#62;ramal</AuthPass>')
})
