import { getDocumentProxy } from 'unpdf'
import { expect, test } from 'vitest'
import { BoundedRunner } from '#bounded/runner.ts'
import { layoutOf } from '#control-plane/publishing/reports/pdf/layout.ts'
import { PdfRenderer } from '#control-plane/publishing/reports/pdf/renderer.ts'
import { unbroken, wordsOf } from '#control-plane/publishing/reports/pdf/words.ts'
import { aDocument } from './documents.ts'

const legend = wordsOf('en', 'UTC').legend.high

/** The nodes from the page down to the one with this text. */
function pathTo(node: unknown, text: string): object[] | null {
  if (typeof node === 'string') return unbroken(node) === unbroken(text) ? [] : null
  if (typeof node !== 'object' || node === null) return null
  for (const inner of Object.values(node)) {
    const path = pathTo(inner, text)
    if (path) return [node, ...path]
  }
  return null
}

test('the colours of the legend and their words are never on two pages', () => {
  const path = pathTo(layoutOf(aDocument('Shop')).content, legend)
  expect(path?.some(node => 'unbreakable' in node && node.unbreakable === true)).toBe(true)
})

test.each(['en', 'de'] as const)('a figure and its unit are on one line of a report in %s', async language => {
  const document = aDocument('Shop', { language })
  const { content } = document
  if (content.kind !== 'month') throw new Error('Another report was expected.')
  const slo = { ...{ target_pct: 99.95, window_days: 30, left_pct: 12.34, left_s: 3_725, budget_s: 43_200 } }
  const uptime = { uptime_pct: 99.8516, downtime_s: 93_784, incidents_count: 3 }
  const monitor = {
    ...{ ...content.report.monitors[0]!, ...uptime, before: uptime, slo: slo as never, longest_s: 7_325 },
    ...{ maintenance_s: 7_325, no_data_s: 93_784, avg_response_ms: 1_234.5, p95_response_ms: 4_321.9 },
  }
  const report = { ...content.report, ...uptime, monitors: Array.from({ length: 12 }, () => monitor) }
  const bounded = new BoundedRunner()
  const renderer = new PdfRenderer({ bounded, log: { warn: () => undefined } })
  const { bytes } = await renderer.render('a', { ...document, content: { ...content, report } })
  await bounded.close(0)
  const pdf = await getDocumentProxy(new Uint8Array(bytes))
  const lines: string[] = []
  for (let page = 1; page <= pdf.numPages; page++)
    for (const item of (await (await pdf.getPage(page)).getTextContent()).items) if ('str' in item) lines.push(item.str)
  expect(lines.filter(text => text.includes('%')).length).toBeGreaterThan(12)
  expect(lines.filter(text => /^\s*(%|ms|min|h|s|d)(?!\p{L})/u.test(text))).toEqual([])
})
