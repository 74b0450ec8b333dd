import { randomUUID } from 'node:crypto'
import { askRecipients } from '#control-plane/alerting/recipients/ask.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { type Config, closeConfig, draftConfig, recipientsIn } from './config.ts'
import { refuseTypeBeyondPlan } from './input.ts'
import type { ChannelType } from './kinds/kind.ts'
import { type ChannelRow, findChannel } from './row.ts'

type Known = Pick<RequestContext, 'em' | 'tenant' | 'now' | 'services' | 'audit' | 'caller' | 'mail'>

interface Fields {
  name: string
  type: ChannelType
  config: Config
  is_enabled: boolean
}

export async function makeChannel(
  facts: Known,
  { name, type, config: given, is_enabled }: Fields,
): Promise<ChannelRow> {
  const { em, tenant, now, services, audit } = facts
  refuseTypeBeyondPlan(tenant, type)
  const id = randomUUID()
  const { config, secrets } = closeConfig(
    services.config,
    id,
    type,
    draftConfig({ type, given, guard: services.guard, now }),
  )
  await em.execute(
    `insert into notification_channels (id, tenant_id, name, type, config, secrets, is_enabled, created_at, updated_at)
     values (?, ?, ?, ?, ?::jsonb, ?, ?, ?, ?)`,
    [id, tenant.id, name, type, JSON.stringify(config), secrets, is_enabled, now, now],
  )
  await askRecipients(facts, recipientsIn(config))
  audit('notification_channel.created', { type: 'notification_channel', id }, { name, type })
  return findChannel(em, tenant, id)
}
