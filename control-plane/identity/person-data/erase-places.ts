import type { PoolClient } from 'pg'
import { rows } from '#control-plane/db/queries.ts'
import type { ErasureValues, Place } from './places.ts'

/** Erases a person from every place but the account itself and what is deleted with it. */
export async function erasePlaces(client: PoolClient, places: readonly Place[], values: ErasureValues): Promise<void> {
  for (const { erases = [] } of places) for (const statement of erases) await rows(client, statement(values))
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
const whole = (text: string) => `(?<![[:alnum:]._+@-])${escaped(text)}(?![[:alnum:]_@]|[.-][[:alnum:]])`
const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

/**
 * Regular expressions of PostgreSQL for texts that mention a person. A name of one word is not searched for in all
 * texts, as it may mean another person or thing.
 */
export function mentionsOf({ email, name }: { email: string; name: string }) {
  const isFull = /\S\s+\S/.test(name)
  const either = (...patterns: string[]) => patterns.map(pattern => `(?:${pattern})`).join('|')
  return {
    mention: isFull ? either(whole(email), whole(name)) : whole(email),
    any_mention: either(whole(email), whole(name)),
    json_mention: either(escaped(inJson(email)), isFull ? whole(inJson(name)) : `"${escaped(inJson(name))}"`),
  }
}
