/**
 * D290: a certificate chain and its key in files of the operator, read again when they change. A renewal writes one file
 * after the other: a pair that does not fit together changes nothing, and is looked at again the next time.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'

/** Two files: where they are, or the names of their settings. */
export type TlsFiles = { cert: string; key: string }

/** In PEM form. */
export type TlsPair = { cert: string; key: string }

/** The message is one sentence for the operator. */
export class TlsFilesError extends Error {
  override name = 'TlsFilesError'
}

export const tlsReloadMs = 5_000

export async function readTlsFiles(paths: TlsFiles, settings: TlsFiles): Promise<TlsPair> {
  const [cert, key] = [await read(paths.cert, settings.cert), await read(paths.key, settings.key)]
  const certificate = certificateIn(cert, `${settings.cert}: ${paths.cert}`)
  const privateKey = privateKeyIn(key, `${settings.key}: ${paths.key}`)
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new TlsFilesError(
      `${settings.key}: ${paths.key} is not the key of the first certificate in ${paths.cert}.`,
    )
  }
  try {
    createSecureContext({ cert, key })
  } catch (cause) {
    throw new TlsFilesError(`${settings.cert}: ${paths.cert} cannot be used (${reasonOf(cause)}).`, { cause })
  }
  return { cert, key }
}

async function read(path: string, setting: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new TlsFilesError(`${setting}: ${path} cannot be read (${reasonOf(cause)}).`, { cause })
  }
}

function certificateIn(pem: string, place: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (cause) {
    throw new TlsFilesError(`${place} holds no certificate in PEM form.`, { cause })
  }
}

function privateKeyIn(pem: string, place: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch (cause) {
    throw new TlsFilesError(`${place} holds no private key in PEM form, or one with a password.`, { cause })
  }
}

function reasonOf(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException
  return code ?? message
}

type ReloadOptions = {
  paths: TlsFiles
  settings: TlsFiles
  /** The pair in use. */
  pair: TlsPair
  onChange(pair: TlsPair): void
  /** Reported once, not at every reading. */
  onProblem(sentence: string): void
}

/** Returns the function that reads the files again. */
export function createTlsReload({ paths, settings, pair, onChange, onProblem }: ReloadOptions) {
  let current = pair
  let reported: string | undefined

  return async function reload() {
    try {
      const next = await readTlsFiles(paths, settings)
      reported = undefined
      if (next.cert === current.cert && next.key === current.key) return
      current = next
      onChange(next)
    } catch (error) {
      if (!(error instanceof TlsFilesError)) throw error
      if (reported !== error.message) onProblem(error.message)
      reported = error.message
    }
  }
}

/** How a client verifies a server of our own. */
export type TlsTrust = { ca: string; allowPartialTrustChain: true; checkServerIdentity(): undefined }

/** The certificate must be the one in our file, whatever its issuer and its name are. */
export function trustIn({ cert }: Pick<TlsPair, 'cert'>): TlsTrust {
  return { ca: cert, allowPartialTrustChain: true, checkServerIdentity: () => undefined }
}
