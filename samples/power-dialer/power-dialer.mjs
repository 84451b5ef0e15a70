// Calls one number after the other from an extension, and waits for the end of each: node power-dialer.mjs 1000 NUMBER...
import { ApiError, Ramal } from '@ramal/client'

const [extension, ...numbers] = process.argv.slice(2)
const ramal = new Ramal({ baseUrl: process.env.RAMAL_URL, token: process.env.RAMAL_TOKEN })

for (const called of numbers) {
  try {
    const { id } = await ramal.calls.place({ extension, called })
    const { hangup_cause, duration } = await ramal.calls.waitForEnd(id)
    process.stdout.write(`${called} ${hangup_cause} ${duration} s\n`)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    process.stdout.write(`${called} not called: ${error.errorCode}\n`)
  }
}
