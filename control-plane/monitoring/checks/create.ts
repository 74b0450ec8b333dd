import { effectiveLimits } from '#contract/plans.ts'
import { Sentence } from '#contract/sentence.ts'
import { invalid, notInPlan } from '#control-plane/base/refusal.ts'
import { maskSettings } from '#control-plane/engine/assignments/settings-secrets.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { findMonitor } from '#control-plane/monitoring/monitors/find.ts'
import { lockCount } from '#control-plane/tenancy/plans/enforce.ts'
import { checkAccess } from './check-endpoint.ts'
import { checksOf } from './find.ts'
import { draftCheck, maxChecks, NewCheck } from './input.ts'
import { answerCheck } from './show.ts'
import { insertChecks } from './store.ts'
import { CheckView } from './view.ts'

export const createCheck = endpoint({
  method: 'POST',
  path: '/monitors/{monitor}/checks',
  summary: 'Add a check to a monitor',
  tag: 'checks',
  access: checkAccess.write,
  body: NewCheck,
  returns: created({ data: CheckView }),

  async handle(context) {
    const { em, tenant, params, body, now, audit, emit } = context
    await lockCount(em, tenant, 'monitors')
    const monitor = await findMonitor(em, tenant, params.monitor)
    const limits = effectiveLimits(tenant.plan, tenant.featureOverrides)
    const { fields, errors, unplanned } = draftCheck(body, monitor, { limits, guard: context.services.guard })
    const siblings = await checksOf(em, tenant, [monitor.id])
    if (body.type !== 'dns' && siblings.some(({ type }) => type === body.type))
      errors.type = ['A monitor has one check of this kind.']
    if (siblings.length >= maxChecks)
      errors.monitor = [new Sentence('A monitor has at most {n} checks.', { n: maxChecks })]
    if (Object.keys(errors).length > 0) throw invalid(errors)
    if (unplanned) throw notInPlan(unplanned.feature, tenant.plan, unplanned.why, unplanned.path)

    const [id] = await insertChecks(
      { em, ring: context.services.config },
      tenant,
      [{ monitor_id: monitor.id, ...fields }],
      now,
    )
    audit('check.created', { type: 'check', id: id! }, { ...fields, settings: maskSettings(fields.settings) })
    emit('monitor.updated', { monitor_id: monitor.id, monitor_name: monitor.name, monitor_url: monitor.url })
    return answerCheck(context, id!)
  },
})
