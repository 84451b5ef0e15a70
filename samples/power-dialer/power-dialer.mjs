// Calls one number after the other from an extension, and waits for the end of each: node power-dialer.mjs 1000 NUMBER...
import { ApiError, NetworkError, Ramal } from '@ramal/client'

const [extension, ...numbers] = process.argv.slice(2)
const ramal = new Ramal({ baseUrl: process.env.RAMAL_URL, token: process.env.RAMAL_TOKEN })

for (const called of numbers) {
  try {
    const { id } = await ramal.calls.place({ extension, called })
    const { hangup_cause, duration, call_price } = await ramal.calls.waitForEnd(id)
    process.stdout.write(`${called} ${hangup_cause} ${duration} s, R$ ${call_price}\n`)
  } catch (error) {
    if (error instanceof ApiError) process.stdout.write(`${called} not called: ${error.errorCode}\n`)
    // The call may have been placed all the same.
    else if (error instanceof NetworkError) process.stdout.write(`${called} unknown: ${error.message}\n`)
    else throw error
  }
}
