import { sql } from 'kysely'
import { challenge, invalid, Refusal } from '#control-plane/base/refusal.ts'
import { type Row, rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { passesFactor } from '#control-plane/identity/mfa/pass.ts'
import { isTrustedDevice } from '#control-plane/identity/trusted-devices/trust.ts'
import { firstOfPassword } from '#control-plane/identity/users/password.ts'
import { noteBlock } from './blocked.ts'
import { deviceOf } from './device.ts'
import { networkOf, type Origin, takeGuess } from './guesses.ts'

export const badCredentials = () =>
  new Refusal(401, 'bad_credentials', 'These credentials do not match our records.', { headers: challenge() })

interface SignIn {
  email: string
  password: string
  otpCode: string | undefined
  /** The team to enter, if named. */
  tenantId?: string | undefined
  /** Only the account that has proven the address. */
  isVerifiedOnly?: boolean
  /** Whether a passkey proves this person, given in place of a code. */
  passesPasskey?: ((userId: string) => Promise<boolean>) | undefined
  /** The secret of a trusted device, which replaces a code. */
  trusted?: string | undefined
  from: { ip: string; userAgent: string; deviceName: string }
}

type Account = Row<'users', 'id' | 'password_hash'> & {
  has_factor: boolean
  is_known_device: boolean
  is_known_network: boolean
}

const fingerprint = (text: string) =>
  sql`sha256(convert_to(u.id::text, 'UTF8') || '\\x00'::bytea || convert_to(${text}::text, 'UTF8'))`

/** The account that has proven the address comes first; each unproven account belongs to one team. */
const find = (
  { email, tenantId, isVerifiedOnly = false }: Pick<SignIn, 'email' | 'tenantId' | 'isVerifiedOnly'>,
  device: string,
  network: string,
) => sql<Account>`
  select u.id, u.password_hash, f.user_id is not null as has_factor,
    exists (select 1 from known_devices d where d.user_id = u.id
      and d.fingerprint = ${fingerprint(device)}) as is_known_device,
    exists (select 1 from known_networks n where n.user_id = u.id
      and n.fingerprint = ${fingerprint(network)}) as is_known_network
  from users u left join second_factors f on f.user_id = u.id and f.confirmed_at is not null
  where u.email = ${email} and not u.is_service and (u.email_verified_at is not null or not ${isVerifiedOnly}
    and (${tenantId ?? null}::uuid is null or exists (select 1 from memberships m where m.user_id = u.id
      and m.tenant_id = ${tenantId})))
  order by u.email_verified_at is null, u.created_at desc limit 2`

type SignInDeps = Pick<Services, 'config' | 'platform' | 'log'>

/**
 * Finds the person by address, password and, where there is one, second factor. A code is asked for only after a right
 * password; a wrong code is refused like a wrong password.
 */
export async function recognise(services: SignInDeps, given: SignIn, now: Date): Promise<string> {
  return (await recogniseBy(services, given, now)).userId
}

/** As `recognise`, but null when no account of this address has the password. */
export async function identify(services: SignInDeps, given: SignIn, now: Date): Promise<string | null> {
  return (await prove(services, given, now))?.userId ?? null
}

/** As `recognise`, and whether a code of the second factor was given. */
export async function recogniseBy(services: SignInDeps, given: SignIn, now: Date): Promise<Proven> {
  const proven = await prove(services, given, now)
  if (proven === null) throw badCredentials()
  return proven
}

interface Proven {
  userId: string
  isByCode: boolean
}

async function prove(services: SignInDeps, given: SignIn, now: Date): Promise<Proven | null> {
  const { otpCode, trusted, from } = given
  const proven = await provePassword(services, given, now)
  if (proven === null) return null
  const { userId, hasFactor, origin } = proven
  if (given.passesPasskey !== undefined) {
    if (!(await given.passesPasskey(userId))) throw badCredentials()
    return { userId, isByCode: true }
  }
  if (!hasFactor) return { userId, isByCode: false }
  if (otpCode === undefined && (await isTrustedDevice(services.platform, { userId, secret: trusted, ip: from.ip })))
    return { userId, isByCode: false }
  if (otpCode === undefined)
    throw invalid({ otp_code: ['This account has a second factor: send its code too.'] }, 'otp_required')
  if (!(await passesFactor(services, userId, otpCode, { now, origin }))) throw badCredentials()
  return { userId, isByCode: true }
}

/** A person whose password was right. One with a second factor is not signed in by it alone. */
export interface ProvenPassword {
  userId: string
  hasFactor: boolean
  /** Where guesses of the second factor are counted. */
  origin: Origin
}

/** The person by address and password alone; null when no account of this address has the password. */
export async function provePassword(
  services: SignInDeps,
  given: Omit<SignIn, 'otpCode'>,
  now: Date,
): Promise<ProvenPassword | null> {
  const { email, password, from } = given
  const network = networkOf(from.ip)
  const device = deviceOf(from.userAgent, from.deviceName)
  const found = await rows(services.platform, find(given, device, network))
  // the name of a device can be guessed: a known one only has its own tries within a network
  const isKnownDevice = found.some(({ is_known_device }) => is_known_device)
  const origin = {
    place: isKnownDevice ? `known device in ${network}` : network,
    isKnown: found.some(({ is_known_network }) => is_known_network),
    network,
  }
  const guess = await takeGuess(services.platform, 'password', email, origin).catch(error => {
    noteBlock(services, error, { userId: found[0]?.id, network, now })
    throw error
  })
  const account = await firstOfPassword([found[0], found[1]], password)
  if (!account) return null
  await guess.right()
  return { userId: account.id, hasFactor: account.has_factor, origin }
}
