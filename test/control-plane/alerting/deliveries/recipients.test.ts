import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { events } from '#contract/events.ts'
import { attempt } from '#control-plane/alerting/deliveries/attempt.ts'
import { composeMessage } from '#control-plane/alerting/dispatch/message.ts'
import type { Mailer } from '#control-plane/alerting/mail/mailer.ts'
import { platformAt, setServer, Town } from '#test/control-plane/alerting/mail/posted.ts'
import { anIncident } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import type { MailServer } from '#test/support/mail-server.ts'
import { confirmRecipients } from '#test/support/recipients.ts'

const { platform, bounded, guard, log, clock } = app.services
let town: Town
let server: MailServer
let mailer: Mailer
beforeAll(async () => {
  town = await Town.found()
  server = await town.server({ encryption: 'ssl' })
  mailer = town.mailer(platformAt(server))
})
afterAll(() => town.close())

const stranger = () => `${randomUUID()}@example.net`
const addressOf = ({ userId }: CallerUnderTest) => `${userId}@people.test`
const arrivedAt = (address: string) => server.arrived.filter(({ to }) => to.includes(address)).map(({ mail }) => mail)

/** An e-mail channel and a delivery to it. */
async function aDelivery(
  owner: CallerUnderTest,
  config: Record<string, unknown>,
  incidentId: string = randomUUID(),
  by = mailer,
) {
  const created = await owner.post('/notification-channels', { name: 'Mail', type: 'email', config })
  expect(created.status, created.text).toBe(201)
  await confirmRecipients(platform, owner.tenantId, ...(config.recipients as string[]))
  const { id: channelId } = created.body.data
  const id = randomUUID()
  const example = { ...events.get('incident.created')?.example, incident_id: incidentId }
  const { text: body } = composeMessage({ event: 'incident.created', at: new Date(clock.nowMs()), payload: example })
  await platform.query(
    `insert into deliveries (id, tenant_id, channel_id, event, body, status, next_at)
     values ($1, $2, $3, 'incident.created', $4, 'pending', now() + interval '1 hour')`,
    [id, owner.tenantId, channelId, body],
  )
  const channel = { id: channelId, tenantId: owner.tenantId, type: 'email' as const, config, secrets: null }
  return {
    id,
    try: (attempts = 0) =>
      attempt(
        { bounded, config: app.services.config, guard, log, platform, mailer: by },
        { id, channel, body, attempts },
      ),
  }
}

describe('a mail of a channel to many recipients', () => {
  test('is in the language and time zone of each member, else in those of the channel', async () => {
    const owner = await given.tenant()
    const colleague = await given.colleague(owner, 'member')
    await owner.patch('/profile', { language: 'de', timezone: 'Europe/Berlin' })
    await colleague.patch('/profile', { language: 'en-US', timezone: 'America/New_York' })
    const other = stranger()
    const delivery = await aDelivery(owner, {
      recipients: [addressOf(owner), addressOf(colleague), other],
      language: 'de',
      timezone: 'Asia/Tokyo',
    })
    expect(await delivery.try()).toMatchObject({ isDelivered: true, answer: null })
    const textOf = (address: string) => arrivedAt(address).map(({ text }) => text)
    expect(textOf(addressOf(owner))).toEqual([expect.stringContaining('Seit: 15. Januar 2026 um 09:30 MEZ')])
    expect(textOf(addressOf(colleague))).toEqual([expect.stringContaining('Since: 15 January 2026 at 03:30 GMT-5')])
    expect(textOf(other)).toEqual([expect.stringContaining('Seit: 15. Januar 2026 um 17:30')])
  })

  test('has an acknowledge link for each recipient', async () => {
    const owner = await given.tenant()
    const incident = await anIncident(owner)
    const other = stranger()
    const delivery = await aDelivery(owner, { recipients: [addressOf(owner), other] }, incident)
    expect(await delivery.try()).toMatchObject({ isDelivered: true })
    const linkTo = (address: string) =>
      /http:\/\/localhost\/acknowledge#([\w-]+)/.exec(arrivedAt(address)[0]?.text ?? '')?.[1] ?? ''
    expect(linkTo(addressOf(owner))).not.toBe(linkTo(other))
    const { status, body, text } = await given
      .stranger()
      .post('/incidents/acknowledge-by-link', { token: linkTo(addressOf(owner)) })
    expect(status, text).toBe(200)
    expect(body.data.acknowledged_by_name).toBe('Pat Person')
    expect((await owner.get(`/incidents/${incident}`)).body.data.acknowledged_by).toBe(owner.userId)
  })

  test('is retried only for recipients without it, and stores no address', async () => {
    const owner = await given.tenant()
    const [one, late, never] = [stranger(), stranger(), stranger()]
    const delivery = await aDelivery(owner, { recipients: [one, late, never] })
    server.refuses = address => (address === late ? 'later' : address === never)
    try {
      expect(await delivery.try(0)).toMatchObject({ isDelivered: false, error: 'mail' })
      expect([one, late, never].map(address => arrivedAt(address).length)).toEqual([1, 0, 0])
      const { rows } = await platform.query('select mailed_to from deliveries where id = $1', [delivery.id])
      expect(rows[0].mailed_to).toHaveLength(1)
      expect(JSON.stringify(rows)).not.toContain('@')
      server.refuses = address => address === never
      expect(await delivery.try(1)).toMatchObject({ isDelivered: true, answer: '1 of 3 recipients were refused.' })
      expect([one, late, never].map(address => arrivedAt(address).length)).toEqual([1, 1, 0])
    } finally {
      server.refuses = () => false
    }
  })

  test('that some recipients refuse is delivered after the last attempt, and failed if all refuse', async () => {
    const owner = await given.tenant()
    const [one, late] = [stranger(), stranger()]
    server.refuses = address => address === late && 'later'
    try {
      const some = await aDelivery(owner, { recipients: [one, late] })
      expect(await some.try(2)).toMatchObject({ isDelivered: false })
      expect(await some.try(3)).toMatchObject({ isDelivered: true, answer: '1 of 2 recipients were refused.' })
      const none = await aDelivery(owner, { recipients: [late] })
      expect(await none.try(3)).toMatchObject({ isDelivered: false, error: 'mail' })
    } finally {
      server.refuses = () => false
    }
  })

  test('is not delivered by the mail sink where the server of the team fails and the platform has none', async () => {
    const owner = await given.tenant()
    const to = stranger()
    await setServer({ ...owner, port: server.port, encryption: 'ssl', password: 'wrong' })
    const sunk = town.mailer()
    try {
      const delivery = await aDelivery(owner, { recipients: [to] }, randomUUID(), sunk)
      const kept = async () =>
        (await platform.query('select 1 from mail_sink_messages where $1 = any(recipients)', [to])).rows.length
      expect(await delivery.try(0)).toMatchObject({ isDelivered: false, error: 'mail' })
      expect(await kept()).toBe(0)
      expect(await delivery.try(3)).toMatchObject({
        isDelivered: false,
        isKept: true,
        answer:
          'The mail server refused the user name or password. Kept for the operator to read: the platform has no server.',
      })
      expect(await kept()).toBe(1)
    } finally {
      sunk.close()
    }
  })

  test('is sent to all recipients again on a replay', async () => {
    const owner = await given.tenant()
    const one = stranger()
    const delivery = await aDelivery(owner, { recipients: [one] })
    await delivery.try()
    await delivery.try()
    expect(arrivedAt(one)).toHaveLength(1)
    await platform.query(`update deliveries set status = 'delivered' where id = $1`, [delivery.id])
    expect((await owner.post(`/notification-logs/${delivery.id}/replay`)).status).toBe(200)
    await delivery.try()
    expect(arrivedAt(one)).toHaveLength(2)
  })

  test('reaches each of fifty recipients once', async () => {
    const owner = await given.tenant()
    const recipients = Array.from({ length: 50 }, stranger)
    const delivery = await aDelivery(owner, { recipients })
    expect(await delivery.try()).toMatchObject({ isDelivered: true })
    expect(recipients.map(address => arrivedAt(address).length)).toEqual(recipients.map(() => 1))
  })
})

test('the language and time zone of a channel are stored, shown, removed by null, and validated', async () => {
  const owner = await given.tenant()
  const slack = { webhook_url: 'https://hooks.slack.example.com/services/x' }
  const created = await owner.post('/notification-channels', {
    name: 'x',
    type: 'slack',
    config: { ...slack, language: 'de', timezone: 'Europe/Berlin' },
  })
  expect(created.body.data.config).toMatchObject({ language: 'de', timezone: 'Europe/Berlin' })
  const path = `/notification-channels/${created.body.data.id}`
  expect((await owner.patch(path, { config: { timezone: null } })).body.data.config).toMatchObject({
    language: 'de',
    timezone: null,
  })
  for (const [field, value] of [
    ['language', 'fr'],
    ['language', ''],
    ['timezone', 'Mars/Olympus'],
    ['timezone', '+02:00'],
    ['timezone', 'x'.repeat(65)],
  ] as const) {
    const { status, body } = await owner.patch(path, { config: { [field]: value } })
    expect([status, Object.keys(body.errors)], value).toEqual([422, [`config.${field}`]])
  }
})
