import { randomUUID } from 'node:crypto'
import { noPhases } from '#contract/check.ts'
import type { QuorumProof } from '#control-plane/engine/verdicts/proof.ts'
import { goDown, pass, passTime } from '#test/control-plane/alerting/escalation-policies/escalated.ts'
import { minutesAgo } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest } from '#test/support/app.ts'
import { withResults } from './seed.ts'

const { platform } = app.services

const startedAt = () => minutesAgo(6)

/** Two regions failed, one did not answer in time, and one had no vote. */
function proofSince(start: number): QuorumProof {
  const at = (ms: number) => new Date(start + ms).toISOString()
  return {
    policy: { mode: 'majority', count: null },
    required: 2,
    asked: ['ap-south', 'eu-west', 'us-east'],
    failed: ['eu-west', 'us-east'],
    ok: [],
    silent: ['ap-south'],
    excluded: [{ region: 'sa-east', why: 'clock 61 s off' }],
    regions: {
      'eu-west': {
        phases: { dns: 12, connect: 31, tls: 48, first_byte: 210, total: 305 },
        error: { code: 'http_status', message: 'HTTP 503' },
        http_status: 503,
        excerpt: '<h1>Service Unavailable</h1><script>alert(1)</script>',
        at: at(0),
      },
      'us-east': {
        phases: { ...noPhases, dns: 9, total: 10_000 },
        error: { code: 'timeout', message: 'No answer within 10 s.' },
        http_status: null,
        excerpt: null,
        at: at(1_100),
      },
    },
  }
}

/**
 * A shop that has been down for six minutes: with results of two days before, an escalation that called its owner, and
 * a decision that notified one channel and left one out.
 */
export async function anOutage(owner: CallerUnderTest): Promise<{ incident: string; monitor: string; number: number }> {
  await owner.post('/escalation-policies', {
    name: 'Operations',
    is_default: true,
    steps: [{ delay_minutes: 1, targets: [{ type: 'team' }] }],
  })
  const made = await owner.post('/monitors', { name: 'Shop', url: 'https://shop.example.com/' })
  const monitor = { id: made.body.data.id, check: made.body.data.checks[0].id }
  await goDown(monitor.check)
  await pass()
  await passTime(owner)
  const { rows } = await platform.query<{ number: number; id: string }>(
    `update incidents set number = number + 1000, started_at = $2, confirmed_at = $3, created_at = $3, quorum = $4, cause = 'HTTP 503'
     where tenant_id = $1 and resolved_at is null returning id, number`,
    [owner.tenantId, startedAt(), new Date(startedAt().getTime() + 1_400), proofSince(startedAt().getTime())],
  )
  const incident = rows[0]!
  await withResults(owner, monitor, 'down')
  await decide(owner, incident.id)
  return { incident: incident.id, monitor: monitor.id, number: incident.number }
}

async function decide(owner: CallerUnderTest, incident: string): Promise<void> {
  const channel = (channel_name: string, channel_type: string, reason: string) => ({
    ...{ channel_id: randomUUID(), channel_name, channel_type, reason, rule_id: null },
  })
  const channels = [channel('Ops', 'slack', 'rule_matched'), channel('Nights', 'webhook', 'no_rule')]
  await platform.query(
    `insert into notification_decisions (tenant_id, incident_id, event_id, event, stage, channels, emitted_at)
     values ($1, $2, (select coalesce(max(id), 0) from outbox), 'incident.created', 'begun', $3, $4)`,
    [owner.tenantId, incident, JSON.stringify(channels), new Date(startedAt().getTime() + 1_500)],
  )
}
