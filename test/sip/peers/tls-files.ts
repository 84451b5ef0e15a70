/** A certificate for SIP over TLS, in files, as an operator gives it. */
import { X509Certificate } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createIdentity } from '../../../src/engine/media/dtls/certificate.ts'

export async function writeTlsFiles() {
  const folder = await mkdtemp(join(tmpdir(), 'ramal-tls-'))
  const { certificate, privateKey } = createIdentity(new Date())
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  await writeFile(files.cert, new X509Certificate(certificate).toString())
  await writeFile(files.key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  return { ...files, stop: () => rm(folder, { recursive: true }) }
}
