import { invalid } from '#control-plane/base/refusal.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { readConfig } from '#control-plane/identity/sso/row.ts'
import { hashPassword } from '#control-plane/identity/users/password.ts'
import { withoutWhiteLabel } from '#control-plane/tenancy/branding/change.ts'
import { planNow } from '#control-plane/tenancy/plans/limits.ts'
import type { PageChanges } from './input.ts'

export const slugTaken = () => invalid({ slug: ['Is already taken.'] }, 'taken')

/** As for the branding: what hides our name needs the plan's feature. Asked again when the page is rendered. */
export async function refuseWithoutWhiteLabel(
  { em, tenant }: Pick<RequestContext, 'em' | 'tenant'>,
  { hide_powered_by }: Pick<PageChanges, 'hide_powered_by'>,
): Promise<void> {
  if (hide_powered_by !== true) return
  const { plan, limits } = await planNow(em, tenant.id)
  if (!limits.white_label_branding) throw withoutWhiteLabel(plan)
}

/** The access mode `sso` is refused where no one could sign in. What a page has is not asked again. */
export async function refuseWithoutSso({ em, tenant }: Pick<RequestContext, 'em' | 'tenant'>): Promise<void> {
  const [config, { limits }] = [await readConfig(em, tenant), await planNow(em, tenant.id)]
  if (!config?.is_enabled || !limits.sso)
    throw invalid({ access: ['The access mode sso needs an enabled single sign-on of the team: see /sso/config.'] })
}

/** The hash of a new password; null takes the password away, undefined leaves it. */
export const hashOf = async (password: string | null | undefined): Promise<string | null | undefined> =>
  typeof password === 'string' ? hashPassword(password) : password
