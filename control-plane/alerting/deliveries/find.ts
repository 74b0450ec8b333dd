import type { EntityManager } from '@mikro-orm/postgresql'
import { notFound } from '#control-plane/base/refusal.ts'
import { type DeliveryRow, fromDeliveries, selectDeliveries } from './view.ts'

export async function findDelivery(
  em: EntityManager,
  tenant: { id: string },
  id: string,
): Promise<DeliveryRow & { body: string | null }> {
  const [row] = await em.execute<(DeliveryRow & { body: string | null })[]>(
    `select ${selectDeliveries}, d.body ${fromDeliveries} where d.tenant_id = ? and d.id = ?`,
    [tenant.id, id],
  )
  if (!row) throw notFound('Notification log')
  return row
}
