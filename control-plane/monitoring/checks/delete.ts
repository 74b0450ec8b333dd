import { isPassiveKind } from '#checks/index.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { lockMonitor } from '#control-plane/monitoring/monitors/find.ts'
import { checkEndpoint } from './check-endpoint.ts'
import { endIncidents } from './end-incidents.ts'
import { refuseUnmeasured } from './objective.ts'

export const deleteCheck = checkEndpoint({
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
    await refuseUnmeasured(context, found, 'check')
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
