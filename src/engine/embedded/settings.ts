import type { CodecName } from '../../media/codecs/registry.ts'
import type { PortRange } from '../../media/thread/port-pool.ts'
import type { WantedUdp } from '../../media/udp/choose-udp.ts'
import type { TrunkSettings } from '../trunk-settings/trunk-settings.ts'

/** Settings of the embedded engine. */
export type EmbeddedSettings = {
  host: string
  /** The address written into SIP and SDP. */
  publicHost: string
  /** UDP and TCP; 0 is any free one, here and below. */
  port: number
  wsPort: number
  tlsPort: number | undefined
  tlsFiles: { cert: string; key: string } | undefined
  rtpPorts: PortRange
  mediaThreads: number
  /** D631: by which system calls sound is received and sent. */
  mediaSockets: WantedUdp
  /** D632: the marks (DSCP) of packets with sound and with SIP; 0 is none. */
  soundDscp: number
  sipDscp: number
  mediaSeconds: number
  autoAnswer: boolean
  /** D252: addresses and networks of edge proxies that name the phones behind them. */
  edges: readonly string[]
  /** D274: those that phones may use, in order of preference. */
  codecs: readonly CodecName[]
  /** Whether keys of SRTP are taken from SDP over connections without TLS. */
  srtpWithoutTls: boolean
  /** D273: whether the redirects (302) of phones are followed. */
  followsRedirects: boolean
  /** D269: a WAV file; without it, music of our own. */
  holdMusic: string | undefined
  /** D270: a folder of WAV files, named like causes. */
  announcements: string | undefined
  /** D270: how long an agent listens to the tone of a call that failed; 0 is not at all. */
  failureToneSeconds: number
  /** D318: how long a call waits for a phone whose connection was lost; 0 is not at all. */
  awaySeconds: number
  /** Whether calls go to the sandbox carrier, which is then the only trunk. */
  usesSandbox: boolean
  trunks: readonly TrunkSettings[]
}
