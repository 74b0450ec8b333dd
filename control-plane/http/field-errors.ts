import type { z } from 'zod'
import type { Text } from '#contract/sentence.ts'
import { Sentence } from '#contract/sentence.ts'
import { issueText } from '#contract/validation-messages.ts'
import { type FieldErrors, fieldsAtMost } from '#control-plane/base/refusal.ts'
import './language/sentences.ts'

/**
 * The issues of a schema as `errors` of an answer: dotted paths, a list of sentences each, no more than an answer
 * names.
 */
export function fieldErrors(error: z.ZodError): FieldErrors {
  const errors = new Map<string, Text[]>()
  for (const issue of error.issues) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [undefined]
    for (const name of names) {
      if (errors.size >= fieldsAtMost) return Object.fromEntries(errors)
      const path = [...issue.path, ...(name === undefined ? [] : [name])].map(String).join('.') || 'body'
      const reasons = errors.get(path) ?? []
      reasons.push(name === undefined ? textOf(issue) : 'Is not known here.')
      errors.set(path, reasons)
    }
  }
  return Object.fromEntries(errors)
}

/** The sentence of an issue with its values: those of the schema's own rules, and those that a rule gives as `params`. */
function textOf(issue: z.core.$ZodIssue): Text {
  if (issue.code === 'custom' && issue.params) return new Sentence(issue.message, issue.params)
  const text = issueText({ ...issue, input: null } as z.core.$ZodRawIssue)
  return text !== undefined && String(text) === issue.message ? text : issue.message
}
