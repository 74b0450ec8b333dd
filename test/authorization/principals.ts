import { type Role, resellerScopes, tenantFamilies } from '#contract/scopes.ts'
import type { TokenKind } from '#control-plane/base/caller.ts'
import { mintSecret } from '#control-plane/base/token-secret.ts'
import type { Operation } from './operations.ts'
import { type BrowserToken, makeDirectoryToken, makeToken, type NewToken, type World } from './world.ts'

/** A caller. `kind` is null without a valid token; `relation` is the caller's relation to the team. */
export interface Principal {
  name: string
  kind: TokenKind | null
  relation: 'stranger' | 'team' | 'independent' | 'reseller' | 'rival' | 'operator' | 'suspended'
  role?: Role
  /** Has the token of a directory, which opens SCIM and nothing else. */
  isDirectory?: true
  scopes: readonly string[]
  /** The session of a browser, whose token is a cookie. */
  browser?: BrowserToken | undefined
  token: () => Promise<string | null>
}

const tenantScopes = tenantFamilies.flatMap(family => [`${family}:read`, `${family}:write`, `${family}:manage`])
export const domainOf = (scope: string) => scope.slice(0, scope.lastIndexOf(':'))
/** Every scope that does not hold the one needed. */
const allBut = (scopes: readonly string[], needed = '') =>
  scopes.filter(scope => needed.split(' ').every(each => scope !== each && scope !== `${domainOf(each)}:manage`))
const only = (scope: string | undefined) => scope?.split(' ').slice(0, 1) ?? []

/** Everybody who might call an operation, in a world. */
export function principalsFor(world: World, { tenantScope, resellerScope }: Operation): Principal[] {
  const { team, reseller, rival, independent, operators, suspended } = world
  const impersonator = { userId: reseller.people.owner ?? '', tenantId: reseller.tenantId }
  const by = (
    name: string,
    relation: Principal['relation'],
    token: Omit<NewToken, 'scopes'> & { scopes?: readonly string[] },
    role?: Role,
  ): Principal => {
    const scopes = token.scopes ?? []
    const isAlive = !token.isExpired && !token.isDisabled
    return {
      name,
      relation,
      kind: isAlive ? token.kind : null,
      scopes,
      ...(role && { role }),
      browser: token.browser,
      token: () => makeToken({ ...token, scopes }),
    }
  }
  const session = (of: World['team'] | World['reseller'], role: Role = 'owner') => ({
    kind: 'ss' as const,
    tenantId: of.tenantId,
    userId: of.people[role] ?? null,
  })
  const general = (kind: 'sk' | 'svc', scopes: readonly string[]) => ({
    ...session(team),
    kind,
    ...(kind === 'svc' && { userId: null }),
    scopes,
  })
  const managing = (of: World['reseller'], scopes: readonly string[]) => ({
    ...session(of),
    kind: 'rk' as const,
    scopes,
  })
  const standIn = (scopes: readonly string[]) => ({ ...session(team), kind: 'ik' as const, scopes, impersonator })
  const dead = (name: string, token: NewToken): Principal => ({
    name,
    kind: null,
    relation: 'stranger',
    scopes: [],
    token: () => makeToken(token),
  })
  return [
    { name: 'stranger', kind: null, relation: 'stranger', scopes: [], token: async () => null },
    {
      name: 'a token never issued',
      kind: null,
      relation: 'stranger',
      scopes: [],
      token: async () => mintSecret('rk').plain,
    },
    { name: 'a token of no shape', kind: null, relation: 'stranger', scopes: [], token: async () => 'rk-garbage' },
    {
      name: 'the team’s directory',
      kind: null,
      relation: 'stranger',
      isDirectory: true,
      scopes: [],
      token: () => makeDirectoryToken(team.tenantId),
    },
    by('an expired session', 'team', { ...session(team), isExpired: true }),
    by('a disabled reseller token', 'reseller', { ...managing(reseller, resellerScopes), isDisabled: true }),
    by('the team’s owner', 'team', session(team, 'owner'), 'owner'),
    by('the team’s admin', 'team', session(team, 'admin'), 'admin'),
    by('a member of the team', 'team', session(team, 'member'), 'member'),
    by('a viewer of the team', 'team', session(team, 'viewer'), 'viewer'),
    by('the team’s owner in a browser', 'team', { ...session(team), browser: { isFresh: true } }, 'owner'),
    by(
      'a member of the team in a browser',
      'team',
      { ...session(team, 'member'), browser: { isFresh: true } },
      'member',
    ),
    by('the team’s owner in a browser left open', 'team', { ...session(team), browser: { isFresh: false } }, 'owner'),
    by(
      'the team’s owner in a session limited by a login link',
      'team',
      { ...session(team), browser: { isFresh: true, isLocked: true } },
      'owner',
    ),
    by(
      'the managing reseller’s owner in a browser',
      'reseller',
      { ...session(reseller), browser: { isFresh: true } },
      'owner',
    ),
    by(
      'the managing reseller’s owner in a session limited by a login link',
      'reseller',
      { ...session(reseller), browser: { isFresh: true, isLocked: true } },
      'owner',
    ),
    by('another reseller’s owner in a browser', 'rival', { ...session(rival), browser: { isFresh: true } }, 'owner'),
    by(
      'a member of the managing reseller in a browser',
      'reseller',
      { ...session(reseller, 'member'), browser: { isFresh: true } },
      'member',
    ),
    by('the owner of an independent tenant', 'independent', session(independent), 'owner'),
    by('the managing reseller’s owner', 'reseller', session(reseller), 'owner'),
    by('another reseller’s owner', 'rival', session(rival), 'owner'),
    by('the owner of a suspended tenant', 'suspended', session(suspended), 'owner'),
    by('an operator', 'operator', session(operators), 'owner'),
    by('a personal token with the very scope', 'team', general('sk', only(tenantScope))),
    by(
      'a personal token with all other scopes',
      'team',
      general('sk', [...allBut(tenantScopes, tenantScope), ...resellerScopes]),
    ),
    by('a service key with the very scope', 'team', general('svc', only(tenantScope))),
    by(
      'a service key whose maker is a viewer now',
      'team',
      { ...general('svc', [...tenantScopes]), createdBy: team.people.viewer ?? null },
      'viewer',
    ),
    dead('a service key whose maker has left', {
      ...general('svc', [...tenantScopes]),
      createdBy: independent.people.owner ?? null,
    }),
    dead('a reseller token whose person administers nothing', {
      ...managing(reseller, resellerScopes),
      userId: reseller.people.member ?? null,
    }),
    dead('an impersonation token whose maker administers nothing', {
      ...standIn(['read', 'write']),
      impersonator: { userId: reseller.people.member ?? '', tenantId: reseller.tenantId },
    }),
    by('an impersonation token to read', 'team', standIn(['read'])),
    by('an impersonation token to read and write', 'team', standIn(['read', 'write'])),
    by('a reseller token with the very scope', 'reseller', managing(reseller, only(resellerScope))),
    by('another reseller’s token with the very scope', 'rival', managing(rival, only(resellerScope))),
    by(
      'a reseller token with all other scopes',
      'reseller',
      managing(reseller, [...allBut(resellerScopes, resellerScope), ...tenantScopes]),
    ),
    by('a reseller token with all scopes', 'reseller', managing(reseller, resellerScopes)),
    by('a reseller token of a tenant that is none', 'independent', {
      ...managing(reseller, resellerScopes),
      ...session(independent),
      kind: 'rk',
    }),
  ]
}
