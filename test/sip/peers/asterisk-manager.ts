/** Asterisk's manager interface: actions as blocks of lines, events as blocks of lines. */
import type { Socket } from 'node:net'
import { createJournal } from './journal.ts'

/** Fields by name; of a repeated field the last. */
export type Block = Record<string, string>

export async function openManager(socket: Socket, secret: string) {
  const journal = createJournal<Block>('Asterisk')
  let rest = ''
  let actions = 0
  socket.setEncoding('utf8').on('data', (text: string) => {
    const blocks = (rest + text.replace(/^Asterisk Call Manager.*\r\n/, '')).split('\r\n\r\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) journal.write(readBlock(block))
  })

  async function act(action: string, fields: Block): Promise<Block> {
    actions += 1
    const id = `ramal-${actions}`
    const lines = Object.entries({ Action: action, ActionID: id, ...fields }).map(([key, value]) => {
      if (/[\r\n]/.test(value)) throw new Error(`a field of ${action} breaks its line`)
      return `${key}: ${value}\r\n`
    })
    socket.write(`${lines.join('')}\r\n`)
    const answer = await journal.until((block) => block.ActionID === id && block.Response !== undefined)
    if (answer.Response !== 'Success') throw new Error(`${action}: ${answer.Message}`)
    return answer
  }

  await act('Login', { Username: 'ramal', Secret: secret })
  await journal.until(({ Event }) => Event === 'FullyBooted')
  return { act, journal, close: () => socket.destroy() }
}

function readBlock(text: string): Block {
  const block: Block = {}
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) block[line.slice(0, colon)] = line.slice(colon + 1).trim()
  }
  return block
}
