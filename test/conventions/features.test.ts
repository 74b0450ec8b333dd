import { expect, test } from 'vitest'
import { plannedFeatures } from '#contract/plans.ts'
import { endpoints } from '#control-plane/endpoints.ts'
import { routesOf } from '#control-plane/http/route.ts'

/** Part of a path that there is as soon as there is the feature. */
const madeOf: Record<(typeof plannedFeatures)[number], RegExp> = {
  sms_credits: /\/sms\b/,
}

test('a feature that is listed as absent has no endpoint: once it has, plans and offers must show it', () => {
  const paths = endpoints.flatMap(routesOf).map(({ path }) => path)
  for (const feature of plannedFeatures)
    expect(
      paths.filter(path => madeOf[feature].test(path)),
      feature,
    ).toEqual([])
})
