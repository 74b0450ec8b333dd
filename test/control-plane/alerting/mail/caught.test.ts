import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { deleteExpiredDeliveries } from '#control-plane/alerting/deliveries/delete-expired.ts'
import { storeMail } from '#control-plane/alerting/mail/store-mail.ts'
import { app, given } from '#test/support/app.ts'

const { platform, config } = app.services
const sender = { name: 'Vedette', address: '', replyTo: null }

async function caught(type: string) {
  const tenant = await given.tenant()
  const address = `${randomUUID()}@example.com`
  const link = `https://status.example/password-reset#${randomUUID()}`
  const letter = {
    id: randomUUID(),
    tenantId: tenant.tenantId,
    type,
    to: [{ name: null, address }],
    subject: 'Hello',
    text: `Open ${link}`,
    headers: {},
  }
  await storeMail(platform, config, { ...letter, html: `<a href="${link}">Open</a>` }, sender)
  const operator = await given.operator()
  const [listed] = (await operator.get(`/caught-mails?recipient=${address}`)).body.data
  const { rows } = await platform.query('select * from mail_sink_messages where id = $1', [listed.id])
  return { id: listed.id as string, operator, link, stored: JSON.stringify(rows) }
}

test.each(['password_reset', 'invitation', 'email_change_verify', 'digest', 'monthly_report'])(
  'a mail of type %s in the mail sink is readable for the operator, but its link is encrypted in the table',
  async type => {
    const { id, operator, link, stored } = await caught(type)
    expect(stored).not.toContain(link)
    expect(stored).not.toContain(link.split('#')[1])
    const { data } = (await operator.get(`/caught-mails/${id}`)).body
    expect(data).toMatchObject({ type, text: `Open ${link}`, html: `<a href="${link}">Open</a>` })
  },
)

test('control: a mail without a login link is stored as it is', async () => {
  const { stored, link } = await caught('incident_resolved')
  expect(stored).toContain(link)
})

test('a mail whose key is no longer configured is answered with 404', async () => {
  const { id, operator } = await caught('password_reset')
  await platform.query(`update mail_sink_messages set body = 'v1.unknown.' || body where id = $1`, [id])
  const { status, body } = await operator.get(`/caught-mails/${id}`)
  expect([status, body.message]).toEqual([404, 'The key of this caught mail was not found.'])
})

test('a mail with a login link is deleted after a week, any other after a month', async () => {
  const [link, plain] = [await caught('password_reset'), await caught('incident_resolved')]
  const isThere = async (id: string) =>
    (await platform.query('select 1 from mail_sink_messages where id = $1', [id])).rowCount === 1
  for (const [days, left] of [
    [6.9, [true, true]],
    [7.1, [false, true]],
    [29.9, [false, true]],
    [30.1, [false, false]],
  ] as const) {
    await platform.query(
      `update mail_sink_messages set created_at = now() - $2 * interval '1 day' where id = any($1)`,
      [[link.id, plain.id], days],
    )
    await deleteExpiredDeliveries(platform)
    expect([await isThere(link.id), await isThere(plain.id)], `${days} days`).toEqual(left)
  }
})
