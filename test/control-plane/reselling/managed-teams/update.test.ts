import { describe, expect, test } from 'vitest'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const { platform } = app.services
const day = 86_400_000

async function aTeam(reseller: CallerUnderTest, fields: Record<string, unknown> = {}) {
  const { body } = await reseller.post('/reseller/managed-teams', {
    name: 'Acme',
    slug: `acme-${crypto.randomUUID()}`,
    ...fields,
  })
  return { ...body.data, path: `/reseller/managed-teams/${body.data.id}`, tenantId: body.data.tenant_id }
}
const entries = async (tenantId: string) =>
  (
    await platform.query(
      'select action, entity_type, entity_id, changes from audit_entries where tenant_id = $1 order by created_at, id',
      [tenantId],
    )
  ).rows

describe('PATCH /reseller/managed-teams/{id}', () => {
  test('changes what is sent, and notes in each trail what concerns it', async () => {
    const reseller = await given.reseller({ scopes: ['teams:write'] })
    const team = await aTeam(reseller)
    const { status, body } = await reseller.patch(team.path, {
      name: 'Acme Ltd',
      label: 'gold',
      plan: 'pro',
      metadata: { a: 1 },
      external_ref: 'crm-1',
    })
    expect(status).toBe(200)
    expect(body.data).toEqual({
      ...body.data,
      id: team.id,
      slug: team.slug,
      name: 'Acme Ltd',
      label: 'gold',
      plan: 'pro',
      metadata: { a: 1 },
      external_ref: 'crm-1',
      created_at: team.created_at,
    })
    expect(body.data.updated_at > team.updated_at).toBe(true)
    const { rows } = await platform.query('select name, plan from tenants where id = $1', [team.tenantId])
    expect(rows).toEqual([{ name: 'Acme Ltd', plan: 'pro' }])
    const seen = { name: { before: 'Acme', after: 'Acme Ltd' }, plan: { before: 'free', after: 'pro' } }
    const entry = { action: 'managed_tenant.updated', entity_type: 'managed_tenant', entity_id: team.id }
    const own = {
      label: { before: null, after: 'gold' },
      external_ref: { before: null, after: 'crm-1' },
      metadata: { before: {}, after: { a: 1 } },
    }
    expect((await entries(reseller.tenantId)).at(-1)).toEqual({ ...entry, changes: { ...seen, ...own } })
    expect(await entries(team.tenantId)).toEqual([{ ...entry, changes: seen }])
    expect(await app.emitted(reseller)).toEqual(['team.provisioned'])
  })

  test('what changes nothing leaves no trace', async () => {
    const reseller = await given.reseller()
    const team = await aTeam(reseller, { label: 'gold', metadata: { b: 1, a: 2 }, external_ref: 'x' })
    for (const same of [
      {},
      { name: 'Acme' },
      { label: 'gold', plan: 'free', external_ref: 'x', metadata: { a: 2, b: 1 } },
      { trial_days: 0 },
    ])
      expect((await reseller.patch(team.path, same)).body.data.updated_at).toBe(team.updated_at)
    expect(await app.audited(reseller)).toEqual(['managed_tenant.created'])
  })

  test('fields of the reseller are not shown to the team', async () => {
    const reseller = await given.reseller()
    const team = await aTeam(reseller)
    expect((await reseller.patch(team.path, { label: 'bad payer', metadata: { score: 1 } })).status).toBe(200)
    expect(await entries(team.tenantId)).toEqual([])
  })

  test('null clears a label and a reference', async () => {
    const reseller = await given.reseller()
    const team = await aTeam(reseller, { label: 'gold', external_ref: 'x' })
    expect((await reseller.patch(team.path, { label: null, external_ref: null })).body.data).toMatchObject({
      label: null,
      external_ref: null,
    })
    expect((await aTeam(reseller, { external_ref: 'x' })).id).not.toBe(team.id)
  })

  test.each([1, 365])('begins or moves a trial to %i days from now', async days => {
    const reseller = await given.reseller()
    const team = await aTeam(reseller, { trial_days: 30 })
    const { body } = await reseller.patch(team.path, { trial_days: days })
    expect(body.data.on_trial).toBe(true)
    expect(Math.abs(Date.parse(body.data.trial_ends_at) - days * day - app.services.clock.nowMs())).toBeLessThan(60_000)
    const endsAtMs = Date.parse(body.data.trial_ends_at)
    const { rows } = await platform.query(
      `select payload from outbox where kind = 'workflow' and tenant_id = any($1) order by id desc limit 1`,
      [[reseller.tenantId, team.tenantId]],
    )
    expect(rows[0].payload).toEqual({
      id: `trial:${team.id}:${endsAtMs}`,
      input: { teamId: team.id, tenantId: team.tenantId, endsAtMs },
    })
  })

  test('0 clears a trial and leaves the plan', async () => {
    const reseller = await given.reseller()
    const team = await aTeam(reseller, { plan: 'pro', trial_days: 30 })
    const { body } = await reseller.patch(team.path, { trial_days: 0 })
    expect(body.data).toMatchObject({ on_trial: false, trial_ends_at: null, plan: 'pro' })
    expect((await entries(team.tenantId)).at(-1)?.changes).toEqual({
      trial_ends_at: { before: team.trial_ends_at, after: null },
    })
  })

  test('a smaller plan holds what is beyond it, the oldest kept, and a larger one releases it', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller, { plan: 'pro' })
    const monitors = Array.from({ length: 7 }, (_, n) => ({
      name: `Shop ${n}`,
      url: 'https://shop.example/',
      check_interval: 300,
    }))
    await team.post('/monitors/bulk', { monitors })
    const overLimit = async () =>
      (await team.get('/monitors?sort=name')).body.data.flatMap((monitor: { name: string; held_by_plan: boolean }) =>
        monitor.held_by_plan ? monitor.name : [],
      )
    await reseller.patch(team.path, { plan: 'free' })
    expect(await overLimit()).toEqual(['Shop 5', 'Shop 6'])
    expect((await reseller.get(team.path)).body.data.monitors_count).toBe(7)
    await reseller.patch(team.path, { plan: 'hobby' })
    expect(await overLimit()).toEqual([])
  })

  test('nothing but its own fields can be set', async () => {
    const [reseller, rival] = [await given.reseller(), await given.reseller()]
    const team = await aTeam(reseller)
    const { status, body } = await reseller.patch(team.path, {
      name: 'Acme Ltd',
      id: crypto.randomUUID(),
      tenant_id: rival.tenantId,
      reseller_id: rival.tenantId,
      slug: 'another',
      public_id: 'VT-1',
      is_paused: true,
      paused_at: '2001-01-01T00:00:00Z',
      paused_reason: 'none',
      deleted_at: '2001-01-01T00:00:00Z',
      trial_ends_at: '2101-01-01T00:00:00Z',
      on_trial: true,
      is_reseller: true,
      feature_overrides: { monitors: null },
      days_until_purge: 0,
      monitors_count: 5,
      created_at: '2001-01-01T00:00:00Z',
    })
    expect(status).toBe(200)
    const { path: _, tenantId: __, ...before } = team
    expect(body.data).toEqual({ ...before, name: 'Acme Ltd', updated_at: body.data.updated_at })
    const { rows } = await platform.query('select reseller_id, deleted_at from managed_teams where id = $1', [team.id])
    expect(rows).toEqual([{ reseller_id: reseller.tenantId, deleted_at: null }])
    const tenants = await platform.query(
      'select is_reseller, feature_overrides, paused_at from tenants where id = $1',
      [team.tenantId],
    )
    expect(tenants.rows).toEqual([{ is_reseller: false, feature_overrides: {}, paused_at: null }])
  })

  test('refuses other resellers, other tokens and less than the scope', async () => {
    const [reseller, rival] = [await given.reseller(), await given.reseller()]
    const team = await given.team(reseller)
    const before = (await reseller.get(team.path)).text
    expect((await rival.patch(team.path, { name: 'Mine' })).status).toBe(403)
    expect((await (await given.token(reseller, 'rk', ['teams:read'])).patch(team.path, { name: 'Mine' })).status).toBe(
      403,
    )
    expect((await (await given.token(reseller, 'ss', [])).patch(team.path, { name: 'Mine' })).status).toBe(403)
    expect((await team.patch(team.path, { name: 'Mine' })).status).toBe(403)
    expect((await given.stranger().patch(team.path, { name: 'Mine' })).status).toBe(401)
    for (const id of [crypto.randomUUID(), 'x', team.tenantId])
      expect((await reseller.patch(`/reseller/managed-teams/${id}`, { name: 'Mine' })).status).toBe(404)
    expect((await reseller.get(team.path)).text).toBe(before)
    expect(await app.audited(rival)).toEqual([])
  })

  test('refuses a reference that another team has', async () => {
    const [reseller, rival] = [await given.reseller(), await given.reseller()]
    await aTeam(reseller, { external_ref: 'x' })
    const team = await aTeam(reseller)
    const { status, body } = await reseller.patch(team.path, { external_ref: 'x' })
    expect(status).toBe(422)
    expect(body).toMatchObject({ code: 'taken', errors: { external_ref: ['Is already taken.'] } })
    expect((await rival.patch((await aTeam(rival)).path, { external_ref: 'x' })).status).toBe(200)
  })

  test.each([
    ['name', ''],
    ['name', '  '],
    ['name', null],
    ['name', 'x'.repeat(256)],
    ['label', ''],
    ['label', 'x'.repeat(256)],
    ['plan', 'gold'],
    ['plan', null],
    ['trial_days', -1],
    ['trial_days', 366],
    ['trial_days', 0.5],
    ['trial_days', null],
    ['trial_days', '7'],
    ['external_ref', ''],
    ['metadata', null],
    ['metadata', 'x'],
  ])('refuses %s of %j', async (field, value) => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const { status, body } = await reseller.patch(team.path, { [field]: value })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual([field])
  })

  test('a change to what has changed since it was read is refused', async () => {
    const reseller = await given.reseller()
    const team = await aTeam(reseller)
    const seen = (await reseller.get(team.path)).headers.get('etag') ?? ''
    expect((await reseller.patch(team.path, { label: 'gold' }, { headers: { 'If-Match': seen } })).status).toBe(200)
    expect((await reseller.patch(team.path, { label: 'lead' }, { headers: { 'If-Match': seen } })).status).toBe(412)
    expect((await reseller.delete(team.path, { confirm_name: 'Acme' }, { headers: { 'If-Match': seen } })).status).toBe(
      412,
    )
    expect((await reseller.get(team.path)).body.data).toMatchObject({ label: 'gold', deleted_at: null })
  })

  test('a deleted team is not found', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    await platform.query('update managed_teams set deleted_at = now() where id = $1', [team.id])
    expect((await reseller.patch(team.path, { name: 'Late' })).status).toBe(404)
  })
})
