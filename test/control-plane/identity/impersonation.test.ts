import { describe, expect, test } from 'vitest'
import { CallerUnderTest, given } from '#test/support/app.ts'
import { anAddress, another, aPersonIn, password } from './people.ts'

/** A reseller's person who stands in for a team, by token or by header, and that team's owner. */
async function standIns() {
  const reseller = await given.reseller()
  const team = await given.team(reseller)
  const { body } = await reseller.post(`${team.path}/impersonation-tokens`)
  return { reseller, team, byToken: new CallerUnderTest(team.tenantId, null, body.plain_text_token) }
}

describe('who stands in for a team', () => {
  test('sees its people, without themselves among them, and removes members', async () => {
    const { team, byToken } = await standIns()
    const member = await aPersonIn(team.tenantId)
    expect((await byToken.get('/members')).body.meta.total).toBe(2)
    expect((await byToken.delete(`/members/${member.userId}`)).status).toBe(204)
  })

  test('changes no roles, removes no owners, resets no second factors', async () => {
    const { team, byToken } = await standIns()
    const second = await given.colleague(team, 'owner')
    expect((await byToken.patch(`/members/${second.userId}`, { role: 'member' })).body.code).toBe(
      'impersonation_refused',
    )
    expect((await byToken.post(`/members/${second.userId}/reset-mfa`)).body.code).toBe('impersonation_refused')
    expect((await byToken.delete(`/members/${second.userId}`)).body.code).toBe('role_too_high')
  })

  test('an impersonation token cannot invite people', async () => {
    const { byToken } = await standIns()
    for (const role of ['owner', 'member'])
      expect((await byToken.post('/invitations', { email: anAddress(), role })).body.code).toBe('impersonation_refused')
  })

  test('has no profile, password, sessions or second factor there', async () => {
    const { byToken } = await standIns()
    const answers = [
      await byToken.get('/profile'),
      await byToken.patch('/profile', { name: 'Another' }),
      await byToken.post('/profile/password', { current_password: password, password: another }),
      await byToken.get('/profile/export'),
      await byToken.get('/profile/sessions'),
      await byToken.delete('/profile/sessions'),
      await byToken.post('/profile/mfa', { password }),
      await byToken.delete('/profile', { password }),
    ]
    expect(answers.map(answer => answer.body.code)).toEqual(answers.map(() => 'impersonation_refused'))
  })

  test('ends with the reseller’s person: removed there, the stand-in is out', async () => {
    const { reseller, byToken } = await standIns()
    const boss = await given.colleague(reseller, 'owner')
    expect((await byToken.get('/members')).status).toBe(200)
    expect((await boss.delete(`/members/${reseller.userId}`)).status).toBe(204)
    expect((await byToken.get('/members')).status).toBe(401)
    expect((await reseller.get('/reseller/managed-teams')).status).toBe(401)
  })
})
