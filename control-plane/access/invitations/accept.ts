import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import { line } from '#contract/line.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { affected, rows } from '#control-plane/db/queries.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { lockAddress, verifiedAccountOf } from '#control-plane/identity/address-proof/lock.ts'
import { replaceInTeam, replaceUnverified } from '#control-plane/identity/address-proof/replace.ts'
import { sendProof } from '#control-plane/identity/address-proof/send.ts'
import { openSession } from '#control-plane/identity/sessions/open.ts'
import { badCredentials, identify } from '#control-plane/identity/sessions/recognise.ts'
import { LoginUser } from '#control-plane/identity/sessions/view.ts'
import { language, password, personName } from '#control-plane/identity/users/input.ts'
import { hashPassword } from '#control-plane/identity/users/password.ts'
import { refuseWeakPassword } from '#control-plane/identity/users/password-policy.ts'
import { join } from './join.ts'
import { type OpenInvitation, openInvitation } from './open.ts'
import { InvitationToken } from './secret.ts'

const Acceptance = z.object({
  token: InvitationToken,
  password: password.meta({ description: 'Of the account the address has; else the password to set.' }),
  otp_code: z.string().max(20).optional().meta({ description: 'For an account with a second factor.' }),
  name: personName.optional().meta({ description: 'For a new account.' }),
  language: language.default('en'),
  device_name: line(255).default('Invitation'),
})

type Accepting = Pick<
  RequestContext<Record<string, never>, unknown, z.output<typeof Acceptance>>,
  'body' | 'services' | 'now' | 'ip' | 'userAgent' | 'requestId'
>

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/invitations/accept',
  summary: 'Accept an invitation, by its token, and sign in to the team',
  description:
    'A verified account signs in with its password (and second factor), and joins. For any other an account is ' +
    'made with the name and password given. The token of the mail proves the address, and replaces accounts ' +
    'that have not; an account made with the token that the inviter was shown is unverified and gets a mail to ' +
    'prove its address. Who is signed in already uses POST /profile/invitations/accept.',
  access: 'public',
  rate: 'auth',
  detached: true,
  body: Acceptance,
  returns: created({ token: z.string(), user: LoginUser }),

  async handle(context) {
    const { body, services, ip, requestId } = context
    const { platform } = services
    const invitation = await openInvitation(platform, body.token)
    const enter = await (invitation.isProven
      ? entryByMail(context, invitation)
      : entryByShownToken(context, invitation))
    return inTransaction(platform, async client => {
      const locked = await openInvitation(client, body.token, true)
      await lockAddress(client, locked.email)
      const userId = await enter(client)
      await join(client, locked, userId, { ip, requestId })
      return openSession(client, {
        keys: services.config,
        userId,
        tenantId: locked.tenant.id,
        requestId,
        method: 'password',
        ...deviceIn(context),
      })
    })
  },
})

const deviceIn = ({ body, userAgent, ip }: Accepting) => ({ deviceName: body.device_name, userAgent, ip })

/** Runs under the lock of the address and returns the person who joins. */
type Enter = (client: PoolClient) => Promise<string>

async function entryByMail(context: Accepting, { email, tenant }: OpenInvitation): Promise<Enter> {
  const { body, services, now, ip, requestId } = context
  const traces = { ip, requestId }
  if ((await verifiedAccountOf(services.platform, email)) !== null) {
    const userId = await identify(
      services,
      { email, password: body.password, otpCode: body.otp_code, isVerifiedOnly: true, from: deviceIn(context) },
      now,
    )
    if (userId === null) throw badCredentials()
    return async client => {
      await replaceInTeam(client, { userId, email, tenantId: tenant.id }, traces)
      return userId
    }
  }
  const newcomer = await newcomerOf(context, { email, tenant })
  return async client => {
    if ((await verifiedAccountOf(client, email)) !== null) throw taken()
    const { name, passwordHash } = newcomer
    return (
      (await replaceUnverified(client, { email, passwordHash, name, traces })) ?? addAccount(client, newcomer, true)
    )
  }
}

/** Without a matching password it creates an account of this team alone, so that existing accounts are not revealed. */
async function entryByShownToken(context: Accepting, { email, tenant }: OpenInvitation): Promise<Enter> {
  const { body, services, now } = context
  const userId = await identify(
    services,
    { email, password: body.password, otpCode: body.otp_code, isVerifiedOnly: true, from: deviceIn(context) },
    now,
  )
  if (userId !== null) return async () => userId
  if (body.name === undefined) throw badCredentials()
  const newcomer = await newcomerOf(context, { email, tenant })
  return async client => {
    const inTeam = await affected(client)`select 1 from memberships m join users u on u.id = m.user_id
      where m.tenant_id = ${tenant.id} and u.email = ${email}`
    if (inTeam !== 0) throw taken()
    const id = await addAccount(client, newcomer, false)
    await sendProof(client, services.config, { person: { ...newcomer, id }, team: tenant, now })
    return id
  }
}

const taken = () =>
  invalid({ token: ['This address has got an account meanwhile: accept with its password.'] }, 'taken')

interface Newcomer {
  name: string
  email: string
  passwordHash: string
  language: string
  tenantId: string
}

async function newcomerOf(
  { body, services }: Accepting,
  { email, tenant }: Pick<OpenInvitation, 'email' | 'tenant'>,
): Promise<Newcomer> {
  const { name, password, language } = body
  if (name === undefined) throw invalid({ name: ['Is needed for a new account.'] })
  await refuseWeakPassword(services, 'password', password, [tenant.name, name, email])
  return { name, email, language, tenantId: tenant.id, passwordHash: await hashPassword(password) }
}

async function addAccount(
  client: PoolClient,
  { name, email, passwordHash, language, tenantId }: Newcomer,
  isVerified: boolean,
): Promise<string> {
  const id = randomUUID()
  await rows(client)`insert into users (id, name, email, password_hash, language, home_tenant_id, email_verified_at)
    values (${id}, ${name}, ${email}, ${passwordHash}, ${language}, ${tenantId}, case when ${isVerified} then
    clock_timestamp() end)`
  return id
}
