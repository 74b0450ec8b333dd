import { expect, test } from 'vitest'
import { expireInvitation } from '#control-plane/access/invitations/expire.ts'
import { databaseCalendar } from '#control-plane/base/calendar.ts'
import { anAddress, lastAudit, started } from '#test/control-plane/identity/people.ts'
import { app, given } from '#test/support/app.ts'

const { platform } = app.services

test('an invitation expires at the moment its workflow was given, and frees its seat', async () => {
  const owner = await given.tenant({ overrides: { team_members: 2 } })
  const email = anAddress()
  const { body } = await owner.post('/invitations', { email })
  const [process] = await started(owner.tenantId)
  const end = new Date(Number(process?.payload.input.expiresAtMs))
  const at = (moment: Date) => ({ ...databaseCalendar, now: async () => moment })
  expect(await expireInvitation(platform, body.data.id, end, at(new Date(end.getTime() - 1)))).toEqual({ againInMs: 1 })
  expect((await owner.post('/invitations', { email: anAddress() })).body.code).toBe('plan_limit')
  expect(await expireInvitation(platform, body.data.id, end, at(end))).toBe('expired')
  expect((await owner.get(`/invitations/${body.data.id}`)).body.data.status).toBe('expired')
  expect(await lastAudit(owner.tenantId, 'invitation.expired')).toMatchObject({ entity_id: body.data.id })
  expect((await owner.post('/invitations', { email })).status).toBe(201)
})

test('one sent again outlives its first end', async () => {
  const owner = await given.tenant()
  const { body } = await owner.post('/invitations', { email: anAddress() })
  await owner.post(`/invitations/${body.data.id}/resend`)
  const [first, second] = (await started(owner.tenantId)).map(
    process => new Date(Number(process.payload.input.expiresAtMs)),
  )
  const late = { ...databaseCalendar, now: async () => new Date(second!.getTime() + 1) }
  expect(await expireInvitation(platform, body.data.id, first!, late)).toBe('superseded')
  expect((await owner.get(`/invitations/${body.data.id}`)).body.data.status).toBe('pending')
  expect(await expireInvitation(platform, body.data.id, second!, late)).toBe('expired')
})
