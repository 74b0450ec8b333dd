import { expect, test } from 'vitest'
import type { RenderableDocument } from '#control-plane/publishing/reports/pdf/document.ts'
import { makePdf } from '#control-plane/publishing/reports/pdf/make.ts'
import { aDocument } from './documents.ts'
import { actionsIn, readPdf } from './pdfs.ts'

const parts = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '"><b>',
  "'-alert(1)-'",
]
const frames = [
  (part: string) => part,
  (part: string) => `</text>${part}`,
  (part: string) => `]]>${part}<!--`,
  (part: string) => `javascript:${part}`,
  (part: string) => `data:text/html,${part}`,
  (part: string) => `file:///etc/passwd ${part}`,
  (part: string) => `http://127.0.0.1/${part}`,
  (part: string) => `{{${part}}}`,
  (part: string) => `\${${part}}`,
  (part: string) => `(${part}) Tj ET endstream endobj`,
]
const tails = ['', ' /JS (app.alert(1))', '\\', '&lt;x&gt;']
/** Two hundred of them. */
const payloads = parts.flatMap(part => frames.flatMap(frame => tails.map(tail => frame(part) + tail)))

/**
 * A report that has each of the texts in every place of a list, and in the places that are there once all of them,
 * beginning with the first: to make one report of ten texts costs a sixth of ten reports.
 */
function aDocumentOf(texts: string[]): RenderableDocument {
  const ofMonth = (text: string) => {
    const { content, ...document } = aDocument(text)
    if (content.kind !== 'month') throw new Error('The sample is no report of a month.')
    return { ...document, content }
  }
  const { content, ...document } = ofMonth(texts.join('\n'))
  const each = texts.map(text => ofMonth(text).content)
  const { imported, ...report } = content.report
  const monitors = each.flatMap(of => of.report.imported?.monitors ?? [])
  return {
    ...document,
    content: {
      ...content,
      report: {
        ...report,
        monitors: each.flatMap(of => of.report.monitors),
        imported: imported && { ...imported, monitors },
      },
      incidents: { count: texts.length, shown: each.flatMap(({ incidents }) => incidents.shown) },
      maintenance: each.flatMap(({ maintenance }) => maintenance),
    },
  }
}

test('markup, scripts and addresses of users are text and nothing else', { timeout: 120_000 }, async () => {
  expect(payloads).toHaveLength(200)
  for (let n = 0; n < payloads.length; n += 10) {
    const texts = payloads.slice(n, n + 10)
    expect(await actionsIn(await makePdf(aDocumentOf(texts))), texts.join('\n')).toEqual([])
  }
  const { text } = await readPdf(await makePdf(aDocument(payloads[0]!)))
  expect(text).toContain('<script>alert(1)</script>')
})

test.each([
  ['control characters', 'a\u0000\u0007\u001b[31mb\r\nc\u2028d', 'a [31mb c d'],
  ['marks of direction', 'evil\u202egnp.exe\u2066\u200f', 'evilgnp.exe'],
  ['Chinese, Japanese, Korean and Thai', '商店 日本語 한국어 ไทย Shop', '商店 日本語 한국어 ไทย Shop'],
  ['Arabic, a rocket and a flag', 'متجر 🚀 🇩🇪 Shop', '🚀 🇩🇪'],
  ['a heart with its variation', 'a ❤️ b', 'a ❤ b'],
  ['a character that no font has', 'a \u{20bb7} b', 'a \ufffd b'],
  ['half of a surrogate pair', 'a\ud800b', 'b'],
  ['ten thousand letters without a space', 'x'.repeat(10_000), 'xxxxxxxxxx'],
  ['ten thousand words', 'word '.repeat(2_000), 'word word'],
  ['nothing', '', 'Uptime report'],
])('%s make a report', async (_, given, expected) => {
  const { text, pages } = await readPdf(await makePdf(aDocument(given)))
  expect(text).toContain(expected)
  expect(text).not.toContain('\u202e')
  expect(pages).toBeLessThanOrEqual(5)
})

test('a text in another script has no empty boxes, and makes the report neither slow nor large', async () => {
  await makePdf(aDocument('店'))
  const begun = performance.now()
  const pdf = await makePdf(aDocument('商店 متجر'.repeat(20)))
  expect(performance.now() - begun).toBeLessThan(5_000)
  expect(pdf.length).toBeLessThan(100_000)
  const { text } = await readPdf(pdf)
  expect(text).toContain('商店')
  expect(text).not.toContain('\ufffd')
})

test('a logo that cannot be unpacked is left out', async () => {
  const broken = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\nbroken', 'latin1').toString('base64')}`
  const { text } = await readPdf(await makePdf(aDocument('Acme', { logo: broken })))
  expect(text).toContain('Uptime report')
})
