import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { EntityManager } from '@mikro-orm/postgresql'
import { invalid } from '#control-plane/base/refusal.ts'
import { among, json, queries } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { ordered, type StepInput } from './input.ts'
import { readSteps, type StepRow } from './rows.ts'
import { validateTargets } from './targets.ts'
import { viewStep } from './view.ts'

type Context = Pick<RequestContext, 'em' | 'tenant' | 'now' | 'audit'>

/** Makes the steps of a locked policy those of the list: adds, changes and deletes. */
export async function writeSteps(
  context: Context,
  policyId: string,
  sent: readonly StepInput[],
): Promise<readonly StepRow[]> {
  const { em, tenant } = context
  const before = (await readSteps(em, [policyId])).get(policyId) ?? []
  validateIds(sent, before)
  await validateTargets(em, tenant, sent)
  const steps = ordered(sent).map(step => ({ ...step, id: step.id ?? randomUUID() }))
  const kept = new Set(steps.map(({ id }) => id))
  await queries(em)
    .deleteFrom('escalation_steps')
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', among(before.flatMap(({ id }) => (kept.has(id) ? [] : [id]))))
    .execute()
  await storeSteps(context, policyId, steps)
  const after = (await readSteps(em, [policyId])).get(policyId) ?? []
  auditChanges(context, policyId, before, after)
  return after
}

function validateIds(sent: readonly StepInput[], before: readonly StepRow[]): void {
  const known = new Set(before.map(({ id }) => id))
  const seen = new Set<string>()
  for (const [index, { id }] of sent.entries()) {
    if (id === undefined) continue
    const field = `steps.${index}.id`
    if (!known.has(id)) throw invalid({ [field]: ['The policy has no such step.'] })
    if (seen.has(id)) throw invalid({ [field]: ['Names a step twice.'] })
    seen.add(id)
  }
}

/** Three statements, however many steps and targets. */
async function storeSteps(
  { em, tenant, now }: Context,
  policyId: string,
  steps: readonly (StepInput & { id: string; order: number })[],
): Promise<void> {
  const db = queries(em)
  const at = now.toISOString()
  await db
    .insertInto('escalation_steps')
    .values(
      steps.map(step => ({
        id: step.id,
        tenant_id: tenant.id,
        policy_id: policyId,
        position: step.order,
        delay_minutes: step.delay_minutes,
        assignment: step.assignment,
        only_if: step.only_if === null ? null : json(step.only_if),
        created_at: at,
        updated_at: at,
      })),
    )
    .onConflict(conflict =>
      conflict.column('id').doUpdateSet(({ ref }) => ({
        position: ref('excluded.position'),
        delay_minutes: ref('excluded.delay_minutes'),
        assignment: ref('excluded.assignment'),
        only_if: ref('excluded.only_if'),
        updated_at: ref('excluded.updated_at'),
      })),
    )
    .execute()
  await db
    .deleteFrom('escalation_targets')
    .where('tenant_id', '=', tenant.id)
    .where('step_id', '=', among(steps.map(({ id }) => id)))
    .execute()
  await db
    .insertInto('escalation_targets')
    .values(
      steps.flatMap(({ id: step_id, targets }) =>
        targets.map(({ type, id, position: duty }, position) => ({
          tenant_id: tenant.id,
          step_id,
          position,
          user_id: type === 'user' ? id : null,
          schedule_id: type === 'schedule' ? id : null,
          channel_id: type === 'channel' ? id : null,
          duty: type === 'schedule' ? duty : null,
        })),
      ),
    )
    .execute()
}

function auditChanges(
  { audit }: Context,
  policyId: string,
  before: readonly StepRow[],
  after: readonly StepRow[],
): void {
  const old = new Map(before.map(row => [row.id, viewStep(row)]))
  const entity = (id: string) => ({ type: 'escalation_step' as const, id })
  for (const row of after) {
    const { id, ...view } = viewStep(row)
    const was = old.get(id)
    old.delete(id)
    if (!was) {
      audit('escalation_step.created', entity(id), { policy_id: policyId, ...view })
      continue
    }
    const names = (Object.keys(view) as (keyof typeof view)[]).filter(name => !isDeepStrictEqual(was[name], view[name]))
    if (names.length > 0)
      audit('escalation_step.updated', entity(id), {
        policy_id: policyId,
        ...Object.fromEntries(names.map(name => [name, { before: was[name], after: view[name] }])),
      })
  }
  for (const [id, { order }] of old) audit('escalation_step.deleted', entity(id), { policy_id: policyId, order })
}

/**
 * Refuses a fallback policy that is not the team’s own, and one that leads back to the policy. Callers are under the
 * lock of the team’s policies, so that two changes together cannot make a circle.
 */
export async function validateFallback(
  em: EntityManager,
  tenant: { id: string },
  policyId: string,
  fallbackId: string | null,
): Promise<void> {
  if (fallbackId === null) return
  const refuse = (why: string) => invalid({ fallback_policy_id: [why] })
  if (fallbackId === policyId) throw refuse('A policy cannot fall back on itself.')
  const rows = await queries(em)
    .selectFrom('escalation_policies')
    .where('tenant_id', '=', tenant.id)
    .where(({ eb, or }) => or([eb('fallback_policy_id', 'is not', null), eb('id', '=', fallbackId)]))
    .select(['id', 'fallback_policy_id'])
    .execute()
  const fallbacks = new Map(rows.map(row => [row.id, row.fallback_policy_id]))
  if (!fallbacks.has(fallbackId)) throw refuse('There is no such escalation policy.')
  const seen = new Set<string>()
  for (let id: string | null | undefined = fallbackId; id && !seen.has(id); id = fallbacks.get(id)) {
    if (id === policyId) throw refuse('The fallback policies go round in a circle.')
    seen.add(id)
  }
}

/** Makes other policies of the team no longer the default. */
export async function endOtherDefault({ em, tenant, now, audit }: Context, policyId: string): Promise<void> {
  const rows = await queries(em)
    .updateTable('escalation_policies')
    .set({ is_default: false, updated_at: now.toISOString() })
    .where('tenant_id', '=', tenant.id)
    .where('id', '<>', policyId)
    .where('is_default', '=', true)
    .returning('id')
    .execute()
  for (const { id } of rows)
    audit(
      'escalation_policy.updated',
      { type: 'escalation_policy', id },
      { is_default: { before: true, after: false } },
    )
}
