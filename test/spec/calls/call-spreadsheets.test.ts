/** D615: calls and the statement as CSV that a spreadsheet opens by itself. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callPageWords } from '../../../console/pages/calls/words.ts'
import { callWords } from '../../../console/words/calls.ts'
import { causeWords, statusWords, typeWords } from '../../../src/contract/calls/call-words.ts'
import { accountIdOf, insertCalls } from '../../helpers/service/call-rows.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>

beforeAll(async () => {
  service = await startService()
  admin = await openAccount(service)
  await insertCalls(service.db, await accountIdOf(service.db, admin.domain), [
    {
      started_at: new Date('2026-11-15T02:11:39.409Z'),
      answered_at: new Date('2026-11-15T02:11:45Z'),
      status: 'completed',
      hangup_cause: 'NORMAL_CLEARING',
      first_name: 'Assunção; Ltda',
      last_name: '=1+1, 2',
      duration: 3_665,
      call_price: 1_12,
    },
    { started_at: new Date('2026-11-14T12:00:00Z'), to_number: '12125551234' },
  ])
})
afterAll(() => service.stop())

const fields = ['started_at', 'call_type', 'from', 'first_name', 'last_name', 'to', 'status', 'hangup_cause']
const filter = encodeURIComponent(JSON.stringify({ fields: [...fields, 'duration', 'call_price'] }))

/** The bytes: a byte order mark is no text to most readers. */
async function read(path: string, who = admin): Promise<string[]> {
  const answer = await fetch(`${service.url}/api/v1${path}`, { headers: { authorization: who.token } })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  return Buffer.from(await answer.arrayBuffer())
    .toString('utf8')
    .split('\r\n')
}

test('in Portuguese: byte order mark, semicolons, quoted decimal comma, local times, words of the page', async () => {
  expect(await read(`/calls?format=csv&sheet=pt&filter=${filter}`)).toEqual([
    '\uFEFFTipo;Situação;Início;De;Para;Duração;Motivo do fim;Nome;Sobrenome;Preço',
    `Saída;Atendida;14/11/2026 23:11:39;1000;(48) 99999-8888;01:01:05;Encerrada normalmente;"Assunção; Ltda";"'=1+1, 2";"1,12"`,
    'Saída;Não atendida;14/11/2026 09:00:00;1000;+1 212 555 1234;00:00:00;Não atendeu;Ana;Souza;',
    '',
  ])
})

test('in English: byte order mark, commas, decimal point, local times', async () => {
  const [head, first] = await read(`/calls?format=csv&sheet=en&filter=${filter}`)
  expect(head).toBe('\uFEFFType,Status,Start,From,To,Length,End reason,First name,Last name,Price')
  expect(first).toContain(
    'Outbound,Answered,2026-11-14 23:11:39,1000,(48) 99999-8888,01:01:05,Ended normally,',
  )
  expect(first).toMatch(/,"Assunção; Ltda","'=1\+1, 2",1\.12$/)
})

test('outcomes by the labels of the account, and one that it no longer has by its key', async () => {
  const own = await openAccount(service)
  const ids = await insertCalls(service.db, await accountIdOf(service.db, own.domain), [{}, {}, {}])
  for (const [at, outcome] of ['sale', 'call_back'].entries())
    expect((await service.api.patch(`/calls/${ids[at]}`, { outcome }, own)).status).toBe(200)
  const readOutcomes = async () => {
    const path = '/calls?format=csv&sheet=pt&filter={"fields":["outcome"]}'
    return (await read(path, own)).slice(1, -1).toSorted()
  }
  expect(await readOutcomes()).toEqual(['', 'Ligar de novo', 'Venda'])
  const outcomes = [{ key: 'sale', label: 'Fechou, pagou' }]
  expect((await service.api.send('PUT', '/calls/outcomes', { outcomes }, own)).status).toBe(200)
  expect(await readOutcomes()).toEqual(['', '"Fechou, pagou"', 'call_back'])
})

test('the statement in Portuguese', async () => {
  const [head, first] = await read('/credits/statement?format=csv&sheet=pt')
  expect(head).toBe('\uFEFFIdentificador;Quando;Tipo;Valor;Saldo;Referência;Descrição')
  expect(first).toMatch(/^\d+;\d{2}\/\d{2}\/\d{4} [\d:]{8};Crédito de teste;(\d+|"\d+,\d+");/)
})

test('without the parameter nothing changes, and other languages are refused', async () => {
  const [head, first] = await read(`/calls?format=csv&filter=${filter}`)
  expect(head).toBe(
    'call_type,status,started_at,from,to,duration,hangup_cause,first_name,last_name,call_price',
  )
  expect(first).toContain(',2026-11-15T02:11:39.409Z,1000,5548999998888,3665,NORMAL_CLEARING,')
  const { status, body } = await service.api.get('/calls?format=csv&sheet=fr', admin)
  expect([status, body.error.code]).toEqual([400, 'INVALID_PARAMETER_VALUE'])
})

test.each(['pt', 'en'] as const)('the words of the file are those of the console (%s)', (language) => {
  const { status, type, causes } = callWords[language]
  const wordsOf = (table: Record<string, Record<'pt' | 'en', string>>) =>
    Object.fromEntries(Object.entries(table).map(([name, words]) => [name, words[language]]))
  expect([wordsOf(statusWords), wordsOf(typeWords), wordsOf(causeWords)]).toEqual([status, type, causes])
  const { when, from, to, length, price } = callPageWords[language]
  expect([when, from, to, length, price]).toEqual(
    language === 'pt'
      ? ['Início', 'De', 'Para', 'Duração', 'Preço']
      : ['Start', 'From', 'To', 'Length', 'Price'],
  )
})
