import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Files that send statements of their own: the data layer, what is below it, and programs that install databases. */
const isBelow = /^(?:control-plane\/(?:db|base|outbox)|cli\/(?:backup|local))\//

/** Calls of pg’s own `query` that are left. Each number may only fall: others use `queries(db)` or `rows(db)`…``. */
const left: Record<string, number> = { 'cli/serve': 1, 'cli/commands': 1 }

const typed = /\b(?:sql|query|rows|rowsOf)<\{|\b(?:rows|rowsOf)\([^()]*\)<\{/g
/** Rows typed by hand that are left. The number may only fall: others are `Row<'table', …>`. */
const typedByHand = 89

const files = globSync('{control-plane,workflows,cli}/**/*.ts').map(path => ({
  path,
  text: readFileSync(path, 'utf8'),
}))

test('statements are sent by the data layer alone', () => {
  const counts: Record<string, number> = {}
  for (const { path, text } of files) {
    // questions to ClickHouse are objects with a `query`
    const calls = text.match(/\.query(?:<[^(]*>)?\((?!\{\s*query:)/g)?.length ?? 0
    const module = path.split('/').slice(0, 2).join('/')
    if (calls > 0 && !isBelow.test(path)) counts[module] = (counts[module] ?? 0) + calls
  }
  for (const [module, count] of Object.entries(counts)) expect(count, module).toBeLessThanOrEqual(left[module] ?? 0)
})

test('rows of statements have the types of their tables', () => {
  const count = files.reduce((sum, { text }) => sum + (text.match(typed)?.length ?? 0), 0)
  expect(count).toBeLessThanOrEqual(typedByHand)
})
