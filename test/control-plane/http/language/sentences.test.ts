import { expect, test } from 'vitest'
import { z } from 'zod'
import { fieldErrors } from '#control-plane/http/field-errors.ts'

/** The message for a field of that shape with this value. */
const messageFor = (schema: z.ZodType, given: unknown) => {
  const { error } = z.object({ field: schema }).safeParse({ field: given })
  return error && String(Object.values(fieldErrors(error))[0]?.[0])
}

test('a schema says what is wrong in the words of the API', () => {
  for (const schema of [
    z.string(),
    z.int(),
    z.enum(['a', 'b']),
    z.array(z.string()),
    z.uuid(),
    z.object({ name: z.string() }),
  ])
    expect(messageFor(schema, undefined)).toBe('Is needed.')
  const cases: [z.ZodType, unknown, string][] = [
    [z.string(), 5, 'Must be text.'],
    [z.string(), null, 'Must be text.'],
    [z.number(), '5', 'Must be a number.'],
    [z.int(), 1.5, 'Must be a whole number.'],
    [z.boolean(), 'true', 'Must be true or false.'],
    [z.array(z.string()), 'a', 'Must be a list.'],
    [z.object({}), [], 'Must be an object.'],
    [z.record(z.string(), z.string()), [], 'Must be an object.'],
    [z.enum(['free', 'pro']), 'gold', 'Must be one of free, pro.'],
    [z.literal(1), 2, 'Must be 1.'],
    [
      z.discriminatedUnion('action', [
        z.object({ action: z.literal('pause') }),
        z.object({ action: z.literal('delete') }),
      ]),
      {},
      'Must be one of pause, delete.',
    ],
    [z.union([z.string(), z.number()]), true, 'Has none of the forms allowed here.'],
    [z.string().min(1), '', 'Must not be empty.'],
    [z.string().min(12), 'a', 'At least 12 characters.'],
    [z.string().max(255), 'a'.repeat(256), 'At most 255 characters.'],
    [z.string().length(2), 'abc', 'Exactly 2 characters.'],
    [z.array(z.int()).min(1), [], 'Must not be empty.'],
    [z.array(z.int()).max(1), [1, 2], 'At most 1 entry.'],
    [z.int().min(1), 0, 'Must be at least 1.'],
    [z.int().max(365), 366, 'Must be at most 365.'],
    [z.number().gt(0), 0, 'Must be more than 0.'],
    [z.number().lt(1), 1, 'Must be less than 1.'],
    [z.number().multipleOf(5), 4, 'Must be a multiple of 5.'],
    [z.uuid(), 'x', 'Must be a UUID.'],
    [z.email(), 'x', 'Must be an e-mail address.'],
    [z.url(), 'x', 'Must be a URL.'],
    [z.iso.date(), 'x', 'Must be a date such as 2026-11-22.'],
    [z.record(z.string().max(1), z.int()), { ab: 1 }, 'Is no name allowed here.'],
    [z.strictObject({}), { colour: 1 }, 'Is not known here.'],
    [z.string().regex(/^a$/, 'Must be an a.'), 'b', 'Must be an a.'],
  ]
  for (const [schema, given, sentence] of cases) expect(messageFor(schema, given), JSON.stringify(given)).toBe(sentence)
})
