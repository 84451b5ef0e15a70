/** `ramal <verb>`: reads the environment once and hands over to the verb. */

import { runVerb } from './cli/run-verb.ts'
import { endWithParent } from './cli/stop-signals.ts'

endWithParent(process.env)
// A reader that goes away (a closed terminal, `| head`) ends nothing: a service has calls to end and a database to stop.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
// Not awaited: in the bundle (D340) verbs import from this file what they share with it, and would wait for its end.
void runVerb(process.env, process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
