import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { nextInSeries, trimSeries } from '#cli/backup/series.ts'

const root = mkdtempSync(join(tmpdir(), 'vedette-series-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const day = (n: number) => new Date(Date.UTC(2026, 0, n, 2, 0, 0))
const nameOf = (n: number) => `vedette-2026-01-${String(n).padStart(2, '0')}T02-00-00Z`

/** Backups of these days, those that are differences with the day of their base. */
function aSeries(name: string, days: Record<number, number | null>): string {
  const into = join(root, name)
  const ids = new Map<number, string>()
  mkdirSync(into)
  for (const [text, base] of Object.entries(days)) {
    const n = Number(text)
    ids.set(n, crypto.randomUUID())
    mkdirSync(join(into, nameOf(n)))
    const header = {
      ...{
        format: base === null ? 1 : 2,
        id: ids.get(n),
        made_at: day(n).toISOString(),
        version: '1',
        encryption: null,
      },
      ...(base !== null && { base: { id: ids.get(base), folder: nameOf(base) } }),
    }
    writeFileSync(join(into, nameOf(n), 'backup.json'), JSON.stringify(header))
  }
  return into
}

const options = { wholeEveryDays: 7, keepDays: 30 }

test('the next backup of a series is the difference to the newest whole one, until that is a week old', async () => {
  const into = join(root, 'new')
  expect(await nextInSeries(into, options, day(1))).toEqual({ folder: join(into, nameOf(1)), base: null })
  const daily = aSeries('daily', { 1: null, 2: 1, 3: 1 })
  expect(await nextInSeries(daily, options, day(7))).toEqual({
    folder: join(daily, nameOf(7)),
    base: join(daily, nameOf(1)),
  })
  expect((await nextInSeries(daily, options, day(8))).base).toBeNull()
  expect((await nextInSeries(daily, { ...options, wholeEveryDays: 0 }, day(3))).base).toBeNull()
})

test('old backups are deleted, but for the newest and for whole ones that a kept difference needs', async () => {
  const into = aSeries('old', { 1: null, 2: 1, 8: null, 9: 8, 10: 8 })
  mkdirSync(join(into, 'notes of the operator'))
  mkdirSync(join(into, `${nameOf(5)}.partial`))
  mkdirSync(join(into, `${nameOf(9)}.partial`))
  utimesSync(join(into, `${nameOf(5)}.partial`), day(5), day(5))
  utimesSync(join(into, `${nameOf(9)}.partial`), day(10), day(10))
  expect((await trimSeries(into, { ...options, keepDays: 1 }, day(10).getTime())).sort()).toEqual(
    [nameOf(1), nameOf(2), `${nameOf(5)}.partial`].map(name => join(into, name)),
  )
  expect(readdirSync(into).sort()).toEqual(
    ['notes of the operator', nameOf(8), nameOf(9), `${nameOf(9)}.partial`, nameOf(10)].sort(),
  )
  await trimSeries(into, options, day(31).getTime() + 365 * 86_400_000)
  expect(readdirSync(into).sort()).toEqual(['notes of the operator', nameOf(8), nameOf(10)])
})
