import { z } from 'zod'
import type { Judgement } from '#contract/check.ts'

/** Settings that several kinds share. */
export const timeoutMs = z.int().min(100).max(60_000).default(10_000).meta({
  description: 'Milliseconds after which a run is given up, name lookup included; never longer than the interval.',
})

export const ipVersion = z
  .enum(['any', '4', '6'])
  .meta({ id: 'IpVersion' })
  .default('any')
  .meta({ description: 'Which internet protocol to use. `any` tries every address the name has.' })

export const degradedAfterMs = z
  .int()
  .min(1)
  .max(60_000)
  .nullable()
  .default(null)
  .meta({ description: 'A good answer slower than this many milliseconds is a warning. `null`: never.' })

export const port = z.int().min(1).max(65_535)

export const familyOf = (version: z.output<typeof ipVersion>): 4 | 6 | undefined =>
  version === 'any' ? undefined : version === '4' ? 4 : 6

/** Up, unless it took longer than the customer's limit. */
export function judgeSpeed(tookMs: number | null, limitMs: number | null): Judgement {
  if (tookMs === null || limitMs === null || tookMs <= limitMs) return { status: 'up' }
  return {
    status: 'warning',
    code: 'slow',
    reason: `The answer took ${Math.round(tookMs)} ms, more than ${limitMs} ms.`,
    event: 'warning.degraded_performance',
  }
}
