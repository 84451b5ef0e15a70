/**
 * A rehearsal of what is shipped, by programs that others wrote: the release is packed, installed by an ordinary user into
 * an empty folder, started as README says, and used for a day by a manager, sellers, a developer and an operator.
 */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useConsole } from './people/console/console.ts'
import { develop } from './people/developer.ts'
import { compareBooks } from './people/evening.ts'
import { manage } from './people/manager.ts'
import { assignNumbers, checkFiles, lookAfter } from './people/operator.ts'
import { colleagues, sell } from './people/seller.ts'
import { createRunner } from './runner/story.ts'
import { startCarrier } from './stage/carrier.ts'
import { type Day, promised } from './stage/day.ts'
import { createOrdinaryUser } from './stage/ordinary-user.ts'
import { installByNpm, packRelease } from './stage/release.ts'
import { prepareService } from './stage/service.ts'
import { browsers } from './witnesses/browsers.ts'

/** An archive that is packed already, such as the one that was tested: `npm run rehearse -- release/*.tgz`. */
const packed = process.argv[2]
const packMs = 300_000

const { tell, count, write } = createRunner()
const folder = await mkdtemp(join(tmpdir(), 'ramal-rehearsal-'))
await chmod(folder, 0o755)
const evidence = join(folder, 'evidence')
await mkdir(evidence)

const user = await createOrdinaryUser(join(folder, 'home'))
const place = await user.makeFolder(folder, 'Telefonia São Jürgen')

const morning = await tell('operator', async ({ step, check }) => {
  const archive = await step('packs the release', () => packRelease(folder, packed), packMs)
  const release = await step('installs it by npm, as an ordinary user and without a network', () =>
    installByNpm(archive, user, place, 'ramal'),
  )
  const carrier = await step('connects the carrier', () => startCarrier())
  const dataDir = join(place, 'dados')
  const service = await step(
    'starts the service as README says',
    async () => {
      const prepared = await prepareService({ user, logs: evidence, dataDir, trunks: carrier.trunks })
      await prepared.start(release)
      return prepared
    },
    90_000,
  )
  await check('finds the files of the service readable by its owner alone', () => checkFiles(dataDir))
  await check(
    'asks the doctor, who warns of the payment sandbox beside a carrier, and of nothing else',
    async () => {
      const failure = await service.ramal('doctor').then(() => '', String)
      const bad = failure.split('\n').filter((line) => line.includes('BAD '))
      if (bad.length !== 1 || !bad[0]?.includes('PAYMENT_GATEWAY')) throw new Error(failure || 'no warning')
    },
  )
  return { archive, service, carrier }
})

if (morning) {
  const { archive, service, carrier } = morning
  const day: Day = {
    service,
    carrier,
    user,
    evidence,
    books: [],
    signedUp: promised('the sign-up of the manager'),
    office: promised('the office'),
    numberAssigned: promised('the telephone number'),
  }
  const sellers = Promise.all(
    colleagues.map((me) => tell(`seller in ${me.browser}`, (person) => sell(person, day, me))),
  )
  await Promise.all([
    tell('manager', (person) => manage(person, day, sellers)),
    tell('operator', (person) => assignNumbers(person, day)),
    tell('developer', (person) => develop(person, day)),
    // While the manager still waits for codes.
    sellers.then(() => Promise.all(browsers.map((browser, at) => useConsole(tell, day, browser, at)))),
  ])
  await tell('operator', async (person) => {
    const { next, closeTerminal } = await lookAfter(person, day, archive, place)
    await compareBooks(person, day)
    await closeTerminal()
    await person.check('starts it once more after the terminal was closed', () => service.start(next), 90_000)
  })
  await service.stop('SIGTERM').catch(() => {})
  for (const { pid } of service.processes()) process.kill(pid, 'SIGKILL')
  for (const { receiver } of day.books) await receiver.stop()
  await carrier.stop()
}

if (count.skipped > 0) write(`${count.skipped} steps were skipped: see above which programs are missing`)
if (count.failed > 0) write(`Screenshots and logs: ${evidence}`)
else await rm(folder, { recursive: true, force: true })
write(`${count.passed} passed, ${count.failed} failed`)
process.exit(count.failed > 0 ? 1 : 0)
