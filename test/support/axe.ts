import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const require = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))
const source = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** The rules whose answer depends on colours. */
const ofColors = ['color-contrast', 'link-in-text-block']

interface Violation {
  id: string
  nodes: { html: string }[]
}

/**
 * What a page breaks of WCAG 2.2 AA. `AxeBuilder` opens a window for each answer and reads axe again; a walk over every
 * route has no time for that. Frames hold pages that have tests of their own.
 */
export async function violationsOf(page: Page, which: 'all' | 'of colors' = 'all'): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(source)
  const runOnly = which === 'all' ? { type: 'tag', values: rules } : { type: 'rule', values: ofColors }
  // React Aria announces there that a button waits, by a picture whose name may be gone a moment later
  const context = { exclude: [['[data-live-announcer]']] }
  const options = { runOnly, iframes: false, resultTypes: ['violations'] }
  const violations = (await page.evaluate(
    `axe.run(${JSON.stringify(context)}, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as Violation[]
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 300)).join(' ')}`)
}
