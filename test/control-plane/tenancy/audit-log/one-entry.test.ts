import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { anIncident } from '#test/control-plane/monitoring/monitored.ts'
import { type Answer, app, type CallerUnderTest, given } from '#test/support/app.ts'

const { platform } = app.services

/** Calls, and what each left in the trails: entries of each tenant under the request's id. */
class Walk {
  readonly strange: string[] = []
  changes = 0
  refusals = 0

  async call(
    caller: CallerUnderTest,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const answer = await caller.call(method, path, body, { headers })
    const { rows } = await platform.query<{ tenant_id: string; n: number }>(
      'select tenant_id, count(*)::int as n from audit_entries where request_id = $1 group by tenant_id',
      [answer.headers.get('x-request-id')],
    )
    const isDone = answer.status >= 200 && answer.status < 300 && !answer.headers.get('idempotency-replayed')
    if (isDone) this.changes++
    else this.refusals++
    const isAsItShould = isDone ? rows.length > 0 && rows.every(row => row.n === 1) : rows.length === 0
    if (!isAsItShould)
      this.strange.push(
        `${method} ${path} ${answer.status} left ${JSON.stringify(rows.map(row => row.n))} ` +
          answer.text.slice(0, 150),
      )
    return answer
  }
}

test('every change leaves one entry in each trail it belongs to, and what is refused leaves none', {
  timeout: 120_000,
}, async () => {
  const walk = new Walk()
  const reseller = await given.reseller()
  const teamOfOthers = await given.team(await given.reseller())
  const shop = { name: 'Shop', url: 'https://shop.example.com/' }

  // a team's own work, through its own endpoint, the reseller's, and by the header
  const team = await given.team(reseller)
  const endpoints: [CallerUnderTest, string, Record<string, string>][] = [
    [team, '', {}],
    [reseller, team.path, {}],
    [reseller, '', { 'X-Tenant-Id': team.tenantId }],
  ]
  for (const [caller, prefix, headers] of endpoints) {
    const call = (method: string, path: string, body?: unknown, more = {}) =>
      walk.call(caller, method, prefix + path, body, { ...headers, ...more })
    const key = { 'Idempotency-Key': randomUUID() }
    const monitor = (await call('POST', '/monitors', shop, key)).body.data.id
    await call('POST', '/monitors', shop, key)
    await call('POST', '/monitors', { ...shop, url: 'no address' })
    await call('PATCH', `/monitors/${monitor}`, { name: 'Renamed' })
    await call('PATCH', `/monitors/${monitor}`, { name: 'Again' }, { 'If-Match': '"another"' })
    await call('POST', `/monitors/${monitor}/disable`)
    await call('POST', `/monitors/${monitor}/enable`)
    const check = (await call('POST', `/monitors/${monitor}/checks`, { type: 'ssl' })).body.data.id
    await call('PATCH', `/monitors/${monitor}/checks/${check}`, { severity: 'minor' })
    await call('POST', `/monitors/${monitor}/checks/${check}/snooze`, { minutes: 5 })
    await call('POST', `/monitors/${monitor}/checks/${check}/snooze`, { minutes: 0 })
    await call('POST', `/monitors/${monitor}/checks/${check}/unsnooze`)
    await call('DELETE', `/monitors/${monitor}/checks/${check}`)
    const incident = await anIncident(team)
    for (const verb of ['acknowledge', 'unacknowledge', 'resolve', 'archive', 'unarchive'])
      await call('POST', `/incidents/${incident}/${verb}`, {})
    await call('POST', `/incidents/${randomUUID()}/acknowledge`)
    await call('DELETE', `/monitors/${monitor}`)
    await call('DELETE', `/monitors/${monitor}`)
  }
  await walk.call(teamOfOthers, 'POST', '/monitors', shop, { 'X-Tenant-Id': team.tenantId })
  await walk.call(reseller, 'POST', `${teamOfOthers.path}/monitors`, shop)

  // what a reseller does to its teams and tokens
  const call = (method: string, path: string, body?: unknown) => walk.call(reseller, method, path, body)
  const slug = `walk-${randomUUID()}`
  const made = (await call('POST', '/reseller/managed-teams', { name: 'Walked', slug })).body.data
  await call('POST', '/reseller/managed-teams', { name: 'Walked', slug })
  const path = `/reseller/managed-teams/${made.id}`
  await call('PATCH', path, { label: 'VIP' })
  await call('POST', `${path}/pause`, { reason: 'unpaid' })
  await call('POST', `${path}/unpause`)
  await call('PATCH', `${path}/branding`, { brand_name: 'Brand' })
  await call('PUT', `${path}/feature-overrides`, { overrides: { monitors: 7 } })
  const stand = (await call('POST', `${path}/impersonation-tokens`, { ttl_minutes: 5, scopes: ['read'] })).body.data?.id
  await call('DELETE', `${path}/impersonation-tokens/${stand}`)
  await call('DELETE', path, { confirm_name: 'another name' })
  await call('DELETE', path, { confirm_name: 'Walked' })
  await call('POST', `${path}/restore`)
  const token = (await call('POST', '/reseller/tokens', { name: 'Robot', scopes: ['monitors:read'] })).body.data?.id
  await call('POST', '/reseller/tokens', { name: 'Robot', scopes: [] })
  await call('POST', `/reseller/tokens/${token}/toggle`)
  await call('DELETE', `/reseller/tokens/${token}`)
  const profile = (await call('POST', '/reseller/provisioning-profiles', { name: 'Standard' })).body.data?.id
  await call('PATCH', `/reseller/provisioning-profiles/${profile}`, { name: 'Other' })
  await call('DELETE', `/reseller/provisioning-profiles/${profile}`)

  console.log(
    `${walk.changes} changes, ${walk.refusals} refusals or replays, ${walk.strange.length} not as they should be`,
  )
  expect(walk.strange).toEqual([])
  expect(walk.changes).toBeGreaterThan(60)
  expect(walk.refusals).toBeGreaterThan(15)
})
