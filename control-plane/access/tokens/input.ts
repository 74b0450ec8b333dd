import { z } from 'zod'
import { line } from '#contract/line.ts'
import { tenantScopes } from '#contract/scopes.ts'
import { moment } from '#control-plane/http/page.ts'
import { AllowedIps } from './allowed-ips.ts'

/** The last moment with four digits of a year, for PostgreSQL and ISO 8601. */
const lastMoment = new Date('9999-12-31T00:00:00Z')

export const tokenName = line(255)
export const expiresAt = moment
  .refine(date => date < lastMoment, 'Is too far away.')
  .nullable()
  .optional()
  .meta({
    description: 'In the future, at most the end of the token of this call; by default that end, or never.',
  })

/** At least one of these scopes, without repetitions. */
export const scopesOf = <Scope extends string>(scopes: readonly Scope[]) =>
  z
    .array(z.enum(scopes as readonly [Scope, ...Scope[]]))
    .min(1)
    .max(100)
    .transform(given => [...new Set(given)])

export const Rotation = z.object({
  grace_period_hours: z
    .int()
    .min(1)
    .max(168)
    .default(24)
    .meta({ description: 'How long the old token keeps working, if it does not expire before.' }),
})

export const NewGeneralToken = z.object({
  name: tokenName,
  scopes: scopesOf(tenantScopes),
  expires_at: expiresAt,
  allowed_ips: AllowedIps,
})
export const GeneralTokenChanges = z.object({ name: tokenName.optional(), is_active: z.boolean().optional() })
