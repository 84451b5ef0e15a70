/** D589: a service of this machine, by the settings that it was started with: PORT, DATA_DIR, OPERATOR_TOKEN. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLoopbackHost } from '../../kit/networks.ts'
import { command } from '../../kit/process/command.ts'

type Env = Record<string, string | undefined>

/** Another program's PORT, such as a name, is none. */
export function ownUrl({ PORT = '' }: Env): string {
  const port = /^\d{1,5}$/.test(PORT) ? Number(PORT) : 0
  return `http://localhost:${port >= 1 && port <= 65_535 ? port : 3000}`
}

export type OperatorToken = {
  token: string
  /** As an error names it. */
  source: string
}

/** Only a service of this machine gets a token that nobody named for it. */
export function findOwnOperatorToken(url: string, env: Env): OperatorToken | undefined {
  if (!isLoopbackHost(new URL(url).hostname)) return undefined
  if (env.OPERATOR_TOKEN) return { token: env.OPERATOR_TOKEN, source: 'OPERATOR_TOKEN' }
  const source = tokenFile(env)
  const token = readIfAllowed(source)
  return token ? { token, source } : undefined
}

const tokenFile = ({ DATA_DIR }: Env) => join(DATA_DIR || 'data', 'operator-token')

/** Undefined without the file, or if it belongs to another user. */
function readIfAllowed(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return undefined
  }
}

/** For an error. */
export const howToGiveOperatorToken = `run it in the folder where the service was started, or name the file in its data folder: RAMAL_OPERATOR_TOKEN=$(cat data/operator-token) ${command} sandbox`
