/** The operator runs the release: installs and starts it in the morning, updates it under calls, and looks after crashes. */
import { copyFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Baresip, startBaresip } from '../../sip/peers/baresip.ts'
import { eventually } from '../runner/polling.ts'
import { need } from '../runner/programs.ts'
import type { Person } from '../runner/story.ts'
import { type CallRow, registerWebhook, request } from '../stage/api.ts'
import { customers } from '../stage/carrier.ts'
import type { Day } from '../stage/day.ts'
import { type Release, raiseVersion, unpack } from '../stage/release.ts'
import { startWebhookReceiver } from '../witnesses/webhook-receiver.ts'
import { colleagues } from './seller.ts'

const domain = 'suporte.ramal.localhost'
const secret = 'senha-do-telefone'
const terminal = fileURLToPath(new URL('../witnesses/terminal.py', import.meta.url))

export async function assignNumbers(person: Person, day: Day) {
  person.atEnd(day.numberAssigned.break)
  const account = await day.signedUp.value
  await person.step('assigns telephone numbers to the office, and lists them', async () => {
    for (const { number } of colleagues) {
      await day.service.ramal('number', 'assign', number, '--account', account)
    }
    const list = await day.service.ramal('number', 'list', '--account', account)
    if (!colleagues.every(({ number }) => list.includes(number))) throw new Error(list)
    day.numberAssigned.keep(account)
  })
}

export async function lookAfter(person: Person, day: Day, archive: string, folder: string) {
  const { step, check } = person
  const { service, carrier } = day

  const token = await step('makes an account with credit, a webhook and a phone', async () => {
    need('baresip', 'php')
    const made = await service.ramal('account', 'create', '--domain', domain, '--email', 'op@suporte.example')
    const found = /[0-9A-Za-z]{64}/.exec(made)?.[0]
    if (!found) throw new Error(made)
    await service.ramal('credit', 'add', '--domain', domain, '--amount', '20.00', '--reason', 'ensaio')
    const receiver = await startWebhookReceiver((url) => registerWebhook(service.api, found, url))
    day.books.push({ who: 'operator', token: found, receiver })
    const names = { first_name: 'Olga', last_name: 'Reis', email_address: 'op@suporte.example' }
    const extension = { ramal: '3001', senha: secret, gravar_audio: 1, ...names }
    await request(found, 'POST', `${service.api}/extensions`, extension)
    return found
  })

  async function withPhone<T>(run: (phone: Baresip) => Promise<T>): Promise<T> {
    const { host, udp } = service.sip
    const phone = await startBaresip({
      address: host,
      server: `${host}:${udp}`,
      domain,
      extension: '3001',
      password: secret,
      answer: 'auto',
    })
    try {
      await phone.registered()
      return await run(phone)
    } finally {
      await phone.stop()
    }
  }
  const place = async (called: string) => {
    const input = { extension: '3001', called }
    const { id } = await request<{ id: string }>(token, 'POST', `${service.api}/calls`, input)
    return { id, customer: await carrier.answeredBy(called) }
  }
  const callOf = (id: string) => request<CallRow>(token, 'GET', `${service.api}/calls/${id}`)

  const { next, version } = await step('unpacks the next release beside the running one', async () => {
    const release = await unpack(archive, day.user, folder, 'ramal seguinte')
    return { next: release, version: await raiseVersion(release) }
  })
  const updated = await step(
    'updates: SIGTERM lets the live call end by itself, then the next one starts',
    async () => {
      const id = await withPhone(async (phone) => {
        const call = await place(customers.operatorUpdate)
        const stopping = service.stop('SIGTERM')
        await call.customer.talk()
        const ended = await Promise.race([call.customer.ended(10).then(() => true), false]).catch(() => false)
        if (ended) throw new Error('the live call was cut')
        await phone.hangUp()
        await call.customer.ended()
        await stopping
        return call.id
      })
      await service.start(next)
      return id
    },
    120_000,
  )
  await check(
    'finds the call of before the update in the history, ended normally, and runs the next version',
    async () => {
      const { hangup_cause, ended_at } = await callOf(updated)
      if (hangup_cause !== 'NORMAL_CLEARING' || ended_at === null)
        throw new Error(`${hangup_cause} ${ended_at}`)
      const described = await (await fetch(`${service.api}/openapi.json`)).text()
      if (!described.includes(version)) throw new Error(`the service does not know of ${version}`)
    },
  )

  const killed = await step('kills the service (SIGKILL) in a call: nothing is left running', async () => {
    return await withPhone(async () => {
      const { id } = await place(customers.operatorKill)
      for (const { pid, what } of service.processes()) {
        if (/ serve$/.test(what)) process.kill(pid, 'SIGKILL')
      }
      await service.allGone()
      return id
    })
  })
  await step(
    'starts it again, and the call of before the crash is ended',
    async () => {
      await service.start(next)
      await eventually(async () => ((await callOf(killed)).ended_at === null ? undefined : true), {
        within: 70_000,
        every: 2000,
        what: 'the end of the call',
      })
    },
    120_000,
  )
  await check('proves that the books add up', async () => {
    const text = await service.ramal('ledger', 'verify')
    if (!text.includes('The books add up.')) throw new Error(text)
  })
  return { next, closeTerminal: () => closeTerminal(person, day, next) }
}

/** With the console opened once, as people do. */
async function closeTerminal(person: Person, { service, user }: Day, { folder, command }: Release) {
  await person.check(
    'closes the terminal in which the service runs, and everything ends',
    async () => {
      await service.stop('SIGTERM')
      const script = join(user.home, 'terminal.py')
      await copyFile(terminal, script)
      await user.give(script)
      const window = user.start(['/usr/bin/python3', script, ...command, 'serve'], {
        folder,
        env: service.env,
      })
      await eventually(async () => ((await service.isReady()) === 200 ? true : undefined), { within: 60_000 })
      const page = await fetch(`${service.url}/console`)
      if (!page.ok) throw new Error(`the console is ${page.status}`)
      window.kill('SIGUSR1')
      await service.allGone()
    },
    120_000,
  )
}

/** What README promises of files: nobody else can read them. */
export async function checkFiles(dataDir: string) {
  const { mode } = await stat(dataDir)
  if ((mode & 0o077) !== 0) throw new Error(`the data folder has mode ${(mode & 0o777).toString(8)}`)
}
