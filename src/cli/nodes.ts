/** `nodes`: the processes of the service, as each has reported itself within the last seconds (D249). */
import type { Config } from '../config.ts'
import { command } from '../kit/process/command.ts'
import type { Node } from '../nodes/nodes.ts'
import { openForCommand } from './open-services.ts'
import { say } from './say.ts'
import { readOptions } from './usage.ts'

export const usage = `Usage: ${command} nodes [--all] [--json]

Shows every process of the service: its roles, its state (active, draining, or lost: silent for 20 s), live calls,
registered phones, version, and how far its clock is from the database's. --all also shows those that stopped within a
day. --json prints one array for programs.`

const options = {
  all: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

export async function run(config: Config, args: string[]): Promise<number> {
  const { values } = readOptions({ args, options })
  const { createNodes } = await import('../nodes/nodes.ts')
  const services = await openForCommand(config)
  try {
    const nodes = await createNodes(services.base).list()
    const shown = nodes.filter(({ state }) => values.all || state !== 'stopped')
    if (values.json) say(JSON.stringify(shown.map(toJson), undefined, 2))
    else if (shown.length === 0) say('No process of the service is running.')
    else for (const line of formatTable([titles, ...shown.map(toCells)])) say(line)
    return 0
  } finally {
    await services.close()
  }
}

const titles = ['NODE', 'MACHINE', 'ROLES', 'STATE', 'CALLS', 'PHONES', 'VERSION', 'CLOCK', 'SIP']

function toCells({ id, host, roles, state, calls, phones, version, clockOffsetMs, address }: Node): string[] {
  const clock = clockOffsetMs === null ? '' : `${clockOffsetMs < 0 ? '' : '+'}${clockOffsetMs / 1000} s`
  const cells = [id, host, roles.join(), state, String(calls), String(phones), version, clock, address]
  return cells.map((cell) => cell || '-')
}

function toJson({ clockOffsetMs, ...node }: Node) {
  return { ...node, clockOffsetSeconds: clockOffsetMs === null ? null : clockOffsetMs / 1000 }
}

function formatTable(rows: string[][]): string[] {
  const widths = titles.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
