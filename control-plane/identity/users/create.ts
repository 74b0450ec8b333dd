import { randomUUID } from 'node:crypto'
import type { Role } from '#contract/scopes.ts'
import { type Db, type Row, rows } from '#control-plane/db/queries.ts'
import { hashPassword } from './password.ts'

export interface NewUser {
  name: string
  email: string
  password: string
  tenantId: string
  role: Role
  isSuperAdmin?: boolean
  language?: string
}

/**
 * Creates a verified person with a password and a first membership; an existing address gets the new password and
 * role.
 */
export async function createUser(db: Db, user: NewUser): Promise<string> {
  const [row] = await rows(db)<Row<'users', 'id'>>`
    with person as (
      insert into users (id, name, email, password_hash, language, is_super_admin, home_tenant_id, email_verified_at)
      values (${randomUUID()}, ${user.name}, ${user.email}, ${await hashPassword(user.password)},
      ${user.language ?? 'en'}, ${user.isSuperAdmin ?? false}, ${user.tenantId}, clock_timestamp())
      on conflict (email) where email_verified_at is not null
      do update set password_hash = excluded.password_hash, name = excluded.name
      returning id
    ), member as (
      insert into memberships (user_id, tenant_id, role) select id, ${user.tenantId}, ${user.role} from person
      on conflict (user_id, tenant_id) do update set role = excluded.role
    )
    select id from person`
  return row!.id
}
