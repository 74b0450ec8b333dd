import type { EntityManager } from '@mikro-orm/postgresql'
import { notFound } from '#control-plane/kernel/refusal.ts'
import { stampSql } from '#control-plane/kernel/stamp-sql.ts'
import type { Config } from './config.ts'
import type { ChannelType } from './kinds/kind.ts'

export interface ChannelRow {
  id: string
  name: string
  type: ChannelType
  config: Config
  secrets: string | null
  is_enabled: boolean
  failing_since: string | null
  created_at: string
  updated_at: string
}

export const selectChannels = `id, name, type, config, secrets, is_enabled,
  ${stampSql('failing_since')} as failing_since, ${stampSql('created_at')} as created_at, ${stampSql('updated_at')} as updated_at`

export async function findChannel(em: EntityManager, tenant: { id: string }, id: string, hold: '' | 'for update' = ''): Promise<ChannelRow> {
  const [row] = await em.execute<ChannelRow[]>(`select ${selectChannels} from notification_channels where tenant_id = ? and id = ? ${hold}`, [tenant.id, id])
  if (!row) throw notFound('Notification channel')
  return row
}
