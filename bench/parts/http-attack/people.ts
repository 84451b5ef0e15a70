/** Who sends hostile requests (an ADMIN, a USER, another account), and an account that checks that it is still served. */
import { addExtensions, type FullService } from '../full-service/full-service.ts'
import { api } from '../service.ts'

/** Requests of the control account must be answered within this time, however busy the service is. */
const patienceMs = 20_000

type Kind = 'ADMIN' | 'USER' | 'other account'

export async function createPeople(service: FullService) {
  /** With extensions, whose phones are registered. */
  async function open() {
    const account = await service.ask('openAccount')
    await addExtensions({ ...service, token: account.admin }, 1_000, 2, true)
    await service.ask('register', [
      { domain: account.domain, number: '1000' },
      { domain: account.domain, number: '1001' },
    ])
    return account
  }

  const first = await open()
  const tokens: Record<Kind, string> = {
    ADMIN: first.admin,
    USER: first.user,
    'other account': (await open()).admin,
  }
  let reviving: Promise<void> | undefined

  /** A hostile request may have ended tokens or removed their user: then another account takes over. */
  async function replaceEnded() {
    for (const kind of ['ADMIN', 'USER', 'other account'] as const) {
      if ((await ask('/users/me', tokens[kind])) === 200) continue
      const account = await open()
      tokens[kind] = kind === 'USER' ? account.user : account.admin
    }
  }

  async function ask(path: string, token: string): Promise<number | string> {
    try {
      const response = await fetch(`${service.url}${api}${path}`, {
        headers: { authorization: token },
        signal: AbortSignal.timeout(patienceMs),
      })
      await response.arrayBuffer()
      return response.status
    } catch (error) {
      return String(error)
    }
  }

  return {
    tokens: () => Object.values(tokens),
    /** After a 401 to a request with one of the tokens. */
    async revive(head: readonly string[]) {
      const sent = head.find((line) => line.startsWith('Authorization: ')) ?? ''
      if (!Object.values(tokens).some((token) => sent.endsWith(token))) return
      reviving ??= replaceEnded().finally(() => {
        reviving = undefined
      })
      await reviving
    },
    /** The problems of the account that sends nothing hostile. */
    async control(): Promise<string[]> {
      const paths = ['/users/me', '/calls?page=1']
      const answers = await Promise.all(paths.map((path) => ask(path, service.token)))
      return answers.flatMap((status, index) =>
        status === 200 ? [] : [`control: GET ${paths[index]} was ${status}`],
      )
    },
  }
}
