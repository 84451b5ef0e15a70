/** The whole service with an account whose extensions can place calls. */
import { fileURLToPath } from 'node:url'
import { type Ask, askChild } from '../ask.ts'
import { likeTheService } from '../children.ts'
import { api, createAccount, inFolder, type Service, startService } from '../service.ts'
import type { ServiceWork } from './service-process.ts'

const program = fileURLToPath(new URL('./service-process.ts', import.meta.url))

export const accountDomain = 'padaria.ramal.localhost'
export const phonePassword = 's3nha-do-ramal'

type Options = { engine: 'fake' | 'real'; env?: Record<string, string> }

export type FullService = Service & { ask: Ask<ServiceWork>; token: string }

/** Rate limits are off: one account could not create the measured load otherwise. */
export function withFullService<T>(
  { engine, env }: Options,
  work: (service: FullService) => Promise<T>,
): Promise<T> {
  return inFolder(async (folder) => {
    const service = await startService({
      folder,
      program: [...likeTheService.flags, program, engine],
      env: { ...likeTheService.env, RATE_LIMITS: 'off', LOG_LEVEL: 'warn', ...env },
    })
    try {
      const { token } = await createAccount(service, 'padaria')
      return await work({ ...service, ask: askChild<ServiceWork>(service.child), token })
    } finally {
      await service.stop()
    }
  })
}

/** Adds `count` extensions with consecutive numbers. */
export async function addExtensions(service: FullService, first: number, count: number, record: boolean) {
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

export async function post({ url, token }: FullService, path: string, body?: unknown) {
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
