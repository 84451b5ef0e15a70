/** `drain`: a node takes no new work, as after SIGTERM, but keeps running (D248). */
import type { Config } from '../config.ts'
import { command } from '../kit/process/command.ts'
import type { Node } from '../nodes/nodes.ts'
import { openForCommand } from './open-services.ts'
import { complain, say } from './say.ts'
import { readOptions, UsageError } from './usage.ts'

export const usage = `Usage: ${command} drain [<node>] [--undo]

The node is not ready (/ready) from now on, refuses registrations with 503, and sends its phones elsewhere; phones that are
still there are served, and live calls go on. Without another voice node it refuses new calls. It keeps running: stop it when
\`ramal nodes\` shows no phones and no calls. --undo has it take work again.
<node> is its id or the beginning of it, the name of its machine, or its SIP address; needed if there is more than one.`

export async function run(config: Config, args: string[]): Promise<number> {
  const options = { undo: { type: 'boolean', default: false } } as const
  const { values, positionals } = readOptions({ args, options, allowPositionals: true })
  if (positionals.length > 1) throw new UsageError('One node at a time.')
  const [name] = positionals
  const { createNodes } = await import('../nodes/nodes.ts')
  const services = await openForCommand(config)
  try {
    const nodes = createNodes(services.base)
    const matching = (await nodes.list()).filter((node) => node.alive && isNamed(node, name))
    const [node] = matching
    if (!node || matching.length > 1) {
      complain(
        name === undefined && !node ? 'No process of the service is running.' : missing(name, matching),
      )
      return 1
    }
    if (!(await nodes.drain(node.id, !values.undo))) {
      complain(`${node.id} has stopped meanwhile.`)
      return 1
    }
    say(values.undo ? `${node.id} takes work again.` : `${node.id} drains; its live calls: ${node.calls}.`)
    return 0
  } finally {
    await services.close()
  }
}

function isNamed({ id, host, address }: Node, name: string | undefined): boolean {
  return name === undefined || id.startsWith(name) || host === name || address === name
}

function missing(name: string | undefined, matching: Node[]): string {
  if (matching.length === 0) return `No living node is named ${name}. See: ${command} nodes`
  return `Which one? ${matching.map(({ id }) => id).join(', ')}`
}
