import type { RegionProof } from './proof.ts'

/** Where a run ended, when it ended before the answer began. */
export function failedPhase({
  error,
  phases,
}: Pick<RegionProof, 'error' | 'phases'>): 'dns' | 'tcp' | 'tls' | 'ttfb' | null {
  if (!error || phases.first_byte !== null) return null
  if (error.code.startsWith('dns_')) return 'dns'
  if (error.code === 'tls_failed') return 'tls'
  if (phases.connect === null) return 'tcp'
  return 'ttfb'
}
