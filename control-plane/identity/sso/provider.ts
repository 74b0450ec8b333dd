import { hash } from 'node:crypto'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  type ServerMetadata,
} from 'openid-client'
import { failureOf } from './failure.ts'
import { SsoFailure } from './outcome.ts'
import { type ProviderGuard, providerFetch } from './provider-fetch.ts'

/** A client at a provider, with its secret in plain text. */
export interface Client {
  issuer: string
  clientId: string
  clientSecret: string | null
  scopes: readonly string[]
}

/** The path to which providers send people back. */
export const callbackPath = '/sso/callback'
/** The path to which they send people who have signed out there. */
export const signedOutPath = '/sso/signed-out'

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/
/** Loopback alone is asked without TLS, and reached only where the operator allows it. */
export const isWithoutTls = (issuer: string): boolean => {
  const url = URL.parse(issuer)
  return url?.protocol === 'http:' && loopback.test(url.hostname)
}

const hrefOf = (issuer: string): string | undefined => URL.parse(issuer)?.href

/**
 * Reads the description of a provider. It must call itself exactly by the configured issuer, so that no description for
 * many organisations (Entra ID's `common`) is accepted. Throws a `SsoFailure`.
 */
export async function openProvider(guard: ProviderGuard, client: Client): Promise<Configuration> {
  const reach = providerFetch(guard)
  try {
    const described = await discovery(new URL(client.issuer), client.clientId, undefined, None(), {
      [customFetch]: reach,
      execute: isWithoutTls(client.issuer) ? [allowInsecureRequests] : [],
    })
    const server = described.serverMetadata()
    if (hrefOf(server.issuer) !== hrefOf(client.issuer))
      throw new SsoFailure(
        'issuer_mismatch',
        `The provider calls itself ${JSON.stringify(server.issuer.slice(0, 200))}, not as configured.`,
      )
    const provider = new Configuration(server, client.clientId, undefined, authOf(client.clientSecret, server))
    provider[customFetch] = reach
    if (isWithoutTls(client.issuer)) allowInsecureRequests(provider)
    // openid-client would trust TLS alone; the signature is verified as well
    enableNonRepudiationChecks(provider)
    return provider
  } catch (error) {
    throw failureOf(error)
  }
}

/** By the body where the provider takes it, else by a header. A client without a secret has PKCE alone. */
function authOf(secret: string | null, { token_endpoint_auth_methods_supported: methods }: ServerMetadata): ClientAuth {
  if (secret === null) return None()
  return methods?.includes('client_secret_post') ? ClientSecretPost(secret) : ClientSecretBasic(secret)
}

/** The values of one sign-in that its two requests share. They are derived from the browser's secret, not stored. */
interface Checks {
  state: string
  nonce: string
  verifier: string
}

export function checksOf(browserSecret: string, state: string): Checks {
  const derived = (purpose: string) => hash('sha256', `vedette sso ${purpose}\0${state}\0${browserSecret}`, 'base64url')
  return { state, nonce: derived('nonce'), verifier: derived('pkce') }
}

/** The address at the provider to which a browser is sent to sign in. */
export async function signInUrl(
  provider: Configuration,
  client: Client,
  { state, nonce, verifier }: Checks,
  { redirectUri, loginHint }: { redirectUri: string; loginHint: string | null },
): Promise<string> {
  const asked = {
    redirect_uri: redirectUri,
    scope: [...new Set(['openid', ...client.scopes])].join(' '),
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(loginHint !== null && { login_hint: loginHint }),
  }
  try {
    const { href } = buildAuthorizationUrl(provider, asked)
    if (isForBrowsers(href)) return href
  } catch (error) {
    throw failureOf(error)
  }
  throw new SsoFailure('bad_answer', 'The authorization_endpoint of the provider is no https address.')
}

/** An address of a description to which we may send a browser. */
const isForBrowsers = (address: string): boolean => isWithoutTls(address) || URL.parse(address)?.protocol === 'https:'

/** The address at the provider to which a browser is sent to sign out; null for a provider without one. */
export function signOutUrl(provider: Configuration, redirectUri: string): string | null {
  const { end_session_endpoint: address } = provider.serverMetadata()
  if (typeof address !== 'string' || !isForBrowsers(address)) return null
  // it adds our client_id
  return buildEndSessionUrl(provider, { post_logout_redirect_uri: redirectUri }).href
}

export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string }

/**
 * Exchanges the code in the address that the browser came back with, and returns the claims about the person. The
 * token must be signed by a key of the provider, for this client, with the nonce of this browser. Claims that the ID
 * token lacks are asked for at the provider. Throws a `SsoFailure`.
 */
export async function claimsOf(provider: Configuration, url: URL, checks: Checks): Promise<Claims> {
  try {
    const tokens = await authorizationCodeGrant(provider, url, {
      expectedState: checks.state,
      expectedNonce: checks.nonce,
      pkceCodeVerifier: checks.verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new SsoFailure('token_invalid', 'The provider sent no ID token.')
    if (claims.email !== undefined || !provider.serverMetadata().userinfo_endpoint) return claims
    return { ...(await fetchUserInfo(provider, tokens.access_token, claims.sub)), ...claims }
  } catch (error) {
    throw failureOf(error)
  }
}
