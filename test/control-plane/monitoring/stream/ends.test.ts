import { afterEach, describe, expect, test } from 'vitest'
import { hashPassword } from '#control-plane/identity/users/password.ts'
import { emitEvents } from '#control-plane/outbox/emit.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { inBrowser } from '#test/support/browser-session.ts'
import { EventStreamUnderTest } from '#test/support/event-stream.ts'

const { platform } = app.services
const open = new Set<EventStreamUnderTest>()

afterEach(() => {
  for (const stream of open) stream.leave()
  open.clear()
})

async function streamOf(
  caller: CallerUnderTest,
  { path = '/stream', topics = 'monitors', headers = {}, reads = true } = {},
): Promise<EventStreamUnderTest> {
  const stream = await EventStreamUnderTest.open(`${app.baseUrl}/api/v1${path}?topics=${topics}`, {
    headers: {
      'X-Forwarded-For': caller.ip,
      ...(caller.token && { Authorization: `Bearer ${caller.token}` }),
      ...headers,
    },
    reads,
  })
  open.add(stream)
  expect(stream.status).toBe(200)
  return stream
}

const monitorEvent = (tenantId: string, name = 'Shop') => ({
  tenantId,
  name: 'monitor.updated' as const,
  payload: { monitor_id: crypto.randomUUID(), monitor_name: name, monitor_url: 'https://shop.example/' },
})

const tokenOf = async (caller: CallerUnderTest, kind: string) =>
  (
    await platform.query<{ id: string }>(
      'select id from tokens where tenant_id = $1 and user_id is not distinct from $2 and kind = $3 order by created_at',
      [caller.tenantId, caller.userId, kind],
    )
  ).rows.at(-1)!.id

describe('a stream ends once its caller may no longer have it', () => {
  test('as its session is revoked', async () => {
    const owner = await given.tenant()
    const browser = await inBrowser(owner)
    const stream = await streamOf(browser, { headers: { Cookie: browser.cookie, 'Sec-Fetch-Site': 'same-origin' } })
    expect((await owner.delete(`/profile/sessions/${await tokenOf(browser, 'ss')}`)).status).toBe(204)
    await stream.ended()
  })

  test('as its key is deleted', async () => {
    const owner = await given.tenant()
    const made = await owner.post('/api-keys', { name: 'Wall', scopes: ['monitors:read'] })
    const stream = await streamOf(owner, { headers: { Authorization: `Bearer ${made.body.plain_text_token}` } })
    expect((await owner.delete(`/api-keys/${made.body.data.id}`)).status).toBe(204)
    await stream.ended()
  })

  test('as its person is removed from the team', async () => {
    const owner = await given.tenant()
    const member = await given.colleague(owner, 'member')
    const [leaves, stays] = [await streamOf(member), await streamOf(owner)]
    expect((await owner.delete(`/members/${member.userId}`)).status).toBe(204)
    await leaves.ended()
    expect(stays.isEnded).toBe(false)
  })

  test('as its team is suspended', async () => {
    const owner = await given.tenant()
    const stream = await streamOf(owner)
    await platform.query('update tenants set suspended_at = now() where id = $1', [owner.tenantId])
    await stream.ended()
  })

  test('as a scope is taken from its key', async () => {
    const owner = await given.tenant()
    const key = await given.token(owner, 'svc', ['monitors:read', 'incidents:read'])
    const [one, both] = [await streamOf(key), await streamOf(key, { topics: 'monitors,incidents' })]
    await platform.query(`update tokens set scopes = '{monitors:read}' where id = $1`, [await tokenOf(key, 'svc')])
    await both.ended()
    expect(one.isEnded).toBe(false)
  })

  test('as its person changes the password in another session', async () => {
    const owner = await given.tenant()
    const hash = await hashPassword('a password hard to guess')
    await platform.query('update users set password_hash = $2 where id = $1', [owner.userId, hash])
    const browser = await inBrowser(owner)
    const stream = await streamOf(browser, { headers: { Cookie: browser.cookie, 'Sec-Fetch-Site': 'same-origin' } })
    const mine = await streamOf(owner)
    const change = { current_password: 'a password hard to guess', password: 'another one just as hard' }
    expect((await owner.post('/profile/password', change)).status).toBe(204)
    await stream.ended()
    expect(mine.isEnded).toBe(false)
  })

  test('as its reseller no longer manages the team', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const stream = await streamOf(reseller, { path: `${team.path}/stream` })
    await platform.query('update managed_teams set deleted_at = now() where id = $1', [team.id])
    await stream.ended()
  })

  test('as its impersonation token expires', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const impersonation = await given.impersonation(reseller, team)
    const stream = await streamOf(impersonation)
    await platform.query(`update tokens set expires_at = now() where id = $1`, [await tokenOf(impersonation, 'ik')])
    await stream.ended()
  })
})

test('a client that does not read is sent a reset and cut off, and the others are served', async () => {
  const owner = await given.tenant()
  const [slow, quick] = [await streamOf(owner, { reads: false }), await streamOf(owner)]
  const ended = async () => {
    const { values } = await app.services.metrics.streamsEnded.get()
    return values.find(({ labels }) => labels.reason === 'slow')?.value ?? 0
  }
  const before = await ended()
  const name = 'x'.repeat(50_000)
  let sent = 0
  while ((await ended()) === before && sent < 400) {
    await emitEvents(
      platform,
      Array.from({ length: 10 }, () => monitorEvent(owner.tenantId, name)),
    )
    sent += 10
    await expect.poll(() => quick.named('monitor.updated').length, { timeout: 15_000 }).toBe(sent)
  }
  expect(await ended()).toBe(before + 1)
  await emitEvents(platform, [monitorEvent(owner.tenantId, 'after')])
  await quick.next(({ data }) => data.monitor_name === 'after')
  slow.read()
  await slow.ended()
  expect(slow.frames.at(-1)?.event).toBe('reset')
  expect(slow.named('monitor.updated')).toHaveLength(sent)
  expect(quick.isEnded).toBe(false)
})
