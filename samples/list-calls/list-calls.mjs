// The longest answered calls of an extension: node list-calls.mjs 1000
import { Ramal } from '@ramal/client'

const ramal = new Ramal({ baseUrl: process.env.RAMAL_URL, token: process.env.RAMAL_TOKEN })
const where = { from: process.argv[2], status: 'completed', duration: { gt: 0 } }
for await (const call of ramal.calls.list({ where, order: 'duration DESC' }))
  process.stdout.write(`${call.id},${call.to},${call.duration}\n`)
