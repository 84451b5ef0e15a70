/** Turns the second factor on and off, and makes new recovery codes. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { renderSVG } from 'uqr'
import { request } from '../../api.ts'
import type { Credentials, SecondFactor, SecondFactorSecret } from '../../api-types.ts'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { Field } from '../../parts/forms/field.tsx'
import { Form } from '../../parts/forms/form.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { CodeField, factorKey, PasswordField, useSecondFactor } from '../../parts/records/proof.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { Loaded } from '../../parts/states.tsx'
import { toast } from '../../parts/toasts.tsx'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { profileWords } from './words.ts'

type Step =
  | { what: 'turn-on' | 'turn-off' | 'renew' }
  | { what: 'scan'; secret: SecondFactorSecret }
  | { what: 'codes'; codes: string[] }

export function SecondFactorCard() {
  const words = useWords(profileWords)
  const factor = useSecondFactor()
  const [step, setStep] = useState<Step>()
  const close = () => setStep(undefined)
  return (
    <section className="card stack">
      <h2>{words.factor}</h2>
      <p className="faint">{words.factorAbout}</p>
      <Loaded query={factor} lines={1}>
        {(found) => <State factor={found} onStep={setStep} />}
      </Loaded>
      {step?.what === 'scan' && <Scan secret={step.secret} onStep={setStep} onClose={close} />}
      {step?.what === 'codes' && (
        <ShownOnce title={words.recovery} text={step.codes.join('\n')} onClose={close}>
          <p>{words.recoveryAbout}</p>
        </ShownOnce>
      )}
      {(step?.what === 'turn-on' || step?.what === 'turn-off' || step?.what === 'renew') && (
        <Proof what={step.what} onStep={setStep} onClose={close} />
      )}
    </section>
  )
}

function State({ factor, onStep }: { factor: SecondFactor; onStep: (step: Step) => void }) {
  const words = useWords(profileWords)
  if (!factor.enabled) {
    return (
      <div className="row">
        <span className="badge">{words.off}</span>
        <button type="button" className="button primary" onClick={() => onStep({ what: 'turn-on' })}>
          {words.turnOn}
        </button>
      </div>
    )
  }
  return (
    <div className="row">
      <span className="badge good">{words.on}</span>
      <span className="faint small">{words.left(factor.recoveryCodesLeft)}</span>
      <button type="button" className="button" onClick={() => onStep({ what: 'renew' })}>
        {words.renew}
      </button>
      <button type="button" className="button danger" onClick={() => onStep({ what: 'turn-off' })}>
        {words.turnOff}
      </button>
    </div>
  )
}

type ProofProps = {
  what: 'turn-on' | 'turn-off' | 'renew'
  onStep: (step: Step | undefined) => void
  onClose: () => void
}

/** D202: the second factor changes only for those who prove again who they are. */
function Proof({ what, onStep, onClose }: ProofProps) {
  const words = useWords(profileWords)
  const common = useWords(commonWords)
  const cache = useQueryClient()
  const form = useForm(async ({ currentPassword = '', code = '' }) => {
    const body: Credentials = { currentPassword, ...(code !== '' && { code }) }
    if (what === 'turn-on') {
      const secret = await request('POST', '/users/me/second-factor', { body })
      onStep({ what: 'scan', secret })
    } else if (what === 'renew') {
      const { recoveryCodes } = await request('POST', '/users/me/second-factor/recovery-codes', { body })
      onStep({ what: 'codes', codes: recoveryCodes })
    } else {
      await request('POST', '/users/me/second-factor/disable', { body })
      toast(common.saved)
      onClose()
    }
    await cache.invalidateQueries({ queryKey: factorKey })
  })
  return (
    <Dialog title={words.who} onClose={onClose}>
      <Form form={form} action={words.confirm} onCancel={onClose}>
        <PasswordField name="currentPassword" />
        <CodeField />
      </Form>
    </Dialog>
  )
}

type ScanProps = { secret: SecondFactorSecret; onStep: (step: Step) => void; onClose: () => void }

function Scan({ secret: { secret, otpauthUri }, onStep, onClose }: ScanProps) {
  const words = useWords(profileWords)
  const common = useWords(commonWords)
  const cache = useQueryClient()
  const form = useForm(async ({ code = '' }) => {
    const { recoveryCodes } = await request('POST', '/users/me/second-factor/enable', { body: { code } })
    await cache.invalidateQueries({ queryKey: factorKey })
    onStep({ what: 'codes', codes: recoveryCodes })
  })
  const picture = `data:image/svg+xml,${encodeURIComponent(renderSVG(otpauthUri))}`
  return (
    <Dialog title={words.factor} onClose={onClose}>
      <Form form={form} action={words.confirm}>
        <p>{words.scan}</p>
        <img className="qr" src={picture} alt={words.qr} width={192} height={192} />
        <p className="small faint">
          {words.byHand} <code>{secret}</code>
        </p>
        <Field
          label={common.appCode}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="[0-9]{6}"
          required
        />
      </Form>
    </Dialog>
  )
}
