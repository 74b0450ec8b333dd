import type { EntityManager } from '@mikro-orm/postgresql'
import { type RecipientState, selectRecipients } from '#control-plane/alerting/recipients/states.ts'
import { notFound } from '#control-plane/base/refusal.ts'
import { stampSql } from '#control-plane/base/stamp-sql.ts'
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
  recipients: { email: string; state: RecipientState }[] | null
  created_at: string
  updated_at: string
}

/** Columns of `ChannelRow`, of `notification_channels` known as `c`. */
export const selectChannels = `c.id, c.name, c.type, c.config, c.secrets, c.is_enabled, ${selectRecipients} as recipients,
  ${stampSql('c.failing_since')} as failing_since, ${stampSql('c.created_at')} as created_at, ${stampSql('c.updated_at')} as updated_at`

export async function findChannel(
  em: EntityManager,
  tenant: { id: string },
  id: string,
  hold: '' | 'for update' = '',
): Promise<ChannelRow> {
  const [row] = await em.execute<ChannelRow[]>(
    `select ${selectChannels} from notification_channels c where c.tenant_id = ? and c.id = ? ${hold && `${hold} of c`}`,
    [tenant.id, id],
  )
  if (!row) throw notFound('Notification channel')
  return row
}
