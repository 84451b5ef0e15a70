/** Webhook receivers that misbehave, each on its own port; their URLs are sent to the parent process. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n'
const dripMs = 1_000

/** Each gets a connection on which a request has arrived. */
const behaviours: ((socket: Socket) => void)[] = [
  function neverAnswers() {},
  function drips(socket) {
    socket.write(`${head}content-length: 1000\r\n\r\n`)
    const timer = setInterval(() => socket.write('a'), dripMs)
    socket.once('close', () => clearInterval(timer))
  },
  function sendsWithoutEnd(socket) {
    socket.write(`${head}transfer-encoding: chunked\r\n\r\n`)
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const flood = () => {
      while (!socket.destroyed && socket.write(chunk));
    }
    socket.on('drain', flood)
    flood()
  },
  (socket) => socket.resetAndDestroy(),
  (socket) => void socket.end('HTTP/1.1 500 No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'),
]

const urls: string[] = []
for (const behave of behaviours) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => behave(socket))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`)
}
process.on('disconnect', () => process.exit())
process.send?.(urls)
