/**
 * Machines on one computer: network namespaces with addresses of their own, on two networks.
 *
 *   phones and nodes   10.213.x.0/24   the computer itself is .1
 *   the database       10.214.x.0/24   the computer itself is .1
 *
 * A cut loses packets without an error, as a broken switch does.
 */
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { sayOnce } from '../helpers/run/say-once.ts'

function run(program: string, ...args: string[]): string | undefined {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  return status === 0 ? undefined : `${program} ${args.join(' ')}: ${error?.message ?? stderr.trim()}`
}

function must(program: string, ...args: string[]) {
  const problem = run(program, ...args)
  if (problem) throw new Error(problem)
}

function signalAll(namespace: string, signal: 'STOP' | 'CONT') {
  must('sh', '-c', `ip netns pids ${namespace} | xargs kill -${signal}`)
}

/** Why this process may not make namespaces; undefined if it may. */
export function networkRefused(): string | undefined {
  const name = `ramal-try-${process.pid}`
  const problem = run('ip', 'netns', 'add', name)
  if (!problem) must('ip', 'netns', 'delete', name)
  else sayOnce(`SKIPPED: tests in network namespaces, which this user may not make: ${problem}`)
  return problem
}

export function createNetwork() {
  // Tests of several copies may run at once on one computer.
  const part = randomInt(1, 255)
  const bridges = { voice: `rv${part}`, data: `rd${part}` }
  const addresses = { voice: `10.213.${part}.1`, data: `10.214.${part}.1` }
  const namespaces: string[] = []
  for (const network of ['voice', 'data'] as const) {
    must('ip', 'link', 'add', bridges[network], 'type', 'bridge')
    must('ip', 'address', 'add', `${addresses[network]}/24`, 'dev', bridges[network])
    must('ip', 'link', 'set', bridges[network], 'up')
  }

  function connect(namespace: string, network: 'voice' | 'data', host: number): string {
    const outside = `${bridges[network]}-${host}`
    const inside = ['name', network, 'netns', namespace]
    must('ip', 'link', 'add', outside, 'type', 'veth', 'peer', ...inside)
    must('ip', 'link', 'set', outside, 'master', bridges[network], 'up')
    const address = addresses[network].replace(/\.1$/, `.${host}`)
    must('ip', '-n', namespace, 'address', 'add', `${address}/24`, 'dev', network)
    must('ip', '-n', namespace, 'link', 'set', network, 'up')
    return outside
  }

  function addMachine() {
    const host = 11 + namespaces.length
    const namespace = `ramal-${part}-${host}`
    must('ip', 'netns', 'add', namespace)
    namespaces.push(namespace)
    must('ip', '-n', namespace, 'link', 'set', 'lo', 'up')
    const voice = connect(namespace, 'voice', host)
    const data = connect(namespace, 'data', host)
    const address = addresses.voice.replace(/\.1$/, `.${host}`)
    return {
      address,
      /** Runs a program there. */
      within: ['ip', 'netns', 'exec', namespace],
      unplug: (isUnplugged: boolean) => must('ip', 'link', 'set', voice, isUnplugged ? 'down' : 'up'),
      /** As in another network: connections from the old address are dead. */
      changeAddress() {
        const next = address.replace(/\d+$/, String(host + 100))
        must('ip', '-n', namespace, 'address', 'flush', 'dev', 'voice')
        must('ip', '-n', namespace, 'address', 'add', `${next}/24`, 'dev', 'voice')
      },
      /** Stops all programs there, as a computer that sleeps; later they go on as if no time had passed. */
      sleep: () => signalAll(namespace, 'STOP'),
      wake: () => signalAll(namespace, 'CONT'),
      cutFromDatabase: (isCut: boolean) => must('ip', 'link', 'set', data, isCut ? 'down' : 'up'),
      /** Isolated machines do not reach each other; this computer reaches all of them. */
      isolate: (isolated: boolean) =>
        must('bridge', 'link', 'set', 'dev', voice, 'isolated', isolated ? 'on' : 'off'),
    }
  }

  return {
    /** Where machines reach what this computer serves to them as the database. */
    dataAddress: addresses.data,
    /** Where machines reach what this computer serves to phones. */
    voiceAddress: addresses.voice,
    addMachine,
    remove() {
      for (const namespace of namespaces) run('ip', 'netns', 'delete', namespace)
      for (const bridge of Object.values(bridges)) run('ip', 'link', 'delete', bridge)
    },
  }
}
