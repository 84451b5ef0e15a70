/** Our address in the network of a peer, by the routing table of the system; sends nothing. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'

export async function localAddressTowards({
  address,
  port,
}: {
  address: string
  port: number
}): Promise<string> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
  try {
    socket.connect(port, address)
    await once(socket, 'connect')
    return socket.address().address
  } finally {
    socket.close()
  }
}
