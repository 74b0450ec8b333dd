import { createRequire } from 'node:module'
import type { makeBadge } from 'badge-maker'

const require = createRequire(import.meta.url)

/** A badge of shields. The library is loaded for the first one: its widths of letters take 4 MB. */
export const makeFlatBadge: typeof makeBadge = format =>
  (require('badge-maker') as { makeBadge: typeof makeBadge }).makeBadge(format)
