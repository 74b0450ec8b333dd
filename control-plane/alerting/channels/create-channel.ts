import { randomUUID } from 'node:crypto'
import { askRecipients } from '#control-plane/alerting/recipients/ask.ts'
import { json, queries, type Row } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { draftConfig, encryptConfig, recipientsIn } from './config.ts'
import { refuseTypeBeyondPlan } from './input.ts'
import { type ChannelRow, findChannel } from './row.ts'

type CreateContext = Pick<RequestContext, 'em' | 'tenant' | 'now' | 'services' | 'audit' | 'caller' | 'mail'>

type Fields = Row<'notification_channels', 'name' | 'type' | 'config' | 'is_enabled'>

/** Creates a channel of a team. */
export async function makeChannel(context: CreateContext, fields: Fields): Promise<ChannelRow> {
  const id = await insertChannel(context, fields)
  const { name, type } = fields
  context.audit('notification_channel.created', { type: 'notification_channel', id }, { name, type })
  return findChannel(context.em, context.tenant, id)
}

/** `owner`: the person whose contact method it is, and its place among them. Returns the id. */
export async function insertChannel(
  context: Omit<CreateContext, 'audit'>,
  { name, type, config: given, is_enabled }: Fields,
  owner: { id: string; position: number } | null = null,
): Promise<string> {
  const { em, tenant, now, services } = context
  refuseTypeBeyondPlan(tenant, type)
  const id = randomUUID()
  const { guard, bounded } = services
  const drafted = await draftConfig({ type, given, guard, templating: { bounded, tenantId: tenant.id }, now })
  const { config, secrets } = encryptConfig(services.config, id, type, drafted)
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
      owner_user_id: owner?.id ?? null,
      position: owner?.position ?? null,
      created_at: at,
      updated_at: at,
    })
    .execute()
  await askRecipients(context, recipientsIn(config))
  return id
}
