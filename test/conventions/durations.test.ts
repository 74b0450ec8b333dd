import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

/** Where the time between a beginning and an end is no duration of an incident. */
const allowed: readonly (readonly [file: string, reason: string])[] = [
  ['control-plane/publishing/status-pages/render/documents.ts', 'a post, whose times its author writes'],
]

const ends = '(?:\\w+\\.)*(?:resolved_at|resolvedAt)'
const starts = '(?:\\w+\\.)*(?:started_at|startedAt)'
/** In SQL and TypeScript: one subtracted from the other, or both as the ends of a shown span of time. */
const subtracts = new RegExp(
  `${ends}\\)*(?:, [^)]*\\))? - (?:\\w+\\()*${starts}|secondsBetween\\(incident\\.|<Lasted from=\\{\\w*\\.?started_at\\} to=`,
)

test('the duration of an incident is counted by incident_seconds alone', async () => {
  const found: string[] = []
  for await (const file of glob('{cli,contract,control-plane,importers,web,workflows}/**/*.{ts,tsx}'))
    if (!file.includes('/migrations/') && subtracts.test(await readFile(file, 'utf8'))) found.push(file)
  expect(found.sort()).toEqual(allowed.map(([file]) => file).sort())
})
