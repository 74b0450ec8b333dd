import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { RunExceeded } from '#bounded/errors.ts'
import { BoundedRunner } from '#bounded/runner.ts'
import { daysOfMonth } from '#control-plane/alerting/digest/month-content.ts'
import { monthNamed } from '#control-plane/identity/digest/month.ts'
import { logoOf, maxLogoBytes } from '#control-plane/publishing/reports/pdf/logo.ts'
import { PdfRenderer } from '#control-plane/publishing/reports/pdf/renderer.ts'
import { aDocument } from './documents.ts'
import { readPdf } from './pdfs.ts'

const log = { warn: () => undefined }

const rendererWith = (limits: ConstructorParameters<typeof BoundedRunner>[0] = {}) => {
  const bounded = new BoundedRunner(limits)
  return { renderer: new PdfRenderer({ bounded, log }), close: () => bounded.close(0) }
}

describe('the renderer', () => {
  test('makes the same content once, and keeps it', async () => {
    const { renderer, close } = rendererWith()
    const [one, two] = await Promise.all([
      renderer.render('a', aDocument('Acme')),
      renderer.render('a', aDocument('Acme')),
    ])
    expect(two.bytes).toBe(one.bytes)
    expect((await renderer.render('a', aDocument('Acme'))).bytes).toBe(one.bytes)
    const other = await renderer.render('b', aDocument('Acme'))
    expect(other.bytes).not.toBe(one.bytes)
    expect(other.etag).not.toBe(one.etag)
    await close()
  })

  test('refuses what is beyond its queue, and then makes reports again', async () => {
    const { renderer, close } = rendererWith({ limits: { long: { hosts: 1, waiting: 3, waitingOfKey: 2 } } })
    const ask = (tenant: string, name: string) =>
      renderer.render(tenant, aDocument(name)).then(
        () => 'made',
        error => `${error.name} ${error.isOwn}`,
      )
    // the first is being made, two wait for one tenant, one for another
    const asked = ['1', '2', '3', '4'].map(name => ask('a', name))
    const others = ['5', '6'].map(name => ask('b', name))
    expect(await Promise.all(asked)).toEqual(['made', 'made', 'made', 'RunnerBusy true'])
    expect(await Promise.all(others)).toEqual(['made', 'RunnerBusy false'])
    expect(await ask('a', '4')).toBe('made')
    await close()
  })

  test('answers 503 for a report that takes too long', async () => {
    const bounded = { run: () => Promise.reject(new RunExceeded('report_pdf', 'time')) }
    const renderer = new PdfRenderer({ bounded, log })
    await expect(renderer.render('a', aDocument('Slow'))).rejects.toMatchObject({ status: 503 })
  })
})

test('a report says since when results are missing from it, in its language', async () => {
  const { renderer, close } = rendererWith()
  const textOf = async (language: 'en' | 'de', since: string | null) => {
    const document = aDocument('Acme', { language })
    if (document.content.kind !== 'month') throw new Error('The document is not of a month.')
    document.content.report.history_waits_since = since
    return (await readPdf((await renderer.render('a', document)).bytes)).text
  }
  const since = '2026-01-31T22:15:00.000000Z'
  expect(await textOf('en', null)).not.toContain('not all stored yet')
  expect(await textOf('en', since)).toMatch(/Results from .*22:15.* on are not all stored yet/)
  expect(await textOf('de', since)).toMatch(/Die Ergebnisse ab .*22:15.* sind noch nicht alle gespeichert/)
  await close()
})

/** A PNG of one colour. */
function png(width: number, height: number): Buffer {
  const head = Buffer.alloc(25)
  head.writeUInt32BE(13, 0)
  head.write('IHDR', 4, 'latin1')
  head.writeUInt32BE(width, 8)
  head.writeUInt32BE(height, 12)
  head.set([8, 2], 16)
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), head, deflateSync(Buffer.alloc(10))])
}

test('a logo is a PNG or JPEG of a moderate size', () => {
  expect(logoOf(png(200, 50))).toMatch(/^data:image\/png;base64,/)
  expect(logoOf(png(20_000, 20_000))).toBeNull()
  expect(logoOf(Buffer.concat([png(200, 50), Buffer.alloc(maxLogoBytes)]))).toBeNull()
  expect(logoOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>'))).toBeNull()
  expect(logoOf(Buffer.from('GIF89a\x0a\0\x0a\0', 'latin1'))).toBeNull()
  expect(logoOf(Buffer.from('<html>'))).toBeNull()
  expect(logoOf(Buffer.alloc(0))).toBeNull()
})

test.each([
  ['2026-10', 'Europe/Berlin', 31, 25],
  ['2026-03', 'Europe/Berlin', 31, 23],
  ['2026-02', 'Asia/Kathmandu', 28, 24],
  // midnight does not exist on the day on which summer time begins
  ['2018-11', 'America/Sao_Paulo', 30, 23],
])('the days of %s in %s are %i without gap, one with %i hours', (name, timezone, count, hours) => {
  const month = monthNamed(name, timezone)
  const days = daysOfMonth(month)
  expect(days.map(({ date }) => date)).toEqual(
    Array.from({ length: count }, (_, n) => `${name}-${String(n + 1).padStart(2, '0')}`),
  )
  expect([days[0]!.from, days.at(-1)!.to]).toEqual([month.from.getTime(), month.to.getTime()])
  for (const [n, day] of days.entries()) if (n > 0) expect(day.from).toBe(days[n - 1]!.to)
  expect(days.map(({ from, to }) => (to - from) / 3_600_000)).toContain(hours)
})
