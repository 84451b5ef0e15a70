/** One button from a new account to talking: an extension, the phone of the browser, and a call that echoes (D370). */
import { useEffect, useState } from 'react'
import { dialHere } from '../../dial.ts'
import { useOwnExtension } from '../../own-extension.ts'
import { useAction } from '../../parts/forms/use-action.ts'
import { Icon } from '../../parts/icon.tsx'
import { Notice } from '../../parts/notice.tsx'
import { CallButton } from '../../parts/records/call-button.tsx'
import { createOwnExtension } from '../../parts/records/new-extension.ts'
import { canUseMicrophone } from '../../phone/sound/devices.ts'
import { usePhone } from '../../phone/state.ts'
import { phoneWords } from '../../phone/words.ts'
import { useSignedIn } from '../../session.ts'
import { useWords } from '../../words/language.ts'
import { overviewWords } from './words.ts'

/** Number of the sandbox carrier that answers at once and echoes. */
const echoNumber = '5548999990200'

export function FirstCall() {
  const words = useWords(overviewWords)
  const session = useSignedIn()
  const extension = useOwnExtension()
  const phone = useWords(phoneWords)
  const { registration, call, isOutOfReach } = usePhone()
  const [isWanted, setIsWanted] = useState(false)
  const create = useAction({ run: () => createOwnExtension(session), refresh: [] })
  const isReady = registration === 'ready'

  // The phone starts by itself once there is an extension.
  useEffect(() => {
    if (isWanted && isReady && dialHere(echoNumber)) setIsWanted(false)
  }, [isWanted, isReady])

  function start() {
    setIsWanted(true)
    if (!extension) create.mutate(undefined, { onError: () => setIsWanted(false) })
  }

  const isBrowserPhone = session.features.webPhone !== null && canUseMicrophone()
  // Another phone of theirs is connected, and rings.
  const hasOther = extension?.registered === true && !isReady
  if (!session.features.sandboxCarrier || !(isBrowserPhone || hasOther)) return null
  if (isOutOfReach && !hasOther) return <Notice tone="warn">{phone.outOfReach}</Notice>
  return (
    <div className="row" style={{ marginBlock: '1rem' }}>
      {hasOther && !isWanted ? (
        <CallButton number={echoNumber} label={words.firstCall} />
      ) : (
        <button
          type="button"
          className="button primary"
          disabled={isWanted || call !== undefined}
          onClick={start}
        >
          <Icon name="calls" />
          {isWanted ? words.connecting : words.firstCall}
        </button>
      )}
      <p className="faint small" style={{ flex: '1 1 16rem' }}>
        {words.firstCallAbout}
      </p>
    </div>
  )
}
