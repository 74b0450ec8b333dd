import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { aliases, events, internalEvents, subscribable } from '#contract/events.ts'

test('whatever is written to the outbox as an event is in the catalogue', async () => {
  const unknown: string[] = []
  let found = 0
  for (const room of ['control-plane', 'workflows'])
    for await (const file of glob(`${room}/**/*.ts`)) {
      const text = await readFile(file, 'utf8')
      const names = [
        ...text.matchAll(/\bemit\(\s*'([^']+)'/g),
        ...text.matchAll(/'event',\s*'(\w+\.[\w.]+)'/g),
        ...text.matchAll(/kind: 'event',\s*name: '([\w.]+)'/g),
      ].map(match => match[1] ?? '')
      found += names.length
      unknown.push(
        ...names
          .filter(name => !events.has(name) && !internalEvents.some(internal => internal === name))
          .map(name => `${file}: ${name}`),
      )
    }
  expect(unknown).toEqual([])
  expect(found).toBeGreaterThan(12)
})

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
