import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { settleDeliveries } from '#control-plane/alerting/deliveries/store.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const { platform } = app.services

async function aChannel(of: CallerUnderTest) {
  const { body } = await of.post('/notification-channels', {
    name: 'Ops',
    type: 'webhook',
    config: { url: 'https://hooks.example.com/in' },
  })
  const { id } = body.data
  return {
    id,
    shown: async () => (await of.get('/notification-channels')).body.data[0],
    /** Makes the last attempt of a message fail or succeed. */
    async end(isDelivered: boolean) {
      const delivery = randomUUID()
      await platform.query(
        `insert into deliveries (id, tenant_id, channel_id, event, body, status, attempts, next_at)
         values ($1, $2, $3, 'incident.created', '{}', 'retrying', 3, now() + interval '1 hour')`,
        [delivery, of.tenantId, id],
      )
      const sent = { isDelivered, status: isDelivered ? 200 : 503, error: null, answer: null, durationMs: 1 }
      await settleDeliveries(platform, [{ id: delivery, attempts: 3, sent, waitS: null }], false)
    },
  }
}

const mails = async (of: { tenantId: string }) =>
  (
    await platform.query(
      `select payload, is_personal from outbox
           where tenant_id = $1 and kind = 'mail' and name = 'channel_failing' order by id`,
      [of.tenantId],
    )
  ).rows

test('a failing channel is shown as failing; its team is notified by mail, and again when it fails later', async () => {
  const reseller = await given.reseller()
  const [admin, team] = [await given.colleague(reseller, 'admin'), await given.team(reseller)]
  await given.colleague(reseller, 'member')
  await given.impersonation(reseller, team)
  const channel = await aChannel(reseller)
  await platform.query(`update users set language = 'de' where id = $1`, [admin.userId])
  await channel.end(false)
  await channel.end(false)
  const sent = await mails(reseller)
  expect(sent.map(({ payload }) => payload.recipient.user_id).toSorted()).toEqual(
    [reseller.userId, admin.userId].toSorted(),
  )
  expect(sent.find(({ payload }) => payload.recipient.user_id === admin.userId)).toEqual({
    is_personal: true,
    payload: {
      recipient: { user_id: admin.userId, email: `${admin.userId}@people.test`, name: 'Pat Person', language: 'de' },
      data: {
        team_name: expect.any(String),
        channel_name: 'Ops',
        channel_type: 'webhook',
        failing_since: expect.any(String),
      },
    },
  })
  expect(await channel.shown()).toMatchObject({ is_failing: true, failing_since: sent[0].payload.data.failing_since })
  expect(await mails(team)).toEqual([])

  await channel.end(true)
  expect(await channel.shown()).toMatchObject({ is_failing: false, failing_since: null })
  // a channel that fails and recovers repeatedly causes no further mail
  await channel.end(false)
  expect(await mails(reseller)).toHaveLength(2)
  await channel.end(true)
  await platform.query(
    `update notification_channels set failing_notified_at = failing_notified_at - interval '61 minutes' where id = $1`,
    [channel.id],
  )
  await channel.end(false)
  expect(await mails(reseller)).toHaveLength(4)
})

test('the mail about a failing channel goes to members of the team, not to service users of its reseller', async () => {
  const reseller = await given.reseller()
  const team = await given.team(reseller)
  await given.impersonation(reseller, team)
  await (await aChannel(team)).end(false)
  expect((await mails(team)).map(({ payload }) => payload.recipient.user_id)).toEqual([team.userId])
  expect(await mails(reseller)).toEqual([])
})
