import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import { endpoint, type Facts } from '#control-plane/kernel/endpoint.ts'
import { line } from '#control-plane/kernel/line.ts'
import { invalid } from '#control-plane/kernel/refusal.ts'
import { created } from '#control-plane/kernel/reply.ts'
import { inTransaction } from '#control-plane/kernel/transaction.ts'
import { openSession } from '#control-plane/people/sessions/open.ts'
import { recognise } from '#control-plane/people/sessions/recognise.ts'
import { LoginUser } from '#control-plane/people/sessions/view.ts'
import { language, password, personName } from '#control-plane/people/users/input.ts'
import { hashPassword } from '#control-plane/people/users/password.ts'
import { refuseWeakPassword } from '#control-plane/people/users/password-policy.ts'
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

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/invitations/accept',
  summary: 'Accept an invitation, by its token, and sign in to the team',
  description:
    'An address that has an account is recognised by its password (and second factor), and joins. ' +
    'For any other an account is made with the name and password given. Who is signed in already uses POST /profile/invitations/accept.',
  access: 'public',
  rate: 'auth',
  detached: true,
  body: Acceptance,
  returns: created({ token: z.string(), user: LoginUser }),

  async handle({ body, services, now, ip, userAgent, requestId }) {
    const { platform } = services
    const invitation = await openInvitation(platform, body.token)
    const account = await platform.query('select 1 from users where email = $1', [invitation.email])
    const enter = account.rowCount === 0 ? await newAccount(services, invitation, body) : await knownAccount(services, invitation, body, now)
    return inTransaction(platform, async client => {
      const held = await openInvitation(client, body.token, true)
      const userId = await enter(client)
      await join(client, held, userId, { ip, requestId })
      const device = { deviceName: body.device_name, userAgent, ip }
      return openSession(client, { keys: services.config, userId, tenantId: held.tenant.id, requestId, ...device })
    })
  },
})

type Enter = (client: PoolClient) => Promise<string>

async function knownAccount(services: Facts['services'], { email }: OpenInvitation, body: z.output<typeof Acceptance>, now: Date): Promise<Enter> {
  const userId = await recognise(services, { email, password: body.password, otpCode: body.otp_code }, now)
  return async () => userId
}

async function newAccount(services: Facts['services'], { email, tenant }: OpenInvitation, body: z.output<typeof Acceptance>): Promise<Enter> {
  const { name } = body
  if (name === undefined) throw invalid({ name: ['Is needed for a new account.'] })
  await refuseWeakPassword(services, 'password', body.password, [tenant.name, name, email])
  const hash = await hashPassword(body.password)
  return async client => {
    const { rows } = await client.query<{ id: string }>(
      `insert into users (id, name, email, password_hash, language, home_tenant_id) values ($1, $2, $3, $4, $5, $6) on conflict (email) do nothing returning id`,
      [randomUUID(), name, email, hash, body.language, tenant.id],
    )
    if (!rows[0]) throw invalid({ token: ['This address has got an account meanwhile: accept with its password.'] }, 'taken')
    return rows[0].id
  }
}
