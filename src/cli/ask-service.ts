/** Requests of the commands to a running service, which may have a certificate that only its own settings trust. */
import { readFile } from 'node:fs/promises'
import { get } from 'node:https'
import { text } from 'node:stream/consumers'
import type { Config } from '../config.ts'
import { trustIn } from '../kit/process/tls-files.ts'

const timeoutMs = 3_000

type Answer = { isOk: boolean; text: string }

/** D290: what HTTP_TLS_CERT holds is trusted as well as what other programs trust. Fails if nobody answers. */
export async function askService({ httpTls }: Pick<Config, 'httpTls'>, url: string): Promise<Answer> {
  const cert =
    httpTls && url.startsWith('https:') && (await readFile(httpTls.cert, 'utf8').catch(() => undefined))
  const own = cert ? await askOwn(url, cert).catch(() => undefined) : undefined
  if (own) return own
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
  return { isOk: response.ok, text: await response.text() }
}

function askOwn(url: string, cert: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { ...trustIn({ cert }), agent: false as const, signal: AbortSignal.timeout(timeoutMs) }
    get(url, options, (response) => {
      text(response).then((body) => resolve({ isOk: response.statusCode === 200, text: body }), reject)
    }).once('error', reject)
  })
}
