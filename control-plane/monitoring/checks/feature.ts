import { type KindName, kinds } from '#checks/index.ts'
import type { CheckKind } from '#contract/check.ts'
import type { Limits } from '#contract/plans.ts'

/** Whether a plan includes what checks of this kind need. */
export function hasFeature(name: KindName, limits: Limits): boolean {
  const { feature }: CheckKind = kinds[name]
  return feature === undefined || limits[feature]
}
