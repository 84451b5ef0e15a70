/** The charge that waits for its payment: PIX code in place, line of the bank slip, payment page. */
import { useState } from 'react'
import { request } from '../../api.ts'
import type { Charge } from '../../api-types.ts'
import { Code, Copy } from '../../parts/copy.tsx'
import { useFormat } from '../../parts/format.ts'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import { useWords } from '../../words/language.ts'
import { chargesKey } from './credit-data.ts'
import { creditWords } from './words.ts'

export function OpenCharge({ charge }: { charge: Charge }) {
  const words = useWords(creditWords)
  const format = useFormat()
  const [isCancelling, setIsCancelling] = useState(false)
  const { id, pixCode, paymentCode, paymentLink, paymentMethod, amount, dueDate } = charge
  return (
    <section className="card stack">
      <div className="row between">
        <h2>{words.open(format.money(amount))}</h2>
        <span className="badge warn">{words.due(format.day(dueDate))}</span>
      </div>
      {pixCode !== null && (
        <div className="row" style={{ alignItems: 'flex-start', gap: '1.25rem' }}>
          <img
            className="qr"
            src={`/api/v1/charges/${id}/qrcode?format=svg`}
            alt={words.qr}
            width={192}
            height={192}
          />
          <div className="stack" style={{ flex: '1 1 14rem' }}>
            <p>{words.scan}</p>
            <p className="mono small" style={{ overflowWrap: 'anywhere' }}>
              {pixCode}
            </p>
            <div>
              <Copy text={pixCode} label={words.copyPix} />
            </div>
          </div>
        </div>
      )}
      {paymentMethod === 'BOLETO' && paymentCode !== null && (
        <div className="stack" style={{ gap: '.4rem' }}>
          <h3>{words.line}</h3>
          <Code text={paymentCode} />
        </div>
      )}
      <p className="faint small">{words.waiting}</p>
      <div className="row">
        <a className="button primary" href={paymentLink} target="_blank" rel="noreferrer">
          {words.pay}
        </a>
        <button type="button" className="button danger" onClick={() => setIsCancelling(true)}>
          {words.cancelCharge}
        </button>
      </div>
      {isCancelling && <Cancellation charge={charge} onClose={() => setIsCancelling(false)} />}
    </section>
  )
}

function Cancellation({ charge: { id }, onClose }: { charge: Charge; onClose: () => void }) {
  const words = useWords(creditWords)
  const cancel = useAction({
    run: () => request('PATCH', '/charges/{id}/cancel', { path: { id } }),
    refresh: [chargesKey],
    done: words.cancelled,
    onDone: onClose,
  })
  return (
    <Confirm
      title={words.cancelCharge}
      action={words.cancelCharge}
      isBusy={cancel.isPending}
      onConfirm={() => cancel.mutate()}
      onClose={onClose}
    >
      <p>{words.confirmCancel}</p>
    </Confirm>
  )
}
