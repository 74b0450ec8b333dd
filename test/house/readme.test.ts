import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { environmentTable } from '#control-plane/config.ts'

const readme = readFileSync('README.md', 'utf8')

test('the README names every variable of the configuration as it is declared', () => {
  for (const { name, description } of environmentTable) {
    expect(description, name).not.toBe('')
    expect(readme, name).toMatch(new RegExp(`\\| \`${name}\` \\| [^|]+ \\| ${description.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')} \\|`))
  }
})

test('the README maps every room, and only rooms that are there', () => {
  const rooms = readdirSync('.', { withFileTypes: true })
    .filter(entry => entry.isDirectory() && !/^(\.|node_modules)/.test(entry.name))
    .map(entry => entry.name)
  const mapped = [...readme.matchAll(/^\| `([\w-]+)\/` \|/gm)].map(match => match[1])
  expect(mapped.toSorted()).toEqual(rooms.toSorted())
})
