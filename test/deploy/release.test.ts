import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder: string
const files = [
  'package.json',
  'package-lock.json',
  'README.md',
  'CHANGELOG.md',
  'deploy/helm/vedette/Chart.yaml',
  'deploy/helm/vedette/examples/production.yaml',
]
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
const release = (...args: string[]) =>
  spawnSync(process.execPath, [join(process.cwd(), 'deploy/release.ts'), ...args], { cwd: folder, encoding: 'utf8' })
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vedette-release-'))
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(file, join(folder, file))
  }
  const changes = '# Changes\n\n## Unreleased\n\n- Something new.\n\n## 0.0.1, 2026-01-01\n\n- The first.\n'
  writeFileSync(join(folder, 'CHANGELOG.md'), changes)
  git('init', '--quiet')
  git('config', 'user.email', 'test@example.com')
  git('config', 'user.name', 'Test')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Begin')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('npm run release writes the version wherever it stands, closes the list of changes, commits and tags', () => {
  const present: string = JSON.parse(read('package.json')).version
  const { status, stderr } = release('9.0.0')
  expect(stderr).toBe('')
  expect(status).toBe(0)
  expect(JSON.parse(read('package.json')).version).toBe('9.0.0')
  const lock = JSON.parse(read('package-lock.json'))
  expect([lock.version, lock.packages[''].version]).toEqual(['9.0.0', '9.0.0'])
  expect(read('README.md')).toContain('vedette 9.0.0    data in')
  expect(read('deploy/helm/vedette/Chart.yaml')).toContain('appVersion: 9.0.0')
  expect(read('deploy/helm/vedette/examples/production.yaml')).not.toContain(present)
  expect(read('CHANGELOG.md')).toMatch(/## Unreleased\n\n## 9\.0\.0, \d{4}-\d\d-\d\d\n\n- Something new\./)
  expect(git('log', '-1', '--format=%s')).toBe('Release 9.0.0')
  expect(git('tag', '--list', '--format=%(contents)')).toContain('- Something new.')
  expect(git('status', '--porcelain')).toBe('')
})

test('npm run release refuses an earlier version, changes without a commit and an empty list of changes', () => {
  expect(release('0.0.1').stderr).toContain('0.0.1 does not follow')
  expect(release('next').stderr).toContain('a release needs a version of three numbers')
  writeFileSync(join(folder, 'README.md'), `${read('README.md')}\n`)
  expect(release('9.0.0').stderr).toContain('there are changes without a commit')
  git('checkout', '--quiet', 'README.md')
  writeFileSync(join(folder, 'CHANGELOG.md'), '# Changes\n\n## Unreleased\n\n## 0.0.1, 2026-01-01\n')
  git('commit', '--all', '--quiet', '--message', 'Empty')
  expect(release('9.0.0').stderr).toContain('CHANGELOG.md says nothing under "Unreleased"')
  expect(git('tag', '--list')).toBe('')
})
