import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Audience, selectionOf } from '#control-plane/alerting/plan/plan.ts'
import type { Suppression } from '#control-plane/db/model/shapes.ts'
import { openOrm } from '#control-plane/db/orm.ts'
import { defaultSuppression } from '#control-plane/engine/suppression/rules.ts'
import { applySuppression } from '#control-plane/engine/suppression/watch.ts'
import { WriteBatch } from '#control-plane/engine/verdicts/batch.ts'
import { writeBatch } from '#control-plane/engine/verdicts/write-batch.ts'
import { advanceMigration } from '#control-plane/importing/advance.ts'
import { aProof } from '#test/support/a-proof.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { takeEpoch } from '#test/support/epoch.ts'

const { services } = app
const { platform, log } = services
let orm: Awaited<ReturnType<typeof openOrm>>
beforeAll(async () => {
  orm = await openOrm(services.config)
})
afterAll(() => orm?.close())
const advance = (id: string) => advanceMigration({ services, em: orm.em }, id)

/** What the engine writes when a check goes down. */
async function goDown(check: string): Promise<void> {
  const batch = new WriteBatch()
  const at = Date.now()
  batch.of(check).opens = {
    check_id: check,
    title: 'Shop is down',
    cause: 'The connection was refused.',
    severity: 'critical',
    started_at: at,
    confirmed_at: at,
    quorum: aProof,
    evidence: { error_code: 'http_status', http_status: 503, phase: 'ttfb', snippet: null },
  } as never
  await writeBatch(platform, await takeEpoch(platform), batch, defaultSuppression)
}

/** Events of a team's incidents that its channels, or those of its reseller, are notified of. */
async function notified(team: { tenantId: string }, audience: Audience): Promise<string[]> {
  const { rows } = await platform.query<{ name: string; suppression: Suppression | null }>(
    `select name, suppression from outbox where tenant_id = $1 and kind = 'event' and name ~ '^(incident|warning)'
     order by id`,
    [team.tenantId],
  )
  return rows
    .filter(({ suppression }) => selectionOf(suppression, audience).channels !== 'none')
    .map(({ name }) => name)
}

async function inShadow(team: CallerUnderTest): Promise<{ id: string; check: string }> {
  const content = 'name,url\nShop,https://shop.example.com/'
  const { id } = (await team.post('/migrations', { provider: 'csv', content })).body.data
  await advance(id)
  await team.post(`/migrations/${id}/import`)
  await advance(id)
  expect((await team.post(`/migrations/${id}/shadow`)).body.data.state).toBe('shadow')
  const { rows } = await platform.query(`select id from checks where tenant_id = $1 and type = 'uptime'`, [
    team.tenantId,
  ])
  return { id, check: rows[0].id }
}

const audiences = ['team', 'reseller'] as const

test('in shadow no channel is notified; what is still down at the cutover is notified then, once', async () => {
  const team = await given.tenant()
  const { id, check } = await inShadow(team)
  await goDown(check)
  await applySuppression({ platform, log })
  for (const audience of audiences) expect(await notified(team, audience), audience).toEqual([])
  expect((await team.get('/incidents?per_page=10')).body.data).toHaveLength(1)
  expect((await team.post(`/migrations/${id}/cutover`, { force: true })).body.data.state).toBe('cutover')
  for (let time = 0; time < 2; time++) await applySuppression({ platform, log })
  for (const audience of audiences) expect(await notified(team, audience), audience).toEqual(['incident.created'])
})

test('of a migration that is cancelled no channel is notified', async () => {
  const team = await given.tenant()
  const { id, check } = await inShadow(team)
  await goDown(check)
  expect((await team.post(`/migrations/${id}/cancel`)).body.data.state).toBe('cancelled')
  for (let time = 0; time < 2; time++) await applySuppression({ platform, log })
  for (const audience of audiences) expect(await notified(team, audience), audience).toEqual([])
})
