import { mask } from '#control-plane/base/secrets.ts'
import { queries } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { encryptWebhookSecret } from '#control-plane/tenancy/branding/webhook-secret.ts'
import { decryptForChange } from './config.ts'

type SigningContext = Pick<RequestContext, 'em' | 'tenant' | 'services'>

/**
 * Stores the secret that the reseller's upsell links are signed with: that of its oldest webhook with a secret. Call it
 * after every change of a webhook, its channel or its rule.
 */
export async function ensureSigningSecret({ em, tenant, services }: SigningContext): Promise<void> {
  if (!tenant.isReseller) return
  const rows = await queries(em)
    .selectFrom('notification_channels as c')
    .innerJoin('notification_rules as r', 'r.channel_id', 'c.id')
    .where('r.is_webhook', '=', true)
    .where('c.tenant_id', '=', tenant.id)
    .where('c.secrets', 'is not', null)
    .select(['c.id', 'c.config', 'c.secrets'])
    .orderBy('c.created_at')
    .orderBy('c.id')
    .limit(20)
    .execute()
  const secrets = rows.map(({ id, ...closed }) => decryptForChange(services.config, id, closed).secret)
  const secret = secrets.find(each => typeof each === 'string' && each !== '' && each !== mask)
  const encrypted = typeof secret === 'string' ? encryptWebhookSecret(services.config, tenant.id, secret) : null
  await queries(em).updateTable('tenants').set({ webhook_secret: encrypted }).where('id', '=', tenant.id).execute()
}
