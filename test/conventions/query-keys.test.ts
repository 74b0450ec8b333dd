import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** A key with what reads its answer, its variables as `*`. */
const declaration = /queryKey: \[([^\]]*)\],\s*(?:\w+:[^\n]*\n\s*)?queryFn/g

test('each key of the answers kept by the app belongs to one query, as two shapes of one key break a page', () => {
  const places = new Map<string, string[]>()
  for (const file of globSync('web/**/*.{ts,tsx}')) {
    const source = readFileSync(file, 'utf8')
    for (const { 1: given = '', index } of source.matchAll(declaration)) {
      const key = given.replace(/(?<!['\w-])[a-z]\w*(?!['\w-])/g, '*')
      const line = source.slice(0, index).split('\n').length
      places.set(key, [...(places.get(key) ?? []), `${file}:${line}`])
    }
  }
  expect(places.size).toBeGreaterThan(100)
  expect([...places].filter(([, those]) => those.length > 1)).toEqual([])
})
