import { invalid } from '#control-plane/base/refusal.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { hashPassword } from '#control-plane/identity/users/password.ts'
import { withoutWhiteLabel } from '#control-plane/tenancy/branding/change.ts'
import { planNow } from '#control-plane/tenancy/plans/limits.ts'
import { runIn } from '#control-plane/tenancy/plans/run.ts'
import type { PageChanges } from './input.ts'

export const slugTaken = () => invalid({ slug: ['Is already taken.'] }, 'taken')

/** As for the branding: what hides our name needs the plan's feature. Asked again when the page is rendered. */
export async function refuseWithoutWhiteLabel(
  { em, tenant }: Pick<RequestContext, 'em' | 'tenant'>,
  { hide_powered_by }: Pick<PageChanges, 'hide_powered_by'>,
): Promise<void> {
  if (hide_powered_by !== true) return
  const { plan, limits } = await planNow(runIn(em), tenant.id)
  if (!limits.white_label_branding) throw withoutWhiteLabel(plan)
}

/** The hash of a new password; null takes the password away, undefined leaves it. */
export const hashOf = async (password: string | null | undefined): Promise<string | null | undefined> =>
  typeof password === 'string' ? hashPassword(password) : password
