import type { EntityManager } from '@mikro-orm/postgresql'
import type { Caller } from '#control-plane/base/caller.ts'
import { forbidden, notInPlan } from '#control-plane/base/refusal.ts'
import { signedIn } from '#control-plane/identity/sessions/signed-in.ts'
import { planNow } from '#control-plane/tenancy/plans/limits.ts'

export const mayRead = { tenant: 'settings:read' } as const
export const mayChange = { tenant: 'settings:manage' } as const

/** The person who chooses the provider may sign in as every member: an administrator would become an owner by it. */
export function requireOwner(caller: Caller): void {
  if (signedIn(caller).role !== 'owner')
    throw forbidden('Only an owner of the team, signed in, may change single sign-on.', 'owner_needed')
}

export async function refuseWithoutFeature(em: EntityManager, tenant: { id: string }): Promise<void> {
  const { plan, limits } = await planNow(em, tenant.id)
  if (!limits.sso) throw notInPlan('sso', plan, 'The plan does not include single sign-on.')
}
