/** OpenSSL's client as the other end of our DTLS server. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createIdentity, fingerprintOf } from '../../../src/media/dtls/certificate.ts'
import { createDtlsServer, type DtlsKeys } from '../../../src/media/dtls/dtls-server.ts'
import { programMissing } from '../../helpers/programs/programs.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ramal-dtls-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const identity = createIdentity(new Date())

/** A certificate of the client, by OpenSSL. */
function makeClientCertificate(kind: 'ec' | 'rsa') {
  const [cert, key] = [join(folder, `${kind}.pem`), join(folder, `${kind}.key`)]
  const algorithm = kind === 'ec' ? ['ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'] : ['rsa:2048']
  execFileSync(
    'openssl',
    ['req', '-x509', '-nodes', '-subj', '/CN=phone', '-newkey', ...algorithm, '-keyout', key, '-out', cert],
    { stdio: 'ignore' },
  )
  return { cert, key, fingerprint: fingerprintOf(new X509Certificate(readFileSync(cert)).raw) }
}

/** `lose(n)`: whether datagram n, counted over both directions, is lost. */
async function handshake(client: ReturnType<typeof makeClientCertificate>, lose = (_n: number) => false) {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  let count = 0
  let from: { port: number; address: string } | undefined
  const ended: string[] = []
  let keys: DtlsKeys | undefined
  const server = createDtlsServer({
    identity,
    expected: client.fingerprint,
    send: (datagram) => {
      if (from && !lose(count++)) socket.send(datagram, from.port, from.address)
    },
    onKeys: (agreed) => {
      keys = agreed
    },
    onEnd: (reason) => ended.push(reason),
  })
  socket.on('message', (datagram, sender) => {
    from = sender
    if (!lose(count++)) server.receive(datagram, performance.now())
  })
  const timer = setInterval(() => server.tick(performance.now()), 50)
  const args = ['s_client', '-dtls1_2', '-connect', `127.0.0.1:${socket.address().port}`]
  args.push('-cert', client.cert, '-key', client.key, '-mtu', '600')
  args.push('-use_srtp', 'SRTP_AES128_CM_SHA1_80')
  args.push('-keymatexport', 'EXTRACTOR-dtls_srtp', '-keymatexportlen', '60')
  const process: ChildProcess = spawn('openssl', args, { stdio: ['pipe', 'pipe', 'pipe'] })
  let text = ''
  process.stdout?.on('data', (data) => {
    text += data
  })
  process.stderr?.on('data', (data) => {
    text += data
  })
  onTestFinished(() => {
    clearInterval(timer)
    process.kill('SIGKILL')
    socket.close()
  })
  return { text: () => text, keys: () => keys, ended: () => ended, process }
}

const exported = (text: string) => /Keying material: ([0-9A-F]{120})/.exec(text)?.[1]

function joined({ ours, theirs }: DtlsKeys): string {
  return Buffer.concat([theirs.key, ours.key, theirs.salt, ours.salt]).toString('hex').toUpperCase()
}

describe.skipIf(programMissing('openssl'))('with the client of OpenSSL', () => {
  test.each(['ec', 'rsa'] as const)('both get the same keys, with a certificate of kind %s', async (kind) => {
    const client = await handshake(makeClientCertificate(kind))
    await expect.poll(() => exported(client.text())).toBeDefined()
    const keys = client.keys()
    expect(keys && joined(keys)).toBe(exported(client.text()))
    expect(client.text()).toContain('Extended master secret: yes')
  })

  test('a lost datagram is sent again, whichever it is', async () => {
    const certificate = makeClientCertificate('ec')
    for (const lost of [0, 1, 2, 3, 4, 5, 6]) {
      const client = await handshake(certificate, (n) => n === lost)
      await expect.poll(() => exported(client.text()), { message: `without datagram ${lost}` }).toBeDefined()
    }
  })

  test('a certificate that is not the one of the SDP gets no keys', async () => {
    const certificate = makeClientCertificate('ec')
    const client = await handshake({ ...certificate, fingerprint: fingerprintOf(Buffer.from('another')) })
    await expect.poll(client.ended).toEqual(['the certificate is not that of the SDP'])
    await expect.poll(client.text).toContain('bad certificate')
    expect(client.keys()).toBeUndefined()
  })

  test('a client that closes the session ends it', async () => {
    const client = await handshake(makeClientCertificate('ec'))
    await expect.poll(() => exported(client.text())).toBeDefined()
    client.process.stdin?.end()
    await expect.poll(client.ended).toEqual(['alert 0 of the client'])
  })
})
