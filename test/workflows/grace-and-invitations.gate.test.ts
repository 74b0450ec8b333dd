import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowChanged } from '#contract/workflows.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { dayMs, hourMs, World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await World.open('ends')
}, 300_000)
afterAll(() => world?.close())

const actions = async (tenantId: string, entityId: string) =>
  (
    await world.platform.query<{ action: string }>(
      'select action from audit_entries where tenant_id = $1 and entity_id = $2',
      [tenantId, entityId],
    )
  ).rows.map(({ action }) => action)

describe('the grace of a rotated token', () => {
  async function rotated(inMs: number, kind: 'rk' | 'svc' = 'rk') {
    const { tenantId } = await world.team()
    const expiresAtMs = (await world.now()) + inMs
    const { id } = await createToken(world.platform, {
      kind,
      tenantId,
      userId: null,
      name: 'old',
      scopes: [],
      expiresAt: new Date(expiresAtMs),
    })
    return { tenantId, tokenId: id, expiresAtMs }
  }
  const isActive = async (id: string) =>
    (await world.platform.query<{ is_active: boolean }>('select is_active from tokens where id = $1', [id])).rows[0]
      ?.is_active

  test.each([
    ['rk', 1, 'reseller_token.expired'],
    ['svc', 168, 'api_key.expired'],
  ] as const)('of %s ends after %s hours, with a word in the trail', async (kind, hours, action) => {
    const { tenantId, ...token } = await rotated(hours * hourMs, kind)
    await world.working(async start => {
      const process = await start('tokenGrace', { ...token, tenantId })
      await world.sleep(hours * hourMs - 60_000)
      expect(await isActive(token.tokenId)).toBe(true)
      expect(await process.result()).toBe('ended')
    })
    expect(world.steps.at(-1)!.at).toBeGreaterThanOrEqual(token.expiresAtMs)
    expect(await isActive(token.tokenId)).toBe(false)
    expect(await actions(tenantId, token.tokenId)).toEqual([action])
  })

  test('of a token that was deleted, or given another end, ends without a word', async () => {
    const [gone, moved] = [await rotated(hourMs), await rotated(hourMs)]
    await world.platform.query('delete from tokens where id = $1', [gone.tokenId])
    await world.platform.query(`update tokens set expires_at = expires_at + interval '1 day' where id = $1`, [
      moved.tokenId,
    ])
    await world.working(async start => {
      for (const token of [gone, moved]) expect(await (await start('tokenGrace', token)).result()).toBe('superseded')
    })
    expect(await isActive(moved.tokenId)).toBe(true)
    expect(await actions(moved.tenantId, moved.tokenId)).toEqual([])
  })

  test('is ended once though its step fails', async () => {
    const token = await rotated(hourMs)
    world.faults.push(
      { step: 'endGrace', when: 'before' },
      { step: 'endGrace', when: 'after' },
      { step: 'endGrace', when: 'after' },
    )
    await world.working(async start => expect(await (await start('tokenGrace', token)).result()).toBe('ended'))
    expect(await actions(token.tenantId, token.tokenId)).toEqual(['reseller_token.expired'])
  })
})

describe('an invitation', () => {
  async function invited(inMs = 7 * dayMs) {
    const { tenantId } = await world.team()
    const invitationId = randomUUID()
    const expiresAtMs = (await world.now()) + inMs
    await world.platform.query(
      `insert into invitations (id, tenant_id, email, role, token_hash, expires_at)
       values ($1, $2, $3, 'member', $4, $5)`,
      [invitationId, tenantId, `${invitationId}@people.test`, Buffer.from(invitationId), new Date(expiresAtMs)],
    )
    return { tenantId, invitationId, expiresAtMs }
  }
  const statusOf = async (id: string) =>
    (await world.platform.query<{ status: string }>('select status from invitations where id = $1', [id])).rows[0]
      ?.status
  const set = (id: string, what: string) => world.platform.query(`update invitations set ${what} where id = $1`, [id])

  test('is open for its seven days and expired after', async () => {
    const invitation = await invited()
    await world.working(async start => {
      const process = await start('invitationExpiry', invitation)
      await world.sleep(7 * dayMs - hourMs)
      expect(await statusOf(invitation.invitationId)).toBe('pending')
      expect(await process.result()).toBe('expired')
    })
    expect(world.steps.at(-1)!.at).toBeGreaterThanOrEqual(invitation.expiresAtMs)
    expect(await statusOf(invitation.invitationId)).toBe('expired')
    expect(await actions(invitation.tenantId, invitation.invitationId)).toEqual(['invitation.expired'])
  })

  test.each(['accepted', 'declined', 'revoked'])('that is %s stays so', async status => {
    const invitation = await invited()
    await world.working(async start => {
      const process = await start('invitationExpiry', invitation)
      await set(invitation.invitationId, `status = '${status}'`)
      await process.signal(rowChanged)
      expect(await process.result()).toBe('superseded')
    })
    expect(await statusOf(invitation.invitationId)).toBe(status)
  })

  test('sent again on its last day is open for seven days more', async () => {
    const invitation = await invited()
    await world.working(async start => {
      const first = await start('invitationExpiry', invitation)
      await world.sleep(6.5 * dayMs)
      const expiresAtMs = invitation.expiresAtMs + 6.5 * dayMs
      await world.platform.query('update invitations set expires_at = $2 where id = $1', [
        invitation.invitationId,
        new Date(expiresAtMs),
      ])
      const second = await start('invitationExpiry', { ...invitation, expiresAtMs })
      expect(await first.result()).toBe('superseded')
      expect(await statusOf(invitation.invitationId)).toBe('pending')
      expect(await second.result()).toBe('expired')
    })
  })

  test('is expired once though its step fails', async () => {
    const invitation = await invited()
    world.faults.push(
      { step: 'expireInvitation', when: 'after' },
      { step: 'expireInvitation', when: 'before' },
      { step: 'expireInvitation', when: 'after' },
    )
    await world.working(async start =>
      expect(await (await start('invitationExpiry', invitation)).result()).toBe('expired'),
    )
    expect(await actions(invitation.tenantId, invitation.invitationId)).toEqual(['invitation.expired'])
  })
})
