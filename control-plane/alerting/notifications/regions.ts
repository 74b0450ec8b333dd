import { milliseconds, plain } from '#contract/figures.ts'
import type { Language } from '#contract/languages.ts'
import { failedPhase } from '#control-plane/engine/verdicts/failed-phase.ts'
import { QuorumProof, type RegionProof } from '#control-plane/engine/verdicts/proof.ts'
import { causeIn } from './causes.ts'

const textsByLanguage = {
  en: {
    of: (failed: number, asked: number) => `${failed} of ${asked} ${asked === 1 ? 'region' : 'regions'}`,
    needed: (required: number) => `${required} needed`,
    status: (status: number) => `status ${status}`,
    answered: 'up',
    failed: 'failed',
    silent: 'no result',
    excluded: 'not counted: its agent does not report, or is not reliable',
    phases: {
      dns: 'in the DNS lookup',
      tcp: 'while connecting',
      tls: 'in the TLS handshake',
      ttfb: 'while waiting for the answer',
    },
  },
  de: {
    of: (failed: number, asked: number) => `${failed} von ${asked} ${asked === 1 ? 'Region' : 'Regionen'}`,
    needed: (required: number) => `${required} nötig`,
    status: (status: number) => `Status ${status}`,
    answered: 'erreichbar',
    failed: 'gestört',
    silent: 'kein Ergebnis',
    excluded: 'nicht gezählt: Der Agent meldet sich nicht oder ist nicht verlässlich',
    phases: {
      dns: 'bei der DNS-Abfrage',
      tcp: 'beim Verbindungsaufbau',
      tls: 'beim TLS-Handshake',
      ttfb: 'beim Warten auf die Antwort',
    },
  },
}

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
  const texts = textsByLanguage[language]
  return {
    agreed: texts.of(quorum.failed.length, quorum.asked.length),
    needed: texts.needed(quorum.required),
    regions: [
      ...quorum.failed.map(region => ({ region, saw: sawOf(quorum.regions[region], language) ?? texts.failed })),
      ...quorum.ok.map(region => ({ region, saw: sawOf(quorum.regions[region], language) ?? texts.answered })),
      ...quorum.silent.map(region => ({ region, saw: texts.silent })),
      ...quorum.excluded.map(({ region }) => ({ region, saw: texts.excluded })),
    ],
  }
}

/** One region's result: the error or "up", then where it ended, the status and how long it took. */
function sawOf(region: RegionProof | undefined, language: Language): string | undefined {
  if (!region) return undefined
  const texts = textsByLanguage[language]
  const { error, http_status: status, phases } = region
  const message = error && causeIn(language, error.message)
  const phase = failedPhase(region)
  const more = [
    phase && texts.phases[phase],
    status !== null && !message?.includes(String(status)) && texts.status(status),
    phases.total !== null && plain(milliseconds(phases.total, language)),
  ].filter(part => typeof part === 'string')
  const what = (message ?? texts.answered).replace(/\.$/, '')
  return more.length > 0 ? `${what} (${more.join(', ')})` : what
}
