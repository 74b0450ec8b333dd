import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { Sentence } from '#contract/sentence.ts'
import { type FieldErrors, invalid } from '#control-plane/base/refusal.ts'
import { queries, total } from '#control-plane/db/queries.ts'
import type { Guard } from '#egress/guard.ts'
import type { Source } from '#importers/source.ts'
import { sourceNamed } from './sources.ts'

/** The greatest content of a file that is part of a JSON body. */
export const contentBytes = 900_000

/** A key as it is sent in a header: no control characters, so that it cannot add headers of its own. */
export const credential = z
  .string()
  .min(1)
  .max(1_024)
  .regex(/^[\x21-\x7e]+$/, 'Must be printable ASCII without spaces.')
  .meta({ description: 'The key of the provider’s API. It is never shown.', writeOnly: true })

/** The key in the ping addresses of a project at Healthchecks that name its jobs by their slugs. */
export const pingKey = z
  .string()
  .regex(/^[\w-]{10,128}$/, 'Must be the ping key alone, of 10 to 128 letters, digits, - and _.')
  .meta({
    description:
      'The ping key of a project at Healthchecks: with it ping addresses of its jobs by slug count here as well. ' +
      'Its API does not show it. It is never shown.',
    writeOnly: true,
  })

/** Where the API of a provider is reached. */
export const baseUrl = z.url({ protocol: /^https?$/ }).max(500)

interface Sent {
  provider: string
  base_url?: string | undefined
  api_key?: string | undefined
  ping_key?: string | undefined
  content?: string | undefined
}

/** The source that is named, and what of the request does not fit it. */
export function validateSource(sent: Sent, guard: Pick<Guard, 'refuseUrl'>): { source: Source; errors: FieldErrors } {
  const source = sourceNamed(sent.provider)
  if (!source) throw invalid({ provider: ['There is no such provider.'] })
  const errors: FieldErrors = {}
  const refused = sent.base_url === undefined ? null : guard.refuseUrl(sent.base_url)
  if (refused !== null) errors.base_url = [refused]
  if (sent.ping_key !== undefined && !source.hasPingKey)
    errors.ping_key = [new Sentence('{source} has no ping key.', { source: source.title })]
  if (source.reads === 'file') {
    if (sent.api_key !== undefined && !source.poll)
      errors.api_key = [new Sentence('{source} is read from a file, not with a key.', { source: source.title })]
  } else {
    if (sent.content !== undefined)
      errors.content = [new Sentence('{source} is read from its API, not from a file.', { source: source.title })]
    if (source.credential !== undefined && sent.api_key === undefined)
      errors.api_key = ['The key of its API is missing.']
    if (source.baseUrl === null && sent.base_url === undefined) errors.base_url = ['Say where it is reached.']
  }
  return { source, errors }
}

/** Refuses more migrations under way than one team needs. */
export async function refuseSource(em: EntityManager, tenant: { id: string }, most: number): Promise<void> {
  const { total: open } = await queries(em)
    .selectFrom('provider_migrations')
    .where('tenant_id', '=', tenant.id)
    .where('state', 'not in', ['cutover', 'rolled_back', 'cancelled'])
    .select(total)
    .executeTakeFirstOrThrow()
  if (open >= most)
    throw invalid({ provider: [new Sentence('{n} migrations are under way: cancel one of them first.', { n: open })] })
}
