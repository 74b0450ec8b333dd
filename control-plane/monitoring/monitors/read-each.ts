import type { z } from 'zod'
import type { FieldErrors } from '#control-plane/base/refusal.ts'
import { inSlices } from '#control-plane/base/slices.ts'
import { fieldErrors } from '#control-plane/http/field-errors.ts'
import { byIndex } from './validate.ts'

interface Read<Value> {
  /** The entries that could be read. In one with errors another value stands in for each field that is wrong. */
  values: Value[]
  /** The places of these in the list that was sent. */
  places: number[]
  /** By path, such as `monitors.3.url`. */
  errors: FieldErrors
}

/**
 * Reads each entry of a list as a request for one would be read. What of an entry can be read although a field is wrong
 * is read too, so that one answer names every reason. `standIns`: values of fields that an entry must have.
 */
export const readEach = <Schema extends z.ZodObject>(
  schema: Schema,
  entries: readonly unknown[],
  standIns: Record<string, unknown>,
): Promise<Read<z.output<Schema>>> => inSlices(reading(schema, entries, standIns))

function* reading<Schema extends z.ZodObject>(
  schema: Schema,
  entries: readonly unknown[],
  standIns: Record<string, unknown>,
): Generator<undefined, Read<z.output<Schema>>> {
  const read: Read<z.output<Schema>> = { values: [], places: [], errors: {} }
  for (const [index, entry] of entries.entries()) {
    yield
    const parsed = schema.safeParse(entry)
    if (!parsed.success)
      for (const [path, reasons] of Object.entries(fieldErrors(parsed.error)))
        read.errors[path === 'body' ? byIndex(index).slice(0, -1) : byIndex(index) + path] = reasons
    const again = parsed.success ? parsed : schema.safeParse(withoutWrong(entry, parsed.error, standIns))
    if (!again.success) continue
    read.values.push(again.data)
    read.places.push(index)
  }
  return read
}

/** The same without the fields that are wrong. In the place of a wrong check is one that may be there several times. */
function withoutWrong(entry: unknown, { issues }: z.ZodError, standIns: Record<string, unknown>): unknown {
  if (typeof entry !== 'object' || entry === null) return entry
  const isOfCheck = ([field, at]: PropertyKey[]) => field === 'checks' && at !== undefined
  const wrong = new Set(issues.flatMap(({ path }) => (isOfCheck(path) ? [] : path.slice(0, 1))))
  const wrongChecks = new Set(issues.flatMap(({ path }) => (isOfCheck(path) ? path.slice(1, 2) : [])))
  const kept = Object.entries(entry).filter(([name]) => !wrong.has(name))
  return {
    ...standIns,
    ...Object.fromEntries(
      kept.map(([name, value]) => [
        name,
        name === 'checks' && Array.isArray(value)
          ? value.map((check, index) => (wrongChecks.has(index) ? { type: 'dns' } : check))
          : value,
      ]),
    ),
  }
}
