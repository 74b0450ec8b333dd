import type { EntityManager } from '@mikro-orm/postgresql'
import { notFound } from '#control-plane/base/refusal.ts'
import { stampSql } from '#control-plane/base/stamp-sql.ts'
import type { ClosedMonitor, TemplateFields } from './input.ts'

export interface TemplateRow extends Omit<TemplateFields, 'monitors'> {
  id: string
  monitors: ClosedMonitor[]
  created_at: string
  updated_at: string
}

export const selectTemplates = `id, name, monitors, variables, ${stampSql('created_at')} as created_at, ${stampSql('updated_at')} as updated_at`

/** A template of this reseller, if there is one: another reseller's is as unknown as one that never was. */
export async function loadTemplate(
  em: EntityManager,
  reseller: { id: string },
  id: string,
  hold: '' | 'for update' = '',
): Promise<TemplateRow | undefined> {
  const [row] = await em.execute<TemplateRow[]>(
    `select ${selectTemplates} from monitor_templates where tenant_id = ? and id = ? ${hold}`,
    [reseller.id, id],
  )
  return row
}

export async function findTemplate(
  em: EntityManager,
  reseller: { id: string },
  id: string,
  hold: '' | 'for update' = '',
): Promise<TemplateRow> {
  const row = await loadTemplate(em, reseller, id, hold)
  if (!row) throw notFound('Monitor template')
  return row
}
