/** Records a call until killed: `node recording-process.ts <path> <first port>`. Prints the ports of the call. */
import { createMedia, type Media } from '../media.ts'

const [, , path = '', from = ''] = process.argv
const log = { warn: () => {}, error: () => {} }
const media = createMedia({ ports: { from: Number(from), to: Number(from) + 99 }, host: '127.0.0.1', log })
const { ports } = await media.open('call')
await media.startRecording('call', path)
process.on('message', (description: Parameters<Media['expect']>[2]) => {
  void media.expect('call', 'extension', description)
})
process.send?.(ports)
