import type { LinkKind } from '#contract/crawl.ts'
import { isSpiral } from './address.ts'

/** An address that a page named, not yet known to be new. */
export interface Candidate {
  url: string
  key: string
  kind: LinkKind
  depth: number
  hops: number
  shape: string | null
}

/** What the run holds already, of what limits it. */
export interface Held {
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

/** Pages of one making that a crawl looks at: enough to see them, too few to be lost among them. */
export const shapeLimit = (pages: number) => Math.max(25, Math.floor(pages / 10))

/** Assets and links to elsewhere that one run asks for. */
export const othersLimit = (pages: number) => Math.min(4 * pages + 100, 20_000)

/** Which of the new addresses a run takes, first come first served, and why it does not take the others. */
export function admit(
  candidates: readonly Candidate[],
  held: Held,
  limits: FrontierLimits,
): { taken: Candidate[]; refused: Partial<Record<FrontierRefusal, number>> } {
  const taken: Candidate[] = []
  const refused: Partial<Record<FrontierRefusal, number>> = {}
  const shapes = new Map(held.shapes)
  let { pages, others } = held
  for (const candidate of candidates) {
    const why = refusalOf(candidate, { pages, others, shapes }, limits)
    if (why) {
      refused[why] = (refused[why] ?? 0) + 1
      continue
    }
    taken.push(candidate)
    if (candidate.kind === 'page') pages++
    else others++
    if (candidate.kind === 'page' && candidate.shape)
      shapes.set(candidate.shape, (shapes.get(candidate.shape) ?? 0) + 1)
  }
  return { taken, refused }
}

function refusalOf(
  { url, kind, depth, hops, shape }: Candidate,
  { pages, others, shapes }: Held,
  limits: FrontierLimits,
): FrontierRefusal | undefined {
  if (hops > limits.hops) return 'redirects'
  if (kind !== 'page') return others >= limits.others ? 'links' : undefined
  if (depth > limits.depth) return 'depth'
  if (isSpiral(new URL(url)) || (shape && (shapes.get(shape) ?? 0) >= shapeLimit(limits.pages))) return 'trap'
  return pages >= limits.pages ? 'pages' : undefined
}
