import { createHmac } from 'node:crypto'
import type { Feature } from '#contract/plans.ts'

export interface Upgrade {
  tenantId: string
  plan: string
  feature?: Feature | undefined
  suggestedPlan?: string | null | undefined
  /** The secret that the reseller verifies the signature with; null leaves the link unsigned. */
  secret: string | null
  at: Date
}

/** Signs tenant, plan and time. Values are percent-encoded first, so that no value can pass for another field. */
export const signUpgrade = (
  secret: string,
  { tenantId, plan }: Pick<Upgrade, 'tenantId' | 'plan'>,
  ts: number,
): string =>
  createHmac('sha256', secret)
    .update(`tenant=${encodeURIComponent(tenantId)}&plan=${encodeURIComponent(plan)}&ts=${ts}`)
    .digest('hex')

/**
 * A link to the reseller's upgrade page with tenant, plan, feature and time. Feature and suggested plan are not
 * signed.
 */
export function upgradeLink(upgradeUrl: string, upgrade: Upgrade): string {
  const { tenantId, plan, feature, suggestedPlan, secret, at } = upgrade
  const link = new URL(upgradeUrl)
  const ts = Math.floor(at.getTime() / 1_000)
  const parameters = {
    tenant: tenantId,
    plan,
    feature,
    suggested_plan: suggestedPlan ?? undefined,
    ts: String(ts),
    sig: secret === null ? undefined : signUpgrade(secret, upgrade, ts),
  }
  for (const [name, value] of Object.entries(parameters)) {
    link.searchParams.delete(name)
    if (value !== undefined) link.searchParams.set(name, value)
  }
  return link.toString()
}
