/**
 * D119: the last four digits of the called number select the scenario of the sandbox carrier. Any other number rings,
 * answers after two seconds and echoes.
 */
export type ScenarioStep =
  | { do: 'ring' }
  | { do: 'wait'; seconds: number }
  | { do: 'early'; hertz: number; cadence: number[] }
  | { do: 'answer'; play: 'echo' | 'nothing' | { hertz: number } }
  | { do: 'press'; keys: string }
  | { do: 'hold'; on: boolean }
  | { do: 'refuse'; status: number; q850: number }
  | { do: 'hangUp' }

export type Scenario = {
  /** The last four digits, `n` for any. */
  ending: string
  about: string
  steps: ScenarioStep[]
}

const ring: ScenarioStep = { do: 'ring' }
const wait = (seconds: number): ScenarioStep => ({ do: 'wait', seconds })
const echo: ScenarioStep = { do: 'answer', play: 'echo' }
const tone: ScenarioStep = { do: 'answer', play: { hertz: 1000 } }
const hangUp: ScenarioStep = { do: 'hangUp' }
const refuse = (status: number, q850: number): ScenarioStep => ({ do: 'refuse', status, q850 })
/** Networks end an unanswered call after some minutes. */
const giveUp = [wait(180), refuse(480, 19)]
const ringback: ScenarioStep = { do: 'early', hertz: 425, cadence: [1000, 4000] }
const busyTone: ScenarioStep = { do: 'early', hertz: 425, cadence: [250, 250] }

const usual: Scenario = {
  ending: 'nnnn',
  about: 'any other number: rings, answers after 2 s and echoes',
  steps: [ring, wait(2), echo],
}

export const scenarios: readonly Scenario[] = [
  { ending: '0001', about: 'rings and is never answered', steps: [ring, ...giveUp] },
  { ending: '0002', about: 'is busy (486)', steps: [refuse(486, 17)] },
  { ending: '0003', about: 'rejects the call (603)', steps: [refuse(603, 21)] },
  { ending: '0004', about: 'does not exist (404)', steps: [refuse(404, 1)] },
  { ending: '0005', about: 'the carrier has no line free (503, Q.850 cause 34)', steps: [refuse(503, 34)] },
  {
    ending: '0006',
    about: 'early media (183 with a ringback tone), answers after 2 s and echoes',
    steps: [ringback, wait(2), echo],
  },
  {
    ending: '0007',
    about: 'answers after 2 s and sends no sound at all',
    steps: [ring, wait(2), { do: 'answer', play: 'nothing' }],
  },
  {
    ending: '0008',
    about: 'answers after 2 s, echoes and hangs up after 8 s',
    steps: [ring, wait(2), echo, wait(8), hangUp],
  },
  { ending: '0009', about: 'answers at once and plays a tone of 1000 Hz', steps: [tone] },
  {
    ending: '0010',
    about: 'early media (183 with a busy tone) for 2 s, then busy (486)',
    steps: [busyTone, wait(2), refuse(486, 17)],
  },
  {
    ending: '0011',
    about: 'answers after 2 s, echoes and presses 1 2 3 4 a second later',
    steps: [ring, wait(2), echo, wait(1), { do: 'press', keys: '1234' }],
  },
  {
    ending: '0012',
    about: 'answers after 2 s with a tone of 1000 Hz, holds after 2 s, resumes after 2 s more',
    steps: [ring, wait(2), tone, wait(2), { do: 'hold', on: true }, wait(2), { do: 'hold', on: false }],
  },
  { ending: '01nn', about: 'answers after 2 s, echoes and hangs up after nn seconds', steps: [] },
  { ending: '02nn', about: 'rings for nn seconds, then answers and echoes', steps: [] },
  usual,
]

const incomplete: Scenario = { ending: '', about: 'no telephone number (484)', steps: [refuse(484, 28)] }

/** `dialled` is the number in the request, with a plus or without. */
export function scenarioFor(dialled: string): Scenario {
  const [, digits = ''] = /^\+?(\d{8,17})$/.exec(dialled) ?? []
  if (digits === '') return incomplete
  const ending = digits.slice(-4)
  const seconds = wait(Number(ending.slice(2)))
  const found =
    scenarios.find((scenario) => scenario.ending === ending || isPattern(scenario, ending)) ?? usual
  if (found.ending === '01nn') return { ...found, steps: [ring, wait(2), echo, seconds, hangUp] }
  if (found.ending === '02nn') return { ...found, steps: [ring, seconds, echo] }
  return found
}

const isPattern = (scenario: Scenario, ending: string) =>
  scenario.ending.endsWith('nn') && scenario.ending.slice(0, 2) === ending.slice(0, 2)
