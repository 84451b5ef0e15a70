/** What has to be entered in a phone, and the codes that Linphone and Grandstream's phones scan. */
import { useQuery } from '@tanstack/react-query'
import { request } from '../../api.ts'
import type { Extension, PhoneSetup } from '../../api-types.ts'
import { Copy } from '../../parts/copy.tsx'
import { useFormat } from '../../parts/format.ts'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import { Notice } from '../../parts/notice.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useWords } from '../../words/language.ts'
import { extensionWords } from './words.ts'

export function SetupSheet({ extension, onClose }: { extension: Extension; onClose: () => void }) {
  const words = useWords(extensionWords)
  const id = String(extension.id)
  const setup = useQuery({
    queryKey: ['phone-setup', id],
    queryFn: () => request('GET', '/extensions/{id}/setup', { path: { id } }),
  })
  return (
    <Dialog title={`${words.setUp}: ${extension.ramal}`} onClose={onClose}>
      <Loaded query={setup}>{(found) => <Sheet setup={found} extension={extension} />}</Loaded>
    </Dialog>
  )
}

function Sheet({ setup, extension }: { setup: PhoneSetup; extension: Extension }) {
  const words = useWords(extensionWords)
  const { senha: secret } = extension
  const [code] = setup.qrCodes
  return (
    <div className="stack">
      <dl className="facts">
        <dt>{words.domain}</dt>
        <dd>{setup.domain}</dd>
        <dt>{words.userName}</dt>
        <dd>{setup.username}</dd>
        {secret && (
          <>
            <dt>{words.secret}</dt>
            <dd>
              <Copy text={secret} />
            </dd>
          </>
        )}
        {setup.servers.map(({ transport, address }) => (
          <Server key={address} transport={transport} address={address} />
        ))}
      </dl>
      {setup.servers.length === 0 && <Notice tone="warn">{words.noServer}</Notice>}
      {code && (
        <>
          <h3>Linphone</h3>
          <LinphoneCode id={String(extension.id)} />
          <h3>Grandstream</h3>
          <p className="faint small">{words.grandstream}</p>
          <QrCode svg={code.svg} />
          <h3>{words.otherPhones}</h3>
          <p className="faint small">{words.otherAbout}</p>
        </>
      )}
    </div>
  )
}

/** D328: fetched only when it is wanted, since it works once and for a few minutes. */
function LinphoneCode({ id }: { id: string }) {
  const words = useWords(extensionWords)
  const format = useFormat()
  const link = useAction({
    run: () => request('POST', '/extensions/{id}/setup-link', { path: { id } }),
    refresh: [],
  })
  return (
    <>
      <p className="faint small">{words.linphone}</p>
      {link.data && (
        <>
          <QrCode svg={link.data.svg} />
          <p>
            {words.validUntil(format.time(link.data.expires))}{' '}
            <a href={`linphone-config:${link.data.url}`}>{words.openHere}</a>
          </p>
        </>
      )}
      <div>
        <button type="button" className="button" disabled={link.isPending} onClick={() => link.mutate()}>
          {link.data ? words.newCode : words.showCode}
        </button>
      </div>
    </>
  )
}

function QrCode({ svg }: { svg: string }) {
  const words = useWords(extensionWords)
  const source = `data:image/svg+xml,${encodeURIComponent(svg)}`
  return <img className="qr" src={source} alt={words.code} width={192} height={192} />
}

function Server({ transport, address }: { transport: string; address: string }) {
  const words = useWords(extensionWords)
  return (
    <>
      <dt>{words.server(transport.toUpperCase())}</dt>
      <dd className="mono">{address}</dd>
    </>
  )
}
