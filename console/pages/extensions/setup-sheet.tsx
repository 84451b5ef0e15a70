/** What has to be entered in a phone, with the code that Grandstream's phones scan. */
import { useQuery } from '@tanstack/react-query'
import { client, must } from '../../api.ts'
import type { Extension, PhoneSetup } from '../../api-types.ts'
import { Copy } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useWords } from '../../words/language.ts'
import { extensionWords } from './words.ts'

export function SetupSheet({ extension, onClose }: { extension: Extension; onClose: () => void }) {
  const words = useWords(extensionWords)
  const id = String(extension.id)
  const setup = useQuery({
    queryKey: ['phone-setup', id],
    queryFn: () => must(client.GET('/extensions/{id}/setup', { params: { path: { id } } })),
  })
  return (
    <Dialog title={`${words.setUp}: ${extension.ramal}`} onClose={onClose}>
      <Loaded query={setup}>{(found) => <Sheet setup={found} secret={extension.senha} />}</Loaded>
    </Dialog>
  )
}

function Sheet({ setup, secret }: { setup: PhoneSetup; secret: string | null | undefined }) {
  const words = useWords(extensionWords)
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
          <Server key={transport} transport={transport} address={address} />
        ))}
      </dl>
      {code && (
        <>
          <h3>Grandstream</h3>
          <img
            className="qr"
            src={`data:image/svg+xml,${encodeURIComponent(code.svg)}`}
            alt={words.code}
            width={192}
            height={192}
          />
        </>
      )}
    </div>
  )
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
