/** The version of the service. */
import { readFileSync } from 'node:fs'

const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')

export const { version } = JSON.parse(text) as { version: string }
