import { expect, test } from 'vitest'
import { mails } from '#contract/mails.ts'
import { settleMails } from '#control-plane/alerting/mail/queue.ts'
import { addMail } from '#control-plane/outbox/mail.ts'
import { app, given, type TeamUnderTest } from '#test/support/app.ts'

const { platform, config } = app.services

/** A mail to the owner of a team, which a server does not take. */
async function aFailure(team: TeamUnderTest, how: 'retry' | 'dead', why: string): Promise<string> {
  const recipient = { userId: team.userId, email: `${team.userId}@people.test`, name: 'Pat', language: 'en' as const }
  const tenantId = team.tenantId
  const id = await addMail(platform, config, {
    tenantId,
    type: 'invitation',
    recipient,
    data: mails.invitation.example,
  })
  await settleMails(platform)([{ item: { id, attempts: 0 }, end: { how, why, afterS: 3_600 } }])
  return id
}

test('a reseller lists the mails of its teams that were not delivered, without their addresses', async () => {
  const reseller = await given.reseller({ scopes: ['teams:read'] })
  const [team, gone] = [await given.team(reseller), await given.team(reseller)]
  const foreign = await given.team(await given.reseller())
  const retried = await aFailure(team, 'retry', 'connect')
  const dead = await aFailure(team, 'dead', 'recipient')
  await aFailure(gone, 'dead', 'recipient')
  await aFailure(foreign, 'dead', 'recipient')
  await platform.query('update managed_teams set deleted_at = now() where id = $1', [gone.id])
  const { status, body, text } = await reseller.get('/reseller/undelivered-mails')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    data: [
      { id: dead, managed_team_id: team.id, type: 'invitation', state: 'given_up', reason: 'recipient', attempts: 1 },
      { id: retried, state: 'retrying', reason: 'connect', attempts: 1, given_up_at: null },
    ],
    meta: { total: 2 },
  })
  expect(body.data[0].given_up_at).toMatch(/Z$/)
  expect(text).not.toContain('people.test')
  expect((await reseller.get('/reseller/undelivered-mails?per_page=1&page=2')).body.data).toHaveLength(1)
})
