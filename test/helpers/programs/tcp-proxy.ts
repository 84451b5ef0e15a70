/** A TCP proxy in front of another server that can lose packets (nothing arrives, no error is reported), delay them, or cut connections. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** `host`: the address it listens on. */
export async function startTcpProxy(target: string, host = '127.0.0.1') {
  const { hostname, port, searchParams } = new URL(target)
  const socketFolder = searchParams.get('host')
  const reach = () =>
    socketFolder
      ? connect(`${socketFolder}/.s.PGSQL.${searchParams.get('port') ?? '5432'}`)
      : connect(Number(port) || 5432, hostname)
  const pairs = new Set<{ swallow(): void; end(): void }>()
  let swallowsNew = false
  let cutsNew = false
  let delayMs = 0
  let roundTrips = 0
  let wasAnswer = true
  const server = createServer((client) => {
    if (cutsNew) return void client.destroy()
    const upstream = reach()
    const sockets = [client, upstream]
    let swallowed = swallowsNew
    const forward = (from: Socket, to: Socket) => {
      from.on('data', (chunk) => {
        if (swallowed) return
        if (wasAnswer && from === client) roundTrips += 1
        wasAnswer = from === upstream
        if (delayMs === 0) to.write(chunk)
        else setTimeout(() => to.writable && to.write(chunk), delayMs)
      })
      from.on('error', () => {})
      from.on('close', () => {
        if (!swallowed) to.destroy()
      })
    }
    forward(client, upstream)
    forward(upstream, client)
    pairs.add({
      swallow() {
        swallowed = true
      },
      end() {
        for (const socket of sockets) socket.destroy()
      },
    })
  })
  server.listen(0, host)
  await once(server, 'listening')
  const url = new URL(target)
  url.search = ''
  url.hostname = host
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    /** Swallows what the open connections send; new ones work. */
    swallowOpen() {
      for (const pair of pairs) pair.swallow()
    },
    /** Swallows what every connection sends, old and new, until `restore`; old ones stay dead. */
    swallowAll() {
      swallowsNew = true
      for (const pair of pairs) pair.swallow()
    },
    /** How often the client sent something after an answer. */
    roundTrips: () => roundTrips,
    /** Delay of every piece, in either direction. */
    delay(ms: number) {
      delayMs = ms / 2
    },
    /** Every connection, old and new, until `restore`. */
    cutAll() {
      cutsNew = true
      for (const pair of pairs) pair.end()
    },
    restore() {
      swallowsNew = false
      cutsNew = false
    },
    close() {
      server.close()
      for (const pair of pairs) pair.end()
    },
  }
}
