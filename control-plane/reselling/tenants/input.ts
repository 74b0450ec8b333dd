import { z } from 'zod'
import { plans } from '#contract/plans.ts'

const named = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine(
      text => !/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(text),
      'Must not contain control characters.',
    )

export const tenantFields = {
  name: named(255),
  slug: z
    .string()
    .max(100)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Lower case letters, digits and single hyphens between them.'),
  plan: z.enum(plans),
  suspended_reason: named(255).nullable(),
}
