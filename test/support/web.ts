import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { app, type CallerUnderTest } from './app.ts'
import { violationsOf } from './axe.ts'
import { BrowserUnderTest, inBrowser } from './browser-session.ts'
import { settling } from './settled.ts'

interface Surroundings {
  width?: number
  colorScheme?: 'light' | 'dark'
  locale?: 'en-GB' | 'de-DE'
}

/** The app in a browser of a person's own. */
export class AppPage {
  readonly page: Page
  /** What the browser reported: refused scripts and styles, exceptions. */
  readonly faults: string[] = []
  /** Waits until the page shows what it asked for. */
  readonly settled: () => Promise<void>

  private constructor(page: Page) {
    this.page = page
    this.settled = settling(page)
    page.on('pageerror', error => this.faults.push(error.message))
    // answers that refuse are reported as errors too, and are none
    page.on('console', message => {
      if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
        this.faults.push(message.text())
    })
  }

  /** Opens a path of the app with a session of the person. */
  static async open(
    browser: Browser,
    person: CallerUnderTest,
    path: string,
    { width = 1280, colorScheme = 'light', locale = 'en-GB' }: Surroundings = {},
  ): Promise<AppPage> {
    const { cookie } = person instanceof BrowserUnderTest ? person : await inBrowser(person)
    const [name = '', value = ''] = cookie.split('=')
    const context = await browser.newContext({
      ...{ colorScheme, locale },
      viewport: { width, height: 900 },
      extraHTTPHeaders: { 'X-Forwarded-For': person.ip },
    })
    await context.addCookies([{ name, value, url: app.baseUrl }])
    const opened = new AppPage(await context.newPage())
    await opened.go(path)
    return opened
  }

  async go(path: string): Promise<void> {
    await this.page.goto(`${app.baseUrl}${path}`)
    await this.page.getByRole('heading', { level: 1 }).waitFor()
  }

  /** Follows a path as a link does, without loading the app again. */
  async follow(path: string): Promise<void> {
    await this.page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)
    await this.settled()
  }

  /** What is shown breaks no rule of WCAG 2.2 AA and needs no scrolling sideways. Kept as a picture in `PICTURES`. */
  async examine(name: string): Promise<void> {
    const { page } = this
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true })
    expect((await violationsOf(page)).map(violation => `${name}: ${violation}`)).toEqual([])
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect(overflow, `${name} scrolls sideways`).toBe(0)
  }

  /** Ends it; the browser must have reported nothing. */
  async close(): Promise<void> {
    // what is still being loaded ahead fails as the browser closes
    const faults = [...this.faults]
    await this.page.context().close()
    expect(faults).toEqual([])
  }
}
