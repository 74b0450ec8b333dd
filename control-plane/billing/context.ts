import { forbidden } from '#control-plane/base/refusal.ts'
import { affected } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import type { Services } from '#control-plane/http/services.ts'
import { manual } from './manual/provider.ts'
import type { BillingContext, Provider } from './provider.ts'
import { stripe } from './stripe/provider.ts'

/** The provider of this installation. */
export const providerOf = ({ config }: Pick<Services, 'config'>): Provider => (config.billing?.stripe ? stripe : manual)

/** The context of a request that changes billing. A managed team is refused: its reseller pays. */
export async function changing({
  services,
  tenant,
  caller,
  ip,
  requestId,
  now,
}: Pick<RequestContext, 'services' | 'tenant' | 'caller' | 'ip' | 'requestId' | 'now'>): Promise<BillingContext> {
  const rowCount = await affected(services.platform)`select 1 from managed_teams where tenant_id = ${tenant.id}`
  if (rowCount)
    throw forbidden('The reseller of this team is billed for it. Ask the reseller for changes.', 'billed_by_reseller')
  return { services, tenant, now, actor: { userId: caller.user?.id ?? null, tokenId: caller.tokenId, ip, requestId } }
}
