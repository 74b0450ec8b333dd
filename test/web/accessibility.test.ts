import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrateClickhouse } from '#analytics/migrate.ts'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { AppPage } from '#test/support/web.ts'
import { withResults } from './seed.ts'

let browser: Browser
beforeAll(async () => {
  await migrateClickhouse(app.stores.clickhouseUrl)
  browser = await openBrowser()
}, 120_000)
afterAll(() => browser?.close())

/** Leads away from where it is opened. */
const leadsAway: readonly string[] = []

const combinations = (['light', 'dark'] as const).flatMap(colorScheme =>
  (['en-GB', 'de-DE'] as const).flatMap(locale => [1280, 360].map(width => ({ colorScheme, locale, width }))),
)

/** The paths of the router that is running: a new route is walked without being named here. */
const pathsOf = async ({ page }: AppPage) =>
  ((await page.evaluate('Object.keys(__TSR_ROUTER__.routesByPath)')) as string[]).filter(
    path => path.startsWith('/') && !leadsAway.includes(path),
  )

/** Who may see a path. */
const areaOf = (path: string) =>
  path.startsWith('/console') ? 'reseller' : path.startsWith('/ops') ? 'operator' : 'team'

/** Parts of an address that name something, and what they name here. Others need a subject of their own to be tried. */
const subjects = async (owner: CallerUnderTest): Promise<Record<string, string>> => {
  const monitor = await aMonitor(owner)
  await withResults(owner, monitor)
  return { $monitor: monitor.id, $check: monitor.check }
}

test.each(combinations)(
  'every route of the app meets WCAG 2.2 AA and reports no error: $colorScheme, $locale, $width pixels wide',
  async surroundings => {
    const people = { team: await given.tenant(), reseller: await given.reseller(), operator: await given.operator() }
    for (const person of Object.values(people))
      await person.patch('/profile', { language: surroundings.locale.slice(0, 2) })
    const named = await subjects(people.team)
    for (const [area, person] of Object.entries(people)) {
      const opened = await AppPage.open(browser, person, '/app', surroundings)
      const paths = (await pathsOf(opened)).filter(path => areaOf(path) === area)
      expect(paths.length).toBeGreaterThan(5)
      for (const path of paths) {
        const filled = path.split('/').map(part => named[part] ?? part)
        if (filled.some(part => part.startsWith('$'))) continue
        await opened.go(filled.join('/'))
        await opened.page.waitForLoadState('networkidle')
        await opened.page.locator('.loading').first().waitFor({ state: 'detached' })
        await opened.examine(path)
      }
      await opened.close()
    }
  },
  600_000,
)
