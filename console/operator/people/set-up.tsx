/** The page of a set-up link (D648): a password, and an authenticator app with its recovery codes. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { renderSVG } from 'uqr'
import type { OperatorSetUpBegun } from '../../../src/contract/operator-people.ts'
import { Code } from '../../parts/copy.tsx'
import { Field } from '../../parts/forms/field.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { Refused } from '../../parts/notice.tsx'
import { LoadedOutside, Outside } from '../../shell/outside.tsx'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { beginSetUp, finishSetUp } from '../operator-api.ts'
import { peopleWords } from './words.ts'

export default function SetUp() {
  const [link] = useState(() => window.location.hash.slice(1))
  const begun = useQuery({
    queryKey: ['operator set-up', link],
    queryFn: () => beginSetUp(link),
    // Another secret would take the place of the one that was scanned.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const [codes, setCodes] = useState<string[]>()
  if (codes) return <Done codes={codes} />
  return (
    <LoadedOutside query={begun}>
      {(found) => <SetUpForm link={link} begun={found} onDone={setCodes} />}
    </LoadedOutside>
  )
}

type FormProps = { link: string; begun: OperatorSetUpBegun; onDone: (codes: string[]) => void }

function SetUpForm({ link, begun: { email, secret, otpauthUri }, onDone }: FormProps) {
  const words = useWords(peopleWords)
  const common = useWords(commonWords)
  const form = useForm(async ({ password = '', code = '' }) => {
    onDone((await finishSetUp({ link, password, code: code.trim() })).recoveryCodes)
  })
  return (
    <Outside title={words.setUp} about={words.setUpAbout(email)}>
      <form className="form" onSubmit={form.onSubmit}>
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <Field
          label={words.newPassword}
          hint={words.newPasswordHint}
          name="password"
          type="password"
          autoComplete="new-password"
          required
          minLength={8}
          maxLength={200}
        />
        {otpauthUri !== undefined && (
          <>
            <p>{words.scan}</p>
            <img
              className="qr"
              src={`data:image/svg+xml,${encodeURIComponent(renderSVG(otpauthUri))}`}
              alt={words.qr}
              width={192}
              height={192}
            />
            <p className="small faint">
              {words.byHand} <code>{secret}</code>
            </p>
          </>
        )}
        <Field
          label={otpauthUri === undefined ? words.presentCode : common.appCode}
          name="code"
          autoComplete="one-time-code"
          required
          maxLength={40}
        />
        <Refused error={form.error} />
        <button type="submit" className="button primary" disabled={form.isBusy}>
          {words.finish}
        </button>
      </form>
    </Outside>
  )
}

function Done({ codes }: { codes: string[] }) {
  const words = useWords(peopleWords)
  return (
    <Outside title={words.done}>
      {codes.length > 0 && (
        <>
          <p>{words.recoveryAbout}</p>
          <Code text={codes.join('\n')} />
        </>
      )}
      <a className="button primary" href="/operator">
        {words.toLogIn}
      </a>
    </Outside>
  )
}
