/**
 * D625: the state of what a customer uses, derived from what all processes of the fleet report with their leases. Pure.
 *
 *   operational ── some of it fails, or is about to stop ──▶ degraded ── none of it works ──▶ outage
 */
import { type Component, type ComponentState, componentStates, components } from '../contract/status.ts'
import type { Node } from '../nodes/nodes.ts'

export type ComponentStates = Record<Component, ComponentState>

type Reported = Pick<Node, 'roles' | 'state' | 'alive' | 'trunks' | 'parts'>

/** `needsTrunks`: calls go out over carriers, not to the sandbox carrier, and there are trunks. */
export function deriveStates(nodes: Reported[], { needsTrunks }: { needsTrunks: boolean }): ComponentStates {
  const withRole = (role: string) => nodes.filter(({ alive, roles }) => alive && roles.includes(role))
  const voice = withRole('voice')
  const calls = stateOfVoice(
    voice,
    nodes.some(({ state, roles }) => state === 'lost' && roles.includes('voice')),
  )
  const hasWorker = withRole('worker').length > 0
  return {
    api: stateOfRole(withRole('api')),
    calls,
    carriers: calls === 'outage' || !needsTrunks ? calls : stateOfTrunks(voice),
    recordings: stateOfPart(nodes, 'recordings'),
    webhooks: hasWorker ? stateOfPart(nodes, 'webhooks') : 'outage',
    // Without a worker payments can be made, and are credited late.
    payments: hasWorker
      ? stateOfPart(nodes, 'payments')
      : worst(['degraded', stateOfPart(nodes, 'payments')]),
  }
}

/** Nothing works without the database. */
export function allOut(): ComponentStates {
  return Object.fromEntries(components.map((name) => [name, 'outage'])) as ComponentStates
}

export function worst(states: Iterable<ComponentState>): ComponentState {
  const rank = Math.max(0, ...[...states].map((state) => componentStates.indexOf(state)))
  return componentStates[rank] ?? 'operational'
}

/** Those that drain still answer, but are about to stop. */
function stateOfRole(living: Reported[]): ComponentState {
  if (living.length === 0) return 'outage'
  return living.some(({ state }) => state === 'active') ? 'operational' : 'degraded'
}

/** A node that drains takes no calls. Phones of a lost one must register elsewhere first. */
function stateOfVoice(living: Reported[], isOneLost: boolean): ComponentState {
  if (!living.some(({ state }) => state === 'active')) return 'outage'
  return isOneLost ? 'degraded' : 'operational'
}

/** Calls of a node go out by its own trunks: one that fails at a single node degrades the calls there. */
function stateOfTrunks(living: Reported[]): ComponentState {
  const trunks = living.flatMap((node) => (node.state === 'active' ? node.trunks : []))
  if (!trunks.some(({ problems }) => problems.length === 0)) return 'outage'
  return trunks.some(({ problems }) => problems.length > 0) ? 'degraded' : 'operational'
}

/** As the living processes that tried it lately report. */
function stateOfPart(nodes: Reported[], part: keyof Reported['parts']): ComponentState {
  const reports = nodes.flatMap(({ alive, parts }) => (alive && parts[part] ? [parts[part]] : []))
  if (!reports.includes('failing')) return 'operational'
  return reports.includes('working') ? 'degraded' : 'outage'
}
