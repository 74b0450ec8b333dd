import type { z } from 'zod'

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
  date: 'a date such as 2026-11-22',
  datetime: 'an ISO 8601 time',
}

/**
 * The message for an issue of a schema: zod's own messages are for programmers (undefined, records). A message given by
 * the field itself takes precedence.
 */
export function issueMessage(issue: Issue): string | undefined {
  if (issue.code === 'unrecognized_keys') return undefined
  if (issue.input === undefined) return 'Is needed.'
  switch (issue.code) {
    case 'invalid_type':
      return mustBe(nouns[issue.expected])
    case 'invalid_format':
      return mustBe(formats[issue.format])
    case 'invalid_value':
      return oneOf(issue.values)
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options)
        ? oneOf(issue.options)
        : 'Has none of the forms allowed here.'
    case 'invalid_key':
      return 'Is no name allowed here.'
    case 'not_multiple_of':
      return mustBe(`a multiple of ${issue.divisor}`)
    case 'too_small':
      return bound(issue, Number(issue.minimum))
    case 'too_big':
      return bound(issue, Number(issue.maximum))
  }
  return undefined
}

const mustBe = (what: string | undefined) => what && `Must be ${what}.`

const oneOf = (values: readonly unknown[]) =>
  mustBe(values.length === 1 ? String(values[0]) : `one of ${values.map(String).join(', ')}`)

type Sized = Extract<Issue, { code: 'too_small' | 'too_big' }>

const units: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
}

function bound({ origin, code, exact, inclusive }: Sized, limit: number): string | undefined {
  const isMost = code === 'too_big'
  if (origin === 'number' || origin === 'int')
    return mustBe(inclusive ? `at ${isMost ? 'most' : 'least'} ${limit}` : `${isMost ? 'less' : 'more'} than ${limit}`)
  const unit = units[origin]
  if (!unit) return undefined
  if (!isMost && limit === 1) return 'Must not be empty.'
  return `${exact ? 'Exactly' : isMost ? 'At most' : 'At least'} ${limit} ${unit[limit === 1 ? 0 : 1]}.`
}
