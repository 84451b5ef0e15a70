/** The doctor's check of the certificate of HTTPS. */
import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { Config } from '../../config.ts'
import { readTlsFiles, TlsFilesError } from '../../kit/process/tls-files.ts'
import { type Finding, fine, ill } from './finding.ts'

const dayMs = 86_400_000
/** Renewed certificates are in place weeks before the old ones end. */
const enoughDays = 7

export async function checkHttps({ httpTls, publicUrl }: Config, now = Date.now()): Promise<Finding[]> {
  if (!httpTls) return [fine('not used; set HTTP_TLS_CERT and HTTP_TLS_KEY, or a proxy in front')]
  try {
    const { cert } = await readTlsFiles(httpTls, { cert: 'HTTP_TLS_CERT', key: 'HTTP_TLS_KEY' })
    const certificate = new X509Certificate(cert)
    return [validity(certificate, now), ...(publicUrl ? [name(certificate, new URL(publicUrl))] : [])]
  } catch (error) {
    if (!(error instanceof TlsFilesError)) throw error
    return [ill(error.message)]
  }
}

function validity(certificate: X509Certificate, now: number): Finding {
  const end = certificate.validToDate.getTime()
  const day = certificate.validToDate.toISOString().slice(0, 10)
  if (end <= now) return ill(`the certificate ended on ${day}: renew it`)
  if (certificate.validFromDate.getTime() > now)
    return ill('the certificate is not valid yet: check the clock')
  return end - now < enoughDays * dayMs
    ? ill(`the certificate ends on ${day}: renew it`)
    : fine(`the certificate is valid until ${day}`)
}

function name(certificate: X509Certificate, { hostname }: URL): Finding {
  const host = hostname.replace(/^\[|\]$/g, '')
  const isNamed = (isIP(host) > 0 ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined
  return isNamed
    ? fine(`the certificate is for ${host}`)
    : ill(`the certificate is not for ${host}, the host of PUBLIC_URL`)
}
