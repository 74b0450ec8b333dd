import { generateServiceProviderMetadata, SAML } from '@node-saml/node-saml'
import { SsoFailure } from '#control-plane/identity/sso/outcome.ts'
import type { ConfigRow } from '#control-plane/identity/sso/row.ts'

/** Where providers send answers, and where they read what we are. */
export const answerPath = '/sso/saml/acs'
export const metadataPath = '/sso/saml/metadata'

/** The id of the request of a sign-in. Ids may not begin with a digit. */
export const requestIdOf = (state: string): string => `_${state}`

/** The address at the provider to which a browser is sent to sign in. Throws a `SsoFailure`. */
export async function samlSignInUrl(
  { sign_in_url, client_id, certificates }: ConfigRow,
  state: string,
  origin: string,
): Promise<string> {
  if (sign_in_url === null) throw new SsoFailure('sso_off', 'The provider has no address (sign_in_url).')
  const saml = new SAML({
    entryPoint: sign_in_url,
    issuer: client_id,
    callbackUrl: origin + answerPath,
    idpCert: certificates,
    generateUniqueId: () => requestIdOf(state),
    identifierFormat: null,
    disableRequestedAuthnContext: true,
  })
  return saml.getAuthorizeUrlAsync(state, undefined, {})
}

/** What providers read of us: the entity id that is used unless another is set, and the address for answers. */
export const metadataOf = (baseUrl: string, origin: string): string =>
  generateServiceProviderMetadata({
    issuer: baseUrl + metadataPath,
    callbackUrl: origin + answerPath,
    wantAssertionsSigned: true,
    generateUniqueId: () => '_vedette',
  })
