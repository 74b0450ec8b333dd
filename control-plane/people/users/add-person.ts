import { randomUUID } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Role } from '#contract/scopes.ts'
import { invalid } from '#control-plane/kernel/refusal.ts'
import { hashPassword } from './password.ts'

export interface NewPerson {
  name: string
  email: string
  /** null for one who will set a password later, or signs in by other means. */
  password: string | null
  /** The team the transaction acts in: the person's first and home. */
  tenantId: string
  role: Role
  language?: string
}

/** A new person with a first membership. An address that has an account is a 422 on `emailField`: an account is joined by invitation only. */
export async function addPerson(em: EntityManager, person: NewPerson, emailField: string): Promise<string> {
  const id = randomUUID()
  const passwordHash = person.password === null ? null : await hashPassword(person.password)
  // without a target: to name one asks for the right to see the row, which begins with the membership
  const { affectedRows } = await em.execute<{ affectedRows: number }>(
    `insert into users (id, name, email, password_hash, language, home_tenant_id) values (?, ?, ?, ?, ?, ?) on conflict do nothing`,
    [id, person.name, person.email, passwordHash, person.language ?? 'en', person.tenantId],
    'run',
  )
  if (affectedRows === 0) throw invalid({ [emailField]: ['This address has an account already.'] }, 'taken')
  await em.execute('insert into memberships (user_id, tenant_id, role) values (?, ?, ?)', [id, person.tenantId, person.role])
  return id
}
