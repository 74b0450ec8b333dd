import { z } from 'zod'
import type { TenantContext } from '#control-plane/base/caller.ts'
import { mask } from '#control-plane/base/secrets.ts'
import { backChannelPath } from './back-channel.ts'
import { loginUrlAt } from './origin.ts'
import { givenRoles } from './person.ts'
import { callbackPath, signedOutPath } from './provider.ts'
import { protocols, type StoredConfig } from './row.ts'
import { answerPath } from './saml/request.ts'

const time = z.string().meta({ format: 'date-time' })
const role = z.enum(givenRoles)

export const SsoConfigView = z
  .object({
    protocol: z.enum(protocols),
    issuer: z.string(),
    client_id: z.string(),
    client_secret: z.literal(mask).nullable(),
    scopes: z.array(z.string()),
    groups_claim: z.string().nullable(),
    role_map: z.record(z.string(), role),
    default_role: role,
    is_jit: z.boolean(),
    is_enabled: z.boolean(),
    is_enforced: z.boolean(),
    break_glass_user_id: z.uuid().nullable().meta({
      description:
        'Null while single sign-on is enforced: that person has left the team, and every owner may use a password.',
    }),
    sign_in_url: z.string().nullable(),
    certificates: z.array(z.string()),
    email_attribute: z.string().nullable(),
    redirect_uri: z.url().meta({ description: 'The address to allow at the provider; with SAML, where it answers.' }),
    post_logout_redirect_uri: z.url().nullable().meta({
      description: 'The address to allow at the provider for people who sign out there. Null with SAML.',
    }),
    backchannel_logout_uri: z.url().nullable().meta({
      description: 'Where the provider may end sessions (Back-Channel Logout). Null with SAML.',
    }),
    login_url: z.url().meta({ description: 'Where members of this team sign in.' }),
    updated_at: time,
  })
  .meta({ id: 'SsoConfig' })

export const viewConfig = (
  { slug }: Pick<TenantContext, 'slug'>,
  row: StoredConfig,
  origin: string,
): z.input<typeof SsoConfigView> => ({
  ...row,
  client_secret: row.client_secret === null ? null : mask,
  redirect_uri: origin + (row.protocol === 'saml' ? answerPath : callbackPath),
  post_logout_redirect_uri: row.protocol === 'saml' ? null : origin + signedOutPath,
  backchannel_logout_uri: row.protocol === 'saml' ? null : origin + backChannelPath,
  login_url: loginUrlAt(origin, slug),
})
