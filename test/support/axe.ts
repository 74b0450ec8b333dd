import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const rules = {
  wcag: { type: 'tag', values: wcag },
  'wcag and best practice': { type: 'tag', values: [...wcag, 'best-practice'] },
  'color contrast': { type: 'rule', values: ['color-contrast'] },
}

interface Finding {
  id: string
  nodes: { html: string; failureSummary?: string }[]
}

/**
 * What a page breaks of WCAG 2.2 AA or of the rules named; `withUncertain`: what axe cannot decide as well. axe is read
 * once for each document, in its own window. Frames hold pages that have tests of their own.
 */
export async function violationsOf(
  page: Page,
  which: keyof typeof rules = 'wcag',
  { withUncertain = false } = {},
): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(source)
  // React Aria announces there that a button waits, by a picture whose name may be gone a moment later
  const context = { exclude: [['[data-live-announcer]']] }
  const resultTypes = withUncertain ? ['violations', 'incomplete'] : ['violations']
  const options = { runOnly: rules[which], iframes: false, resultTypes }
  const found = (await page.evaluate(
    `axe.run(${JSON.stringify(context)}, ${JSON.stringify(options)})
      .then(results => ${JSON.stringify(resultTypes)}.flatMap(type => results[type]))`,
  )) as Finding[]
  return found.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(node => `${node.html.slice(0, 300)} ${node.failureSummary ?? ''}`).join(' ')}`,
  )
}
