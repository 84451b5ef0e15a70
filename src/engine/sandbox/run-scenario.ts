/** Runs a scenario on an incoming call, step by step, until the call is over. */
import type { Timer, Timers } from '../../kit/timers.ts'
import { formatReason } from '../../sip/headers/reason.ts'
import { echoSource, noAudio, toneSource } from '../endpoint/audio/audio-source.ts'
import type { IncomingCall } from '../endpoint/call/incoming-call.ts'
import type { ScenarioStep } from './scenarios.ts'

export async function runScenario(steps: readonly ScenarioStep[], call: IncomingCall, timers: Timers) {
  let over = false
  let timer: Timer | undefined
  let wake = () => {}
  void call.ended.then(() => {
    over = true
    timer?.cancel()
    wake()
  })
  const wait = (seconds: number) =>
    new Promise<void>((resolve) => {
      wake = resolve
      timer = timers.after(1000 * seconds, resolve)
    })
  for (const step of steps) {
    if (over) return
    if (step.do === 'wait') await wait(step.seconds)
    else await run(step, call)
  }
}

async function run(step: Exclude<ScenarioStep, { do: 'wait' }>, call: IncomingCall) {
  if (step.do === 'ring') call.ring()
  else if (step.do === 'early') await call.early(toneSource(step.hertz, step.cadence))
  else if (step.do === 'answer') await call.answer(sourceOf(step.play))
  else if (step.do === 'press') call.press(step.keys)
  else if (step.do === 'hold') await call.hold(step.on)
  else if (step.do === 'hangUp') call.hangUp()
  else
    call.refuse(step.status, [
      ['Reason', formatReason({ protocol: 'Q.850', cause: step.q850, text: undefined })],
    ])
}

function sourceOf(play: Extract<ScenarioStep, { do: 'answer' }>['play']) {
  if (play === 'echo') return echoSource()
  return play === 'nothing' ? noAudio() : toneSource(play.hertz)
}
