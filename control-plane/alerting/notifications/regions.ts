import { milliseconds, plain } from '#contract/figures.ts'
import { failedPhase } from '#control-plane/engine/verdicts/failed-phase.ts'
import { QuorumProof, type RegionProof } from '#control-plane/engine/verdicts/proof.ts'
import type { Language } from '#locales/languages.ts'
import { counted, fill, texts } from '#locales/texts.ts'
import { causeIn } from './causes.ts'

export interface Agreement {
  /** "2 of 3 regions"; empty for a pushed report, for which no region votes. */
  agreed: string
  /** "2 needed". */
  needed: string
  /** The result of each region, failed ones first. */
  regions: { region: string; saw: string }[]
}

const noRegions: Agreement = { agreed: '', needed: '', regions: [] }

/**
 * The proof of an incident as texts: how many regions of how many agreed, how many were required, and the result of
 * each.
 */
export function agreementOf(proof: unknown, language: Language): Agreement {
  const quorum = QuorumProof.safeParse(proof).data
  if (!quorum || quorum.policy.mode === 'direct' || quorum.asked.length === 0) return noRegions
  const said = texts('notifications', language).agreement
  return {
    agreed: counted(said, 'of', quorum.asked.length, language, { failed: quorum.failed.length }),
    needed: fill(said.needed, { required: quorum.required }),
    regions: [
      ...quorum.failed.map(region => ({ region, saw: sawOf(quorum.regions[region], language) ?? said.failed })),
      ...quorum.ok.map(region => ({ region, saw: sawOf(quorum.regions[region], language) ?? said.answered })),
      ...quorum.silent.map(region => ({ region, saw: said.silent })),
      ...quorum.excluded.map(({ region }) => ({ region, saw: said.excluded })),
    ],
  }
}

/** One region's result: the error or "up", then where it ended, the status and how long it took. */
function sawOf(region: RegionProof | undefined, language: Language): string | undefined {
  if (!region) return undefined
  const said = texts('notifications', language).agreement
  const { error, http_status: status, phases } = region
  const message = error && causeIn(language, error.message)
  const phase = failedPhase(region)
  const more = [
    phase && said.phases[phase],
    status !== null && !message?.includes(String(status)) && fill(said.status, { status }),
    phases.total !== null && plain(milliseconds(phases.total, language)),
  ].filter(part => typeof part === 'string')
  const what = (message ?? said.answered).replace(/\.$/, '')
  return more.length > 0 ? `${what} (${more.join(', ')})` : what
}
