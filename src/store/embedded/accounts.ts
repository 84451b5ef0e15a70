/**
 * The user that PostgreSQL's programs run as. The server refuses uid 0; initdb also needs a uid with a name in passwd.
 *
 *   self     as we are
 *   account  as another uid: root only
 *   masked   as we are, but seen as another uid inside a user namespace; files stay ours
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import type { Identity } from './file-access.ts'
import { obstacle } from './obstacles.ts'

export type RunAs = { kind: 'self' } | ({ kind: 'account' } & Identity) | ({ kind: 'masked' } & Identity)
export type Accounts = { initdb: RunAs; server: RunAs }

/** An unused uid: no account is created, and no daemon that runs as `nobody` can access the files. */
const privateIdentity: Identity = { uid: 15432, gid: 15432 }

/** For an existing cluster: the user that owns it, unless that is root. */
export function accountsFor(cluster: string): Accounts {
  const server = serverAccount(cluster)
  return { initdb: server, server }
}

/** For a new cluster in this folder: the user that owns the folder, unless that is root. */
export function accountsForNew(folder: string): Accounts {
  const server = serverAccount(folder)
  if (server.kind === 'account') return { initdb: { kind: 'account', ...namedIdentity() }, server }
  return { initdb: server.kind === 'masked' || hasName() ? server : masked(), server }
}

function serverAccount(folder: string): RunAs {
  if (process.geteuid?.() !== 0) return { kind: 'self' }
  const { uid, gid } = statSync(folder)
  const identity = uid === 0 ? privateIdentity : { uid, gid }
  if (mayBecome(identity)) return { kind: 'account', ...identity }
  if (uid === 0) return masked()
  throw obstacle(
    `${folder} belongs to uid ${uid}, which this root may not become: allow CAP_SETUID, CAP_SETGID, CAP_CHOWN, CAP_DAC_OVERRIDE and CAP_KILL`,
  )
}

export function commandAs(runAs: RunAs, program: string, args: string[]) {
  if (runAs.kind === 'self') return { command: program, args, identity: {} }
  const { uid, gid } = runAs
  if (runAs.kind === 'account') return { command: program, args, identity: { uid, gid } }
  return { command: 'unshare', args: [...maskFlags(runAs), '--', program, ...args], identity: {} }
}

function maskFlags({ uid, gid }: Identity): string[] {
  return ['--user', `--map-user=${uid}`, `--map-group=${gid}`]
}

function masked(): RunAs {
  const identity = namedIdentity()
  const trial = spawnSync('unshare', [...maskFlags(identity), '--', 'true'], { encoding: 'utf8' })
  if (trial.status === 0) return { kind: 'masked', ...identity }
  const why =
    process.geteuid?.() === 0
      ? 'PostgreSQL does not run as root, and this root may neither change its uid nor make a user namespace: run as an ordinary user'
      : `PostgreSQL wants a user with a name, and uid ${process.geteuid?.()} has no name in passwd and may not make a user namespace: add it to /etc/passwd`
  throw obstacle(why, trial.error ?? trial.stderr)
}

function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

/** PostgreSQL's own account, else `nobody`, else anyone who is not root. */
function namedIdentity(): Identity {
  const people = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid }) => uid > 0)
  const named = (wanted: string) => people.find(({ name }) => name === wanted)
  const found = named('postgres') ?? named('_postgres') ?? named('nobody') ?? people[0]
  if (!found)
    throw obstacle('PostgreSQL does not run as root: add another user, say `nobody`, to /etc/passwd')
  return { uid: found.uid, gid: found.gid }
}

/** Capabilities by bit: chown 0, dac_override 1, kill 5, setgid 6, setuid 7. */
const neededCapabilities = 0b1110_0011n

function mayBecome({ uid, gid }: Identity): boolean {
  if (process.platform === 'linux') {
    const effective = /^CapEff:\s*([0-9a-f]+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'
    if ((BigInt(`0x${effective}`) & neededCapabilities) !== neededCapabilities) return false
  }
  // Executing a folder always fails with EACCES; an unusable uid fails earlier, with EPERM or EINVAL.
  const { error } = spawnSync('/', { uid, gid })
  return error !== undefined && 'code' in error && error.code === 'EACCES'
}
