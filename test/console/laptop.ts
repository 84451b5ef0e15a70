/**
 * A computer with Chromium in a network of its own, whose cable can be pulled, whose address can change and which can sleep. It
 * reaches the console over HTTPS, as browsers give a microphone to nobody else; the proxy with TLS can lose its connections.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { chromium } from 'playwright-core'
import { makeCertificate } from '../../src/sip/transport/testing/certificate.ts'
import type { createNetwork } from '../fleet/network.ts'

/** The default settings of the browser, besides the microphone that plays by itself. */
export async function startLaptop(network: ReturnType<typeof createNetwork>) {
  const machine = network.addMachine()
  const folder = mkdtempSync(join(tmpdir(), 'ramal-laptop-'))
  const program = join(folder, 'chromium')
  writeFileSync(program, `#!/bin/sh\nexec ${machine.within.join(' ')} /usr/bin/chromium "$@"\n`)
  chmodSync(program, 0o755)
  const browser = await chromium.launch({
    executablePath: program,
    args: ['--no-sandbox', '--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'],
  })
  return {
    ...machine,
    browser,
    async stop() {
      machine.wake()
      await browser.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Serves the target over TLS, WebSockets included. */
export async function startTlsProxy(target: string, host: string) {
  const { port, hostname } = new URL(target)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer(makeCertificate(), (client) => {
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.pipe(upstream).pipe(client)
  })
  server.on('connection', (socket: Socket) => {
    if (isCut) socket.destroy()
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const address = server.address()
  return {
    url: `https://${host}:${typeof address === 'object' ? address?.port : 0}`,
    /** Closes all connections, and refuses others until `restore`. */
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    restore() {
      isCut = false
    },
    stop() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
