import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import { app, type CallerUnderTest } from './app.ts'
import { inBrowser } from './browser-session.ts'

interface Surroundings {
  width?: number
  colorScheme?: 'light' | 'dark'
  locale?: 'en-GB' | 'de-DE'
}

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The app in a browser of a person's own. */
export class AppPage {
  readonly page: Page
  /** What the browser reported: refused scripts and styles, exceptions. */
  readonly faults: string[] = []
  /** Requests without an answer yet. The stream of changes stays open as long as the page, and is not among them. */
  readonly #pending = new Set<Request>()

  private constructor(page: Page) {
    this.page = page
    page.on('request', request => {
      if (!/\/api\/v1\/stream\b/.test(request.url())) this.#pending.add(request)
    })
    page.on('requestfinished', request => this.#pending.delete(request))
    page.on('requestfailed', request => this.#pending.delete(request))
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
    const { cookie } = await inBrowser(person)
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

  /** Waits until everything that the page asked for is shown. */
  async settled(): Promise<void> {
    await expect.poll(() => this.#pending.size, { interval: 50 }).toBe(0)
    await this.page.locator('.loading').first().waitFor({ state: 'detached' })
    await expect.poll(() => this.#pending.size, { interval: 50 }).toBe(0)
  }

  /** What is shown breaks no rule of WCAG 2.2 AA and needs no scrolling sideways. Kept as a picture in `PICTURES`. */
  async examine(name: string): Promise<void> {
    const { page } = this
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true })
    // frames hold pages that have tests of their own; they run no script, so axe would wait in them without end
    await page.evaluate("for (const frame of document.querySelectorAll('iframe')) frame.remove()")
    const { violations } = await new AxeBuilder({ page })
      .withTags(rules)
      // React Aria announces there that a button waits, by a picture whose name may be gone a moment later
      .exclude('[data-live-announcer]')
      .analyze()
    expect(violations.map(({ id, nodes }) => `${name}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect(overflow, `${name} scrolls sideways`).toBe(0)
  }

  /** Ends it; the browser must have reported nothing. */
  async close(): Promise<void> {
    await this.page.context().close()
    expect(this.faults).toEqual([])
  }
}
