import { noPhases } from '#contract/check.ts'
import type { QuorumProof } from '#control-plane/engine/verdicts/proof.ts'

const failing = {
  phases: noPhases,
  error: { code: 'http_status', message: 'HTTP 503' },
  http_status: 503,
  excerpt: null,
  at: '2026-01-15T08:30:02.000000Z',
}

/** The proof of an incident that two regions agreed on. */
export const aProof: QuorumProof = {
  policy: { mode: 'majority', count: null },
  required: 2,
  asked: ['eu-west', 'us-east'],
  failed: ['eu-west', 'us-east'],
  ok: [],
  silent: [],
  excluded: [],
  regions: { 'eu-west': failing, 'us-east': failing },
}
