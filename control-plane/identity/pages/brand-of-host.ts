import type { Services } from '#control-plane/http/services.ts'
import { portalHostsOf } from '#control-plane/tenancy/portal-hosts/hosts.ts'
import { brandOfTenant, type PageBrand, platformBrand } from './brand.ts'

/** The brand of a `Host` header: that of its portal. A host that is no portal of ours has the platform's. */
export async function brandOfHost(services: Services, host: string): Promise<PageBrand> {
  const portal = portalHostsOf(services).find(host)
  return portal === undefined ? platformBrand : brandOfTenant(services, portal.tenantId)
}
