import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linkToken } from '#control-plane/alerting/acknowledge-links/token.ts'
import { linkTo } from '#test/control-plane/identity/mails.ts'
import { anIncident } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { violationsOf } from '#test/support/axe.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { settling } from '#test/support/settled.ts'

const { config, clock } = app.services
/** The folder for screenshots. */
const folder = process.env.PICTURES

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
  if (folder) mkdirSync(folder, { recursive: true })
}, 60_000)
afterAll(() => browser?.close())

interface Appearance {
  locale?: string
  colorScheme?: 'light' | 'dark'
  width?: number
}

/** A page of the service in a browser of its own, and what it was asked for meanwhile. */
async function open(
  path: string,
  { locale = 'en-GB', colorScheme = 'light', width = 640 }: Appearance = {},
): Promise<{ page: Page; context: BrowserContext; posted: string[]; settled: () => Promise<void> }> {
  const context = await browser.newContext({
    locale,
    colorScheme,
    viewport: { width, height: 600 },
    extraHTTPHeaders: { 'X-Forwarded-For': given.stranger().ip },
  })
  const page = await context.newPage()
  const settled = settling(page)
  const posted: string[] = []
  page.on('request', request => {
    if (request.method() === 'POST') posted.push(new URL(request.url()).pathname)
  })
  await page.goto(app.baseUrl + path)
  return { page, context, posted, settled }
}

async function aLink(
  owner: CallerUnderTest,
  { days = 7, purpose = 'acknowledge' as 'acknowledge' | 'resolve' } = {},
): Promise<{ incident: string; path: string }> {
  const incident = await anIncident(owner, { startedAt: new Date('2026-01-15T08:30:00Z') })
  const slack = {
    name: 'On call',
    type: 'slack',
    config: { webhook_url: 'https://hooks.slack.example.com/services/x' },
  }
  const channelId = (await owner.post('/notification-channels', slack)).body.data.id
  const expiresAt = new Date(clock.nowMs() + days * 86_400_000)
  return {
    incident,
    path: `/${purpose}#${linkToken(config, purpose, { incidentId: incident, channelId, recipient: null, expiresAt })}`,
  }
}

describe('the page of an acknowledge link', () => {
  test('shows the incident, and acknowledges it when its one button is pressed', async () => {
    const owner = await given.tenant()
    const { incident, path } = await aLink(owner)
    const { page, context, posted } = await open(path)
    await page.getByText('Shop is down. HTTP 503 Since 15 January 2026').waitFor()
    expect(await page.getByRole('button').count()).toBe(1)
    // opened it changes nothing
    expect(posted).toEqual(['/api/v1/incidents/acknowledge-by-link/lookup'])
    expect((await owner.get(`/incidents/${incident}`)).body.data.acknowledged_at).toBeNull()
    await page.getByRole('button', { name: 'Acknowledge' }).click()
    await page.getByText('The incident is acknowledged.').waitFor()
    expect(await page.getByRole('button').isVisible()).toBe(false)
    expect((await owner.get(`/incidents/${incident}`)).body.data.acknowledged_at).not.toBeNull()
    await page.reload()
    await page.getByText(/^Someone acknowledged this incident at /).waitFor()
    expect(await page.getByRole('button').isVisible()).toBe(false)
    await context.close()
  })

  test('of the kind that resolves shows the incident, and resolves it when its one button is pressed', async () => {
    const owner = await given.tenant()
    const { incident, path } = await aLink(owner, { purpose: 'resolve' })
    const { page, context, posted } = await open(path)
    await page.getByText('Shop is down. HTTP 503 Since 15 January 2026').waitFor()
    expect(await page.getByRole('button').count()).toBe(1)
    expect(posted).toEqual(['/api/v1/incidents/resolve-by-link/lookup'])
    expect((await owner.get(`/incidents/${incident}`)).body.data.resolved_at).toBeNull()
    await page.getByRole('button', { name: 'Resolve' }).click()
    await page.getByText('The incident is resolved.').waitFor()
    expect((await owner.get(`/incidents/${incident}`)).body.data.resolved_at).not.toBeNull()
    await page.reload()
    await page.getByText('This incident is resolved already.').waitFor()
    expect(await page.getByRole('button').isVisible()).toBe(false)
    await context.close()
  })

  test('says in the reader’s language why a link does not work, and offers no button', async () => {
    const owner = await given.tenant()
    const { path } = await aLink(owner, { days: -1 })
    for (const [link, locale, words] of [
      [path, 'de-DE', 'Dieser Link ist abgelaufen.'],
      [path, 'en-GB', 'This link has expired.'],
      ['/acknowledge#nothing', 'de-DE', 'Dieser Link ist unvollständig'],
      ['/acknowledge', 'en-GB', 'This link is incomplete'],
    ] as const) {
      const { page, context } = await open(link, { locale })
      await page.getByText(words).waitFor()
      expect(await page.getByRole('button').isVisible()).toBe(false)
      await context.close()
    }
  })
})

describe('the page of an invitation', () => {
  /** The token that the inviter is shown, and that of the mail. */
  const invite = async (owner: CallerUnderTest, email: string) => {
    const { body } = await owner.post('/invitations', { email, role: 'viewer' })
    return { shown: String(body.plain_text_token), mailed: await linkTo(owner, 'invitation', email) }
  }

  test('shows the invitation, asks a newcomer for name and password, and shows errors beside the field', async () => {
    const owner = await given.tenant()
    const email = `${crypto.randomUUID()}@people.test`
    const { page, context } = await open(`/invitation#${(await invite(owner, email)).mailed}`)
    await page.getByText(new RegExp(`^Pat Person invites ${email} to join the team Tenant .* as viewer\\.$`)).waitFor()
    const password = page.getByLabel('New password')
    expect(await password.getAttribute('autocomplete')).toBe('new-password')
    expect(await page.getByText('At least 12 characters, hard').first().isVisible()).toBe(true)
    for (const label of ['Password of your account', /^Password$/])
      expect(await page.getByLabel(label).isVisible()).toBe(false)
    // the first field is where one types
    expect(await page.locator(':focus').getAttribute('name')).toBe('name')
    await page.locator('input[name=name]:enabled').fill('Nia New')
    await password.fill('short')
    await page.getByRole('button').click()
    await expect.poll(() => password.getAttribute('aria-invalid')).toBe('true')
    expect(await page.locator('.error').allTextContents()).toContainEqual(expect.stringMatching(/\w/))
    await password.fill('a quite different passphrase 9')
    await page.getByRole('button').click()
    await page.getByText('You are a member of the team now').waitFor()
    await context.close()
  })

  test('asks a person with an account for its password, in German too', async () => {
    const [owner, known] = [await given.tenant(), await given.tenant()]
    const { mailed } = await invite(owner, `${known.userId}@people.test`)
    const { page, context } = await open(`/invitation#${mailed}`, { locale: 'de-DE' })
    await page.getByText(/^Pat Person lädt .* ein\. Rolle: Beobachter\.$/).waitFor()
    expect(await page.getByLabel('Passwort Ihres Kontos').getAttribute('autocomplete')).toBe('current-password')
    expect(await page.getByLabel('Neues Passwort').isVisible()).toBe(false)
    await context.close()
  })

  test('opened by the shown token reveals no account, and asks for either password', async () => {
    const owner = await given.tenant()
    const email = `${crypto.randomUUID()}@people.test`
    const { page, context } = await open(`/invitation#${(await invite(owner, email)).shown}`)
    await page.getByText('By accepting').waitFor()
    for (const label of ['New password', 'Password of your account'])
      expect(await page.getByLabel(label).isVisible()).toBe(false)
    await page.locator('input[name=name]:enabled').fill('Nia New')
    await page.getByLabel(/^Password$/).fill('a quite different passphrase 9')
    await page.getByRole('button').click()
    await page.getByText('You are a member of the team now').waitFor()
    expect(await page.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/login')
    await context.close()
  })

  test('that is not open says so, and nothing beside it', async () => {
    const { page, context } = await open(`/invitation#${'x'.repeat(43)}`)
    await page.getByText('This invitation is not open').waitFor()
    expect(await page.getByText('By accepting').isVisible()).toBe(false)
    expect(await page.getByRole('button').isVisible()).toBe(false)
    await context.close()
  })
})

describe('pages without an account', () => {
  test.each(['light', 'dark'] as const)(
    'in a %s browser have the contrast of WCAG AA, names for all fields, and no sideways scrolling on a phone',
    async colorScheme => {
      const owner = await given.tenant()
      const { incident, path } = await aLink(owner)
      const invited = await owner.post('/invitations', { email: `${crypto.randomUUID()}@people.test`, role: 'viewer' })
      const invitation = `/invitation#${invited.body.data.plain_text_token ?? invited.body.plain_text_token}`
      for (const [name, address] of Object.entries({
        acknowledge: path,
        app: `/app/incidents/${incident}`,
        invitation,
        reset: '/password-reset#x',
        leave: '/unsubscribe#x',
      })) {
        const { page, context, settled } = await open(address, { colorScheme, width: 360 })
        await settled()
        if (folder) await page.screenshot({ path: join(folder, `page-${name}-${colorScheme}.png`), fullPage: true })
        expect(await page.evaluate<number>('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(360)
        expect(await violationsOf(page, 'wcag and best practice'), name).toEqual([])
        await context.close()
      }
    },
  )
})
