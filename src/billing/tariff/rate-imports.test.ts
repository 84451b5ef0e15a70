import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createOperatorLog } from '../../users/audit/operator-log.ts'
import { type Books, openBooks } from '../testing/books.ts'
import { describeProblem } from './rate-changes.ts'

let books: Books
beforeEach(async () => {
  books = await openBooks({ connections: 4 })
})
afterEach(() => books.close())

const header = 'domain,prefix,name,minute_price,first_block,step,grace,valid_from,valid_until'
const look = (sheet: string, replace = false) =>
  books.rateImports.importSheet(sheet, { apply: false, replace })
const apply = async (sheet: string, replace = false) => {
  books.clock.advance(1)
  const plan = await books.rateImports.importSheet(sheet, { apply: true, replace })
  books.ratesChanged()
  await books.tariff.load()
  return plan
}
const counts = (plan: Awaited<ReturnType<typeof look>>) => ({
  added: plan.added.length,
  ended: plan.ended.length,
  dropped: plan.dropped.length,
  unchanged: plan.unchanged,
})
const problemsOf = ({ problems }: Awaited<ReturnType<typeof look>>) =>
  problems.map((problem) => describeProblem(problem, 'en'))
const priceOf = (number: string, accountId = 0) => books.tariff.rateOf(accountId, number)?.minutePrice

describe('the deck of a new database', () => {
  test.each([
    ['554833334444', 'Brazil fixed'],
    ['5548999998888', 'Brazil mobile'],
    ['558007771234', 'Brazil toll-free'],
    ['5540041234', 'Brazil shared cost'],
    ['12025550123', 'United States and Canada'],
    ['18765550123', 'Caribbean'],
    ['351210000000', 'Western and Central Europe'],
    ['541140000000', 'Latin America'],
    ['81300000000', 'Asia and Pacific'],
    ['244222000000', 'Rest of the world'],
    ['88165000000', undefined],
  ])('has for %s the rate %s', (number, name) => {
    expect(books.tariff.rateOf(0, number)?.name).toBe(name)
  })

  test('is exported as a sheet whose import changes nothing', async () => {
    const sheet = await books.rateImports.exportSheet()
    const lines = sheet.trim().split('\n')
    expect(lines[0]).toBe(header)
    const plan = await look(sheet, true)
    expect([counts(plan), plan.problems]).toEqual([
      { added: 0, ended: 0, dropped: 0, unchanged: lines.length - 1 },
      [],
    ])
  })
})

describe('a sheet', () => {
  test('is a dry run unless it is applied', async () => {
    const sheet = 'prefix,minute_price\n5548,0.05\n55489,0.11'
    expect(counts(await look(sheet))).toEqual({ added: 2, ended: 1, dropped: 0, unchanged: 0 })
    expect(priceOf('5548999998888')).toBe(1200)
    expect(counts(await apply(sheet))).toEqual({ added: 2, ended: 1, dropped: 0, unchanged: 0 })
    expect([priceOf('5548999998888'), priceOf('554811112222')]).toEqual([1100, 500])
    expect(counts(await look(sheet))).toEqual({ added: 0, ended: 0, dropped: 0, unchanged: 2 })
  })

  test('keeps the rates that were valid before it', async () => {
    await apply('prefix,minute_price\n55489,0.11')
    const rows = books.db
      .selectFrom('rates')
      .select(['minute_price', 'valid_until'])
      .where('prefix', '=', '55489')
    expect(await rows.orderBy('valid_from').execute()).toMatchObject([
      { minute_price: 1200, valid_until: books.clock.now() },
      { minute_price: 1100, valid_until: null },
    ])
  })

  test('may begin later, and be dropped until then', async () => {
    await apply(`${header}\n,55489,Brazil mobile,0.15,30,6,3,2026-12-01T00:00:00-03:00,`)
    expect(priceOf('5548999998888')).toBe(1200)
    const other = `${header}\n,55489,Brazil mobile,0.14,30,6,3,2026-12-01T00:00:00-03:00,2027-01-01T00:00:00-03:00`
    expect(counts(await apply(other))).toEqual({ added: 1, ended: 0, dropped: 1, unchanged: 0 })
    books.clock.advance(20 * 86_400)
    expect(priceOf('5548999998888')).toBe(1400)
    books.clock.advance(40 * 86_400)
    expect(priceOf('5548999998888')).toBe(1200)
  })

  test('belongs to one account where it names a domain, whatever the length of the prefix', async () => {
    const { accountId, domain } = await books.addAccount()
    await apply(`domain,prefix,minute_price\n${domain},55,0.02`)
    expect([priceOf('5548999998888', accountId), priceOf('5548999998888')]).toEqual([200, 1200])
    expect(priceOf('12025550123', accountId)).toBe(2000)
    expect(problemsOf(await look('domain,prefix,minute_price\nnobody.example,55,0.02'))).toEqual([
      'there is no account nobody.example',
    ])
  })

  test('that replaces ends the rates it does not name, in its own deck only', async () => {
    const { accountId, domain } = await books.addAccount()
    await apply(`domain,prefix,minute_price\n${domain},55,0.02\n${domain},1,0.03`)
    expect(counts(await apply(`domain,prefix,minute_price\n${domain},55,0.02`, true))).toMatchObject({
      ended: 1,
    })
    expect([priceOf('12025550123', accountId), priceOf('5548999998888', accountId)]).toEqual([2000, 200])
  })

  test.each([
    ['prefix,minute_price\nx,0.1', 'line 2: prefix'],
    ['prefix,minute_price\n55,0.00001', 'line 2: minute_price'],
    ['prefix,minute_price\n55,-1', 'line 2: minute_price'],
    ['prefix,minute_price\n55,"0,10"', 'line 2: minute_price'],
    ['prefix,minute_price,first_block,step\n55,1,30,7', 'line 2: first_block must be a multiple'],
    ['prefix,minute_price,grace\n55,1,x', 'line 2: first_block, step and grace'],
    ['prefix,minute_price\n1,1\n1,2', 'is the same rate as line 2'],
    ['prefix,minute_price,valid_from\n1,1,2020-01-01T00:00:00Z', 'begins in the past'],
    ['prefix,minute_price,valid_from\n1,1,tomorrow', 'valid_from and valid_until must be'],
    ['prefix,minute_price,valid_until\n1,1,2020-01-01T00:00:00Z', 'ends before it begins'],
    ['prefix,minute_price,valid_from\n55489,9,2026-01-01T03:00:00Z', 'has begun'],
    ['prefix,price\n1,1', 'there is no column "price"'],
    ['prefix\n1', 'the column minute_price is missing'],
    ['', 'the column prefix is missing'],
  ])('%j is refused as a whole: %s', async (sheet, problem) => {
    const plan = await apply(`${sheet}`)
    expect(problemsOf(plan).join('\n')).toContain(problem)
    expect(priceOf('5548999998888')).toBe(1200)
  })

  test('may have quotes, commas, any line breaks and a byte order mark', async () => {
    await apply('\uFEFFprefix,name,minute_price\r\n\r\n8816,"Sat ""phone"", dear",9.9999\r\n')
    expect(books.tariff.rateOf(0, '88165000000')).toMatchObject({
      name: 'Sat "phone", dear',
      minutePrice: 99_999,
    })
  })

  test('with semicolons or tabs may have decimal commas, and is exported so for Excel in Brazil', async () => {
    await apply('\uFEFFprefix;minute_price\r\n8816;0,1234\r\n;\r\n')
    expect(priceOf('88165000000')).toBe(1234)
    await apply('prefix\tminute_price\n8817\t1,5')
    expect(priceOf('88175000000')).toBe(15_000)
    const sheet = await books.rateImports.exportSheet(';')
    expect(sheet).toContain(';8816;8816;"0,1234";30;6;3;')
    expect(counts(await look(sheet, true))).toMatchObject({ added: 0, ended: 0, dropped: 0 })
  })
})

describe('an import', () => {
  const sheet = 'prefix,minute_price\n55489,0.11'
  const importSeen = (seen: string) =>
    books.rateImports.importSheet(sheet, { apply: true, replace: false, seen, reason: 'New list' })

  test('is refused if the rates have changed since the plan was seen', async () => {
    const { fingerprint } = await look(sheet)
    await apply('prefix,minute_price\n55489,0.10')
    expect((await importSeen(fingerprint)).outcome).toBe('outdated')
    expect(priceOf('5548999998888')).toBe(1000)
    expect((await importSeen((await look(sheet)).fingerprint)).outcome).toBe('applied')
  })

  test('is in the log of the operator, with its reason (D623)', async () => {
    const { fingerprint } = await look(sheet)
    books.clock.advance(1)
    await importSeen(fingerprint)
    const { rows, total } = await createOperatorLog(books).list({ limit: 5, offset: 0 })
    expect([total, rows]).toMatchObject([
      1,
      [
        {
          action: 'rates.imported',
          reason: 'New list',
          details: { begun: 1, ended: 1, unchanged: 0, replace: false },
        },
      ],
    ])
  })

  test('is tried with a number before it is made', async () => {
    const { accountId, domain } = await books.addAccount()
    const text = `domain,prefix,minute_price\n${domain},55,0.02\n,8816,9`
    const tried = async (number: string, of = '') => {
      const found = await books.rateImports.tryNumber({
        number,
        domain: of,
        sheet: { text, replace: false },
      })
      const short = (one: NonNullable<typeof found>['current']) => one && [one.rate.minutePrice, one.isOwn]
      return found && [short(found.current), short(found.planned)]
    }
    expect(await tried('5548999998888', domain)).toEqual([
      [1200, false],
      [200, true],
    ])
    expect(await tried('5548999998888')).toEqual([
      [1200, false],
      [1200, false],
    ])
    expect(await tried('88165000000')).toEqual([undefined, [90_000, false]])
    expect(await tried('88165000000', 'nobody.example')).toBeUndefined()
    expect(priceOf('5548999998888', accountId)).toBe(1200)
  })
})
