/** The whole service with an account whose extensions can place calls. */
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Ask, askChild } from '../ask.ts'
import { likeTheService } from '../children.ts'
import { api, createAccount, inFolder, type Service, startService } from '../service.ts'
import type { ServiceWork } from './service-process.ts'

const program = fileURLToPath(new URL('./service-process.ts', import.meta.url))

export const accountDomain = 'padaria.ramal.localhost'
export const phonePassword = 's3nha-do-ramal'

type Options = {
  engine: 'fake' | 'real'
  env?: Record<string, string>
  /** With a database that is there already; otherwise the folder is temporary. */
  folder?: string
}

/** `domain`: that of the account whose ADMIN has the e-mail and the token. */
export type FullService = Service & { ask: Ask<ServiceWork>; email: string; token: string; domain: string }

/** Rate limits are off: one account could not create the measured load otherwise. */
export function withFullService<T>(
  { engine, env, folder: kept }: Options,
  work: (service: FullService) => Promise<T>,
): Promise<T> {
  const run = async (folder: string) => {
    const service = await startService({
      folder,
      program: [...likeTheService.flags, program, engine],
      env: { ...likeTheService.env, RATE_LIMITS: 'off', LOG_LEVEL: 'warn', ...env },
    })
    try {
      // The account of an earlier run may be there.
      const name = kept === undefined ? 'padaria' : `padaria-${Date.now()}`
      const { email, token } = await createAccount(service, name)
      const domain = `${name}.ramal.localhost`
      return await work({ ...service, ask: askChild<ServiceWork>(service.child), email, token, domain })
    } finally {
      await service.stop()
    }
  }
  return kept === undefined ? inFolder(run) : run(kept)
}

type Access = Pick<FullService, 'url' | 'token'>

/** Adds `count` extensions with consecutive numbers. */
export async function addExtensions(service: Access, first: number, count: number, record: boolean) {
  for (let index = 0; index < count; index++) {
    const { status } = await post(service, '/extensions', {
      ramal: `${first + index}`,
      senha: phonePassword,
      bina: '+55 48 3333-4444',
      first_name: 'Ana',
      last_name: 'Souza',
      email_address: 'ana@padaria.example',
      gravar_audio: record ? 1 : 0,
    })
    if (status !== 200) throw new Error(`an extension was answered ${status}`)
  }
}

const placePauseMs = 1000 / 25

/** A call from each of `count` extensions with consecutive numbers, to a destination that answers and stays. */
export async function placeCalls(service: Access, first: number, count: number) {
  for (let index = 0; index < count; index++) {
    const { status } = await post(service, '/calls', {
      extension: `${first + index}`,
      called: '5548999990010',
    })
    if (status !== 200) throw new Error(`a call was answered ${status}`)
    await sleep(placePauseMs)
  }
}

export async function post({ url, token }: Access, path: string, body?: unknown) {
  const response = await fetch(`${url}${api}${path}`, {
    method: 'POST',
    headers: {
      authorization: token,
      // A call whose end is not stored yet does not stand in the way of the next.
      'x-allow-duplicate': 'true',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as { id?: string; error?: unknown } }
}
