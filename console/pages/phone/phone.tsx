/** The dialer with keys, the person's last calls, and the devices. */
import '../../look/phone.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { request } from '../../api.ts'
import { useExtensions, useOwnExtension } from '../../own-extension.ts'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { CallButton } from '../../parts/records/call-button.tsx'
import { otherSideOf } from '../../parts/records/parties.tsx'
import { RecentCall } from '../../parts/records/recent-call.tsx'
import { Loaded, Skeleton } from '../../parts/states.tsx'
import { Dialer } from '../../phone/dialer.tsx'
import { DeviceSettings } from '../../phone/sound/device-settings.tsx'
import { canUseMicrophone } from '../../phone/sound/devices.ts'
import { usePhone } from '../../phone/state.ts'
import { phoneWords } from '../../phone/words.ts'
import { useIsAdmin, useSignedIn } from '../../session.ts'
import { useWords } from '../../words/language.ts'

export default function PhonePage() {
  const words = useWords(phoneWords)
  const extension = useOwnExtension()
  const { isPending } = useExtensions()
  const isAdmin = useIsAdmin()
  const { features } = useSignedIn()
  const { isOutOfReach } = usePhone()
  const problems = [
    { is: !canUseMicrophone(), text: words.noMicrophone },
    { is: features.webPhone === null, text: words.unavailable },
    { is: isOutOfReach, text: words.outOfReach },
    { is: !extension, text: words.noExtension },
  ]
  const problem = problems.find(({ is }) => is)?.text
  // Nothing moves when it is known.
  if (isPending)
    return (
      <Page title={words.title} about={words.about}>
        <div className="card flush">
          <Skeleton lines={10} />
        </div>
      </Page>
    )
  return (
    <Page title={words.title} about={words.about}>
      {problem !== undefined && (
        <Notice tone="warn">
          {problem}{' '}
          {problem === words.noExtension && isAdmin && (
            <Link href="/extensions?new=1">{words.createExtension}</Link>
          )}
        </Notice>
      )}
      <div className="columns phone-page">
        <section className="card">
          <Dialer withKeys />
          <p className="faint small hide-narrow" style={{ marginTop: '.75rem' }}>
            {words.keysHint}
          </p>
        </section>
        {extension && <Recent ramal={extension.ramal} />}
        <section className="card">
          <h2>{words.devices}</h2>
          {canUseMicrophone() && <DeviceSettings />}
        </section>
      </div>
    </Page>
  )
}

function Recent({ ramal }: { ramal: string }) {
  const words = useWords(phoneWords)
  const filter = JSON.stringify({ where: { or: [{ from: ramal }, { to: ramal }] }, limit: 8 })
  const calls = useQuery({
    queryKey: ['calls', 'recent', ramal],
    queryFn: () => request('GET', '/calls', { query: { page: 1, filter } }),
  })
  return (
    <section className="card recent-calls">
      <h2>{words.recent}</h2>
      <Loaded query={calls} lines={4}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="faint">{words.noRecent}</p>
          ) : (
            <ul className="recent">
              {data.map((call) => (
                <RecentCall
                  key={call.id}
                  call={call}
                  action={<CallButton number={otherSideOf(call)} compact />}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}
