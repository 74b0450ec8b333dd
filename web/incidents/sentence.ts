import type { Proof } from './queries.ts'

interface Agreement {
  failed: number
  asked: number
  required: number
  /** From the first to the last vote that counted; null where fewer than two have a time. */
  spreadMs: number | null
}

/** How many regions agreed, of how many, and how far apart in time. */
export function agreementOf({ failed, asked, required, regions }: Proof): Agreement {
  const moments = failed.flatMap(region => (regions[region] ? [Date.parse(regions[region].at)] : []))
  const spreadMs = moments.length < 2 ? null : Math.max(...moments) - Math.min(...moments)
  return { failed: failed.length, asked: asked.length, required, spreadMs }
}
