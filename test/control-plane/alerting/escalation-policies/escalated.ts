import { escalate } from '#control-plane/alerting/escalation-policies/runs/watch.ts'
import { defaultSuppression } from '#control-plane/engine/suppression/rules.ts'
import { WriteBatch } from '#control-plane/engine/verdicts/batch.ts'
import { writeBatch } from '#control-plane/engine/verdicts/write-batch.ts'
import { aProof } from '#test/support/a-proof.ts'
import { app, type CallerUnderTest } from '#test/support/app.ts'
import { takeEpoch } from '#test/support/epoch.ts'

const { platform } = app.services

/** Takes all steps that are due, as the leading process does. */
export const pass = (): Promise<void> => escalate(app.services)

export async function aMonitor(team: CallerUnderTest, more: object = {}): Promise<{ id: string; check: string }> {
  const { body } = await team.post('/monitors', { name: 'Shop', url: 'https://shop.example.com/', ...more })
  return { id: body.data.id, check: body.data.checks[0].id }
}

/** What the engine writes when checks go down. */
export const goDown = (...checks: readonly string[]): Promise<void> => goDownOfHost(undefined, checks)

/** The same, of checks of one host. */
export async function goDownOfHost(name: string | undefined, checks: readonly string[]): Promise<void> {
  const batch = new WriteBatch()
  const at = Date.now()
  for (const check of checks)
    batch.of(check).opens = {
      check_id: check,
      title: 'Shop is down',
      cause: 'The connection was refused.',
      severity: 'critical',
      started_at: at,
      confirmed_at: at,
      quorum: aProof,
      evidence: { error_code: 'refused', http_status: null, phase: 'tcp', snippet: null },
      ...(name === undefined ? {} : { host: { tenant: 'the team', keys: [name] } }),
    } as never
  await writeBatch(platform, await takeEpoch(platform), batch, defaultSuppression)
}

export async function comeBack(check: string): Promise<void> {
  const batch = new WriteBatch()
  batch.of(check).resolvedAt = Date.now()
  await writeBatch(platform, await takeEpoch(platform), batch, defaultSuppression)
}

/** Lets the time of the next steps of a team come, and takes them. */
export async function passTime(team: { tenantId: string }): Promise<void> {
  await platform.query(
    'update escalation_runs set next_at = clock_timestamp() where tenant_id = $1 and next_at is not null',
    [team.tenantId],
  )
  await pass()
}

/** The open incident of a team. */
export async function incidentOf(team: { tenantId: string }): Promise<string> {
  const { rows } = await platform.query<{ id: string }>(
    'select id from incidents where tenant_id = $1 order by number desc limit 1',
    [team.tenantId],
  )
  return rows[0]!.id
}

// biome-ignore lint/suspicious/noExplicitAny: the contract checks the shape of an answer, not the test's types
export async function escalationOf(team: CallerUnderTest): Promise<any> {
  return (await team.get(`/incidents/${await incidentOf(team)}`)).body.data.escalation
}
