/** Why the phone has no microphone, and the way to one; stays until the next try. */
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import type { MicrophoneProblem } from '../moves/phone.ts'
import { phone } from '../phone.ts'
import { phoneWords } from '../words.ts'
import { closeMicrophone, microphoneProblem, openMicrophone } from './devices.ts'

export function NoMicrophone({ problem }: { problem: MicrophoneProblem }) {
  const words = useWords(phoneWords)
  const common = useWords(commonWords)
  /** The browser asks again, unless the person has forbidden it for good. */
  async function retry() {
    try {
      closeMicrophone(await openMicrophone())
      phone()?.showMicrophone(undefined)
    } catch (error) {
      phone()?.showMicrophone(microphoneProblem(error))
    }
  }
  return (
    <div className="dock-panel stack" role="alert">
      <p>{words.microphoneProblems[problem]}</p>
      <div className="row">
        <button type="button" className="button primary" onClick={() => void retry()}>
          {words.connection}
        </button>
        <button type="button" className="button" onClick={() => phone()?.showMicrophone(undefined)}>
          {common.close}
        </button>
      </div>
    </div>
  )
}
