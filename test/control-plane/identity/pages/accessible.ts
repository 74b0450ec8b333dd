import { mkdirSync } from 'node:fs'
import { join as joinPath } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { generate } from 'otplib'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { another, aPerson, join, password } from '#test/control-plane/identity/people.ts'
import { app, given } from '#test/support/app.ts'

/** The folder for screenshots. */
const folder = process.env.PICTURES

export interface Surroundings {
  colorScheme: 'light' | 'dark'
  locale: 'en-GB' | 'de-DE'
  /** Of the window, in pixels. */
  width: number
}

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * Walks all pages of signing in by forms, without scripts of our own: each breaks no rule of WCAG 2.2 AA and needs no
 * scrolling sideways.
 */
export async function expectAccessible(browser: Browser, surroundings: Surroundings): Promise<void> {
  if (folder) mkdirSync(folder, { recursive: true })
  const { colorScheme, locale, width } = surroundings
  const person = await aPerson()
  const context = await browser.newContext({
    ...{ colorScheme, locale },
    viewport: { width, height: 800 },
    extraHTTPHeaders: { 'X-Forwarded-For': person.ip },
  })
  const page = await context.newPage()
  const examine = (name: string) => examinePage(page, name, surroundings)
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

export async function examinePage(page: Page, name: string, { locale, colorScheme, width }: Surroundings) {
  const at = `${name} ${locale} ${colorScheme} ${width}`
  if (folder) await page.screenshot({ path: joinPath(folder, `${at.replaceAll(' ', '-')}.png`), fullPage: true })
  expect(await page.evaluate<number>('document.documentElement.scrollWidth'), at).toBeLessThanOrEqual(width)
  const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze()
  expect(
    violations.map(({ id, nodes }) => `${id} ${nodes.map(({ html }) => html.slice(0, 120)).join(' ')}`),
    at,
  ).toEqual([])
}
