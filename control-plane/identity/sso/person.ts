import { type Role, roles } from '#contract/scopes.ts'
import { SsoFailure } from './outcome.ts'
import type { Claims } from './provider.ts'

/** Roles that a provider may give. Owners are made and unmade by people alone. */
export const givenRoles = roles.filter((role): role is GivenRole => role !== 'owner')
export type GivenRole = Exclude<Role, 'owner'>

/** What a provider says of a person. The address is verified by the provider, and in lower case. */
export interface ProviderPerson {
  subject: string
  email: string
  name: string
  /** Names of groups; null where the provider said nothing of groups. */
  groups: readonly string[] | null
  /** Its name for the session of the person there; null where it has none. */
  session: string | null
}

const longestSubject = 255
const longestName = 255
const mostGroups = 1_000
const mail = /^[^\s@\p{Cc}]{1,64}@[a-z0-9.-]{3,253}$/u

/**
 * The person of the claims. An address that the provider does not call verified is refused: people who may type
 * any address there would otherwise take over accounts. Throws a `SsoFailure`.
 */
export function personOf(claims: Claims, { issuer, groupsClaim }: { issuer: string; groupsClaim: string | null }) {
  const { sub, email, name, sid } = claims
  if (typeof email !== 'string' || !email)
    throw new SsoFailure('email_missing', 'The provider sent no claim "email": allow the scope "email" there.')
  if (!isVerified(claims, issuer))
    throw new SsoFailure(
      'email_unverified',
      'The provider does not say that the address is verified (claim "email_verified" must be true).',
    )
  return personNamed({
    subject: sub,
    email,
    name: typeof name === 'string' ? name : undefined,
    groups: groupsClaim === null ? null : groupsOf(claims[groupsClaim]),
    session: typeof sid === 'string' && sid !== '' && sid.length <= longestSubject ? sid : null,
  })
}

interface Named {
  subject: string
  email: string
  name: string | undefined
  groups: readonly string[] | null
  session?: string | null
}

/** A person by what a provider calls them. Throws a `SsoFailure` where that is no name of a person. */
export function personNamed({ subject, email, name = '', groups, session = null }: Named): ProviderPerson {
  if (subject.length > longestSubject)
    throw new SsoFailure('token_invalid', 'The provider’s id of the person is longer than 255 characters.')
  // all people of a provider that sends none would be one
  if (!/[^\s\p{C}]/u.test(subject)) throw new SsoFailure('token_invalid', 'The provider’s id of the person is empty.')
  const address = email.trim().toLowerCase()
  if (address.length > 255 || !mail.test(address))
    throw new SsoFailure('email_missing', 'What the provider sent as the address is not an e-mail address.')
  const shown = name.replace(/[\p{Cc}\p{Cf}]/gu, ' ').trim()
  return {
    subject,
    email: address,
    name: (shown || (address.split('@')[0] ?? address)).slice(0, longestName),
    groups: groups === null ? null : groups.slice(0, mostGroups),
    session,
  }
}

/** Entra ID has no `email_verified`; its optional claim `xms_edov` says that the owner of the domain is verified. */
function isVerified({ email_verified, xms_edov }: Claims, issuer: string): boolean {
  if (email_verified !== undefined) return email_verified === true
  const isEntra = URL.parse(issuer)?.origin === 'https://login.microsoftonline.com'
  return isEntra && (xms_edov === true || xms_edov === 1 || xms_edov === '1' || xms_edov === 'true')
}

function groupsOf(claim: unknown): string[] | null {
  if (typeof claim === 'string') return [claim]
  if (!Array.isArray(claim)) return null
  return claim.filter(group => typeof group === 'string').slice(0, mostGroups)
}

/** The domain of an address, behind its last `@`. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

interface RoleRules {
  roleMap: Readonly<Record<string, GivenRole>>
  defaultRole: GivenRole
}

/** The highest role of the person's groups; the default role where no group is mapped. */
export function roleOf(groups: readonly string[] | null, { roleMap, defaultRole }: RoleRules): GivenRole {
  const map = new Map(Object.entries(roleMap))
  const given = new Set((groups ?? []).map(group => map.get(group)))
  // roles are listed from the highest down
  return givenRoles.find(role => given.has(role)) ?? defaultRole
}
