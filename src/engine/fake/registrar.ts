/** Registrations of the fake engine: one phone for each extension, the newest (D76). */
import type { Maybe } from '../../kit/maybe.ts'
import type { EngineHost, ExtensionAccount, ExtensionName, Registration } from '../port.ts'

const expirySeconds = 3_600

type Deps = {
  host: Pick<EngineHost, 'credentials' | 'extensions' | 'registrations' | 'onRegistration'>
  now: () => Date
  /** Knows only extensions that were pushed to it, as an engine that must be provisioned. */
  provisioned: boolean
}

/** `phone` identifies the device, as a Call-ID does. */
export type RegisterRequest = {
  extension: ExtensionName
  password: string
  phone: string
  userAgent?: string
  /** D312: registers with the temporary login of this user. */
  userId?: number
}

export function createFakeRegistrar({ host, now, provisioned }: Deps) {
  const registrations = new Map<string, Registration>()
  const accounts = new Map<string, string>()
  const displaced = new Map<string, Set<string>>()
  const users = new Map<string, number>()

  const keyOf = ({ domain, number }: ExtensionName) => `${number}@${domain}`

  async function start() {
    if (provisioned) for await (const account of host.extensions()) put(account)
    for (const registration of await host.registrations()) {
      if (registration.expiresAt > now()) registrations.set(keyOf(registration.extension), registration)
    }
  }

  function put({ extension, credentials }: ExtensionAccount) {
    if (provisioned) accounts.set(keyOf(extension), credentials.password)
  }

  async function passwordOf(
    extension: ExtensionName,
    userId: number | undefined,
  ): Promise<string | undefined> {
    if (provisioned && userId === undefined) return accounts.get(keyOf(extension))
    const login = userId === undefined ? undefined : loginOf(userId)
    const found = await host.credentials(extension, login)
    return found?.isSuspended ? undefined : found?.password
  }

  const loginOf = (userId: number) => ({ userId, until: Math.ceil(now().getTime() / 1000) + expirySeconds })

  /** A phone with credentials. False if it is refused; an unknown extension is refused like a wrong password (D111). */
  async function request({
    extension,
    password,
    phone,
    userAgent,
    userId,
  }: RegisterRequest): Promise<boolean> {
    if ((await passwordOf(extension, userId)) !== password) return false
    if (displaced.get(keyOf(extension))?.has(phone)) return false
    const stored = register(extension, userAgent, phone)
    if (userId !== undefined) users.set(keyOf(extension), userId)
    await stored
    return true
  }

  /** Without credentials, for tests of other things. D423: resolves when the registration is stored. */
  function register(extension: ExtensionName, userAgent?: string, phone = 'desk'): Maybe<void> {
    const key = keyOf(extension)
    const older = registrations.get(key)
    users.delete(key)
    const registeredAt = now()
    const expiresAt = new Date(registeredAt.getTime() + expirySeconds * 1000)
    const registration = { extension, registeredAt, expiresAt, userAgent, state: phone }
    registrations.set(key, registration)
    if (older?.state !== undefined && older.state !== phone) {
      displaced.set(key, (displaced.get(key) ?? new Set()).add(older.state))
      void host.onRegistration({
        type: 'displaced',
        registration: older,
        by: { userAgent, address: '192.0.2.1' },
      })
    }
    return host.onRegistration({ type: 'registered', registration })
  }

  function forget(extension: ExtensionName) {
    const key = keyOf(extension)
    accounts.delete(key)
    displaced.delete(key)
    if (registrations.delete(key)) void host.onRegistration({ type: 'unregistered', extension })
  }

  return {
    start,
    put,
    request,
    register,
    find: (extension: ExtensionName) => registrations.get(keyOf(extension)),
    forget,
    async recheck(userId: number) {
      for (const { extension } of registrations.values()) {
        if (users.get(keyOf(extension)) !== userId) continue
        if (!(await host.credentials(extension, loginOf(userId)))) forget(extension)
      }
    },
    count: () => registrations.size,
  }
}
