/** The dialer with keys, the person's last calls, and the devices. */
import '../../look/phone.css'
import { useQuery } from '@tanstack/react-query'
import { client, must } from '../../api.ts'
import { useOwnExtension } from '../../own-extension.ts'
import { CallButton } from '../../parts/call-button.tsx'
import { telephone, useFormat } from '../../parts/format.ts'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Loaded } from '../../parts/states.tsx'
import { CallStatus, CallType } from '../../parts/status.tsx'
import { DeviceSettings } from '../../phone/device-settings.tsx'
import { canUseMicrophone } from '../../phone/devices.ts'
import { Dialer } from '../../phone/dialer.tsx'
import { phoneWords } from '../../phone/words.ts'
import { useSignedIn } from '../../session.ts'
import { useWords } from '../../words/language.ts'

export default function PhonePage() {
  const words = useWords(phoneWords)
  const extension = useOwnExtension()
  const { features } = useSignedIn()
  const problem = !canUseMicrophone()
    ? words.noMicrophone
    : features.webPhone === null
      ? words.unavailable
      : extension
        ? undefined
        : words.noExtension
  return (
    <Page title={words.title} about={words.about}>
      {problem !== undefined && <Notice tone="warn">{problem}</Notice>}
      <div className="columns phone-page">
        <div className="stack">
          <section className="card">
            <Dialer withKeys />
            <p className="faint small" style={{ marginTop: '.75rem' }}>
              {words.keysHint}
            </p>
          </section>
          {extension && <Recent ramal={extension.ramal} />}
        </div>
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
  const format = useFormat()
  const filter = JSON.stringify({ where: { from: ramal }, limit: 8 })
  const calls = useQuery({
    queryKey: ['calls', 'recent', ramal],
    queryFn: () => must(client.GET('/calls', { params: { query: { page: 1, filter } } })),
  })
  return (
    <section className="card">
      <h2>{words.recent}</h2>
      <Loaded query={calls} lines={4}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="faint">{words.noRecent}</p>
          ) : (
            <ul className="recent">
              {data.map(({ id, to, call_type, status, started_at }) => (
                <li key={id}>
                  <CallType type={call_type} />
                  <span className="number">{telephone(to)}</span>
                  <CallStatus status={status} />
                  <span className="faint small hide-narrow">{format.moment(started_at)}</span>
                  <CallButton number={to} compact />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}
