import type { Services } from '#control-plane/http/services.ts'
import { originAtHost } from '#control-plane/tenancy/portal-hosts/hosts.ts'

/** A domain with passkeys of its own, as browsers know it (WebAuthn: relying party). */
export interface RelyingParty {
  /** Its host, without a port. */
  id: string
  /** The origin of its pages. */
  origin: string
}

/**
 * The domain of a request by its `Host`: that of a portal, else the platform's, which is that of BASE_URL. A browser
 * offers the passkeys of one domain only to its pages. Hosts that are none of ours get the platform's, whose answers
 * their pages cannot give.
 */
export function relyingPartyOf(services: Services, host: string): RelyingParty {
  const origin = originAtHost(services)(host)
  return { id: new URL(origin).hostname, origin }
}
