import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

/** Where the language's own formats are right: they read text or name things, and write no figure for people. */
const allowed: readonly (readonly [file: string, reason: string])[] = [
  ['contract/figures.ts', 'the one place'],
  ['checks/cron/schedule.ts', 'the clock of a zone'],
  ['control-plane/identity/users/input.ts', 'whether a zone exists'],
  ['control-plane/identity/digest/morning.ts', 'the clock of a zone'],
  ['control-plane/identity/pages/page.js', 'a script of pages without the app, in the same form'],
  ['control-plane/passive/heartbeats/heartbeat.ts', 'the clock of a zone'],
  ['importers/statuspage/convert.ts', 'whether a zone exists'],
  ['control-plane/publishing/status-pages/render/documents.ts', 'the month of a zone as 2026-11'],
  ['control-plane/publishing/status-pages/render/script.ts', 'a script of pages without the app, in the same form'],
  ['web/on-call/local.ts', 'the clock of a zone'],
  ['web/parts/number-writing.ts', 'what a person types'],
]

const writes =
  /new Intl\.(?:NumberFormat|DateTimeFormat|DurationFormat)|Intl\.DateTimeFormat\('|toLocale(?:Date|Time)?String\(/

test('figures and moments are written by contract/figures.ts alone', async () => {
  const found: string[] = []
  for await (const file of glob('{charts,checks,contract,control-plane,importers,web,workflows}/**/*.{ts,tsx,js}'))
    if (writes.test(await readFile(file, 'utf8'))) found.push(file)
  expect(found.sort()).toEqual(allowed.map(([file]) => file).sort())
})
