/** Plays a scenario on a call that came, step by step, until it is over. */
import type { Timer, Timers } from '../../kit/timers.ts'
import { playEcho, playNothing, playTone } from '../endpoint/audio/audio-source.ts'
import type { IncomingCall } from '../endpoint/call/incoming-call.ts'
import { formatReason } from '../sip/headers/reason.ts'
import type { Step } from './scenarios.ts'

export async function runScenario(steps: readonly Step[], call: IncomingCall, timers: Timers) {
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
    else await take(step, call)
  }
}

async function take(step: Exclude<Step, { do: 'wait' }>, call: IncomingCall) {
  if (step.do === 'ring') call.ring()
  else if (step.do === 'early') await call.early(playTone(step.hertz, step.cadence))
  else if (step.do === 'answer') await call.answer(playOf(step.play))
  else if (step.do === 'press') call.press(step.keys)
  else if (step.do === 'hold') await call.hold(step.on)
  else if (step.do === 'hangUp') call.hangUp()
  else
    call.refuse(step.status, [
      ['Reason', formatReason({ protocol: 'Q.850', cause: step.q850, text: undefined })],
    ])
}

function playOf(play: Extract<Step, { do: 'answer' }>['play']) {
  if (play === 'echo') return playEcho()
  return play === 'nothing' ? playNothing() : playTone(play.hertz)
}
