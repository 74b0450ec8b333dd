import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { State } from '#control-plane/engine/state/rules.ts'
import { statusOfState } from '#control-plane/engine/state/state.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { AppPage } from '#test/support/web.ts'
import { agree, aWatchedTeam, ways, within } from './watched.ts'

type Entered = keyof typeof ways
const entered = Object.keys(ways) as Entered[]

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

/** Every change from one state to another, once, as one walk that begins and ends at `up`. */
function everyChange(): Entered[] {
  const left = new Map(entered.map(from => [from, entered.filter(to => to !== from)]))
  const [walk, open]: [Entered[], Entered[]] = [[], ['up']]
  while (open.length > 0) {
    const next = left.get(open.at(-1)!)!.pop()
    if (next) open.push(next)
    else walk.unshift(open.pop()!)
  }
  return walk
}

const sentences: Record<string, string> = {
  up: 'Your monitor reports no trouble',
  down: '1 of 1 down',
  warning: '1 warning',
  maintenance: 'Your monitor is in maintenance',
  paused: 'Your monitor is paused',
  pending: 'Your monitor has no current result',
}

const walk = everyChange()
// a team each: they ask as often as one may in a minute
const steps = 4
const parts = Array.from({ length: Math.ceil((walk.length - 1) / steps) }, (_, n) =>
  walk.slice(n * steps, (n + 1) * steps + 1),
)

test('every change from one state to another is walked', () => {
  expect(walk).toHaveLength(entered.length * (entered.length - 1) + 1)
  expect(new Set(walk.slice(1).map((to, n) => `${walk[n]} ${to}`)).size).toBe(walk.length - 1)
})

test.each(parts.map(part => [part]))(
  'every surface and the open app follow a monitor: %j',
  async part => {
    const of = await aWatchedTeam()
    const opened = await AppPage.open(browser, of.team, '/app')
    const { page } = opened
    await agree(of, 'up')
    await ways[part[0]!].into(of)
    for (const [n, to] of part.entries()) {
      const message = `${part[n - 1] ?? 'up'} to ${to}`
      if (n > 0) {
        await ways[part[n - 1]!].out(of)
        await ways[to].into(of)
      }
      await agree(of, to)
      const sentence = sentences[statusOfState[to as State] ?? 'pending']!
      // the app that is open follows by itself
      await expect
        .poll(() => page.getByRole('heading', { level: 1 }).textContent(), { ...within, message })
        .toContain(sentence)
      await expect.poll(() => page.title(), { ...within, message }).toContain(sentence)
    }
    await opened.close()
  },
  180_000,
)
