import { perServices, type Services } from '#control-plane/http/services.ts'
import { customHostsOf } from './custom-hosts.ts'
import { portalOrigin } from './origin.ts'

/** A verified hostname of a portal. */
export interface PortalHost {
  /** The team or reseller that the portal belongs to: its branding is the portal's. */
  tenantId: string
  /** The reseller that manages this team, or the reseller itself (then it is `tenantId`); null: neither. */
  resellerId: string | null
  hostname: string
}

/** The portals of a process by host, in memory: a request for a host that is none of ours costs no statement. */
export const portalHostsOf = perServices(services => {
  const hosts = customHostsOf(services)
  return {
    /** The portal of a `Host` header. Only exact names match, in any case, with any port, and with a last dot. */
    find(host: string): PortalHost | undefined {
      const served = hosts.find(host)
      if (served?.purpose !== 'portal') return
      const { tenantId, resellerId, hostname } = served
      return { tenantId, resellerId, hostname }
    },
  }
})

/** Scheme and host that a `Host` header is answered at: its portal's, else the installation's. */
export function originAtHost(services: Services): (host: string) => string {
  const portals = portalHostsOf(services)
  const { baseUrl } = services.config
  const { origin } = new URL(baseUrl)
  return host => {
    const portal = portals.find(host)
    return portal === undefined ? origin : portalOrigin(baseUrl, portal.hostname)
  }
}
