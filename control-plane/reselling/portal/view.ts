import { z } from 'zod'
import { plans } from '#contract/plans.ts'
import type { Services } from '#control-plane/http/services.ts'
import { originOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import type { PortalRow } from './row.ts'

export const mostDomains = 50
const domain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Fields without defaults, so that an update holds only what it changes. */
export const fields = {
  slug: z
    .string()
    .max(100)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Lower case letters, digits and single hyphens between them.')
    .nullable()
    .meta({ description: 'The portal’s address below `/p/`, unique in this installation; null: none.' }),
  is_enabled: z.boolean().meta({
    description: 'False: there is no page below `/p/`, and its domains are neither branded nor used in links.',
  }),
  support_email: z.email().max(255).nullable().meta({ description: 'Shown on the pages of the portal.' }),
}

export const signUpFields = {
  is_enabled: z.boolean().meta({ description: 'Has an effect only where the operator allows it (`SIGN_UP`).' }),
  plan: z.enum(plans).nullable().meta({ description: 'Of new teams; null: that of the profile, without one free.' }),
  profile_id: z
    .uuid()
    .toLowerCase()
    .nullable()
    .meta({ description: 'The provisioning profile of new teams: trial, branding, limits and monitors.' }),
  allowed_email_domains: z
    .array(z.string().toLowerCase().max(253).regex(domain, 'Must be a domain such as example.com.'))
    .max(mostDomains)
    .refine(domains => new Set(domains).size === domains.length, 'Names a domain twice.')
    .meta({ description: `Only addresses of these may sign up; at most ${mostDomains}. Empty: all.` }),
}

export const PortalView = z
  .object({
    ...fields,
    url: z.string().meta({ description: 'Where people reach the portal. Links of mails begin with its origin.' }),
    sign_up: z.object({
      ...signUpFields,
      is_open: z.boolean().meta({ description: 'Whether people can sign up now: both sides have enabled it.' }),
    }),
  })
  .meta({ id: 'Portal' })

export async function viewPortal(
  { platform, config }: Pick<Services, 'platform' | 'config'>,
  tenant: { id: string; isReseller: boolean },
  row: PortalRow,
): Promise<z.input<typeof PortalView>> {
  const origin = await originOf(platform, config, tenant.id)
  const isAtDomain = origin !== config.baseUrl
  return {
    slug: row.slug,
    is_enabled: row.is_enabled,
    support_email: row.support_email,
    url: isAtDomain || row.slug === null ? origin : `${origin}/p/${row.slug}`,
    sign_up: {
      is_enabled: row.sign_up_enabled,
      plan: plans.find(plan => plan === row.sign_up_plan) ?? null,
      profile_id: row.sign_up_profile_id,
      allowed_email_domains: row.sign_up_domains,
      is_open: config.signUp && tenant.isReseller && row.is_enabled && row.sign_up_enabled,
    },
  }
}
