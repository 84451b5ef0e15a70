/** The installed service: started, stopped and asked by its operator, who has a shell and a browser. */
import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freeNeighbours } from '../../sip/peers/ports.ts'
import { eventually } from '../runner/polling.ts'
import { machineAddress } from './machine-address.ts'
import type { OrdinaryUser } from './ordinary-user.ts'
import { findProcesses } from './processes.ts'
import type { Release } from './release.ts'

type Setting = { user: OrdinaryUser; logs: string; dataDir: string; trunks: string }

const startMs = 60_000

export async function prepareService({ user, logs, dataDir, trunks }: Setting) {
  const port = await freeNeighbours(4)
  const sip = { host: machineAddress(), udp: port + 1, webSocket: port + 2, tls: port + 3 }
  const certificate = makeCertificate(user.home)
  await Promise.all(Object.values(certificate).map(user.give))
  /**
   * All of them are in docs/configuration.md. Phones are at an address of the machine, as docs/deploying.md says, because
   * Firefox has no sound over loopback addresses. Many people have one address: the limits count by user.
   */
  const env = {
    SIP_HOST: '0.0.0.0',
    SIP_PUBLIC_HOST: sip.host,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    PORT: String(port),
    SIP_PORT: String(sip.udp),
    SIP_WS_PORT: String(sip.webSocket),
    SIP_TLS_PORT: String(sip.tls),
    SIP_TLS_CERT: certificate.cert,
    SIP_TLS_KEY: certificate.key,
    DATA_DIR: dataDir,
    TRUNKS: trunks,
    PAYMENT_GATEWAY: 'sandbox',
    RATE_LIMIT_BY: 'user',
  }
  let current: Release | undefined
  let child: ChildProcess | undefined
  let starts = 0
  let mailbox = ''
  let operator = ''

  /** Returns once it has printed its addresses. */
  async function start(release: Release) {
    current = release
    starts += 1
    const log = join(logs, `service-${starts}.log`)
    child = user.start([...release.command, 'serve'], {
      folder: release.folder,
      env,
      output: openSync(log, 'a'),
    })
    const running = child
    const look = () => {
      const text = readFileSync(log, 'utf8')
      if (running.exitCode !== null) throw new Error(`the service ended: ${text.slice(-2000)}`)
      return text.includes('Next:') ? text : undefined
    }
    const text = await eventually(look, { within: startMs, what: 'the printed addresses' })
    mailbox = /Mailbox\s+(http:\S+)/.exec(text)?.[1] ?? ''
    operator = /Operator\s+(http:\S+)/.exec(text)?.[1] ?? ''
    return { text, url: /Console\s+(http:\S+)\/console/.exec(text)?.[1] ?? '' }
  }

  async function stop(signal: NodeJS.Signals, within = 60_000) {
    if (!child || child.exitCode !== null) return
    const exited = once(child, 'exit')
    process.kill(child.pid ?? 0, signal)
    await exited
    await allGone(within)
  }

  const allGone = (within = 30_000) =>
    eventually(
      () => {
        const left = findProcesses(dataDir)
        if (left.length > 0) throw new Error(`still running: ${left.map(({ what }) => what).join('; ')}`)
        return true
      },
      { within, what: 'the end of all processes of the service' },
    )

  /** A verb of the operator; its output. */
  async function ramal(...verb: string[]): Promise<string> {
    if (!current) throw new Error('the service was never started')
    const { folder, command } = current
    const { code, text } = await user.run([...command, ...verb], { folder, env })
    if (code !== 0) throw new Error(`ramal ${verb.join(' ')} ended with ${code}: ${text}`)
    return text
  }

  return {
    env,
    url: `http://localhost:${port}`,
    api: `http://localhost:${port}/api/v1`,
    sip,
    /** The links that were printed. */
    mailbox: () => mailbox,
    operator: () => operator,
    start,
    stop,
    allGone,
    ramal,
    processes: () => findProcesses(dataDir),
    isReady: async () => (await fetch(`http://localhost:${port}/ready`)).status,
  }
}
export type Service = Awaited<ReturnType<typeof prepareService>>

/** As docs/deploying.md makes one to try TLS on one machine. */
function makeCertificate(folder: string) {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const options = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 365 -subj /CN=localhost'
  const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  execFileSync('openssl', ['req', ...options.split(' '), ...names, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  })
  return { key, cert }
}
