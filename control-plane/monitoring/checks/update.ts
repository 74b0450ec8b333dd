import { isKindName, kinds } from '#checks/index.ts'
import { effectiveLimits } from '#contract/plans.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { decryptForChange } from '#control-plane/engine/assignments/check-secrets.ts'
import { unknownFields } from '#control-plane/http/unknown-fields.ts'
import { changeCheck } from './change.ts'
import { checkEndpoint } from './check-endpoint.ts'
import { keepFormerDefault } from './former-default/decide.ts'
import { CheckChanges, refuseInterval } from './input.ts'
import { parseSettings, refuseAbuse, refusePort } from './settings.ts'
import { answerCheck, oneCheck } from './show.ts'

export const updateCheck = checkEndpoint({
  method: 'PATCH',
  suffix: '',
  summary: 'Update settings, interval or severity of a check',
  needs: 'write',
  body: CheckChanges,
  returns: oneCheck,

  async handle(context) {
    const { found, body, tenant } = context
    if (!isKindName(found.type)) throw invalid({ type: ['This kind of check is not known any more.'] })
    if (body.settings) context.ignore(unknownFields(kinds[found.type].settings, body.settings, 'settings'))
    const open = { ...found, settings: decryptForChange(context.services.config, found.id, found) }
    const parsed = body.settings
      ? parseSettings(found.type, body.settings, open.settings)
      : { settings: undefined, errors: {} }
    const { guard } = context.services
    const errors = {
      ...parsed.errors,
      ...(parsed.settings && {
        ...refuseAbuse(found.type, parsed.settings, guard),
        ...refusePort(parsed.settings, found.monitor_url, guard),
      }),
    }
    const tooOften =
      body.interval === undefined || body.interval === found.interval
        ? null
        : refuseInterval(found.type, body.interval, effectiveLimits(tenant.plan, tenant.featureOverrides))
    if (tooOften) errors.interval = [tooOften]
    if (Object.keys(errors).length > 0) throw invalid(errors)

    await changeCheck(context, open, { ...body, settings: parsed.settings })
    if (body.settings?.warning_status !== undefined) await keepFormerDefault(context, [found])
    return answerCheck(context, found.id)
  },
})
