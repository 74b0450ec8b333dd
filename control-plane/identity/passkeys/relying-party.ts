import type { Config } from '#control-plane/config.ts'

/** A domain with passkeys of its own, as browsers know it (WebAuthn: relying party). */
export interface RelyingParty {
  /** Its host, without a port. */
  id: string
  /** The origin of its pages. */
  origin: string
  /** Its name in the browser's dialogs. */
  name: string
}

/** The domain of the platform itself: that of BASE_URL. */
export function platformParty({ baseUrl }: Pick<Config, 'baseUrl'>): RelyingParty {
  const { hostname, origin } = new URL(baseUrl)
  return { id: hostname, origin, name: 'Vedette' }
}
