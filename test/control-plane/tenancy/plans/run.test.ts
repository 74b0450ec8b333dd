import { expect, test } from 'vitest'
import { numbered, runOn } from '#control-plane/tenancy/plans/run.ts'
import { app } from '#test/support/app.ts'

test('question marks in text, names and comments of a statement are no values', async () => {
  const [row] = await runOn(app.services.platform)<Record<string, unknown>>(
    `select 'why?' as a, 'it''s ?' as b, $$or ? so$$ as c, $x$ $? $x$ as d, ?::int as "what?" -- is this one?
     /* or this? */`,
    [7],
  )
  expect(row).toEqual({ a: 'why?', b: "it's ?", c: 'or ? so', d: ' $? ', 'what?': 7 })
})

test('a statement whose question marks are not its values is refused, rather than run as another', () => {
  expect(numbered('select ? where ? = any(?)', 3)).toBe('select $1 where $2 = any($3)')
  expect(() => numbered(`select '{"a":1}'::jsonb ? ?`, 1)).toThrow('2 question marks for 1 values')
  expect(() => numbered('select ?', 2)).toThrow('1 question marks for 2 values')
})
