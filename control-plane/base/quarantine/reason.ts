import { z } from 'zod'
import { sqlState } from '#control-plane/base/away.ts'
import { UnreadableSecret } from '#control-plane/base/secrets.ts'

const longest = 500

/** An error whose message contains no data of a row and may be shown unchanged. */
export class BadRowError extends Error {
  override readonly name = 'BadRowError'
}

interface Stated {
  message?: string
  constraint?: string
  table?: string
  column?: string
}

/**
 * Why a row is bad, for the operator. Messages of parsers and of PostgreSQL may quote stored data: only our own names
 * of tables, columns and fields are repeated.
 */
export function reasonOf(error: unknown): string {
  return reason(error).replaceAll('\0', '').toWellFormed().slice(0, longest).toWellFormed()
}

function reason(error: unknown): string {
  if (error instanceof UnreadableSecret || error instanceof BadRowError) return error.message
  if (error instanceof z.ZodError) return error.issues.slice(0, 5).map(issueOf).join(' ')
  const state = sqlState(error)
  if (state !== null) return ofDatabase(state, error as Stated)
  if (!(error instanceof Error)) return `Something of type ${typeof error} was thrown.`
  if (error instanceof SyntaxError) return `A stored text is not what it should be (${error.name}${placeOf(error)}).`
  return `${error.name}${placeOf(error)}`
}

/** A field and the message of its schema, which describes the schema and not the value. */
const issueOf = ({ path, code, message }: z.core.$ZodIssue) =>
  `${path.map(String).join('.') || 'value'}: ${code === 'unrecognized_keys' ? 'Has an unknown field.' : message}`

function ofDatabase(state: string, { message = '', constraint, table, column }: Stated): string {
  const names = Object.entries({ table, column, constraint }).flatMap(([name, value]) =>
    value ? `${name} ${value}` : [],
  )
  // a missing name; messages of other classes may quote a value
  if (/^42/.test(state)) names.push(message)
  return [`PostgreSQL refuses it: ${state}`, ...names].join(', ')
}

const placeOf = ({ stack }: Error) => {
  const place =
    /\(?(?:file:\/\/)?[^\s()]*?\/((?:control-plane|checks|contract|analytics|workflows)\/[^\s():]+:\d+)/.exec(
      stack ?? '',
    )?.[1]
  return place ? ` at ${place}` : ''
}
