/** Trunks and their tests as the operator's routes answer them. */
import type { OperatorTrunk, OperatorTrunkTest } from '../../../../contract/operator-trunks.ts'
import type { Node } from '../../../../nodes/nodes.ts'
import type { KnownTrunk } from '../../../../voice/trunks/known-trunks.ts'
import type { NodeTest } from '../../../../voice/trunks/trunk-tests.ts'

/** Without the password, which no route answers. */
export function presentTrunk({ settings, source, isOn }: KnownTrunk, alive: Node[]): OperatorTrunk {
  const { name, login } = settings
  return {
    name,
    source,
    on: isOn,
    settings: {
      address: settings.address,
      transport: settings.transport,
      username: login?.username ?? null,
      hasPassword: login !== undefined,
      register: settings.register,
      format: settings.format,
      callerId: settings.callerId ?? null,
      from: settings.from,
      trust: [...settings.trust],
      prefixes: [...settings.prefixes],
      services: [...settings.services],
      priority: settings.priority,
      weight: settings.weight,
      channels: settings.channels,
      callsPerSecond: settings.callsPerSecond,
      qualifySeconds: settings.qualifySeconds,
      codecs: [...settings.codecs],
      srtp: settings.srtp,
      nodes: [...settings.nodes],
    },
    nodes: alive.flatMap(({ id, host, trunks }) => {
      const found = trunks.find((trunk) => trunk.name === name)
      return found && isOn ? [{ node: id, host, used: found.used, problems: found.problems }] : []
    }),
  }
}

/** D118: a carrier says by 503 that it takes no calls. */
const outOfService = 503

export function presentTest(name: string, tested: NodeTest[], asked: Node[]): OperatorTrunkTest {
  const nodes = tested.map(({ node, responses }) => ({
    node,
    host: asked.find(({ id }) => id === node)?.host ?? null,
    state: stateOf(responses),
    responses: (responses ?? []).map(({ address, status, reason, milliseconds }) => ({
      address,
      ...(status !== undefined && { status }),
      ...(reason !== undefined && { reason }),
      milliseconds,
    })),
  }))
  const users = nodes.filter(({ state }) => state !== 'not-used')
  return {
    name,
    works:
      users.length > 0 &&
      users.every(({ responses }) =>
        responses.some(({ status }) => status !== undefined && status !== outOfService),
      ),
    nodes,
  }
}

function stateOf(responses: NodeTest['responses']) {
  if (responses === undefined) return 'no-answer' as const
  if (responses === null) return 'not-used' as const
  return responses.length === 0 ? ('unresolved' as const) : ('answered' as const)
}
