import { randomUUID } from 'node:crypto'
import type { Role } from '#contract/scopes.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { hashPassword } from '#control-plane/identity/users/password.ts'
import { app, CallerUnderTest, given } from '#test/support/app.ts'

const { platform } = app.services

export const password = 'correct horse battery staple'
export const another = 'mild otters juggle seven kettles'
export const anAddress = () => `${randomUUID()}@people.test`

/** Made once: it is slow on purpose. */
const hash = hashPassword(password)

/** A person with a password, signed in to a team. */
export class PersonUnderTest extends CallerUnderTest {
  readonly email: string

  constructor(tenantId: string, userId: string, token: string, email: string) {
    super(tenantId, userId, token)
    this.email = email
  }

  /** Another device, or another team, of the same person. */
  async elsewhere(tenantId = this.tenantId, kind: 'ss' | 'sk' = 'ss', scopes: string[] = []): Promise<CallerUnderTest> {
    const { plain } = await createToken(platform, {
      kind,
      tenantId,
      userId: this.userId,
      name: 'another device',
      scopes,
      expiresAt: null,
    })
    return new CallerUnderTest(tenantId, this.userId, plain)
  }
}

export async function aPersonIn(
  tenantId: string,
  role: Role = 'member',
  { name = 'Mo Member', email = anAddress() } = {},
): Promise<PersonUnderTest> {
  const { rows } = await platform.query<{ id: string }>(
    `insert into users (id, name, email, password_hash, home_tenant_id, email_verified_at)
     values ($1, $2, $3, $4, $5, clock_timestamp())
     on conflict (email) where email_verified_at is not null
     do update set password_hash = excluded.password_hash, name = excluded.name
     returning id`,
    [randomUUID(), name, email, await hash, tenantId],
  )
  const userId = rows[0]!.id
  await platform.query(
    `insert into memberships (user_id, tenant_id, role) values ($1, $2, $3)
     on conflict (user_id, tenant_id) do update set role = excluded.role`,
    [userId, tenantId, role],
  )
  const { plain } = await createToken(platform, {
    kind: 'ss',
    tenantId,
    userId,
    name: 'a device',
    scopes: [],
    expiresAt: null,
  })
  return new PersonUnderTest(tenantId, userId, plain, email)
}

export const aPerson = async (role: Role = 'owner') => aPersonIn((await given.tenant()).tenantId, role)

export async function join(userId: string | null, tenantId: string, role: Role): Promise<void> {
  await platform.query('insert into memberships (user_id, tenant_id, role) values ($1, $2, $3)', [
    userId,
    tenantId,
    role,
  ])
}

export const signIn = (email: string, extra: Record<string, unknown> = {}) =>
  given.stranger().post('/auth/token', { email, password, device_name: 'a test', ...extra })

/** What the last entry of this action says. */
export async function lastAudit(tenantId: string, action: string) {
  const { rows } = await platform.query<{
    user_id: string
    entity_type: string
    entity_id: string
    changes: unknown
    ip: string
  }>(
    `select user_id, entity_type, entity_id, changes, host(ip) as ip from audit_entries where tenant_id = $1
     and action = $2 order by created_at desc limit 1`,
    [tenantId, action],
  )
  return rows[0]
}

export async function started(
  tenantId: string,
): Promise<{ name: string; payload: { id: string; input: Record<string, unknown> } }[]> {
  const { rows } = await platform.query(
    `select name, payload from outbox where tenant_id = $1 and kind = 'workflow' order by id`,
    [tenantId],
  )
  return rows
}
