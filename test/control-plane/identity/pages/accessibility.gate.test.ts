import { mkdirSync } from 'node:fs'
import { join as joinPath } from 'node:path'
import { generate } from 'otplib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { another, aPerson, join, password } from '#test/control-plane/identity/people.ts'
import { app, given } from '#test/support/app.ts'
import { violationsOf } from '#test/support/axe.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { displaysIn, show } from '#test/support/displays.ts'

/** The folder for screenshots. */
const folder = process.env.PICTURES

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

/**
 * Walks all pages of signing in by forms, without scripts of our own: each breaks no rule of WCAG 2.2 AA and needs no
 * scrolling sideways.
 */
async function expectAccessible(language: 'en' | 'de'): Promise<void> {
  if (folder) mkdirSync(folder, { recursive: true })
  const person = await aPerson()
  const context = await browser.newContext({
    locale: language === 'en' ? 'en-GB' : 'de-DE',
    extraHTTPHeaders: { 'X-Forwarded-For': person.ip },
  })
  const page = await context.newPage()
  const examine = (name: string) => examinePage(page, name, language)
  const submit = async () => {
    await page.locator('main button').first().click()
    await page.waitForLoadState()
  }
  const fill = async (address: string, text: string) => {
    await page.locator('#email').fill(address)
    await page.locator('#password').fill(text)
    await submit()
  }

  await page.goto(`${app.baseUrl}/forgot`)
  await examine('forgot')
  await page.locator('#email').fill(person.email)
  await submit()
  await examine('forgot-sent')
  await page.goto(`${app.baseUrl}/login/second-factor`)
  await examine('over')
  await page.goto(`${app.baseUrl}/login`)
  await examine('login')
  await fill(person.email, another)
  await examine('login-wrong')
  await fill(person.email, password)
  await page.goto(`${app.baseUrl}/account`)
  await examine('account-without-factor')
  await page.goto(`${app.baseUrl}/step-up?next=/account/passkeys`)
  await examine('step-up')
  await page.goto(`${app.baseUrl}/account/second-factor`)
  await examine('factor')
  await page.locator('#password').fill(password)
  await submit()
  await examine('factor-key')
  const secret = await page.locator('input[name=secret]').inputValue()
  await page.locator('#code').fill(await generate({ secret }))
  await submit()
  await examine('factor-codes')
  const [recoveryCode = ''] = await page.locator('.codes code').allTextContents()
  await page.goto(`${app.baseUrl}/logout`)
  await examine('logout')
  await submit()
  await examine('logged-out')
  await page.goto(`${app.baseUrl}/login/link`)
  await examine('login-link')
  await page.goto(`${app.baseUrl}/login/link/open#${'t'.repeat(43)}`)
  await examine('login-link-open')

  await join(person.userId, (await given.tenant()).tenantId, 'viewer')
  await page.goto(`${app.baseUrl}/login`)
  await fill(person.email, password)
  await examine('second-factor')
  await page.locator('#code').fill('000000')
  await submit()
  await examine('second-factor-wrong')
  await page.locator('#code').fill(recoveryCode)
  await submit()
  await examine('team')
  await submit()
  expect(new URL(page.url()).pathname).toBe('/app')
  await page.goto(`${app.baseUrl}/account`)
  await examine('account')
  await context.close()
}

async function examinePage(page: Page, name: string, language: 'en' | 'de') {
  for (const display of displaysIn(language)) {
    await show(page, display)
    const at = `${name} ${language} ${display.colorScheme} ${display.width}`
    if (folder) await page.screenshot({ path: joinPath(folder, `${at.replaceAll(' ', '-')}.png`), fullPage: true })
    expect(await page.evaluate<number>('document.documentElement.scrollWidth'), at).toBeLessThanOrEqual(display.width)
    expect(await violationsOf(page, 'wcag and best practice'), at).toEqual([])
  }
}

test.each(['en', 'de'] as const)(
  'every page of signing in, in %s, meets WCAG 2.2 AA in both themes, wide and narrow',
  language => expectAccessible(language),
  180_000,
)
