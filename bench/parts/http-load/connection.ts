/** A minimal keep-alive HTTP connection: one request at a time. */
import { connect } from 'node:net'

const chunkBytes = 65_536
const lengthHeader = /\r\ncontent-length: (\d+)/i

export type Connection = {
  /** Call it only after the last request was answered. */
  send(request: string): void
  close(): void
}

type Listeners = { onAnswer: (status: number) => void; onFailure: (error: Error) => void }

export function openConnection(port: number, { onAnswer, onFailure }: Listeners): Promise<Connection> {
  let sofar = ''

  function take(size: number, chunk: Uint8Array): boolean {
    const text = Buffer.from(chunk.buffer, chunk.byteOffset, size).toString('latin1')
    sofar = sofar === '' ? text : sofar + text
    const headEnd = sofar.indexOf('\r\n\r\n')
    if (headEnd < 0) return true
    const bodyLength = Number(lengthHeader.exec(sofar)?.[1])
    if (sofar.length < headEnd + 4 + bodyLength) return true
    const status = Number(sofar.slice(9, 12))
    if (Number.isNaN(bodyLength)) onFailure(new Error(`answer without Content-Length: ${sofar}`))
    sofar = ''
    onAnswer(status)
    return true
  }

  return new Promise((resolve, reject) => {
    const socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: { buffer: Buffer.allocUnsafe(chunkBytes), callback: take },
    })
    let closing = false
    socket.once('error', (error) => {
      reject(error)
      onFailure(error)
    })
    socket.once('close', () => {
      if (!closing) onFailure(new Error('the server closed a connection'))
    })
    socket.once('connect', () =>
      resolve({
        send: (request) => socket.write(request, 'latin1'),
        close() {
          closing = true
          socket.destroy()
        },
      }),
    )
  })
}
