import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { generatedPages } from '#cli/commands/docs.ts'
import { environmentTable } from '#control-plane/config.ts'
import { agentTable } from '#probe-agent/config.ts'
import { anchors, relativeLinks, shellBlocks, unsetVariables } from '#test/support/markdown.ts'

const pages = [...globSync('*.md'), ...globSync('docs/**/*.md')]
const read = (page: string) => readFileSync(page, 'utf8')

test('each setting has a description', () => {
  for (const { name, description } of [...environmentTable, ...agentTable]) expect(description, name).not.toBe('')
})

test.each(Object.entries(generatedPages))('docs/%s is the one that its schemas or its table give', (name, text) => {
  expect(read(`docs/${name}`) === text(), 'type: npm run docs').toBe(true)
})

test.each(pages)('every relative link of %s leads to a file, and its anchor to a heading', page => {
  for (const link of relativeLinks(read(page))) {
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? page : join(dirname(page), path)
    expect(existsSync(target), `${link} leads nowhere`).toBe(true)
    if (anchor !== undefined) expect(anchors(read(target)), link).toContain(anchor)
  }
})

test.each(pages)('no shell block of %s uses a variable that no block before it sets', page => {
  expect(unsetVariables(shellBlocks(read(page)))).toEqual([])
})

test('a variable counts as set by its own or an earlier block, in any of the forms in use, and by no later one', () => {
  expect(unsetVariables(['A=1\nB=$(echo "$A")', 'sleep 1 & C=$!\necho "$A/$B" $C "$1" $?'])).toEqual([])
  expect(unsetVariables(['echo $A', 'A=1', 'echo "$B"'])).toEqual(['A', 'B'])
})

test('a link to a file or heading that does not exist is found', () => {
  expect(relativeLinks('[a](b.md#c) [d](https://example.com/) [e](#f) ![g](h.png)')).toEqual(['b.md#c', '#f', 'h.png'])
  expect(anchors('# One `two`: three\n## Rotating SECRET_KEY\n')).toEqual(['one-two-three', 'rotating-secret_key'])
})

test('docs/faults.md has the marks between which the fault runs write their table', () => {
  expect(read('docs/faults.md')).toMatch(/<!-- faults -->\n\|[\s\S]*\|\n<!-- \/faults -->/)
  expect(read('test/faults/main.ts')).toContain("join(root, 'docs', 'faults.md')")
})
