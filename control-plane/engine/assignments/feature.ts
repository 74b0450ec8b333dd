import { type KindName, kinds } from '#checks/index.ts'
import type { CheckKind } from '#contract/check.ts'
import type { Limits } from '#contract/plans.ts'

/** What checks of this kind need and a plan lacks; null: the plan includes them. */
export function missingFeature(name: KindName, limits: Limits): NonNullable<CheckKind['feature']> | null {
  const { feature }: CheckKind = kinds[name]
  return feature === undefined || limits[feature] ? null : feature
}
