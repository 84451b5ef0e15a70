/**
 * D109: the token that opens the pages of the operator. Without OPERATOR_TOKEN the service makes one in the data folder, and
 * prints it in its links, as long as it is set to be reached from this machine alone.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { makeSecretFile, readSecretFile } from './secret-file.ts'

type Settings = { operatorToken: string | undefined; operatorPages: boolean; dataDir: string }

/** `made`: by the service, which may print it. Undefined if there is none: the pages are closed. */
export function readOperatorToken({ operatorToken, operatorPages, dataDir }: Settings) {
  if (operatorToken !== undefined) return { token: operatorToken, made: false }
  if (!operatorPages) return undefined
  const path = join(dataDir, 'operator-token')
  if (!readSecretFile(path)) makeSecretFile(path, randomBytes(18).toString('base64url'))
  const token = readSecretFile(path)
  return token ? { token, made: true } : undefined
}
