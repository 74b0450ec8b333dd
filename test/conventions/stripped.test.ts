import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

test('Node reads every file of ours as it is: the tests’ own compiler takes more than Node does', () => {
  const files = globSync(
    '{analytics,bench,bounded,checks,cli,contract,control-plane,egress,importers,probe-agent,server-agent,workflows}/**/*.ts',
    { cwd: root },
  )
  expect(files.length).toBeGreaterThan(500)
  const unreadable = files.filter(file => {
    try {
      stripTypeScriptTypes(readFileSync(join(root, file), 'utf8'))
      return false
    } catch {
      return true
    }
  })
  expect(unreadable).toEqual([])
})
