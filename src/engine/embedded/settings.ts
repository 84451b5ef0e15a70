import type { PortRange } from '../media/thread/port-pool.ts'
import type { Trunk } from './trunks/trunk.ts'

/** What the operator chose. */
export type EmbeddedSettings = {
  host: string
  /** What others are told to reach us at. */
  publicHost: string
  /** UDP and TCP; 0 is any free one, here and below. */
  port: number
  wsPort: number
  tlsPort: number | undefined
  tlsFiles: { cert: string; key: string } | undefined
  rtpPorts: PortRange
  mediaThreads: number
  mediaSeconds: number
  autoAnswer: boolean
  /** None: the sandbox carrier is used. */
  trunks: readonly Trunk[]
}
