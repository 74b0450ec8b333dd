import { isPassiveKind, uptimeKinds } from '#checks/index.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { findMonitor, lockMonitor } from '#control-plane/monitoring/monitors/find.ts'
import { kindsOf } from '#control-plane/monitoring/monitors/vet.ts'
import { endIncidents } from './end-incidents.ts'
import { checkVerb } from './verb.ts'

export const deleteCheck = checkVerb({
  method: 'DELETE',
  suffix: '',
  summary: 'Delete a check and resolve its open incidents',
  needs: 'write',
  returns: noContent,

  async handle(context) {
    const { em, tenant, found, audit, emit } = context
    if (isPassiveKind(found.type))
      throw invalid({ check: ['A monitor of this type needs its check: delete the monitor.'] })
    await lockMonitor(em, tenant, found.monitor_id)
    const { slo } = await findMonitor(em, tenant, found.monitor_id)
    const kinds = (await kindsOf(em, tenant, [found.monitor_id])).get(found.monitor_id) ?? []
    if (slo !== null && uptimeKinds.includes(found.type) && kinds.filter(kind => uptimeKinds.includes(kind)).length < 2)
      throw invalid({ check: ['The objective of the monitor is measured by this check: remove the objective first.'] })
    await endIncidents(context, { check_id: found.id })
    await queries(em).deleteFrom('checks').where('id', '=', found.id).where('tenant_id', '=', tenant.id).execute()
    audit('check.deleted', { type: 'check', id: found.id }, { type: found.type, monitor_id: found.monitor_id })
    emit('monitor.updated', {
      monitor_id: found.monitor_id,
      monitor_name: found.monitor_name,
      monitor_url: found.monitor_url,
    })
  },
})
