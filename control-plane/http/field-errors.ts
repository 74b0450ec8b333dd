import type { z } from 'zod'
import { type FieldErrors, fieldsAtMost } from '#control-plane/base/refusal.ts'
import './language/sentences.ts'

/**
 * The issues of a schema as `errors` of an answer: dotted paths, a list of sentences each, no more than an answer
 * names.
 */
export function fieldErrors(error: z.ZodError): FieldErrors {
  const errors = new Map<string, string[]>()
  for (const issue of error.issues) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [undefined]
    for (const name of names) {
      if (errors.size >= fieldsAtMost) return Object.fromEntries(errors)
      const path = [...issue.path, ...(name === undefined ? [] : [name])].map(String).join('.') || 'body'
      const reasons = errors.get(path) ?? []
      reasons.push(name === undefined ? issue.message : 'Is not known here.')
      errors.set(path, reasons)
    }
  }
  return Object.fromEntries(errors)
}
