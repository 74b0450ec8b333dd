import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'

export const AuthMethods = z
  .array(z.enum(['password', 'totp', 'passkey']))
  .meta({ description: 'What the person has to sign in with.' })

/** Whether the person with this id has a passkey. */
export const hasPasskeySql = (user: string): RawBuilder<boolean> =>
  sql`exists (select 1 from passkeys pk where pk.user_id = ${sql.ref(user)})`

interface Has {
  has_password: boolean
  mfa_enabled: boolean
  has_passkey: boolean
}

/** What a person has to sign in with, as profiles and members show it. */
export const authMethodsOf = ({ has_password, mfa_enabled, has_passkey }: Has): z.input<typeof AuthMethods> => [
  ...(has_password ? (['password'] as const) : []),
  ...(mfa_enabled ? (['totp'] as const) : []),
  ...(has_passkey ? (['passkey'] as const) : []),
]
