/** Starts a media thread and exits while it loads the library of its sockets: `node src/media/testing/exit-while-loading.ts`. */
import { readFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { createIdentity } from '../dtls/certificate.ts'
import { startMediaThread } from '../thread/media-thread.ts'

const isMapped = () => readFileSync('/proc/self/maps', 'latin1').includes('koffi.node')

startMediaThread({
  data: { identity: createIdentity(new Date()), sounds: {}, sockets: 'epoll', dscp: 0 },
  onEvent: () => {},
  onMissed: () => {},
  onEnd: () => {},
})
while (!isMapped()) await turn()
process.exit()
