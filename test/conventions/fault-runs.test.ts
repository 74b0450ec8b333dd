import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

/** A path of a test file, or a part of a title that selects tests of the file named last. */
const pathOrTitle = /'(test\/[\w/.-]+\.test\.ts)'|file: '([\w/-]+)'|named\('([^']+)'\)|name: '([^']+)'/g

/** The selections of the long fault runs, which choose tests by their titles. */
async function selections(): Promise<{ file: string; title: string }[]> {
  const source = await readFile('test/faults/main.ts', 'utf8')
  const found: { file: string; title: string }[] = []
  let file = ''
  for (const [, path, room, named, name] of source.matchAll(pathOrTitle)) {
    file = path ?? (room ? `test/control-plane/${room}.test.ts` : file)
    for (const title of (named ?? name)?.split('|') ?? []) found.push({ file, title })
  }
  return found
}

test('each selection of a long fault run is part of a title in its file', async () => {
  const all = await selections()
  expect(all.length).toBeGreaterThan(15)
  const missing: string[] = []
  for (const { file, title } of all) {
    const lines = (await readFile(file, 'utf8')).split('\n')
    if (!lines.some(line => /['`]/.test(line) && line.includes(title))) missing.push(`${file} has no "${title}"`)
  }
  expect(missing).toEqual([])
})
