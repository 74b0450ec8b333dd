import { z } from 'zod'
import type { Services } from '#control-plane/http/services.ts'
import { portalHostsOf } from '#control-plane/tenancy/portal-hosts/hosts.ts'
import { brandOfTenant, type PageBrand, platformBrand } from './brand.ts'

const Team = z.uuid()

/**
 * The brand of a `Host` header: that of its portal. Another host has that of the team which the address of the page
 * names, as a link in a mail does, else the platform's.
 */
export async function brandOfHost(services: Services, host: string, team?: unknown): Promise<PageBrand> {
  const portal = portalHostsOf(services).find(host)
  if (portal !== undefined) return brandOfTenant(services, portal.tenantId)
  const named = Team.safeParse(team)
  return named.success ? brandOfTenant(services, named.data) : platformBrand
}
