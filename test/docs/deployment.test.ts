/** The files to deploy with: they can be read, name settings that exist, and every process would start with them. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { settings } from '../../src/config/settings.ts'
import { readConfig } from '../../src/config.ts'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const filesIn = (folder: string, ending: string) =>
  readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`)

type Environment = Record<string, string>

/** Throws for a setting that does not exist, and for one that the service would refuse. */
function start(environment: Environment) {
  // Of Node itself.
  const { NODE_ENV: _node, ...ours } = environment
  expect(Object.keys(settings)).toEqual(expect.arrayContaining(Object.keys(ours)))
  return readConfig(ours)
}

describe('compose.yaml', () => {
  const example = parseEnv(read('deploy/compose/example.env')) as Environment
  const exampleOf = (_all: string, name: string) => {
    if (example[name] === undefined) throw new Error(`${name} is not in deploy/compose/example.env`)
    return example[name]
  }
  const { services } = parse(
    read('compose.yaml'),
    (_key, value: unknown) =>
      typeof value === 'string'
        ? value.replace(/\$\{(\w+):\?\}/g, exampleOf).replace(/\$\{\w+:-(.*?)\}/g, '$1')
        : value,
    { merge: true },
  ) as { services: Record<string, { image: string; environment?: Environment; entrypoint?: string[] }> }
  const processes = Object.entries(services).filter(([, { image }]) => image === 'ramal')

  test.each(processes)('%s would start', (_name, { environment = {} }) => {
    expect(start(environment).databaseUrl).toBeDefined()
  })

  test('two api, one worker and two voice nodes share the machine without sharing a port', () => {
    const configs = processes.map(([, { environment = {} }]) => start(environment))
    expect(configs.map(({ roles }) => roles.join()).sort()).toEqual([
      'api',
      'api',
      'voice',
      'voice',
      'worker',
    ])
    expect(new Set(configs.map(({ port }) => port)).size).toBe(5)
    const voices = configs.filter(({ roles }) => roles.includes('voice')).map(({ voice }) => voice)
    expect(new Set(voices.map(({ port }) => port)).size).toBe(2)
    const [one, other] = voices.map(({ rtpPorts }) => rtpPorts).sort((a, b) => a.from - b.from)
    expect(one?.to).toBeLessThan(other?.from ?? 0)
  })

  test('the bucket knows the key that the service uses, and nobody else', () => {
    const { entrypoint = [], environment = {} } = services.s3 ?? {}
    const [shell = '', flag = '', script = ''] = entrypoint
    // As the container runs it, up to the server.
    const written = script.replaceAll('$$', '$').replace(/> \S+\n[\s\S]*/, '')
    const { stdout } = spawnSync(shell, [flag, written], { env: environment, encoding: 'utf8' })
    const { identities } = JSON.parse(stdout)
    const { AWS_ACCESS_KEY_ID: accessKey, AWS_SECRET_ACCESS_KEY: secretKey } =
      services['api-1']?.environment ?? {}
    expect(identities).toEqual([
      { name: 'ramal', credentials: [{ accessKey, secretKey }], actions: ['Admin'] },
    ])
    expect(script).toMatch(/exec weed server .*-s3\.config=\/tmp\/s3\.json/)
  })

  test('the balancer sends requests to the API processes and phones to voice nodes, by their readiness', () => {
    const balancer = read('deploy/compose/haproxy.cfg')
    const found = [...balancer.matchAll(/^ +server (\S+) 127\.0\.0\.1:(\d+)/gm)]
    const targets = Object.fromEntries(found.map(([, name, port]) => [name, port]))
    const served = processes.filter(([, { environment }]) => environment?.ROLES !== 'worker')
    const ports = served.map(([name, { environment }]) => [name, environment?.PORT])
    expect(targets).toEqual(Object.fromEntries(ports))
    expect(balancer).toContain('option httpchk GET /ready')
  })
})

type Manifest = {
  kind: string
  metadata: { name: string; annotations?: Environment }
  data?: Environment
  stringData?: Environment
  spec?: { template?: { spec: Pod }; selector?: object; rules?: { http: { paths: Path[] } }[] }
}
type Path = { path: string; backend: { service: { name: string } } }
type Pod = { terminationGracePeriodSeconds: number; containers: Container[] }
type Container = {
  env: { name: string; value?: string }[]
  livenessProbe: { httpGet: { path: string } }
  readinessProbe: { httpGet: { path: string } }
}

describe('deploy/kubernetes', () => {
  const manifests = filesIn('deploy/kubernetes', '.yaml').flatMap((file) =>
    parseAllDocuments(read(file)).map((document): Manifest => {
      expect(document.errors).toEqual([])
      return document.toJS()
    }),
  )
  const shared = manifests.flatMap(({ data, stringData }) => [data ?? {}, stringData ?? {}])
  const pods = manifests.flatMap(({ metadata, spec }) =>
    spec?.template ? [[metadata.name, spec.template.spec] as const] : [],
  )

  test.each(pods)('%s would start, is probed, and has time to drain', (_name, pod) => {
    const [container] = pod.containers
    // A value from the machine is an address.
    const own = container?.env.map(({ name, value = '192.0.2.10' }) => [name, value]) ?? []
    const config = start(Object.assign({}, ...shared, Object.fromEntries(own)))
    expect(container?.livenessProbe.httpGet.path).toBe('/health')
    expect(container?.readinessProbe.httpGet.path).toBe('/ready')
    const longest = config.drainNoticeSeconds + config.drainSeconds
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(longest)
  })

  test('sends phones of browsers to the voice nodes, and each to its own by a cookie', () => {
    const ingress = manifests.find(
      ({ kind, metadata }) => kind === 'Ingress' && metadata.name === 'ramal-phones',
    )
    expect(ingress?.metadata.annotations).toMatchObject({ 'nginx.ingress.kubernetes.io/affinity': 'cookie' })
    const [path] = ingress?.spec?.rules?.[0]?.http.paths ?? []
    expect([path?.path, path?.backend.service.name]).toEqual(['/sip', 'ramal-phones'])
    const service = manifests.find(
      ({ kind, metadata }) => kind === 'Service' && metadata.name === 'ramal-phones',
    )
    expect(service?.spec?.selector).toEqual({ app: 'ramal-voice' })
  })

  test('has every role', () => {
    expect(pods.map(([name]) => name).sort()).toEqual(['ramal-api', 'ramal-voice', 'ramal-worker'])
  })
})

describe('deploy/systemd', () => {
  const common = parseEnv(read('deploy/systemd/ramal.env')) as Environment

  test.each(filesIn('deploy/systemd', '.service'))('%s would start, and has time to drain', (file) => {
    const text = read(file)
    const own = Object.fromEntries(
      [...text.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    )
    const config = start({ ...common, ...own })
    const stop = Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1])
    expect(stop).toBeGreaterThan(config.drainNoticeSeconds + config.drainSeconds)
    expect(text).toMatch(/^User=ramal$/m)
  })
})

test('the image holds the release and nothing else of ours, runs as a user without rights, and its settings exist', () => {
  const text = read('Containerfile')
  const last = text.slice(text.lastIndexOf('\nFROM '))
  expect(last.match(/^(COPY|ADD) .*$/gm)).toEqual(['COPY --from=build /build/release/package /app'])
  expect(last).toMatch(/^USER ramal$/m)
  const line = /^ENV (.*)$/m.exec(text)?.[1] ?? ''
  const { PATH: _path, ...ours } = parseEnv(line.replaceAll(' ', '\n')) as Environment
  start(ours)
})

const hasSystemd = spawnSync('sh', ['-c', 'command -v systemd-analyze']).status === 0

test.skipIf(!hasSystemd)('systemd takes the units', () => {
  const units = filesIn('deploy/systemd', '.service').map((file) => fileURLToPath(new URL(file, root)))
  const { stderr } = spawnSync('sh', ['-c', 'systemd-analyze verify "$@"', 'sh', ...units], {
    encoding: 'utf8',
  })
  // Of units of ours, and not what this machine lacks.
  const complaints = stderr.split('\n').filter((line) => /ramal[\w-]*\.service/.test(line))
  expect(complaints.filter((line) => !/is not executable/.test(line))).toEqual([])
})
