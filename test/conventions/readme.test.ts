import { readdirSync, readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'

const readme = readFileSync('README.md', 'utf8')

test('the README has at most 8,000 bytes', () => {
  expect(statSync('README.md').size).toBeLessThanOrEqual(8_000)
})

test('the README maps every top-level folder, and only folders that exist', () => {
  const folders = readdirSync('.', { withFileTypes: true })
    .filter(entry => entry.isDirectory() && !/^(\.|node_modules)/.test(entry.name))
    .map(entry => entry.name)
  const mapped = [...readme.matchAll(/^\| `([\w-]+)\/` \|/gm)].map(match => match[1])
  expect(mapped.toSorted()).toEqual(folders.toSorted())
})
