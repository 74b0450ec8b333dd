import type { z } from 'zod'
import { Sentence, type Text } from './sentence.ts'

type Issue = z.core.$ZodRawIssue

const nouns: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

const formats: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  email: 'an e-mail address',
  url: 'a URL',
  datetime: 'an ISO 8601 time',
}

/**
 * The message for an issue of a schema: zod's own messages are for programmers (undefined, records). A message given by
 * the field itself takes precedence.
 */
export const issueMessage = (issue: Issue): string | undefined => issueText(issue)?.toString()

/** The same as a sentence with its values. */
export function issueText(issue: Issue): Text | undefined {
  if (issue.code === 'unrecognized_keys') return undefined
  if (issue.input === undefined) return 'Is needed.'
  switch (issue.code) {
    case 'invalid_type':
      return mustBe(nouns[issue.expected])
    case 'invalid_format':
      return issue.format === 'date'
        ? new Sentence('Must be a date such as {date}.', { date: '2026-11-22' })
        : mustBe(formats[issue.format])
    case 'invalid_value':
      return oneOf(issue.values)
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options)
        ? oneOf(issue.options)
        : 'Has none of the forms allowed here.'
    case 'invalid_key':
      return 'Is no name allowed here.'
    case 'not_multiple_of':
      return new Sentence('Must be a multiple of {n}.', { n: issue.divisor })
    case 'too_small':
      return bound(issue, Number(issue.minimum))
    case 'too_big':
      return bound(issue, Number(issue.maximum))
  }
  return undefined
}

const mustBe = (what: string | undefined) => what && `Must be ${what}.`

const oneOf = (values: readonly unknown[]) =>
  values.length === 1
    ? mustBe(String(values[0]))
    : new Sentence('Must be one of {values}.', { values: values.map(String).join(', ') })

type Sized = Extract<Issue, { code: 'too_small' | 'too_big' }>

const units: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
}

function bound({ origin, code, exact, inclusive }: Sized, limit: number): Text | undefined {
  const isMost = code === 'too_big'
  if (origin === 'number' || origin === 'int') {
    const [least, most] = inclusive
      ? (['Must be at least {n}.', 'Must be at most {n}.'] as const)
      : (['Must be more than {n}.', 'Must be less than {n}.'] as const)
    return new Sentence(isMost ? most : least, { n: limit })
  }
  const unit = units[origin]
  if (!unit) return undefined
  if (!isMost && limit === 1) return 'Must not be empty.'
  const length = `${exact ? 'Exactly' : isMost ? 'At most' : 'At least'} {n} ${unit[limit === 1 ? 0 : 1]}.`
  return new Sentence(length, { n: limit })
}
