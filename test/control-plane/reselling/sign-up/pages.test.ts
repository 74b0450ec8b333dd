import { randomUUID } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '#cli/local/loopback.ts'
import { mailsOf } from '#test/control-plane/identity/mails.ts'
import { anAddress, password } from '#test/control-plane/identity/people.ts'
import { app, given } from '#test/support/app.ts'
import { violationsOf } from '#test/support/axe.ts'
import { openBrowser } from '#test/support/chromium.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

async function aPortal() {
  const reseller = await given.reseller({ scopes: ['portal:manage', 'teams:manage', 'branding:manage'] })
  const slug = `portal-${randomUUID()}`
  await reseller.patch('/reseller/portal', { slug, support_email: 'help@example.com', sign_up: { is_enabled: true } })
  await app.services.platform.query(
    `insert into brandings (tenant_id, brand_name) values ($1, '<b>Acme</b> Watch')
     on conflict (tenant_id) do update set brand_name = excluded.brand_name`,
    [reseller.tenantId],
  )
  return { reseller, slug }
}

describe('the pages of a portal', () => {
  test('lead a person from the sign-up to the first monitor, in the brand of the reseller', async () => {
    const { reseller, slug } = await aPortal()
    const context = await browser.newContext({ bypassCSP: false, locale: 'en-GB' })
    const page = await context.newPage()
    const problems: string[] = []
    page.on('pageerror', error => problems.push(String(error)))
    await page.goto(`${app.baseUrl}/p/${slug}`)
    expect(await page.title()).toContain('<b>Acme</b> Watch')
    await page.getByRole('link', { name: 'Sign up' }).click()
    const email = anAddress()
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Your name').fill('Nia New')
    await page.getByLabel('Name of your team').fill('Shop of Nia')
    const proof = page.locator('input[name=altcha]')
    const isSolved = async () => (await proof.count()) > 0 && (await proof.inputValue()) !== ''
    expect(await until(isSolved, { withinMs: 30_000, everyMs: 100 })).toBe(true)
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByText('A mail with a link is on its way').waitFor({ timeout: 30_000 })
    expect(await until(async () => (await mailsOf(reseller)).length > 0, { withinMs: 5_000 })).toBe(true)
    const [mail] = await mailsOf(reseller)
    const link = new URL(mail?.data.confirm_url)
    await page.goto(`${app.baseUrl}${link.pathname}${link.hash}`)
    await page.getByLabel('New password').fill(password)
    await page.getByRole('button').click()
    await page.getByText('you are signed in').waitFor({ timeout: 30_000 })
    const monitor = await page.evaluate(async () => {
      const answer = await fetch('/api/v1/monitors', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: 'Shop', url: 'https://shop.example.com/' }),
      })
      return { status: answer.status, body: await answer.json() }
    })
    expect(monitor).toMatchObject({ status: 201, body: { data: { name: 'Shop' } } })
    expect(problems).toEqual([])
    await context.close()
  }, 120_000)

  test('are not there for a slug that is unknown, closed or disabled', async () => {
    const { reseller, slug } = await aPortal()
    const statusOf = async (path: string) => (await fetch(app.baseUrl + path)).status
    expect(await statusOf(`/p/${slug}`)).toBe(200)
    expect(await statusOf(`/p/${slug}/sign-up`)).toBe(200)
    expect(await statusOf('/p/unknown')).toBe(404)
    expect(await statusOf('/sign-up'), 'no portal on this host').not.toBe(200)
    await reseller.patch('/reseller/portal', { sign_up: { is_enabled: false } })
    expect(await statusOf(`/p/${slug}/sign-up`)).not.toBe(200)
    await reseller.patch('/reseller/portal', { is_enabled: false })
    expect(await statusOf(`/p/${slug}`)).toBe(404)
  })
})
