/** A certificate for TLS, in files, as an operator gives it. */
import { X509Certificate } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createIdentity } from '../../../src/media/dtls/certificate.ts'

export async function writeTlsFiles() {
  const folder = await mkdtemp(join(tmpdir(), 'ramal-tls-'))
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }

  /** Writes a new pair over the old one, as a renewal does. Returns the certificate. */
  async function renew(): Promise<X509Certificate> {
    const { certificate, privateKey } = createIdentity(new Date())
    const made = new X509Certificate(certificate)
    await writeFile(files.cert, made.toString())
    await writeFile(files.key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
    return made
  }

  const certificate = await renew()
  return { ...files, certificate, renew, stop: () => rm(folder, { recursive: true }) }
}
