/** D290: the certificate of the HTTP port, from the files of the settings. */
import { X509Certificate } from 'node:crypto'
import type { Config } from '../../config.ts'
import type { Log } from '../../kit/process/log.ts'
import { createTlsReload, readTlsFiles, type TlsPair, tlsReloadMs } from '../../kit/process/tls-files.ts'
import type { Job } from './jobs.ts'

const settings = { cert: 'HTTP_TLS_CERT', key: 'HTTP_TLS_KEY' }

/** Undefined if the settings name no files. Refused with one sentence if they cannot be used. */
export async function openHttps({ httpTls }: Pick<Config, 'httpTls'>) {
  if (!httpTls) return undefined
  const pair = await readTlsFiles(httpTls, settings)

  /** The job that reads the files again. */
  function renewal(log: Log, onChange: (pair: TlsPair) => void): Job {
    const reload = createTlsReload({
      paths: httpTls as typeof settings,
      settings,
      pair,
      onChange(renewed) {
        onChange(renewed)
        log.info({ until: expiryOf(renewed) }, 'HTTPS uses the new certificate')
      },
      onProblem: (sentence) => log.error({ problem: sentence }, 'HTTPS keeps its certificate'),
    })
    return { name: 'HTTPS certificate', everyMs: tlsReloadMs, tick: reload }
  }

  return { pair, renewal }
}

const expiryOf = ({ cert }: TlsPair) => new X509Certificate(cert).validToDate
