/** A webhook receiver that does as little as possible: it counts deliveries and records their latencies. Argument: its port. */
import { createServer } from 'node:http'

let count = 0
let latencies: number[] = []

const server = createServer((request, response) => {
  let text = ''
  request.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk
  })
  request.on('end', () => {
    count += 1
    const at = /"committedAt":(\d+\.?\d*)/.exec(text)?.[1]
    if (at !== undefined) latencies.push(performance.timeOrigin + performance.now() - Number(at))
    response.writeHead(200, { 'Content-Length': 2 }).end('ok')
  })
})
server.keepAliveTimeout = 60_000

process.on('message', () => {
  process.send?.({ count, latencies })
  latencies = []
})
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => process.send?.(server.address()))
process.on('disconnect', () => process.exit())
