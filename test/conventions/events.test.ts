import { expect, test } from 'vitest'
import { aliases, events, subscribable } from '#contract/events.ts'

test('every event has an example that its own schema takes, and a description', () => {
  for (const [name, { schema, example, description }] of events) {
    expect(schema.safeParse(example).error?.issues ?? [], name).toEqual([])
    expect(description, name).toMatch(/^[A-Z].+[^.]$/)
  }
})

test('names are unique, and an alias stands for an event', () => {
  expect(new Set(subscribable).size).toBe(subscribable.length)
  for (const [alias, meant] of Object.entries(aliases)) {
    expect(events.has(alias)).toBe(false)
    expect(events.has(meant)).toBe(true)
  }
  for (const never of ['email.password_reset', 'email.email_change_verify', 'email.email_changed_notify'])
    expect(subscribable).not.toContain(never)
})
