import { mask } from '#control-plane/base/secrets.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { sealWebhookSecret } from '#control-plane/tenancy/branding/webhook-secret.ts'
import { openForChange } from './config.ts'

type Known = Pick<RequestContext, 'em' | 'tenant' | 'services'>

/** What the reseller's upsell links are signed with: the secret of its oldest webhook that has one. Call it after every change, be it made to the webhook, its channel or its rule. */
export async function keepSigningSecret({ em, tenant, services }: Known): Promise<void> {
  if (!tenant.isReseller) return
  const rows = await em.execute<{ id: string; config: Record<string, unknown>; secrets: string }[]>(
    `select c.id, c.config, c.secrets from notification_channels c join notification_rules r on r.channel_id = c.id and r.is_webhook
     where c.tenant_id = ? and c.secrets is not null order by c.created_at, c.id limit 20`,
    [tenant.id],
  )
  const secrets = rows.map(({ id, ...closed }) => openForChange(services.config, id, closed).secret)
  const secret = secrets.find(each => typeof each === 'string' && each !== '' && each !== mask)
  const sealed = typeof secret === 'string' ? sealWebhookSecret(services.config, tenant.id, secret) : null
  await em.execute('update tenants set webhook_secret = ? where id = ?', [sealed, tenant.id])
}
