import { z } from 'zod'
import { line } from '#contract/line.ts'
import { givenRoles } from './person.ts'
import { protocols } from './row.ts'

const mostScopes = 20
export const mostMappedGroups = 100
/** RFC 6749, section 3.3. */
const scope = z
  .string()
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, 'Must be a scope: at most 100 characters, no spaces.')
const role = z.enum(givenRoles)

/** Fields that are left out stay. */
export const ConfigChanges = z.object({
  protocol: z.enum(protocols).optional().meta({ description: 'OpenID Connect at first.' }),
  issuer: z.url().max(1_000).optional().meta({
    description:
      'The address of the provider, exactly as it calls itself: `https://login.example.com`. With SAML its entity id.',
  }),
  client_id: line(255)
    .optional()
    .meta({ description: 'With SAML our entity id: at first the address of our metadata.' }),
  sign_in_url: z
    .url({ protocol: /^https?$/ })
    .max(1_000)
    .nullable()
    .optional()
    .meta({ description: 'With SAML: the address of the provider that takes requests (HTTP-Redirect).' }),
  certificates: z.array(z.string().max(8_192)).max(5).optional().meta({
    description: 'With SAML: the certificates that sign answers, in PEM; with RSA keys of at least 2,048 bits.',
  }),
  email_attribute: line(255)
    .nullable()
    .optional()
    .meta({ description: 'With SAML: the attribute with the address. Null: the name id is the address.' }),
  client_secret: z
    .string()
    .min(1)
    .max(1_000)
    .nullable()
    .optional()
    .meta({ description: 'Shown as `********`, which keeps it when sent back. Null for a client without a secret.' }),
  scopes: z
    .array(scope)
    .max(mostScopes)
    .optional()
    .meta({ description: 'Asked for at the provider, beside `openid`.' }),
  groups_claim: line(100)
    .nullable()
    .optional()
    .meta({ description: 'The claim that lists the groups of a person. Null: roles do not depend on groups.' }),
  role_map: z
    .record(z.string().min(1).max(255), role)
    .refine(map => Object.keys(map).length <= mostMappedGroups, {
      message: 'Must have at most {n} groups.',
      params: { n: mostMappedGroups },
    })
    .optional()
    .meta({
      description:
        'The role of each group: of several the highest. Applied at each sign-in; owners stay owners, and no group ' +
        'makes an owner.',
    }),
  default_role: role.optional().meta({ description: 'Of new members, and of those of no mapped group.' }),
  is_jit: z.boolean().optional().meta({ description: 'Whether unknown people become members at their first sign-in.' }),
  is_enabled: z.boolean().optional(),
  is_enforced: z
    .boolean()
    .optional()
    .meta({
      description:
        'Members of the team sign in at the provider alone. Needs a verified domain and `break_glass_user_id`. ' +
        'Switched on, it ends all sessions of members that were not opened at the provider, besides those of that ' +
        'owner.',
    }),
  break_glass_user_id: z
    .uuid()
    .toLowerCase()
    .nullable()
    .optional()
    .meta({ description: 'An owner with a password, who may use it although single sign-on is enforced.' }),
})
export type ConfigChanges = z.output<typeof ConfigChanges>
