// Rings an extension and dials a number: node click-to-call.mjs 1000 '+55 48 99999-0103'
import { ExtensionNotRegisteredError, Ramal } from '@ramal/client'

const [extension, called] = process.argv.slice(2)
const ramal = new Ramal({ baseUrl: process.env.RAMAL_URL, token: process.env.RAMAL_TOKEN })
try {
  const { id } = await ramal.calls.place({ extension, called, metadata: { source: 'click' } })
  process.stdout.write(`${id}\n`)
} catch (error) {
  if (!(error instanceof ExtensionNotRegisteredError)) throw error
  process.stderr.write(`No phone is registered to ${extension}.\n`)
  process.exitCode = 1
}
