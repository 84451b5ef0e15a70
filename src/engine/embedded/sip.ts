/** The SIP stack: sockets, transactions and the user agent. */
import type { Log } from '../../kit/process/log.ts'
import type { Timers } from '../../kit/timers.ts'
import type { Flow } from '../../sip/transport/flow.ts'
import type { MessageTap } from '../../sip/transport/message-tap.ts'
import { createTransports } from '../../sip/transport/transports.ts'
import { createSipStack } from '../../sip/user-agent/sip-stack.ts'
import type { Guard } from './guard/guard.ts'
import { sipProduct } from './other-requests.ts'
import type { EmbeddedSettings } from './settings.ts'

/** How long a stop waits for BYEs and CANCELs to be answered. */
const farewellMs = 500
const pollMs = 20

type Deps = {
  settings: EmbeddedSettings
  /** D632: marks the packets of a socket, by its descriptor. */
  markSocket: ((fd: number) => void) | undefined
  tls: { cert: string; key: string } | undefined
  guard: Pick<Guard, 'admit' | 'failed' | 'isKnown'>
  /** D252: whether an address belongs to a trusted edge proxy. */
  isEdge(address: string): boolean
  /** Whether an address belongs to a carrier. */
  isCarrier(address: string): boolean
  timers: Timers
  log: Log
  /** D660. */
  tap: MessageTap | undefined
  onClosed(flow: Flow): void
}

export async function openSip({
  settings,
  markSocket,
  isEdge,
  tls,
  guard,
  isCarrier,
  timers,
  log,
  tap,
  onClosed,
}: Deps) {
  const { host, publicHost, port, wsPort, tlsPort } = settings
  const transports = createTransports({
    host,
    advertised: publicHost,
    ports: { udp: port, tcp: port, ...(tls ? { tls: tlsPort, wss: wsPort } : { ws: wsPort }) },
    ...(tls && { tls }),
    markSocket,
    timers,
    log,
    tap,
    admit: guard.admit,
    onMalformed: (flow) => guard.failed(flow),
    isProvenByMessage: isCarrier,
    isKnown: guard.isKnown,
    mayDialBack: isCarrier,
    // A carrier may send from another port than it listens at.
    answersAtSourcePort: (address) => !isCarrier(address),
    isEdge,
  })
  await transports.start()
  const { userAgent, transactions, contact, stop } = createSipStack({
    transports,
    product: sipProduct,
    timers,
    log,
    onClosed,
  })

  /** Waits until the last request of every leg was answered, for `farewellMs` at most. */
  async function waitForFarewells() {
    const until = timers.now() + farewellMs
    while (userAgent.legs() > 0 && timers.now() < until) {
      await new Promise<void>((resolve) => timers.after(pollMs, resolve))
    }
  }

  return {
    userAgent,
    contact,
    waitForFarewells,
    close: transactions.close,
    ports: transports.ports,
    renewTls: transports.renewTls,
    send: transports.send,
    prove: transports.prove,
    peerFlows: transports.peerFlows,
    acceptUpgrade: transports.acceptUpgrade,
    metrics: () => ({
      ...transports.figures(),
      ...transactions.figures(),
      sip_legs: userAgent.legs(),
    }),
    stop,
  }
}
