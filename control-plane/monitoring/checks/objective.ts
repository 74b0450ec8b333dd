import { takesDown } from '#contract/check.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { findMonitor } from '#control-plane/monitoring/monitors/find.ts'
import { severitiesOf } from '#control-plane/monitoring/monitors/validate.ts'
import type { CheckRow } from './row.ts'

/** Refuses to take from a monitor with an objective the last check that can take it down. */
export async function refuseUnmeasured(
  { em, tenant }: Pick<RequestContext, 'em' | 'tenant'>,
  check: CheckRow,
  field: 'check' | 'severity',
): Promise<void> {
  if (!takesDown(check.severity)) return
  const { slo } = await findMonitor(em, tenant, check.monitor_id)
  if (slo === null) return
  const severities = (await severitiesOf(em, tenant, [check.monitor_id])).get(check.monitor_id) ?? []
  if (severities.filter(takesDown).length > 1) return
  throw invalid({ [field]: ['The objective of the monitor is measured by this check: remove the objective first.'] })
}
