import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Authority } from '#test/checks/certificates.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { MailServer } from '#test/support/mail-server.ts'
import { eventually, System } from '#test/support/system.ts'
import { Site } from '#test/support/target.ts'

let browser: Browser
let system: System
let site: Site
let mail: MailServer
beforeAll(async () => {
  const authority = await Authority.make()
  ;[browser, site, mail] = await Promise.all([
    openBrowser(),
    Site.open(),
    MailServer.open({ certificate: await authority.issue({ names: ['localhost'] }), encryption: 'none' }),
  ])
  system = await System.start({
    env: { SMTP_URL: `smtp://127.0.0.1:${mail.port}`, MAIL_FROM: 'Vedette <vedette@example.com>' },
  })
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await system?.stop()
  await Promise.all([site?.close(), mail?.close()])
})

const alertS = 10

test('after nothing but the first steps in the app, an outage is mailed within ten seconds, and so is its end', {
  timeout: 180_000,
}, async () => {
  const { email, password } = system.local.team
  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto(`${system.local.base_url}/login?next=/app/welcome`)
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByLabel('Address of the site').fill(site.url)
  await page.getByRole('button', { name: 'Check it now' }).click()
  await page.getByRole('heading', { name: /is up$/ }).waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  expect(await page.getByLabel('E-mail address').inputValue()).toBe(email)
  expect(await page.getByRole('switch', { name: 'Notify about all incidents' }).isChecked()).toBe(true)
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText(/^Delivered in \d+ ms\. Every incident is notified there\.$/).waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('link', { name: 'Go to the overview' }).click()
  await page.getByText('No incident is open, and no monitor has a warning.').first().waitFor()
  expect(await page.getByRole('button', { name: /about all incidents$/ }).count()).toBe(0)
  await eventually('the test message is there', async () => mail.arrived[0])
  mail.arrived.length = 0

  const [monitor] = (await system.get('/monitors')).body.data
  const [check] = (await system.get(`/monitors/${monitor.id}/checks`)).body.data
  // the site is checked every few minutes: the test does not wait for the next time
  const mailAfter = async (change: 'error' | 'up', subject: RegExp) => {
    const changedAt = site.become(change)
    expect((await system.post(`/checks/${check.id}/request-run`)).status).toBeLessThan(300)
    const arrived = await eventually(`the mail ${subject} is there`, async () =>
      mail.arrived.find(each => subject.test(each.mail.subject ?? '')),
    )
    expect(arrived.to).toEqual([email])
    return (Date.now() - changedAt) / 1_000
  }
  const brokenS = await mailAfter('error', /down/i)
  const mendedS = await mailAfter('up', /up again|recovered|resolved/i)
  console.log(`from the break of the site to the mail: ${brokenS.toFixed(2)} s; from its end: ${mendedS.toFixed(2)} s`)
  expect(brokenS).toBeLessThan(alertS)
  expect(mail.arrived).toHaveLength(2)

  const [incident] = await system.incidents(monitor.id)
  await page.goto(`${system.local.base_url}/app/incidents/${incident.id}`)
  await page.getByText('Of 1 channels one was notified of its beginning.').waitFor()
  await context.close()
})
