import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CallerUnderTest, given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { AppPage } from '#test/support/web.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

test('a person adds a channel, sees what it answers to a test, and lets a rule and a policy use it', async () => {
  const owner = await given.tenant()
  const opened = await AppPage.open(browser, owner, '/app/alerts')
  const { page } = opened
  await page.getByRole('button', { name: 'New channel' }).first().click()
  const editor = page.getByRole('dialog')
  await editor.getByRole('textbox', { name: 'Name' }).fill('Pat by mail')
  await editor.getByRole('textbox', { name: 'Recipients' }).fill('pat')
  await editor.getByRole('button', { name: 'Save' }).click()
  await editor.locator('.field-error').first().waitFor()
  const { body: user } = await owner.get('/user')
  await editor.getByRole('textbox', { name: 'Recipients' }).fill(user.email)
  await editor.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('No mail server is set: the mail is kept on the server, and nobody received it.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()

  await page.getByRole('link', { name: 'Rules', exact: true }).click()
  await page.getByText('incident.created and incident.resolved of all monitors go to Pat by mail.').waitFor()

  await page.getByRole('link', { name: 'Escalation policies' }).click()
  await page.getByRole('button', { name: 'New policy' }).first().click()
  const policy = page.getByRole('dialog')
  await policy.getByRole('textbox', { name: 'Name' }).fill('Nights')
  await policy.getByRole('button', { name: 'Add a step' }).click()
  await policy
    .getByRole('group', { name: 'Step 2' })
    .getByRole('button', { name: /Whole team/ })
    .click()
  await page.getByRole('option', { name: 'Channel' }).click()
  await opened.examine('alerts-policy-editor')
  await policy.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('article', { name: 'Nights' }).getByText('After 10 minutes: Pat by mail').waitFor()
  await opened.close()
  const { body } = await owner.get('/escalation-policies')
  expect(body.data[0].steps).toMatchObject([{ targets: [{ type: 'team' }] }, { targets: [{ type: 'channel' }] }])
})

async function aMonitor(owner: CallerUnderTest, name: string, more: object = {}): Promise<string> {
  const { status, body } = await owner.post('/monitors', { name, url: 'https://example.com/', ...more })
  expect(status).toBe(201)
  return body.data.id
}

test('the overview and Alerts say first that nobody is notified, and one press mends it', async () => {
  const owner = await given.tenant()
  await aMonitor(owner, 'Shop')
  const opened = await AppPage.open(browser, owner, '/app')
  const { page } = opened
  const notice = page.getByRole('alert')
  await notice.getByText('Nobody is notified when Shop goes down.').waitFor()
  await opened.examine('overview-gap')
  const { email } = (await owner.get('/user')).body
  await notice.getByRole('button', { name: `Notify ${email} about all incidents` }).click()
  await notice.waitFor({ state: 'detached' })
  const [channel] = (await owner.get('/notification-channels')).body.data
  expect(channel).toMatchObject({ type: 'email', config: { recipients: [email] } })

  await owner.delete(`/notification-channels/${channel.id}`)
  const hook = { name: 'Chat', type: 'webhook', config: { url: 'https://chat.example.com/x' } }
  const { body: made } = await owner.post('/notification-channels', { ...hook, notify_all: false })
  await opened.go('/app/alerts')
  await page.getByText('No rule: nothing is sent to it').waitFor()
  await notice.getByRole('button', { name: 'Notify Chat about all incidents' }).click()
  await notice.waitFor({ state: 'detached' })
  await page.getByText('No rule: nothing is sent to it').waitFor({ state: 'detached' })
  const rules = (await owner.get('/notification-rules')).body.data
  expect(rules).toMatchObject([{ channel_id: made.data.id, event_types: ['incident.created', 'incident.resolved'] }])
  await opened.close()
})

test('a rule is chosen by groups of events, and the list of single events is folded, without those of resellers', async () => {
  const owner = await given.tenant()
  const hook = { name: 'Chat', type: 'webhook', config: { url: 'https://chat.example.com/x' } }
  const { body: made } = await owner.post('/notification-channels', { ...hook, notify_all: false })
  const opened = await AppPage.open(browser, owner, '/app/alerts/rules')
  const { page } = opened
  await page.getByRole('button', { name: 'New rule' }).first().click()
  const editor = page.getByRole('dialog')
  const group = (name: string) => editor.getByRole('checkbox', { name, exact: true })
  await expect.poll(() => group('Incidents').isChecked()).toBe(true)
  for (const name of ['Warnings', 'Certificates and domains', 'Everything'])
    expect(await group(name).isChecked()).toBe(false)
  expect(await editor.getByRole('searchbox').isVisible()).toBe(false)
  await opened.examine('alerts-rule-editor')
  await editor.getByText('Certificates and domains', { exact: true }).click()
  await editor.getByText('Single events', { exact: true }).click()
  await editor.getByRole('searchbox').waitFor()
  expect(await group('dns.records_changed').isChecked()).toBe(true)
  expect(await editor.getByText(/Instead of the e-mail/).count()).toBe(0)
  expect(await group('monitor.down').count()).toBe(0)
  await editor.getByRole('button', { name: 'Save' }).click()
  await editor.waitFor({ state: 'detached' })
  const [rule] = (await owner.get('/notification-rules')).body.data
  expect(rule.channel_id).toBe(made.data.id)
  expect(rule.event_types.toSorted()).toEqual([
    'certificate.renewed',
    'dns.nameserver_changed',
    'dns.records_changed',
    'incident.created',
    'incident.resolved',
    'warning.domain_expiring',
    'warning.ssl_expiring',
  ])

  // a rule that a program made by another name of the event, and with one more
  const path = `/notification-rules/${rule.id}`
  await owner.patch(path, { event_types: ['monitor.down', 'monitor.up', 'maintenance.started'] })
  await page.reload()
  await page.getByRole('button', { name: /^Actions for the rule of/ }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await expect.poll(() => group('Incidents').isChecked()).toBe(true)
  await editor.getByRole('searchbox').waitFor()
  expect(await group('maintenance.started').isChecked()).toBe(true)
  await editor.getByText('Incidents', { exact: true }).click()
  await editor.getByRole('button', { name: 'Save' }).click()
  await editor.waitFor({ state: 'detached' })
  expect((await owner.get('/notification-rules')).body.data[0].event_types).toEqual(['maintenance.started'])
  await opened.close()
})

test('the notice names the monitors that no rule reaches, and a viewer reads it without a button', async () => {
  const owner = await given.tenant()
  await aMonitor(owner, 'Shop', { tags: ['prod'] })
  for (const name of ['Blog', 'Docs', 'Forum', 'Wiki']) await aMonitor(owner, name)
  const hook = { name: 'Chat', type: 'webhook', config: { url: 'https://chat.example.com/x' } }
  const { body } = await owner.post('/notification-channels', { ...hook, notify_all: false })
  const rule = { channel_id: body.data.id, event_types: ['monitor.down'], monitor_filter: { tags: ['prod'] } }
  expect((await owner.post('/notification-rules', rule)).status).toBe(201)
  const opened = await AppPage.open(browser, await given.colleague(owner, 'viewer'), '/app')
  const notice = opened.page.getByRole('alert')
  const says = 'Nobody is notified when one of 4 monitors goes down: Blog, Docs, Forum, and 1 more.'
  await notice.getByText(says).waitFor()
  expect(await notice.getByRole('button').count()).toBe(0)
  await opened.close()
})

test('a channel whose switch is off gets no rule, and the list says that nothing is sent to it', async () => {
  const owner = await given.tenant()
  const opened = await AppPage.open(browser, owner, '/app/alerts')
  const { page } = opened
  await page.getByRole('button', { name: 'New channel' }).first().click()
  const editor = page.getByRole('dialog')
  await editor.getByRole('button', { name: /E-mail/ }).click()
  await page.getByRole('option', { name: 'Webhook' }).click()
  await editor.getByRole('textbox', { name: 'Name' }).fill('Chat')
  await editor.getByRole('textbox', { name: 'Address' }).fill('https://chat.example.com/x')
  const isOn = editor.getByRole('switch', { name: 'Notify about all incidents' })
  expect(await isOn.isChecked()).toBe(true)
  await isOn.press(' ')
  await editor.getByRole('button', { name: 'Save' }).click()
  await page.getByText('No rule: nothing is sent to it').waitFor()
  expect((await owner.get('/notification-rules')).body.data).toEqual([])
  await opened.close()
})
