import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { askRecipients } from '#control-plane/alerting/recipients/ask.ts'
import { changesOf } from '#control-plane/base/changes.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { json, queries } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { unknownFields } from '#control-plane/http/unknown-fields.ts'
import { decryptForChange, draftConfig, encryptConfig, recipientsIn } from './config.ts'
import type { ChannelChanges } from './input.ts'
import { kinds } from './kinds/index.ts'
import { type ChannelOwner, type ChannelRow, findChannel, lockChannel } from './row.ts'
import { ensureSigningSecret } from './signing-secret.ts'

type ChangeContext = Pick<RequestContext, 'em' | 'tenant' | 'now' | 'services' | 'audit' | 'caller' | 'mail' | 'ignore'>

/** Changes a channel. Fields that were not sent stay. */
export async function changeChannel(
  context: ChangeContext,
  id: string,
  sent: z.output<typeof ChannelChanges>,
): Promise<ChannelRow> {
  const { before, names, changed } = await storeChanges(context, context.tenant, id, sent)
  const after = await findChannel(context.em, context.tenant, id)
  if (names.length + changed.length > 0)
    context.audit(
      'notification_channel.updated',
      { type: 'notification_channel', id },
      {
        ...changesOf(names, before, after),
        ...Object.fromEntries(
          changed.map(name => [
            `config.${name}`,
            { before: before.config[name] ?? null, after: after.config[name] ?? null },
          ]),
        ),
      },
    )
  return after
}

interface Changed {
  before: ChannelRow
  names: ('name' | 'is_enabled')[]
  /** The fields of the configuration that changed. */
  changed: string[]
}

/** Changes a channel or a contact method, and says what changed. */
export async function storeChanges(
  context: Omit<ChangeContext, 'audit'>,
  owner: ChannelOwner,
  id: string,
  sent: z.output<typeof ChannelChanges>,
): Promise<Changed> {
  const { em, tenant, now, services } = context
  const before = await lockChannel(em, owner, id)
  context.ignore(unknownFields(kinds[before.type].config, sent.config, 'config'))
  const { guard, bounded } = services
  const templating = { bounded, tenantId: tenant.id }
  const opened = decryptForChange(services.config, id, before)
  const drafted =
    sent.config === undefined
      ? opened
      : await draftConfig({ type: before.type, given: sent.config, stored: opened, guard, templating, now })
  const isConfigured = !isDeepStrictEqual(opened, drafted)
  const { config, secrets } = isConfigured ? encryptConfig(services.config, id, before.type, drafted) : before
  const after = {
    ...before,
    name: sent.name ?? before.name,
    is_enabled: sent.is_enabled ?? before.is_enabled,
    config,
    secrets,
  }
  if (after.is_enabled && !before.is_enabled && after.type === 'email' && recipientsIn(after.config).length === 0)
    throw invalid({ 'config.recipients': ['Name a recipient first.'] })
  const names = (['name', 'is_enabled'] as const).filter(name => before[name] !== after[name])
  if (names.length === 0 && !isConfigured) return { before, names: [], changed: [] }
  await queries(em)
    .updateTable('notification_channels')
    .set({
      name: after.name,
      is_enabled: after.is_enabled,
      config: json(config),
      secrets,
      updated_at: now.toISOString(),
      verified_at: isConfigured ? null : before.verified_at,
    })
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', id)
    .execute()
  if (isConfigured) await askRecipients(context, recipientsIn(config))
  if (opened.secret !== drafted.secret) await ensureSigningSecret(context)
  const changed = Object.keys(drafted).filter(
    name => !isDeepStrictEqual(opened[name], drafted[name]) && name !== 'former',
  )
  return { before, names: [...names], changed }
}
