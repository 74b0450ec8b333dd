import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { program } from '#test/support/program.ts'

const cases: [words: string[], what: string, why: string, type: string][] = [
  [['docter'], "unknown command 'docter'", 'Did you mean doctor?', 'vedette doctor'],
  [['account', 'crate'], "unknown command 'crate'", 'Did you mean create?', 'vedette account create'],
  [['status'], "unknown command 'status'", 'The commands are up, ', 'vedette --help'],
  [['up', '--prot', '9'], "unknown option '--prot'", 'Did you mean --port?', 'vedette up --help'],
  [['--prot', '9'], "unknown option '--prot'", 'Did you mean --port?', 'vedette up --help'],
  [['up', '--port', 'x'], "option '--port <n>' argument 'x' is invalid", 'was not understood', 'vedette up --help'],
  [['audit', 'verify', '--nope'], "unknown option '--nope'", 'was not understood', 'vedette audit --help'],
  [['restore'], "missing required argument 'folder'", 'was not understood', 'vedette restore --help'],
]

test.each(cases)('vedette %j says what is wrong, why, and what to type', (words, what, why, type) => {
  const { status, stderr } = spawnSync(process.execPath, program(...words), { encoding: 'utf8' })
  expect(status).toBe(2)
  expect(stderr).toContain(`  failed  ${what}`)
  expect(stderr).toMatch(new RegExp(`  why     .*${why.replace(/[?]/g, '\\?')}`))
  expect(stderr).toContain(`  type    ${type}\n`)
})
