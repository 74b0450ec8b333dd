import type { Services } from '#control-plane/http/services.ts'
import { portalHostsOf } from '#control-plane/tenancy/portal-hosts/hosts.ts'
import { originOf, portalOrigin } from '#control-plane/tenancy/portal-hosts/origin.ts'
import type { SsoTeam } from './team.ts'

/**
 * The origin to which the provider of a team sends a browser back that began at this host, where its cookie is: the
 * portal of the team or of its reseller, else `BASE_URL`. A portal of others receives no answers for the team.
 */
export function originAt(services: Services, host: string, team: Pick<SsoTeam, 'id' | 'resellerId'>): string {
  const { baseUrl } = services.config
  const portal = portalHostsOf(services).find(host)
  if (!portal) return baseUrl
  const isOfTeam = portal.tenantId === team.id || portal.tenantId === team.resellerId
  return isOfTeam ? portalOrigin(baseUrl, portal.hostname) : baseUrl
}

/** Where members of a team sign in at its provider, by links that we send. */
export const loginUrlAt = (origin: string, slug: string): string =>
  `${origin}/sso/login?team=${encodeURIComponent(slug)}`

export const ssoLoginUrl = async (
  { platform, config }: Pick<Services, 'platform' | 'config'>,
  { id, slug }: { id: string; slug: string },
): Promise<string> => loginUrlAt(await originOf(platform, config, id), slug)
