import { z } from 'zod'
import { isProbedKindName, type KindName } from '#checks/index.ts'
import { regionName } from '#contract/agent.ts'
import { Phases } from '#contract/check.ts'
import { decryptSecret, encryptSecret, type Keyring } from '#control-plane/base/secrets.ts'

/** Notices of checks to try: the id and the encrypted definition, parted by a space. */
export const tryNotice = 'check_tries'
/** Notices of what a region answered to a try: JSON of `TryAnswer`. */
export const tryAnswerNotice = 'try_answers'

/** After this time a region without an answer is silent. A caller has its answer within half a minute. */
export const tryPatienceMs = 28_500
/** PostgreSQL limits a notice to 8,000 bytes; the definition grows by a third when it is encrypted. */
export const tryDefinitionBytes = 5_500

const purpose = 'check try'

export const TryDefinition = z.object({
  tenant: z.uuid(),
  kind: z.string().refine((name): name is KindName => isProbedKindName(name)),
  url: z.string(),
  /** Parsed by the kind's schema, with secrets: they are never sent in plain text, nor stored. */
  settings: z.record(z.string(), z.unknown()),
  timeout_ms: z.int().min(100),
  regions: z.array(regionName),
})
export type TryDefinition = z.output<typeof TryDefinition>

export const RegionAnswer = z.object({
  region: z.string(),
  at: z.string().meta({ format: 'date-time' }),
  outcome: z.enum(['up', 'warning', 'down', 'unknown']),
  error_code: z.string().nullable(),
  summary: z.string().nullable(),
  response_ms: z.number().nullable(),
  phases: Phases,
  http_status: z.int().nullable(),
  address: z.string().nullable(),
  is_suspect: z.boolean().meta({ description: 'The agent failed its self-check.' }),
})
export type RegionAnswer = z.output<typeof RegionAnswer>

/** `asked`: the regions with a connected agent. Without any, one notice without an answer is sent. */
export const TryAnswer = z.object({ try: z.uuid(), asked: z.array(z.string()), answer: RegionAnswer.nullable() })
export type TryAnswer = z.output<typeof TryAnswer>

export const closeTry = (ring: Keyring, id: string, definition: TryDefinition): string =>
  `${id} ${encryptSecret(ring, purpose, id, JSON.stringify(definition))}`

/** Throws for a notice that is not ours. */
export function decryptTry(ring: Keyring, payload: string): { id: string; definition: TryDefinition } {
  const [id = '', envelope = ''] = payload.split(' ')
  return { id, definition: TryDefinition.parse(JSON.parse(decryptSecret(ring, purpose, id, envelope))) }
}
