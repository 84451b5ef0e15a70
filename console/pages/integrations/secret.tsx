/** The secret that signs deliveries, hidden until it is shown; rotating it; code that checks a signature. */
import { useState } from 'react'
import { request } from '../../api.ts'
import type { Integration } from '../../api-types.ts'
import { Code } from '../../parts/copy.tsx'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import { Icon } from '../../parts/icon.tsx'
import { CodeSamples } from '../../parts/records/code-samples.tsx'
import { useWords } from '../../words/language.ts'
import { integrationsKey } from './integration-data.ts'
import { signatureSamples } from './signature-samples.ts'
import { integrationWords } from './words.ts'

export function Secret({ integration }: { integration: Integration }) {
  const words = useWords(integrationWords)
  const [isShown, setIsShown] = useState(false)
  const [isRotating, setIsRotating] = useState(false)
  return (
    <section className="card stack">
      <div className="row between">
        <div>
          <h2>{words.secret}</h2>
          <p className="faint small">{words.secretAbout}</p>
        </div>
        <div className="row">
          {!isShown && (
            <button type="button" className="button small" onClick={() => setIsShown(true)}>
              <Icon name="tokens" />
              {words.show}
            </button>
          )}
          <button type="button" className="button small" onClick={() => setIsRotating(true)}>
            <Icon name="refresh" />
            {words.rotate}
          </button>
        </div>
      </div>
      {isShown && <Code text={integration.secret} />}
      <Samples />
      {isRotating && <Rotation integration={integration} onClose={() => setIsRotating(false)} />}
    </section>
  )
}

function Samples() {
  const words = useWords(integrationWords)
  return (
    <details>
      <summary>{words.samples}</summary>
      <div style={{ marginTop: '.75rem' }}>
        <CodeSamples samples={signatureSamples} />
      </div>
    </details>
  )
}

function Rotation({ integration: { id }, onClose }: { integration: Integration; onClose: () => void }) {
  const words = useWords(integrationWords)
  const rotate = useAction({
    run: () => request('POST', '/integrations/{id}/rotate-secret', { path: { id } }),
    refresh: [integrationsKey],
    done: words.rotated,
    onDone: onClose,
  })
  return (
    <Confirm
      title={words.rotate}
      action={words.rotate}
      isBusy={rotate.isPending}
      onConfirm={() => rotate.mutate()}
      onClose={onClose}
    >
      <p>{words.confirmRotate}</p>
    </Confirm>
  )
}
