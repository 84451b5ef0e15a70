import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems give to outgoing connections, which might take one between the probe and its use. */
const range = { from: 11_000, to: 20_000 }

/** A port that is free over TCP and UDP. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(range.from, range.to)
    if ((await canListen(port)) && (await canBind(port))) return port
  }
}

async function canListen(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1')
  return await once(probe, 'listening').then(
    async () => {
      probe.close()
      await once(probe, 'close')
      return true
    },
    () => false,
  )
}

async function canBind(port: number): Promise<boolean> {
  const probe = createSocket('udp4').bind(port, '127.0.0.1')
  const free = await once(probe, 'listening').then(
    () => true,
    () => false,
  )
  probe.close()
  await once(probe, 'close')
  return free
}
