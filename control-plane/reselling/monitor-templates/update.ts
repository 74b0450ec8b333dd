import { isDeepStrictEqual } from 'node:util'
import type { EntityManager } from '@mikro-orm/postgresql'
import { effectiveLimits } from '#contract/plans.ts'
import { Sentence } from '#contract/sentence.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { json, queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import type { Guard } from '#egress/guard.ts'
import { findTemplate } from './find.ts'
import { settleChecks, TemplateChanges, type TemplateFields, templateBytes } from './input.ts'
import { decryptMonitorsForChange, encryptMonitors, keepSecrets } from './secrets.ts'
import { refuseByPlan, refuseUnfilled, without } from './try.ts'
import { validateSecretHosts, validateTemplate } from './validate.ts'
import { TemplateView, viewTemplate } from './view.ts'

interface Change {
  id: string
  tenantId: string
  before: TemplateFields
  after: TemplateFields
}

/** Refuses what a change makes fail: with variables left empty, or within the plan of a profile that uses the template. */
async function refuseWhatFails(
  em: EntityManager,
  { id, tenantId, before, after }: Change,
  guard: Guard,
): Promise<void> {
  const errors = without(refuseUnfilled(after, guard), refuseUnfilled(before, guard))
  const profiles = await queries(em)
    .selectFrom('provisioning_profiles')
    .where('tenant_id', '=', tenantId)
    .where('monitor_template_id', '=', id)
    .select(['name', 'plan', 'feature_overrides'])
    .orderBy('name')
    .execute()
  for (const { name, plan, feature_overrides } of profiles) {
    const limits = effectiveLimits(plan, feature_overrides)
    const found = without(refuseByPlan(after.monitors, limits), refuseByPlan(before.monitors, limits))
    for (const [path, reasons] of Object.entries(found))
      errors[path] ??= [...reasons, new Sentence('The profile {name} uses this template.', { name })]
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

export const updateTemplate = endpoint({
  method: 'PATCH',
  path: '/reseller/monitor-templates/{monitor_template}',
  summary: 'Update a monitor template',
  description:
    'Monitors created from it stay unchanged. ' +
    'Lists are sent whole. A secret sent as eight asterisks is kept if check, place and host are ' +
    'the same; for another host it must be sent again.',
  access: { reseller: 'teams:write' },
  body: TemplateChanges,
  bodyLimit: templateBytes,
  returns: ok({ data: TemplateView }),

  async handle({ body, params, tenant, em, now, services, audit }) {
    const stored = await findTemplate(em, tenant, params.monitor_template, 'for update')
    const before = { ...stored, monitors: decryptMonitorsForChange(services.config, stored.id, stored.monitors) }
    const after: TemplateFields = {
      name: body.name ?? before.name,
      monitors: body.monitors ? keepSecrets(settleChecks(body.monitors), before.monitors) : before.monitors,
      variables: body.variables ?? before.variables,
    }
    validateTemplate(after, services.guard)
    if (body.monitors) validateSecretHosts(after.monitors)
    await refuseWhatFails(em, { id: stored.id, tenantId: tenant.id, before, after }, services.guard)
    const names = (['name', 'monitors', 'variables'] as const).filter(
      name => !isDeepStrictEqual(before[name], after[name]),
    )
    if (names.length === 0) return { data: viewTemplate(stored) }
    const closed = encryptMonitors(services.config, before.id, after.monitors)
    await queries(em)
      .updateTable('monitor_templates')
      .set({
        name: after.name,
        monitors: json(closed),
        variables: json(after.variables),
        updated_at: now.toISOString(),
      })
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', before.id)
      .execute()
    const [was, is] = [
      TemplateView.parse(viewTemplate(stored)),
      TemplateView.parse(viewTemplate({ ...stored, ...after, monitors: closed })),
    ]
    audit(
      'monitor_template.updated',
      { type: 'monitor_template', id: before.id },
      Object.fromEntries(names.map(name => [name, { before: was[name], after: is[name] }])),
    )
    return { data: viewTemplate(await findTemplate(em, tenant, before.id)) }
  },
})
