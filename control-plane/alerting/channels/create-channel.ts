import { randomUUID } from 'node:crypto'
import { askRecipients } from '#control-plane/alerting/recipients/ask.ts'
import { json, queries, type Row } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { closeConfig, draftConfig, recipientsIn } from './config.ts'
import { refuseTypeBeyondPlan } from './input.ts'
import { type ChannelRow, findChannel } from './row.ts'

type CreateContext = Pick<RequestContext, 'em' | 'tenant' | 'now' | 'services' | 'audit' | 'caller' | 'mail'>

type Fields = Row<'notification_channels', 'name' | 'type' | 'config' | 'is_enabled'>

export async function makeChannel(
  context: CreateContext,
  { name, type, config: given, is_enabled }: Fields,
): Promise<ChannelRow> {
  const { em, tenant, now, services, audit } = context
  refuseTypeBeyondPlan(tenant, type)
  const id = randomUUID()
  const { config, secrets } = closeConfig(
    services.config,
    id,
    type,
    draftConfig({ type, given, guard: services.guard, now }),
  )
  const at = now.toISOString()
  await queries(em)
    .insertInto('notification_channels')
    .values({
      id,
      tenant_id: tenant.id,
      name,
      type,
      config: json(config),
      secrets,
      is_enabled,
      created_at: at,
      updated_at: at,
    })
    .execute()
  await askRecipients(context, recipientsIn(config))
  audit('notification_channel.created', { type: 'notification_channel', id }, { name, type })
  return findChannel(em, tenant, id)
}
