import type { Role } from '#contract/scopes.ts'

export const tokenKinds = ['ss', 'rk', 'ik', 'svc', 'sk'] as const
export type TokenKind = (typeof tokenKinds)[number]
/**
 * Beside tokens of people and teams: `ag-` enrols a regional agent once, `am-` belongs to one customer's server, `sc-`
 * to the directory that provisions the members of a team.
 */
export const secretKinds = [...tokenKinds, 'ag', 'am', 'sc'] as const
export type SecretKind = (typeof secretKinds)[number]

/** A tenant as access checks and handlers need it. */
export interface TenantContext {
  id: string
  name: string
  slug: string
  plan: string
  featureOverrides: Record<string, unknown>
  isReseller: boolean
}

/** What proved the person of a session. */
export const authMethods = ['password', 'passkey', 'login_link', 'partner_sso', 'oidc', 'saml'] as const
export type AuthMethod = (typeof authMethods)[number]

/** The caller, as the token of each request identifies it. */
export interface Caller {
  tokenId: string
  kind: TokenKind
  scopes: string[]
  /**
   * When the token ends, if ever: tokens that it creates may not live longer. That of a session moves on with its use.
   */
  expiresAt: Date | null
  /** A session that is bound to its team and may change no credentials. */
  isLocked: boolean
  /** A session of a browser, whose token is sent as a cookie alone. */
  isByCookie: boolean
  /** What proved the person of a session, if it is known. */
  authMethod: AuthMethod | null
  /**
   * From when the team refuses this session, because its person has no second factor; null where it needs none.
   */
  mfaDueAt: Date | null
  /** When the person of a session last proved to be present. */
  reauthenticatedAt: Date | null
  tenant: TenantContext
  user: { id: string; name: string; email: string; role: Role; isSuperAdmin: boolean; language: string } | null
  /** The user who created a key of the team, whose role limits it. */
  maker: string | null
  /** The user of the reseller behind an impersonation token, while `user` is the team's service user. */
  impersonator: { userId: string; tenantId: string } | null
}

/** The caller of public endpoints. */
export const anonymous: Caller = {
  tokenId: '',
  kind: 'ss',
  scopes: [],
  expiresAt: null,
  isLocked: false,
  isByCookie: false,
  authMethod: null,
  mfaDueAt: null,
  reauthenticatedAt: null,
  tenant: { id: '', name: '', slug: '', plan: 'free', featureOverrides: {}, isReseller: false },
  user: null,
  maker: null,
  impersonator: null,
}
