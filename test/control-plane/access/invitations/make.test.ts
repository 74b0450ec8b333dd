import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { anAddress, aPersonIn, lastAudit, started } from '#test/control-plane/identity/people.ts'
import { app, given } from '#test/support/app.ts'

const { platform } = app.services
const dayMs = 86_400_000

describe('POST /invitations', () => {
  test('invites for seven days, shows the token once and stores its hash alone', async () => {
    const owner = await given.tenant()
    const email = anAddress()
    const { status, body } = await owner.post('/invitations', { email, role: 'admin' })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      email,
      role: 'admin',
      status: 'pending',
      invited_by: owner.userId,
      resent_count: 0,
      accepted_at: null,
    })
    expect(Math.abs(Date.parse(body.data.expires_at) - Date.now() - 7 * dayMs)).toBeLessThan(60_000)
    expect(body.accept_url).toBe(`http://localhost/invitation#${body.plain_text_token}`)
    expect((await owner.get(`/invitations/${body.data.id}`)).body).toEqual({ data: body.data })
    const { rows } = await platform.query(
      'select row_to_json(i)::text as text from invitations i where tenant_id = $1',
      [owner.tenantId],
    )
    expect(rows[0].text).not.toContain(body.plain_text_token)

    const expiresAtMs = Date.parse(body.data.expires_at)
    expect(await started(owner.tenantId)).toEqual([
      {
        name: 'invitationExpiry',
        payload: {
          id: `invitation-expiry:${body.data.id}:${expiresAtMs}`,
          input: { invitationId: body.data.id, tenantId: owner.tenantId, expiresAtMs },
        },
      },
    ])
    expect(body.data.expires_at).toMatch(/000Z$/)
  })

  test('emits an event with ids only', async () => {
    const owner = await given.tenant()
    const { body } = await owner.post('/invitations', { email: anAddress() })
    const { rows } = await platform.query(`select name, payload from outbox where tenant_id = $1 and kind = 'event'`, [
      owner.tenantId,
    ])
    expect(rows).toEqual([
      {
        name: 'invitation.created',
        payload: { invitation_id: body.data.id, tenant_id: owner.tenantId, role: 'member' },
      },
    ])
    expect(await lastAudit(owner.tenantId, 'invitation.created')).toMatchObject({
      entity_type: 'team_invitation',
      entity_id: body.data.id,
      changes: { role: 'member' },
    })
  })

  test('one address has one open invitation a team, also when asked twice at once', async () => {
    const owner = await given.tenant()
    const email = anAddress()
    const answers = await Promise.all(
      [email, email.toUpperCase(), email].map(address => owner.post('/invitations', { email: address })),
    )
    expect(answers.map(answer => answer.status).sort()).toEqual([201, 422, 422])
    expect(answers.find(answer => answer.status === 422)?.body).toMatchObject({
      code: 'already_invited',
      errors: { email: [expect.any(String)] },
    })
    expect((await (await given.tenant()).post('/invitations', { email })).status).toBe(201)
    await platform.query(`update invitations set expires_at = now() - interval '1 second' where tenant_id = $1`, [
      owner.tenantId,
    ])
    expect((await owner.post('/invitations', { email })).status).toBe(201)
    expect((await owner.get('/invitations?status=expired')).body.meta.total).toBe(1)
  })

  test('refuses who is a member already, a role above one’s own, and wrong fields', async () => {
    const owner = await given.tenant()
    const member = await aPersonIn(owner.tenantId)
    expect((await owner.post('/invitations', { email: member.email })).body.code).toBe('already_member')
    const admin = await given.colleague(owner, 'admin')
    expect((await admin.post('/invitations', { email: anAddress(), role: 'owner' })).body.code).toBe('role_too_high')
    expect((await owner.post('/invitations', { email: anAddress(), role: 'owner' })).status).toBe(201)
    for (const body of [{}, { email: 'x' }, { email: null }, { email: `${'x'.repeat(250)}@a.test` }])
      expect(Object.keys((await owner.post('/invitations', body)).body.errors)).toEqual(['email'])
    expect(Object.keys((await owner.post('/invitations', { email: anAddress(), role: 'king' })).body.errors)).toEqual([
      'role',
    ])
    expect((await member.post('/invitations', { email: anAddress() })).status).toBe(403)
  })

  test('invitations in another tenant’s name are refused; a reseller invites by the team’s path', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const named = { headers: { 'X-Tenant-Id': team.tenantId } }
    expect((await reseller.post('/invitations', { email: anAddress(), role: 'member' }, named)).body.code).toBe(
      'impersonation_refused',
    )
    expect((await reseller.post(`${team.path}/invitations`, { email: anAddress(), role: 'owner' })).status).toBe(201)
    expect((await reseller.get(`${team.path}/invitations`)).body.meta.total).toBe(1)
    expect((await (await given.reseller()).get(`${team.path}/invitations`)).status).toBe(403)
  })

  test('a team cannot write to the world: so many open, so many a day, three a day for one address', async () => {
    const owner = await given.tenant()
    const email = anAddress()
    for (let i = 0; i < 3; i++) {
      const { status, body } = await owner.post('/invitations', { email })
      expect(status).toBe(201)
      expect((await owner.delete(`/invitations/${body.data.id}`)).status).toBe(204)
    }
    expect((await owner.post('/invitations', { email })).body.code).toBe('too_many_invitations')

    const fill = (tenantId: string, number: number, status: string) =>
      platform.query(
        `insert into invitations (id, tenant_id, email, role, status, token_hash, expires_at)
         select gen_random_uuid(), $1, gen_random_uuid() || '@people.test', 'member', $3,
           sha256(gen_random_uuid()::text::bytea), now() + interval '1 day' from generate_series(1, $2)`,
        [tenantId, number, status],
      )
    for (const [status, code] of [
      ['pending', 'plan_limit'],
      ['revoked', 'too_many_invitations'],
    ] as const) {
      const other = await given.tenant()
      await fill(other.tenantId, 99, status)
      expect((await other.post('/invitations', { email: anAddress() })).status).toBe(201)
      expect((await other.post('/invitations', { email: anAddress() })).body.code).toBe(code)
    }
  })
})

describe('POST /invitations/{invitation}/resend', () => {
  test('gives a new token and seven days more, and voids the earlier one', async () => {
    const owner = await given.tenant()
    const { body: first } = await owner.post('/invitations', { email: anAddress() })
    const { status, body } = await owner.post(`/invitations/${first.data.id}/resend`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ id: first.data.id, resent_count: 1, status: 'pending' })
    expect(body.data.expires_at > first.data.expires_at).toBe(true)
    const lookUp = (token: string) => given.stranger().post('/invitations/lookup', { token })
    expect((await lookUp(first.plain_text_token)).status).toBe(422)
    expect((await lookUp(body.plain_text_token)).body.data).toMatchObject({ role: 'member', has_account: null })
    expect((await started(owner.tenantId)).map(process => process.payload.input.expiresAtMs)).toEqual([
      Date.parse(first.data.expires_at),
      Date.parse(body.data.expires_at),
    ])
    expect(await app.emitted(owner)).toEqual(['invitation.created', 'invitation.resent'])
  })

  test('three times within 24 hours, also at once', async () => {
    const owner = await given.tenant()
    const { body } = await owner.post('/invitations', { email: anAddress() })
    const resend = () => owner.post(`/invitations/${body.data.id}/resend`)
    const answers = await Promise.all([1, 2, 3, 4, 5].map(resend))
    expect(answers.filter(answer => answer.status === 200)).toHaveLength(3)
    expect((await resend()).body.code).toBe('resent_too_often')
    await platform.query(
      `update invitations set resent_at = array(select r - interval '25 hours' from unnest(resent_at) r) where id = $1`,
      [body.data.id],
    )
    expect((await resend()).body.data.resent_count).toBe(4)
  })

  test('not of one that is over, unknown or another team’s', async () => {
    const owner = await given.tenant()
    const { body } = await owner.post('/invitations', { email: anAddress() })
    expect((await (await given.tenant()).post(`/invitations/${body.data.id}/resend`)).status).toBe(404)
    expect((await owner.post(`/invitations/${randomUUID()}/resend`)).status).toBe(404)
    await owner.delete(`/invitations/${body.data.id}`)
    expect((await owner.post(`/invitations/${body.data.id}/resend`)).body.code).toBe('invitation_not_pending')
  })
})

describe('DELETE /invitations/{invitation}', () => {
  test('voids the token at once; the invitation stays in the list', async () => {
    const owner = await given.tenant()
    const { body } = await owner.post('/invitations', { email: anAddress() })
    expect((await owner.delete(`/invitations/${body.data.id}`)).status).toBe(204)
    expect((await given.stranger().post('/invitations/lookup', { token: body.plain_text_token })).status).toBe(422)
    expect((await owner.get('/invitations?status=revoked')).body.data).toMatchObject([
      { id: body.data.id, status: 'revoked' },
    ])
    expect((await owner.get('/invitations?status=pending')).body.data).toEqual([])
    expect((await owner.delete(`/invitations/${body.data.id}`)).status).toBe(422)
    expect(await lastAudit(owner.tenantId, 'invitation.revoked')).toMatchObject({ entity_id: body.data.id })
  })

  test('an admin cannot revoke an owner’s invitation, nor one of another team', async () => {
    const owner = await given.tenant()
    const admin = await given.colleague(owner, 'admin')
    const { body } = await owner.post('/invitations', { email: anAddress(), role: 'owner' })
    expect((await admin.delete(`/invitations/${body.data.id}`)).body.code).toBe('role_too_high')
    expect((await (await given.tenant()).delete(`/invitations/${body.data.id}`)).status).toBe(404)
    expect((await (await given.tenant()).get(`/invitations/${body.data.id}`)).status).toBe(404)
  })
})
