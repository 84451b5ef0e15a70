/** Linphone sets itself up from a link (D328): the settings it fetches are those it registers with. */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/kit/clock.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

describe.skipIf(programMissing('linphonec'))('Linphone', () => {
  let service: Service

  beforeAll(async () => {
    const settings = { SIP_PORT: '0', SIP_WS_PORT: '0', RTP_PORTS: '26100-26199' }
    service = await startService(settings, { engine: undefined, clock: systemClock })
  })
  afterAll(() => service?.stop())

  test('fetches a set-up link once, registers, and does not fetch it again', async () => {
    const admin = await openAccount(service)
    const person = { senha: 's3nha<do>"ramal', first_name: 'Ana', last_name: 'Souza' }
    const extension = { ...person, ramal: '1000', email_address: admin.email }
    const { body: made } = await service.api.post('/extensions', extension, admin)
    const { body: link } = await service.api.post(`/extensions/${made.id}/setup-link`, {}, admin)

    const home = await mkdtemp(join(tmpdir(), 'ramal-linphone-'))
    // It makes no folder for its database, and does nothing without one.
    await mkdir(join(home, '.local/share/linphone'), { recursive: true })
    const settings = join(home, 'linphonerc')
    const ports = '[sip]\nsip_port=-1\nsip_tcp_port=-1\nsip_tls_port=-1\n'
    await writeFile(settings, `${ports}[misc]\nconfig-uri=${link.url}\n`)
    const linphone = spawn('linphonec', ['-c', settings], { env: { ...process.env, HOME: home } })
    const ended = new Promise((resolve) => linphone.on('exit', resolve))
    onTestFinished(async () => {
      linphone.kill('SIGKILL')
      await ended
      await rm(home, { recursive: true, force: true })
    })
    const registered = async () => (await service.api.get(`/extensions/${made.id}`, admin)).body
    await expect
      .poll(registered, { timeout: 60_000 })
      .toMatchObject({ registered: true, user_agent: expect.stringContaining('Linphone') })
    expect((await fetch(link.url)).status).toBe(404)
    linphone.stdin.write('quit\n')
    await ended
    const kept = await readFile(settings, 'utf8')
    expect(kept).toContain(`sip:1000@${admin.domain}`)
    expect(kept).not.toContain(link.url)
  })
})
