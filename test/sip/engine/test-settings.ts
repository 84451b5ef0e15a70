/**
 * Settings of an embedded engine on free ports of loopback, with everything optional turned off. `MEDIA_SOCKETS=dgram` tests the
 * sockets that are not the default on Linux.
 */
import type { EmbeddedSettings } from '../../../src/engine/embedded/settings.ts'
import { codecNames } from '../../../src/media/codecs/registry.ts'

export const loopbackSettings: Omit<EmbeddedSettings, 'rtpPorts' | 'trunks' | 'usesSandbox'> = {
  host: '127.0.0.1',
  publicHost: '127.0.0.1',
  port: 0,
  wsPort: 0,
  tlsPort: undefined,
  tlsFiles: undefined,
  mediaThreads: 1,
  mediaSockets: process.env.MEDIA_SOCKETS === 'dgram' ? 'dgram' : 'auto',
  soundDscp: 46,
  sipDscp: 24,
  mediaSeconds: 30,
  autoAnswer: false,
  codecs: codecNames,
  srtpWithoutTls: false,
  followsRedirects: false,
  edges: [],
  holdMusic: undefined,
  announcements: undefined,
  failureToneSeconds: 0,
  awaySeconds: 0,
}
