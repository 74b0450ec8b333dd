import type { EntityManager } from '@mikro-orm/postgresql'
import { notFound } from '#control-plane/base/refusal.ts'
import type { Row } from '#control-plane/db/queries.ts'
import { type DeliveryRow, selectDeliveries } from './view.ts'

export async function findDelivery(
  em: EntityManager,
  tenant: { id: string },
  id: string,
): Promise<DeliveryRow & Row<'deliveries', 'body'>> {
  const row = await selectDeliveries(em, tenant).where('d.id', '=', id).select('d.body').executeTakeFirst()
  if (!row) throw notFound('Notification log')
  return row
}
