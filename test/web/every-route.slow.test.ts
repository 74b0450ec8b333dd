import { mkdirSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrateClickhouse } from '#analytics/migrate.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { violationsOf } from '#test/support/axe.ts'
import { inBrowser } from '#test/support/browser-session.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { displaysIn, show } from '#test/support/displays.ts'
import { AppPage } from '#test/support/web.ts'
import { type Addresses, everything, whoSeesEverything } from './everything.ts'

const pictures = process.env.PICTURES
const languages = ['en', 'de'] as const

let browser: Browser
let reseller: CallerUnderTest
let addresses: Addresses
beforeAll(async () => {
  await migrateClickhouse(app.stores.clickhouseUrl)
  if (pictures) mkdirSync(pictures, { recursive: true })
  browser = await openBrowser()
  reseller = await given.reseller()
  addresses = await everything(await inBrowser(reseller))
})
afterAll(() => browser?.close())

/** Every path of the table of the app's router, with its parameters as `$name`. */
const routesOf = ({ page }: AppPage) => page.evaluate<string[]>('Object.keys(self.__TSR_ROUTER__.routesByPath)')

/** Statuses that do not stand in the middle of their cell. */
const pillsOff = `[...document.querySelectorAll('td > div > .pill:only-child')].flatMap(pill => {
  const middle = of => of.getBoundingClientRect().top + of.getBoundingClientRect().height / 2
  const off = middle(pill) - middle(pill.closest('td'))
  return Math.abs(off) > 1 && innerWidth > 640 ? ['the status "' + pill.textContent + '" is off by ' + off] : []
})`

/** What is wrong with what is shown, in a few words each. */
async function faultsOf({ page }: AppPage): Promise<string[]> {
  const found: string[] = []
  if ((await page.getByRole('heading', { level: 1 }).count()) !== 1) found.push('has not one heading of level 1')
  if ((await page.locator('.page[role=alert]').count()) > 0) found.push('failed')
  const sideways = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  if (sideways > 0) found.push(`scrolls ${sideways} pixels sideways`)
  const longer = await page.evaluate<number>(
    `document.documentElement.scrollHeight -
      Math.ceil(Math.max(innerHeight, document.querySelector('#app').getBoundingClientRect().bottom + scrollY))`,
  )
  if (longer > 1) found.push(`is ${longer} pixels longer than its content`)
  found.push(...(await page.evaluate<string[]>(pillsOff)))
  found.push(...(await violationsOf(page)))
  return found
}

test.concurrent.each(languages)(
  'every route of the app, in %s: accessible in both themes, wide and narrow, and nothing is refused or asked elsewhere',
  async language => {
    const person = await whoSeesEverything(reseller, language)
    const opened = await AppPage.open(browser, person, '/app', { locale: language === 'en' ? 'en-GB' : 'de-DE' })
    const { page } = opened
    const faults: string[] = []
    page.on('console', message => {
      if (message.type() === 'error') faults.push(`${page.url()}: ${message.text()}`)
    })
    page.on('request', request => {
      const url = request.url()
      if (!/^(data|blob):/.test(url) && !url.startsWith(app.baseUrl)) faults.push(`${page.url()} asked ${url}`)
    })
    await page.exposeFunction('violated', (what: string) => faults.push(`${page.url()}: the policy refused ${what}`))
    await page.evaluate(
      'document.addEventListener("securitypolicyviolation", one => violated(one.violatedDirective + one.blockedURI))',
    )
    const routes = await routesOf(opened)
    expect(routes.length).toBeGreaterThan(60)
    // a route that no longer exists
    expect(Object.keys(addresses).filter(route => !routes.includes(route))).toEqual([])
    for (const route of routes)
      for (const path of addresses[route] ?? [route]) {
        expect(path, 'a new route with parameters needs an address in everything.ts').not.toContain('$')
        await opened.follow(path)
        await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        for (const display of displaysIn(language)) {
          await show(page, display)
          const at = `${display.colorScheme} ${display.width}`
          for (const fault of await faultsOf(opened)) faults.push(`${route} at ${at}: ${fault}`)
          const name = `${path.slice(1).replaceAll(/[^\w-]+/g, '-')}-${language}-${at.replace(' ', '-')}`
          if (pictures) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true })
        }
        await page.setViewportSize({ width: 1280, height: 900 })
      }
    await opened.close()
    expect(faults).toEqual([])
  },
  1_200_000,
)
