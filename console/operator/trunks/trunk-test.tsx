/** Tests a trunk now, from every voice node. */
import { useQuery } from '@tanstack/react-query'
import type { OperatorTrunkTest } from '../../../src/contract/operator-trunks.ts'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { Refused } from '../../parts/notice.tsx'
import { useWords } from '../../words/language.ts'
import { operate } from '../operator-api.ts'
import { trunkWords } from './words.ts'

export function TrunkTest({ name, onClose }: { name: string; onClose: () => void }) {
  const own = useWords(trunkWords)
  const test = useQuery({
    queryKey: ['operator', 'trunk test', name],
    queryFn: () => operate<OperatorTrunkTest>('POST', `/trunks/${name}/test`),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return (
    <Dialog title={own.testTitle(name)} onClose={onClose}>
      <div className="stack">
        <p role="status">{test.data ? (test.data.works ? own.works : own.fails) : own.testing}</p>
        <Refused error={test.error} />
        {test.data && <Nodes nodes={test.data.nodes} />}
      </div>
    </Dialog>
  )
}

function Nodes({ nodes }: { nodes: OperatorTrunkTest['nodes'] }) {
  const own = useWords(trunkWords)
  return (
    <dl className="facts">
      {nodes.flatMap(({ node, host, state, responses }) => [
        <dt key={node}>{host ?? node}</dt>,
        <dd key={`${node} responses`}>
          {state === 'answered'
            ? responses
                .map(({ address, status, reason, milliseconds }) =>
                  status === undefined
                    ? `${address}: ${own.silence}`
                    : `${address}: ${status} ${reason ?? ''}, ${milliseconds} ms`,
                )
                .join('; ')
            : own.states[state]}
        </dd>,
      ])}
    </dl>
  )
}
