import type { Facts } from '#control-plane/kernel/endpoint.ts'
import { invalid } from '#control-plane/kernel/refusal.ts'
import type { ProfileFields } from './input.ts'

/** Refuses a profile that names a template the reseller has not. The template is held, so that it is not deleted meanwhile. */
export async function vetProfile({ em, tenant }: Pick<Facts, 'em' | 'tenant'>, { monitor_template_id }: ProfileFields): Promise<void> {
  if (monitor_template_id === null) return
  const found = await em.execute<unknown[]>('select 1 from monitor_templates where tenant_id = ? and id = ? for key share', [tenant.id, monitor_template_id])
  if (found.length === 0) throw invalid({ monitor_template_id: ['There is no such template.'] })
}
