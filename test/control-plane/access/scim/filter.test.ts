import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseFilter } from '#control-plane/access/scim/filter.ts'
import { Refusal } from '#control-plane/base/refusal.ts'
import { scimErrorOf } from '#control-plane/http/scim-error.ts'

const kindOf = (filter: string): unknown => {
  try {
    parseFilter(filter)
    return 'taken'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return scimErrorOf(error).body.scimType
  }
}

describe('a SCIM filter', () => {
  test('compares an attribute, whose name and operator have no case, with a value of JSON', () => {
    expect(parseFilter('userName eq "pat@example.com"')).toEqual([{ attribute: 'username', value: 'pat@example.com' }])
    expect(parseFilter('USERNAME EQ "a \\"quoted\\" \\u00e4"')).toEqual([
      { attribute: 'username', value: 'a "quoted" ä' },
    ])
    expect(parseFilter(' active eq true ')).toEqual([{ attribute: 'active', value: true }])
    expect(parseFilter('active eq False')).toEqual([{ attribute: 'active', value: false }])
    expect(parseFilter('urn:ietf:params:scim:schemas:core:2.0:User:userName eq "x"')).toEqual([
      { attribute: 'username', value: 'x' },
    ])
  })

  test('joins comparisons by and, and takes the filter of values that Entra ID sends', () => {
    expect(parseFilter('userName eq "x" and externalId eq "7"')).toEqual([
      { attribute: 'username', value: 'x' },
      { attribute: 'externalid', value: '7' },
    ])
    expect(parseFilter('emails[type eq "work"].value eq "a@b.test"')).toEqual([
      { attribute: 'emails.type', value: 'work' },
      { attribute: 'emails.value', value: 'a@b.test' },
    ])
    expect(parseFilter('emails[type eq "work" and value eq "a@b.test"]')).toEqual([
      { attribute: 'emails.type', value: 'work' },
      { attribute: 'emails.value', value: 'a@b.test' },
    ])
  })

  test.each([
    '',
    'userName',
    'userName eq',
    'userName eq x',
    'userName sw "x"',
    'userName pr',
    'userName eq "x" or userName eq "y"',
    'not (userName eq "x")',
    '(userName eq "x")',
    'userName eq "x',
    'userName eq "\\x"',
    'userName eq "x" and',
    'userName eq "x" and userName',
    'emails[type eq "work"',
    'emails[type eq "work"].',
    'emails[a[b eq 1]]',
    `userName eq "${'x'.repeat(1_000)}"`,
    Array.from({ length: 11 }, () => 'id eq "1"').join(' and '),
    'userName eq 1e400',
  ])('that is not understood is refused as invalidFilter: %s', filter => {
    expect(kindOf(filter)).toBe('invalidFilter')
  })

  test('of any text is either taken or refused, at once', () => {
    const parts = fc.constantFrom(
      ...['userName', 'emails', 'active', ' ', ' ', 'eq', 'and', '"x"', '"', '\\', '[', ']', '.', 'true', '1', '('],
      'urn:ietf:params:scim:schemas:core:2.0:User:',
    )
    const alike = fc.array(parts, { maxLength: 30 }).map(texts => texts.join(''))
    fc.assert(
      fc.property(fc.oneof(alike, fc.string({ unit: 'binary', maxLength: 200 })), filter => {
        expect(['taken', 'invalidFilter']).toContain(kindOf(filter))
      }),
      { numRuns: 3_000 },
    )
  })

  test('reads back any value that it was written with', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 100 }), value => {
        expect(parseFilter(`externalId eq ${JSON.stringify(value)}`)).toEqual([{ attribute: 'externalid', value }])
      }),
    )
  })
})
