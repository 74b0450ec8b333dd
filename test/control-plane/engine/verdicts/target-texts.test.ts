import { expect, test } from 'vitest'
import { forgetTargetTexts } from '#control-plane/engine/verdicts/target-texts.ts'
import { aMonitor, anIncident, minutesAgo } from '#test/control-plane/monitoring/monitored.ts'
import { aProof } from '#test/support/a-proof.ts'
import { app, given } from '#test/support/app.ts'

const { platform } = app.services
const daysAgo = (days: number) => minutesAgo(days * 24 * 60)
const texts = { snippet: 'Good morning', excerpt: 'Good morning' }
const none = { snippet: null, excerpt: null }

test('the beginning of a response leaves incidents and votes after 30 days, and the rest of the proof stays', async () => {
  const tenant = await given.tenant()
  const monitor = await aMonitor(tenant)
  const regions = Object.fromEntries(
    Object.entries(aProof.regions).map(([name, proof]) => [name, { ...proof, excerpt: texts.excerpt }]),
  )
  const incidents = {
    open: await anIncident(tenant, { startedAt: daysAgo(31) }),
    over: await anIncident(tenant, { startedAt: daysAgo(400), resolvedAt: daysAgo(399) }),
    fresh: await anIncident(tenant, { startedAt: daysAgo(29), resolvedAt: daysAgo(28) }),
    withoutRegions: await anIncident(tenant, { startedAt: daysAgo(40), resolvedAt: daysAgo(39) }),
  }
  await platform.query(
    `update incidents set evidence = evidence || $2, quorum = case when id = $4 then quorum || '{"regions": {}}' else quorum || $3 end
     where tenant_id = $1`,
    [
      ...[tenant.tenantId, JSON.stringify({ snippet: texts.snippet })],
      ...[JSON.stringify({ regions }), incidents.withoutRegions],
    ],
  )
  const votes = { paused: daysAgo(31), running: daysAgo(1) }
  for (const [region, at] of Object.entries(votes))
    await platform.query(
      `insert into votes (check_id, region, tenant_id, vote, evidence, updated_at) values ($1, $2, $3, 'down', $4, $5)`,
      [monitor.check, region, tenant.tenantId, JSON.stringify(regions['eu-west']), at],
    )

  await forgetTargetTexts(platform)

  for (const [name, id] of Object.entries(incidents)) {
    const { body } = await tenant.get(`/incidents/${id}`)
    const left = name === 'fresh' ? texts : none
    expect(body.data.evidence, name).toEqual({
      ...{ error_code: 'http_status', http_status: 503, phase: 'ttfb', snippet: left.snippet },
    })
    expect(body.data.quorum.failed, name).toEqual(['eu-west', 'us-east'])
    for (const proof of Object.values(body.data.quorum.regions))
      expect(proof, name).toMatchObject({ http_status: 503, excerpt: left.excerpt })
  }
  const { rows } = await platform.query(
    `select region, evidence ->> 'excerpt' as excerpt, evidence ->> 'http_status' as status from votes
     where check_id = $1 order by region`,
    [monitor.check],
  )
  expect(rows).toEqual([
    { region: 'paused', excerpt: null, status: '503' },
    { region: 'running', excerpt: texts.excerpt, status: '503' },
  ])
})
