/** The webhook receiver of docs/webhooks.md in PHP, run as its first line says. It logs genuine events only. */
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { freeNeighbours } from '../../sip/peers/ports.ts'
import { startProgram } from '../../sip/peers/program.ts'
import { need } from '../runner/programs.ts'

export const sample = fileURLToPath(new URL('../../../docs/samples/webhook-receiver.php', import.meta.url))

/** `register` sets up an integration at the URL, and returns its secret. `file` is read again for each webhook. */
export async function startWebhookReceiver(register: (url: string) => Promise<string>, file = sample) {
  need('php')
  const port = await freeNeighbours(1)
  const secret = await register(`http://127.0.0.1:${port}/`)
  // A changed file counts at once, not only after some seconds.
  const options = ['-d', 'display_errors=0', '-d', 'opcache.enable=0']
  const args = [`WEBHOOK_SECRET=${secret}`, 'php', ...options, '-S', `127.0.0.1:${port}`, file]
  const program = startProgram('env', args, tmpdir())
  const probe = await program.connect(port)
  probe.destroy()
  return {
    /** Ids of the calls whose end was delivered, as often as it was. */
    endedCalls: () => [...program.said().matchAll(/channel-hangup ([0-9a-f-]{36})/g)].map(([, id]) => id),
    said: program.said,
    stop: () => program.stop(),
  }
}
export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>
