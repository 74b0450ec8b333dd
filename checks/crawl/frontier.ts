import type { LinkKind } from '#contract/crawl.ts'
import { isSpiral } from './address.ts'

/** An address found on a page that may already be known. */
export interface Candidate {
  url: string
  key: string
  kind: LinkKind
  depth: number
  hops: number
  shape: string | null
}

/** Counts of a run so far, as far as they limit it. */
export interface KnownCounts {
  pages: number
  others: number
  shapes: ReadonlyMap<string, number>
}

export interface FrontierLimits {
  pages: number
  others: number
  depth: number
  hops: number
}

export const frontierRefusals = ['pages', 'links', 'depth', 'redirects', 'trap'] as const
export type FrontierRefusal = (typeof frontierRefusals)[number]

/** Pages with the same pattern that a crawl visits: enough to check them, few enough to leave room for others. */
export const shapeLimit = (pages: number) => Math.max(25, Math.floor(pages / 10))

/** Assets and external links that one run requests. */
export const othersLimit = (pages: number) => Math.min(4 * pages + 100, 20_000)

/** Which new addresses a run accepts, first come first served, and why it refuses the others. */
export function admit(
  candidates: readonly Candidate[],
  known: KnownCounts,
  limits: FrontierLimits,
): { accepted: Candidate[]; refused: Partial<Record<FrontierRefusal, number>> } {
  const accepted: Candidate[] = []
  const refused: Partial<Record<FrontierRefusal, number>> = {}
  const shapes = new Map(known.shapes)
  let { pages, others } = known
  for (const candidate of candidates) {
    const why = refusalOf(candidate, { pages, others, shapes }, limits)
    if (why) {
      refused[why] = (refused[why] ?? 0) + 1
      continue
    }
    accepted.push(candidate)
    if (candidate.kind === 'page') pages++
    else others++
    if (candidate.kind === 'page' && candidate.shape)
      shapes.set(candidate.shape, (shapes.get(candidate.shape) ?? 0) + 1)
  }
  return { accepted, refused }
}

function refusalOf(
  { url, kind, depth, hops, shape }: Candidate,
  { pages, others, shapes }: KnownCounts,
  limits: FrontierLimits,
): FrontierRefusal | undefined {
  if (hops > limits.hops) return 'redirects'
  if (kind !== 'page') return others >= limits.others ? 'links' : undefined
  if (depth > limits.depth) return 'depth'
  if (isSpiral(new URL(url)) || (shape && (shapes.get(shape) ?? 0) >= shapeLimit(limits.pages))) return 'trap'
  return pages >= limits.pages ? 'pages' : undefined
}
