/** The state of the service: what needs attention, its processes, carriers, queues, and what went wrong lately. */
import { useQuery } from '@tanstack/react-query'
import type { OperatorOverview } from '../../../src/contract/operator.ts'
import { Page } from '../../parts/page.tsx'
import { FigureSkeletons } from '../../parts/skeletons.tsx'
import { Loaded, Skeleton } from '../../parts/states.tsx'
import { useWords } from '../../words/language.ts'
import { operate } from '../operator-api.ts'
import { operatorWords } from '../words.ts'
import { Figures, Queues } from './figures.tsx'
import { Nodes, overviewKey, Trunks } from './nodes.tsx'
import { Attention, Past } from './problems.tsx'

/** As often as nodes report. */
const refreshMs = 5_000

export function Overview() {
  const words = useWords(operatorWords)
  const overview = useQuery({
    queryKey: overviewKey,
    queryFn: () => operate<OperatorOverview>('GET', '/overview'),
    refetchInterval: refreshMs,
  })
  return (
    <Page title={words.overview} about={words.overviewAbout}>
      <Loaded query={overview} skeleton={<Waiting />}>
        {(found) => (
          <>
            <Attention problems={found.problems} />
            <Figures overview={found} readAt={overview.dataUpdatedAt} />
            <Queues queues={found.queues} />
            <Nodes nodes={found.nodes} />
            <Trunks nodes={found.nodes} />
            <Past problems={found.problems} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Waiting() {
  return (
    <>
      <FigureSkeletons count={4} />
      <div className="card flush">
        <Skeleton lines={10} />
      </div>
    </>
  )
}
