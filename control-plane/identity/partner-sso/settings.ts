import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { queries, type Row } from '#control-plane/db/queries.ts'

type Settings = Row<
  'partner_sso',
  'is_enabled' | 'secret' | 'hide_password_login' | 'auto_register' | 'auto_link_existing_users'
>

/** What a team has of which nothing was set. */
const unset: Settings = {
  is_enabled: null,
  secret: null,
  hide_password_login: false,
  auto_register: null,
  auto_link_existing_users: null,
}

const select = (em: EntityManager, tenant: { id: string }) =>
  queries(em)
    .selectFrom('partner_sso')
    .where('tenant_id', '=', tenant.id)
    .select(['is_enabled', 'secret', 'hide_password_login', 'auto_register', 'auto_link_existing_users'])

export const readSettings = async (em: EntityManager, tenant: { id: string }): Promise<Settings> =>
  (await select(em, tenant).executeTakeFirst()) ?? unset

/** As `readSettings`; others who change them wait until this transaction ends. */
export async function lockSettings(em: EntityManager, tenant: { id: string }): Promise<Settings> {
  await queries(em)
    .insertInto('partner_sso')
    .values({ tenant_id: tenant.id })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  return (await select(em, tenant).forUpdate().executeTakeFirst()) ?? unset
}

/** Sets the columns that are given of a row that `lockSettings` has locked. */
export async function saveSettings(
  em: EntityManager,
  tenant: { id: string },
  { is_enabled, secret, hide_password_login, auto_register, auto_link_existing_users }: Partial<Settings>,
  now: Date,
): Promise<void> {
  await queries(em)
    .updateTable('partner_sso')
    .set({
      is_enabled,
      secret,
      hide_password_login,
      auto_register,
      auto_link_existing_users,
      updated_at: now.toISOString(),
    })
    .where('tenant_id', '=', tenant.id)
    .execute()
}

/** Ends the sessions of a team that links of its reseller opened. */
export const endLinkSessions = (em: EntityManager, tenant: { id: string }): Promise<unknown> =>
  queries(em)
    .deleteFrom('tokens')
    .where('tenant_id', '=', tenant.id)
    .where('kind', '=', 'ss')
    .where('auth_method', '=', 'partner_sso')
    .execute()

export const PartnerSsoView = z
  .object({
    enabled: z.boolean(),
    has_shared_secret: z.boolean(),
    hide_password_login: z.boolean(),
    auto_register: z.boolean(),
    auto_link_existing_users: z.boolean().meta({ description: 'Whether a proven account without a team may join.' }),
  })
  .meta({ id: 'PartnerSso' })

export const viewSettings = (settings: Settings): z.input<typeof PartnerSsoView> => ({
  enabled: settings.is_enabled ?? false,
  has_shared_secret: settings.secret !== null,
  hide_password_login: settings.hide_password_login,
  auto_register: settings.auto_register ?? false,
  auto_link_existing_users: settings.auto_link_existing_users ?? false,
})
